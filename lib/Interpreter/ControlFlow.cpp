//===- ControlFlow.cpp - Branches, loops and assertions -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Execution.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::qfuse;

/// Executes on each rank of `active` the block that `choose` returns for it,
/// whose terminator has the results of `op`.
static LogicalResult
evaluateBranches(Execution &execution, Operation *op, Execution::Ranks active,
                 llvm::function_ref<Block *(Evaluator &)> choose) {
  for (auto &[block, ranks] : execution.split(active, choose)) {
    if (!block)
      continue;
    if (failed(execution.evaluateBlock(*block, ranks)) ||
        failed(execution.forward(op, block->getTerminator()->getOperands(),
                                 ranks)))
      return failure();
  }
  return success();
}

static LogicalResult evaluate(Execution &execution, scf::IfOp op,
                              Execution::Ranks active) {
  return evaluateBranches(execution, op, active, [&](Evaluator &evaluator) {
    return evaluator.getInteger(op.getCondition()) ? op.thenBlock()
                                                   : op.elseBlock();
  });
}

static LogicalResult evaluate(Execution &execution, scf::IndexSwitchOp op,
                              Execution::Ranks active) {
  return evaluateBranches(execution, op, active, [&](Evaluator &evaluator) {
    int64_t value = evaluator.getInteger(op.getArg());
    for (auto [index, ofCase] : llvm::enumerate(op.getCases()))
      if (ofCase == value)
        return &op.getCaseBlock(index);
    return &op.getDefaultBlock();
  });
}

/// The ranks whose loops go on take each turn together.
static LogicalResult evaluate(Execution &execution, scf::ForOp op,
                              Execution::Ranks active) {
  if (op.getUnsignedCmp())
    return op.emitOpError("of unsigned bounds is not known to the interpreter");
  Block &body = *op.getBody();
  DenseMap<unsigned, int64_t> counters;
  for (unsigned rank : active) {
    Evaluator &evaluator = execution.getEvaluator(rank);
    if (int64_t step = evaluator.getInteger(op.getStep()); step <= 0)
      return op.emitOpError() << "expected a step above 0, got " << step;
    counters[rank] = evaluator.getInteger(op.getLowerBound());
    for (auto [argument, init] :
         llvm::zip_equal(op.getRegionIterArgs(), op.getInitArgs()))
      evaluator.define(argument, evaluator.getRef(init));
  }
  Element element = *getElement(op.getInductionVar().getType());
  while (true) {
    SmallVector<unsigned> going;
    for (unsigned rank : active) {
      Evaluator &evaluator = execution.getEvaluator(rank);
      if (counters[rank] >= evaluator.getInteger(op.getUpperBound()))
        continue;
      going.push_back(rank);
      evaluator.define(op.getInductionVar(),
                       makeScalar(element, counters[rank]));
      // What is past all integers is past the bound too.
      if (llvm::AddOverflow(counters[rank], evaluator.getInteger(op.getStep()),
                            counters[rank]))
        counters[rank] = std::numeric_limits<int64_t>::max();
    }
    if (going.empty())
      break;
    if (failed(execution.evaluateBlock(body, going)))
      return failure();
    for (unsigned rank : going)
      execution.getEvaluator(rank).define(op.getRegionIterArgs(),
                                          body.getTerminator()->getOperands());
  }
  return execution.forward(op, ValueRange(op.getRegionIterArgs()), active);
}

static LogicalResult evaluate(Execution &execution, cf::AssertOp op,
                              Execution::Ranks active) {
  for (unsigned rank : active)
    if (!execution.getEvaluator(rank).getInteger(op.getArg()))
      return op.emitOpError() << "does not hold: " << op.getMsg();
  return success();
}

std::optional<LogicalResult>
qfuse::evaluateControlFlow(Execution &execution, Operation *op,
                           Execution::Ranks active) {
  return llvm::TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case<scf::IfOp, scf::IndexSwitchOp, scf::ForOp, cf::AssertOp>(
          [&](auto known) { return ::evaluate(execution, known, active); })
      .Default([](Operation *) { return std::nullopt; });
}
