//===- Registration.cpp - What tools and plugin register ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Transforms/Registration.h"

#include "mlir/IR/Remarks.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Remark/RemarkStreamer.h"
#include "qfuse/Target/Target.h"

using namespace mlir;
using namespace mlir::qfuse;

void qfuse::registerQFuseDialects(DialectRegistry &registry) {
  registerTargetDialects(registry);
}

void qfuse::registerToolDialects(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerQFuseDialects(registry);
}

LogicalResult qfuse::enableRemarks(MLIRContext &context, StringRef path) {
  remark::RemarkCategories categories;
  // `all` alone enables nothing.
  categories.passed = categories.missed = categories.analysis =
      categories.failed = "qfuse.*";
  auto policy = std::make_unique<remark::RemarkEmittingPolicyAll>();
  if (path.empty())
    return remark::enableOptimizationRemarks(context, /*streamer=*/nullptr,
                                             std::move(policy), categories,
                                             /*printAsEmitRemarks=*/true);
  if (succeeded(remark::enableOptimizationRemarksWithLLVMStreamer(
          context, path, llvm::remarks::Format::YAML, std::move(policy),
          categories, /*printAsEmitRemarks=*/true)))
    return success();
  return emitError(UnknownLoc::get(&context))
         << "cannot write remarks to " << path;
}
