//===- Verify.h - Compiled kernels against their meaning --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_VERIFY_VERIFY_H
#define QFUSE_VERIFY_VERIFY_H

#include "mlir/IR/BuiltinOps.h"
#include "qfuse/Support/Inputs.h"
#include <map>

namespace mlir::qfuse {

struct VerifyOptions {
  /// As in CompileOptions.
  std::string target;
  SmallVector<std::string> provide;
  /// Name of a registered device.
  std::string device;
  /// Name of the function; empty: all that have a body.
  std::string function;
  /// The extents to try for each name; all combinations are. An extent that is
  /// not listed is 4.
  std::map<std::string, SmallVector<int64_t>> dims;
  SmallVector<InputKind> inputs = {InputKind::random};
  uint64_t seed = 1;
};

struct VerifySummary {
  unsigned equal = 0, different = 0;
  /// Findings of a device that checks.
  unsigned hazards = 0;
};

/// Compiles the functions of `module`, executes them and compares with their
/// meaning, which is taken from the functions of the same names in `reference`:
///
/// - A: what is free of order has the same bits;
/// - B: the result of an op whose value depends on order or approximation lies
///   in its interval, and what follows from it is right by A. The kernels are
///   compiled a second time with these results as further outputs, the probes;
///   both have to give the same bytes;
/// - C: the function compiled without fusion, and a row alone, give the same
///   bytes.
///
/// Writes a line for each case to `report`. Emits an error if something cannot
/// be compiled, executed or interpreted. Changes neither module.
FailureOr<VerifySummary> verifyModule(ModuleOp module, ModuleOp reference,
                                      const VerifyOptions &options,
                                      raw_ostream &report);

} // namespace mlir::qfuse

#endif // QFUSE_VERIFY_VERIFY_H
