//===- Registration.cpp - What tools and plugin register ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Transforms/Registration.h"

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

/// Returns the categories of all remarks of QFuse.
static remark::RemarkCategories getCategories() {
  remark::RemarkCategories categories;
  // `all` alone enables nothing.
  categories.passed = categories.missed = categories.analysis =
      categories.failed = "qfuse.*";
  return categories;
}

LogicalResult qfuse::enableRemarks(MLIRContext &context, StringRef path) {
  auto policy = std::make_unique<remark::RemarkEmittingPolicyAll>();
  if (path.empty())
    return remark::enableOptimizationRemarks(context, /*streamer=*/nullptr,
                                             std::move(policy), getCategories(),
                                             /*printAsEmitRemarks=*/true);
  if (succeeded(remark::enableOptimizationRemarksWithLLVMStreamer(
          context, path, llvm::remarks::Format::YAML, std::move(policy),
          getCategories(), /*printAsEmitRemarks=*/true)))
    return success();
  return emitError(UnknownLoc::get(&context))
         << "cannot write remarks to " << path;
}

LogicalResult qfuse::enableRemarks(
    MLIRContext &context,
    std::unique_ptr<remark::detail::MLIRRemarkStreamerBase> streamer) {
  return remark::enableOptimizationRemarks(
      context, std::move(streamer),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), getCategories());
}
