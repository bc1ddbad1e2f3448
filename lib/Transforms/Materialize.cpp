//===- Materialize.cpp - From planned ops to kernels ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Materialize.h"

using namespace mlir;
using namespace mlir::qfuse;

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

KernelOp qfuse::materializeKernel(const OpSet &cluster,
                                  RewriterBase &rewriter) {
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
  return kernel;
}
