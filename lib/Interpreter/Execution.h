//===- Execution.h - Ranks that execute a function together -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_INTERPRETER_EXECUTION_H
#define QFUSE_LIB_INTERPRETER_EXECUTION_H

#include "Evaluator.h"

namespace mlir::qfuse {

/// Executes each op on all ranks before the next one. Ranks that take different
/// branches execute one after the other, each set with its own `active`, and
/// meet again behind them; so nothing ever waits.
class Execution {
public:
  /// Ranks in ascending order.
  using Ranks = ArrayRef<unsigned>;

  explicit Execution(ArrayRef<InterpreterOptions> ranks) {
    for (const InterpreterOptions &options : ranks)
      evaluators.emplace_back(options);
  }

  Evaluator &getEvaluator(unsigned rank) { return evaluators[rank]; }
  unsigned getNumRanks() const { return evaluators.size(); }

  /// Executes `function`, whose arguments are defined on the ranks.
  LogicalResult evaluateFunction(func::FuncOp function, Ranks active);

  /// Executes the ops of `block`, whose arguments are defined, but for its
  /// terminator.
  LogicalResult evaluateBlock(Block &block, Ranks active);

  /// Executes the body of `op`, which is isolated: its arguments are the
  /// operands of `op`, its results the operands of its terminator.
  LogicalResult evaluateBody(Operation *op, Block &body, Ranks active);

  /// Gives the arguments of `block` the values of `operands`.
  void bind(Block &block, ValueRange operands, Ranks active);

  /// Gives the results of `op` the values of `operands`.
  LogicalResult forward(Operation *op, ValueRange operands, Ranks active);

  /// Splits `active` by what `choose` returns for each rank, in the order in
  /// which it is first returned.
  SmallVector<std::pair<Block *, SmallVector<unsigned>>>
  split(Ranks active, llvm::function_ref<Block *(Evaluator &)> choose);

private:
  LogicalResult evaluateOp(Operation *op, Ranks active);

  std::vector<Evaluator> evaluators;
  /// Functions that are being executed.
  SmallVector<Operation *> stack;

  friend LogicalResult evaluate(Execution &, func::CallOp, Ranks);
};

// Execution.cpp
LogicalResult evaluate(Execution &execution, func::CallOp op,
                       Execution::Ranks active);
LogicalResult evaluate(Execution &execution, KernelOp op,
                       Execution::Ranks active);
LogicalResult evaluate(Execution &execution, LaunchOp op,
                       Execution::Ranks active);
// ControlFlow.cpp. Returns nothing for an op that has no control flow.
std::optional<LogicalResult> evaluateControlFlow(Execution &execution,
                                                 Operation *op,
                                                 Execution::Ranks active);

// Collectives.cpp. Returns nothing for an op that is no collective.
std::optional<LogicalResult> evaluateCollective(Execution &execution,
                                                Operation *op,
                                                Execution::Ranks active);
// RankArguments.cpp. Emits an error for an argument that is not what
// `qfuse.uniform` says.
LogicalResult checkUniform(func::FuncOp function, ArrayRef<RankCall> ranks);

} // namespace mlir::qfuse

#endif // QFUSE_LIB_INTERPRETER_EXECUTION_H
