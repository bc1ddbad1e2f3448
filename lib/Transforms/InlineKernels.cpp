//===- InlineKernels.cpp - Replace each kernel by its body ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::qfuse {
#define GEN_PASS_DEF_INLINEKERNELSPASS
#include "qfuse/Transforms/Passes.h.inc"
} // namespace mlir::qfuse

using namespace mlir;
using namespace mlir::qfuse;

static void inlineKernel(KernelOp kernel, RewriterBase &rewriter) {
  YieldOp yield = kernel.getYield();
  rewriter.inlineBlockBefore(kernel.getBody(), kernel, kernel.getInputs());
  rewriter.replaceOp(kernel, yield.getValues());
  rewriter.eraseOp(yield);
}

static void inlineLaunch(LaunchOp launch, KernelDefOp kernel,
                         RewriterBase &rewriter) {
  IRMapping mapping;
  mapping.map(kernel.getBody()->getArguments(), launch.getInputs());
  rewriter.setInsertionPoint(launch);
  for (Operation &op : kernel.getBody()->without_terminator())
    rewriter.clone(op, mapping);
  SmallVector<Value> results;
  for (Value value : kernel.getYield().getValues())
    results.push_back(mapping.lookup(value));
  rewriter.replaceOp(launch, results);
}

namespace {
struct InlineKernelsPass
    : qfuse::impl::InlineKernelsPassBase<InlineKernelsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SymbolTableCollection symbols;
    // Post order, which a walk needs to allow erasing the visited op.
    getOperation()->walk([&](Operation *op) {
      if (auto kernel = dyn_cast<KernelOp>(op))
        inlineKernel(kernel, rewriter);
      else if (auto launch = dyn_cast<LaunchOp>(op))
        inlineLaunch(launch,
                     symbols.lookupNearestSymbolFrom<KernelDefOp>(
                         launch, launch.getCalleeAttr()),
                     rewriter);
    });
    for (auto kernel :
         llvm::make_early_inc_range(getOperation().getOps<KernelDefOp>()))
      rewriter.eraseOp(kernel);
  }
};
} // namespace
