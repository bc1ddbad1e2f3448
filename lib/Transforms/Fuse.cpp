//===- Fuse.cpp - Move chains into kernels --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "qfuse/Analysis/FusionPlan.h"

namespace mlir::qfuse {
#define GEN_PASS_DEF_FUSEPASS
#include "qfuse/Transforms/Passes.h.inc"
} // namespace mlir::qfuse

using namespace mlir;
using namespace mlir::qfuse;

/// Remark names are part of the interface: users filter on them. They must be
/// literals, as a remark keeps references to them.
static remark::RemarkOpts fusionRemark(StringLiteral name) {
  return remark::RemarkOpts::name(name).category("qfuse").subCategory("fusion");
}

static StringLiteral getRemarkName(Rejection::Kind kind) {
  switch (kind) {
  case Rejection::Kind::ProducerNotFusible:
    return "ProducerNotFusible";
  case Rejection::Kind::RowSpacesDiffer:
    return "RowSpacesDiffer";
  case Rejection::Kind::NotConvex:
    return "NotConvex";
  }
  llvm_unreachable("all kinds are handled");
}

/// Emits one remark for each decision of `plan`. Before the IR changes, which
/// erases the ops that hold the locations.
static void emitRemarks(const FusionPlan &plan) {
  for (const OpSet &cluster : plan.getClusters())
    remark::passed(cluster.back()->getLoc(), fusionRemark("ChainFused"))
        << remark::metric("Ops", cluster.size());
  for (const Rejection &rejection : plan.getRejections())
    remark::missed(rejection.producer->getLoc(),
                   fusionRemark(getRemarkName(rejection.kind)))
        << remark::reason("not fused into the kernel of {0}, because {1}",
                          rejection.seed->getName(), rejection.reason);
}

/// Moves the ops before the last one of `cluster` that depend on it behind it.
static void moveDependents(const OpSet &cluster, RewriterBase &rewriter) {
  OpSet reached = cluster;
  SmallVector<Operation *> dependents;
  for (Operation *op = cluster.front(); op != cluster.back();
       op = op->getNextNode())
    if (!reached.contains(op) && usesAnyOf(op, reached)) {
      reached.insert(op);
      dependents.push_back(op);
    }
  for (Operation *op : llvm::reverse(dependents))
    rewriter.moveOpAfter(op, cluster.back());
}

/// Moves the ops of `cluster` into a new kernel in the place of the last one.
static void materialize(const OpSet &cluster, RewriterBase &rewriter) {
  moveDependents(cluster, rewriter);
  auto isInside = [&](Operation *op) { return cluster.contains(op); };
  llvm::SetVector<Value> inputs, outputs;
  for (Operation *op : cluster) {
    for (Value operand : op->getOperands())
      if (!isInside(operand.getDefiningOp()))
        inputs.insert(operand);
    for (Value result : op->getResults())
      if (!llvm::all_of(result.getUsers(), isInside))
        outputs.insert(result);
  }

  SmallVector<Location> locs =
      llvm::map_to_vector(cluster, [](Operation *op) { return op->getLoc(); });
  rewriter.setInsertionPoint(cluster.back());
  auto kernel = KernelOp::create(rewriter, rewriter.getFusedLoc(locs),
                                 TypeRange(ValueRange(outputs.getArrayRef())),
                                 inputs.getArrayRef());
  for (auto [output, result] : llvm::zip_equal(outputs, kernel.getResults()))
    rewriter.replaceUsesWithIf(output, result, [&](OpOperand &use) {
      return !isInside(use.getOwner());
    });
  for (auto [input, argument] :
       llvm::zip_equal(inputs, kernel.getBody()->getArguments()))
    rewriter.replaceUsesWithIf(input, argument, [&](OpOperand &use) {
      return isInside(use.getOwner());
    });
  for (Operation *op : cluster)
    rewriter.moveOpBefore(op, kernel.getBody(), kernel.getBody()->end());
  rewriter.setInsertionPointToEnd(kernel.getBody());
  YieldOp::create(rewriter, kernel.getLoc(), outputs.getArrayRef());
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
      for (const OpSet &cluster : plan.getClusters())
        materialize(cluster, rewriter);
    }
  }
};
} // namespace
