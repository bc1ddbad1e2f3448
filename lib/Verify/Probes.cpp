//===- Probes.cpp - Order-dependent results as outputs --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Probes.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "qfuse/IR/QFuse.h"

using namespace mlir;
using namespace mlir::qfuse;

bool qfuse::dependsOnOrder(Operation *op) {
  if (auto quantize = dyn_cast<QuantizeOp>(op))
    return quantize.getRule().getApply() == Apply::reciprocal_approx;
  return isa<RmsNormOp, ScaledMatmulOp, GatedActivationOp, math::ErfOp,
             math::ExpOp, math::TanhOp, math::RsqrtOp>(op);
}

/// Replaces `kernel` by one that yields the results of the ops in its body that
/// depend on order too.
static void yieldProbes(KernelOp kernel, RewriterBase &rewriter) {
  SmallVector<Value> values(kernel.getYield().getValues());
  size_t before = values.size();
  for (Operation &op : kernel.getBody()->without_terminator())
    if (dependsOnOrder(&op) && !llvm::is_contained(values, op.getResult(0)))
      values.push_back(op.getResult(0));
  if (values.size() == before)
    return;
  rewriter.setInsertionPoint(kernel);
  auto larger =
      KernelOp::create(rewriter, kernel.getLoc(), TypeRange(ValueRange(values)),
                       kernel.getInputs());
  kernel.getYield().getValuesMutable().assign(values);
  rewriter.mergeBlocks(kernel.getBody(), larger.getBody(),
                       larger.getBody()->getArguments());
  rewriter.replaceOp(kernel, larger.getResults().take_front(before));
}

/// Returns the value of `function` that has the result of `op`, or null.
static Value getOuterValue(Operation *op, func::FuncOp function) {
  if (op->getParentOp() == function)
    return op->getResult(0);
  auto kernel = dyn_cast<KernelOp>(op->getParentOp());
  if (!kernel || kernel->getParentOp() != function)
    return {};
  for (auto [yielded, result] :
       llvm::zip_equal(kernel.getYield().getValues(), kernel.getResults()))
    if (yielded == op->getResult(0))
      return result;
  return {};
}

FailureOr<SmallVector<Probe>> qfuse::addProbes(func::FuncOp function) {
  IRRewriter rewriter(function.getContext());
  SmallVector<KernelOp> kernels;
  function.walk([&](KernelOp kernel) { kernels.push_back(kernel); });
  for (KernelOp kernel : kernels)
    yieldProbes(kernel, rewriter);

  SmallVector<Probe> probes;
  auto exit = cast<func::ReturnOp>(function.getBody().back().getTerminator());
  SmallVector<Value> outputs(exit.getOperands());
  WalkResult walked = function.walk([&](Operation *op) {
    if (!dependsOnOrder(op))
      return WalkResult::advance();
    Value value = getOuterValue(op, function);
    if (!value) {
      op->emitOpError("cannot be probed: it is neither in a function nor in a "
                      "kernel of one");
      return WalkResult::interrupt();
    }
    auto found = llvm::find(outputs, value);
    probes.push_back({op, static_cast<unsigned>(found - outputs.begin())});
    if (found == outputs.end())
      outputs.push_back(value);
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  exit.getOperandsMutable().assign(outputs);
  // Results have no attributes here that would have to be kept in step.
  function.setType(FunctionType::get(function.getContext(),
                                     function.getArgumentTypes(),
                                     TypeRange(ValueRange(outputs))));
  return probes;
}
