//===- Compiled.h - A function on a device ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_VERIFY_COMPILED_H
#define QFUSE_LIB_VERIFY_COMPILED_H

#include "qfuse/Interpreter/Interpreter.h"
#include "qfuse/Runtime/Artifact.h"
#include "qfuse/Verify/Verify.h"

namespace mlir::qfuse {

/// A module that was compiled, written as an artifact, read back and loaded on
/// a device of its own.
class Compiled {
public:
  /// Compiles a copy of `module`. Emits an error if it cannot be compiled, or
  /// if there is no such device.
  static FailureOr<std::unique_ptr<Compiled>>
  create(ModuleOp module, const VerifyOptions &options, bool fuse);

  /// Executes the function `name`. Arguments whose strides are open are given
  /// padded. Emits an error at `loc` if that fails.
  FailureOr<std::vector<Tensor>>
  run(StringRef name, ArrayRef<HostValue> arguments, Location loc);

  const Device &getDevice() const { return *device; }

private:
  Compiled() = default;

  Artifact artifact;
  std::unique_ptr<Device> device;
  std::optional<Executable> executable;
};

} // namespace mlir::qfuse

#endif // QFUSE_LIB_VERIFY_COMPILED_H
