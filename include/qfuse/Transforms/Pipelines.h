//===- Pipelines.h - The passes of a compilation ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_TRANSFORMS_PIPELINES_H
#define QFUSE_TRANSFORMS_PIPELINES_H

#include "mlir/Pass/PassManager.h"

namespace mlir::qfuse {

struct CompileOptions {
  /// Name of a built-in target, or a file that ends in .mlir. Empty for the
  /// target that the module states.
  std::string target;
  /// Providers and their versions, `NAME=VERSION`.
  SmallVector<std::string> provide;
  /// Whether chains are fused. If not, each op has a kernel of its own.
  bool fuse = true;
};

/// Adds what comes before fusion: it states the target, if the options have one,
/// and removes duplicates.
void buildPreparationPipeline(OpPassManager &manager,
                              const CompileOptions &options);

/// Adds what turns a fused module into one that compileModule takes.
void buildOutliningPipeline(OpPassManager &manager);

} // namespace mlir::qfuse

#endif // QFUSE_TRANSFORMS_PIPELINES_H
