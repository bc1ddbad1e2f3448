//===- Execution.cpp - Functions, bodies and calls ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Execution.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlir::qfuse;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void Execution::bind(Block &block, ValueRange operands, Ranks active) {
  for (unsigned rank : active)
    for (auto [argument, operand] :
         llvm::zip_equal(block.getArguments(), operands))
      evaluators[rank].define(argument, evaluators[rank].getRef(operand));
}

LogicalResult Execution::forward(Operation *op, ValueRange operands,
                                 Ranks active) {
  for (unsigned rank : active)
    for (auto [result, operand] : llvm::zip_equal(op->getResults(), operands))
      if (failed(evaluators[rank].setPhysical(result,
                                              evaluators[rank].get(operand))))
        return failure();
  return success();
}

SmallVector<std::pair<Block *, SmallVector<unsigned>>>
Execution::split(Ranks active,
                 llvm::function_ref<Block *(Evaluator &)> choose) {
  SmallVector<std::pair<Block *, SmallVector<unsigned>>> parts;
  for (unsigned rank : active) {
    Block *block = choose(evaluators[rank]);
    auto *part = llvm::find_if(
        parts, [&](const auto &each) { return each.first == block; });
    if (part == parts.end())
      part = &parts.emplace_back(block, SmallVector<unsigned>());
    part->second.push_back(rank);
  }
  return parts;
}

/// Emits an error for a result whose elements have no representation here.
static LogicalResult checkTypes(Operation *op) {
  for (Type type : op->getResultTypes())
    if (!getElement(getElementTypeOrSelf(type)))
      return op->emitOpError()
             << "has a result of a type that the interpreter does not know: "
             << type;
  return success();
}

LogicalResult Execution::evaluateOp(Operation *op, Ranks active) {
  if (failed(checkTypes(op)))
    return failure();
  if (auto call = dyn_cast<func::CallOp>(op))
    return evaluate(*this, call, active);
  if (auto kernel = dyn_cast<KernelOp>(op))
    return evaluate(*this, kernel, active);
  if (auto launch = dyn_cast<LaunchOp>(op))
    return evaluate(*this, launch, active);
  if (auto done = evaluateControlFlow(*this, op, active))
    return *done;
  if (auto done = evaluateCollective(*this, op, active))
    return *done;
  for (unsigned rank : active)
    if (failed(evaluateOnRank(evaluators[rank], op)))
      return failure();
  return success();
}

LogicalResult Execution::evaluateBlock(Block &block, Ranks active) {
  for (Operation &op : block.without_terminator())
    if (failed(evaluateOp(&op, active)))
      return failure();
  return success();
}

LogicalResult Execution::evaluateBody(Operation *op, Block &body,
                                      Ranks active) {
  bind(body, op->getOperands(), active);
  if (failed(evaluateBlock(body, active)))
    return failure();
  return forward(op, body.getTerminator()->getOperands(), active);
}

//===----------------------------------------------------------------------===//
// Functions and kernels
//===----------------------------------------------------------------------===//

LogicalResult Execution::evaluateFunction(func::FuncOp function, Ranks active) {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError(
        "has control flow, which is not known to the interpreter");
  stack.push_back(function);
  llvm::scope_exit pop([&] { stack.pop_back(); });
  return evaluateBlock(function.getBody().front(), active);
}

LogicalResult qfuse::evaluate(Execution &execution, KernelOp op,
                              Execution::Ranks active) {
  return execution.evaluateBody(op, op.getBodyRegion().front(), active);
}

LogicalResult qfuse::evaluate(Execution &execution, LaunchOp op,
                              Execution::Ranks active) {
  auto callee =
      SymbolTable::lookupNearestSymbolFrom<KernelDefOp>(op, op.getCalleeAttr());
  return execution.evaluateBody(op, callee.getBodyRegion().front(), active);
}

LogicalResult qfuse::evaluate(Execution &execution, func::CallOp op,
                              Execution::Ranks active) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (callee.isExternal()) {
    for (unsigned rank : active)
      if (failed(execution.getEvaluator(rank).callOpaque(op, callee)))
        return failure();
    return success();
  }
  if (llvm::is_contained(execution.stack, callee.getOperation()))
    return op.emitOpError()
           << "calls itself, which the interpreter does not support";
  Block &body = callee.getBody().front();
  execution.bind(body, op.getOperands(), active);
  if (failed(execution.evaluateFunction(callee, active)))
    return failure();
  return execution.forward(op, body.getTerminator()->getOperands(), active);
}

//===----------------------------------------------------------------------===//
// The entries
//===----------------------------------------------------------------------===//

/// Emits an error unless the arguments of the ranks fit `function`.
static LogicalResult checkArguments(func::FuncOp function,
                                    ArrayRef<RankCall> ranks) {
  if (function.isExternal())
    return function.emitOpError("has no body to interpret");
  for (const RankCall &rank : ranks) {
    if (rank.arguments.size() != function.getNumArguments())
      return function.emitOpError()
             << "expected " << function.getNumArguments() << " arguments, got "
             << rank.arguments.size();
    for (auto [index, value] : llvm::enumerate(rank.arguments)) {
      Type type = function.getArgumentTypes()[index];
      auto emitError = [&, number = index] {
        return function.emitOpError() << "argument " << number << ": ";
      };
      if (failed(checkWholeBytes(type, value, emitError)) ||
          failed(checkPadding(type, value, emitError)))
        return failure();
    }
  }
  return success();
}

FailureOr<std::vector<std::vector<HostValue>>>
qfuse::interpretRanks(func::FuncOp function, ArrayRef<RankCall> ranks,
                      const InterpreterOptions &options) {
  if (failed(checkArguments(function, ranks)) ||
      failed(checkUniform(function, ranks)))
    return failure();
  std::vector<InterpreterOptions> ofRanks(ranks.size(), options);
  for (auto [each, rank] : llvm::zip_equal(ofRanks, ranks))
    each.observer = rank.observer;
  Execution execution(ofRanks);
  SmallVector<unsigned> all;
  for (auto [rank, call] : llvm::enumerate(ranks)) {
    all.push_back(rank);
    for (auto [argument, value] :
         llvm::zip_equal(function.getArguments(), call.arguments))
      execution.getEvaluator(rank).define(argument,
                                          std::make_shared<HostValue>(value));
  }
  if (failed(execution.evaluateFunction(function, all)))
    return failure();
  std::vector<std::vector<HostValue>> results(ranks.size());
  for (unsigned rank : all)
    for (Value value :
         function.getBody().front().getTerminator()->getOperands())
      results[rank].push_back(execution.getEvaluator(rank).get(value));
  return results;
}

FailureOr<std::vector<HostValue>>
qfuse::interpret(func::FuncOp function, ArrayRef<HostValue> arguments,
                 const InterpreterOptions &options) {
  RankCall only{arguments.vec(), options.observer};
  auto results = interpretRanks(function, only, options);
  if (failed(results))
    return failure();
  return std::move(results->front());
}
