//===- Materialize.cpp - From planned ops to kernels ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Materialize.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::qfuse;

/// Returns whether `op`, or an op in it, has an operand that is a result of one
/// of `producers`.
static bool usesAnyOf(Operation *op, const OpSet &producers) {
  auto uses = [&](Value operand) {
    return producers.contains(operand.getDefiningOp());
  };
  WalkResult result = op->walk([&](Operation *nested) {
    return llvm::any_of(nested->getOperands(), uses) ? WalkResult::interrupt()
                                                     : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// Moves the ops from `first` to `last` that depend on `cluster` behind `last`.
/// Ops with side effects stay in their order.
static void moveDependents(const OpSet &cluster, Operation *first,
                           Operation *last, RewriterBase &rewriter) {
  OpSet reached = cluster;
  SmallVector<Operation *> dependents;
  bool movesEffects = false;
  for (Operation *op = first; op != last; op = op->getNextNode()) {
    if (reached.contains(op))
      continue;
    bool hasEffects = !isMemoryEffectFree(op);
    if (!usesAnyOf(op, reached) && !(movesEffects && hasEffects))
      continue;
    movesEffects |= hasEffects;
    reached.insert(op);
    dependents.push_back(op);
  }
  for (Operation *op : llvm::reverse(dependents))
    rewriter.moveOpAfter(op, last);
}

KernelOp qfuse::materializeKernel(const OpSet &cluster,
                                  RewriterBase &rewriter) {
  auto isBefore = [](Operation *a, Operation *b) {
    return a->isBeforeInBlock(b);
  };
  Operation *first = *llvm::min_element(cluster, isBefore);
  Operation *last = *llvm::max_element(cluster, isBefore);
  moveDependents(cluster, first, last, rewriter);
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
  rewriter.setInsertionPoint(last);
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
  return kernel;
}
