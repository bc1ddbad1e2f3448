//===- Compile.h - From a module to an artifact -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_DRIVER_COMPILE_H
#define QFUSE_DRIVER_COMPILE_H

#include "qfuse/Analysis/FusionReport.h"
#include "qfuse/Conversion/Artifact.h"
#include "qfuse/Runtime/Artifact.h"
#include "qfuse/Transforms/Pipelines.h"

namespace mlir::qfuse {

/// Loads the dialects and translations that `compile` needs; call before the
/// context is made.
void registerCompiler(DialectRegistry &registry);

/// States the target in `module` and fuses it; returns what was fused. Emits an
/// error for what cannot be read, and the remarks of the plan.
FailureOr<FusionReport> fuse(ModuleOp module, const CompileOptions &options);

/// Emits an error at `loc`, and fails, if a chain of `report` lost an op.
LogicalResult requireWholeChains(const FusionReport &report, Location loc);

/// Compiles what `fuse` left of `module`. `keepStages` as in compileModule.
/// Emits an error at the op that cannot be compiled.
FailureOr<CompiledModule> compileFused(ModuleOp module,
                                       bool keepStages = false);

/// Compiles `module` with all its passes, which change it. Emits an error at
/// the op that cannot be compiled.
FailureOr<CompiledModule> compile(ModuleOp module,
                                  const CompileOptions &options);

/// Returns `compiled` as the runtime has it after it was written to a directory
/// and loaded. Emits an error at `loc` if it is not well-formed.
FailureOr<Artifact> makeArtifact(const CompiledModule &compiled, Location loc);

} // namespace mlir::qfuse

#endif // QFUSE_DRIVER_COMPILE_H
