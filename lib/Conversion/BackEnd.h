//===- BackEnd.h - LLVM's back end, in process ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_CONVERSION_BACKEND_H
#define QFUSE_LIB_CONVERSION_BACKEND_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/CodeGen.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir::qfuse {

/// Takes one module of device functions from MLIR to what a target's code
/// generator writes, which must have been registered with LLVM.
class BackEnd {
public:
  /// Emits an error at `loc` if LLVM has no such target.
  static FailureOr<BackEnd> create(Location loc, StringRef triple,
                                   StringRef chip, StringRef features);
  BackEnd(BackEnd &&);
  ~BackEnd();

  /// Translates `module`, in the LLVM dialect and that of the device, to LLVM
  /// IR. Emits an error where an op has no translation.
  LogicalResult translate(gpu::GPUModuleOp module);
  llvm::Module &getModule() { return *module; }

  /// Runs LLVM's passes at O3.
  void optimize();

  /// Returns the LLVM IR as text.
  std::string getText() const;

  /// Returns the assembly or the object; the module stays as it is. Emits an
  /// error if the target has no such file.
  FailureOr<std::string> emit(llvm::CodeGenFileType type);

private:
  BackEnd(Location loc, std::unique_ptr<llvm::TargetMachine> machine);

  Location loc;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
};

/// Emits an error at the first op of `module` that is neither of the LLVM
/// dialect nor of `device`, the namespace of that of the device: conversions of
/// upstream skip what they do not know.
LogicalResult checkIsLowered(gpu::GPUModuleOp module, StringRef device);

} // namespace mlir::qfuse

#endif // QFUSE_LIB_CONVERSION_BACKEND_H
