//===- Pipelines.cpp - The passes of a compilation ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Transforms/Pipelines.h"

#include "mlir/Transforms/Passes.h"
#include "qfuse/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::qfuse;

void qfuse::buildPreparationPipeline(OpPassManager &manager,
                                     const CompileOptions &options) {
  if (!options.target.empty()) {
    AttachTargetPassOptions attach;
    attach.target = options.target;
    attach.provide = options.provide;
    manager.addPass(createAttachTargetPass(attach));
  }
  // Two equal ops would be two chains.
  manager.addPass(createCSEPass());
}

void qfuse::buildOutliningPipeline(OpPassManager &manager) {
  manager.addPass(createOutlineKernelsPass());
  manager.addPass(createVerifyLegalPass());
}
