//===- Fuse.cpp - Move chains into kernels --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Transforms/Passes.h"

#include "Materialize.h"
#include "mlir/IR/Remarks.h"

namespace mlir::qfuse {
#define GEN_PASS_DEF_FUSEPASS
#include "qfuse/Transforms/Passes.h.inc"
} // namespace mlir::qfuse

using namespace mlir;
using namespace mlir::qfuse;

/// Returns whether `chain` becomes a kernel here; an op that is alone stays
/// bare.
static bool isKernel(const Chain &chain) { return chain.ops.size() > 1; }

/// Remark names are part of the interface: users filter on them. They must be
/// literals, as a remark keeps references to them.
static remark::RemarkOpts fusionRemark(StringLiteral name) {
  return remark::RemarkOpts::name(name).category("qfuse").subCategory("fusion");
}

/// Emits one remark for each decision of `plan`. Before the IR changes, which
/// erases the ops that hold the locations.
static void emitRemarks(const FusionPlan &plan) {
  for (const Chain &chain : plan.getChains())
    if (isKernel(chain))
      remark::passed(chain.seed->getLoc(), fusionRemark("ChainFused"))
          << remark::metric("Ops", chain.ops.size());
  for (const Rejection &rejection : plan.getRejections())
    remark::missed(rejection.op->getLoc(),
                   fusionRemark(getRemarkName(rejection.kind)))
        << remark::reason("{0}", rejection.reason);
}

namespace {
struct FusePass : qfuse::impl::FusePassBase<FusePass> {
  void runOnOperation() override {
    // Blocks first: the walk must not see the kernels that it makes.
    SmallVector<Block *> blocks;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<KernelOp, KernelDefOp>(op))
        return WalkResult::skip();
      for (Region &region : op->getRegions())
        llvm::append_range(blocks, llvm::make_pointer_range(region));
      return WalkResult::advance();
    });
    IRRewriter rewriter(&getContext());
    for (Block *block : blocks) {
      FusionPlan plan(*block);
      emitRemarks(plan);
      for (const Chain &chain : plan.getChains())
        if (isKernel(chain))
          materializeKernel(chain.ops, rewriter);
    }
  }
};
} // namespace
