//===- Artifact.h - What a module is compiled to ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_CONVERSION_ARTIFACT_H
#define QFUSE_CONVERSION_ARTIFACT_H

#include "mlir/IR/BuiltinOps.h"
#include "qfuse/Conversion/DeviceObject.h"

namespace mlir::qfuse {

/// A compiled module: what the files of an artifact hold.
struct CompiledModule {
  /// `manifest.json`, see docs/artifact.md.
  std::string manifest;
  /// `module.mlirbc`: the module before its kernels were generated.
  std::string bytecode;
  /// The device functions as MLIR, before they are lowered; if asked for.
  std::string kernels;
  DeviceObject object;
};

/// Compiles `module`, which has a target, whose kernels are outlined and which
/// `qfuse-verify-legal` accepts. `keepStages`: the stages on the way are kept
/// as text, which takes a second run of the back end. Emits an error at the op
/// that cannot be compiled. Changes nothing.
FailureOr<CompiledModule> compileModule(ModuleOp module,
                                        bool keepStages = false);

/// A file of an artifact: its name, and its contents in the compiled module.
struct ArtifactFile {
  StringRef name, contents;
};

/// Returns the files of an artifact in the order in which they are written: the
/// manifest last, as an artifact that has one is whole.
SmallVector<ArtifactFile> getFiles(const CompiledModule &compiled);

/// Writes an artifact to the directory `path`, which is made if it is not
/// there. Emits an error at `loc` for what cannot be written.
LogicalResult writeArtifact(const CompiledModule &compiled, StringRef path,
                            Location loc);

} // namespace mlir::qfuse

#endif // QFUSE_CONVERSION_ARTIFACT_H
