//===- RowBody.cpp - What the values of a row kernel are ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowBody.h"

#include "Detail.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "qfuse/Codegen/TargetHooks.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::qfuse;

int64_t qfuse::getBlockSize(FormatAttr format) {
  return format.getBlock().back();
}

static_assert(RowSchedule::vectorWidth == rowSizeMultiple &&
                  RowSchedule::maxRowSize == maxRowSize,
              "what is planned is what is scheduled");

namespace {
/// Fills a RowBody, op by op.
class Analysis {
public:
  Analysis(RowBody &body, const TargetHooks &hooks)
      : body(body), hooks(hooks) {}

  LogicalResult run();

private:
  LogicalResult visit(Operation *op);
  LogicalResult visitRows(Operation *op);
  LogicalResult visitNorm(RmsNormOp op);
  LogicalResult visitBlockScale(BlockScaleOp op);
  LogicalResult visitQuantize(QuantizeOp op);
  LogicalResult checkOutputs();
  LogicalResult visitInputs();

  /// Says that `value` is a `kind`; an error if it is something else already.
  LogicalResult assign(Operation *user, Value value, RowValueKind kind);

  RowBody &body;
  const TargetHooks &hooks;
};
} // namespace

static StringRef getName(RowValueKind kind) {
  switch (kind) {
  case RowValueKind::row:
    return "a row";
  case RowValueKind::vector:
    return "a weight of a norm";
  case RowValueKind::scales:
    return "scales";
  case RowValueKind::codes:
    return "codes";
  }
  llvm_unreachable("all kinds are handled");
}

LogicalResult Analysis::assign(Operation *user, Value value,
                               RowValueKind kind) {
  auto [entry, isNew] = body.kinds.try_emplace(value, kind);
  if (isNew || entry->second == kind)
    return success();
  return emitMissing(user) << "expected " << getName(kind)
                           << ", got a value that is used as "
                           << getName(entry->second) << " too";
}

LogicalResult Analysis::visitRows(Operation *op) {
  for (Value value : llvm::concat<Value>(op->getOperands(), op->getResults()))
    if (failed(assign(op, value, RowValueKind::row)))
      return failure();
  return success();
}

LogicalResult Analysis::visitNorm(RmsNormOp op) {
  if (op.getWeight() &&
      failed(assign(op, op.getWeight(), RowValueKind::vector)))
    return failure();
  return failure(failed(assign(op, op.getInput(), RowValueKind::row)) ||
                 failed(assign(op, op.getResult(), RowValueKind::row)));
}

LogicalResult Analysis::visitBlockScale(BlockScaleOp op) {
  return failure(failed(assign(op, op.getInput(), RowValueKind::row)) ||
                 failed(assign(op, op.getScales(), RowValueKind::scales)));
}

LogicalResult Analysis::visitQuantize(QuantizeOp op) {
  Type result = op.getResult().getType();
  if (!hooks.hasConversionTo(getElementTypeOrSelf(result)))
    return emitMissing(op) << "expected codes of a type that the target "
                              "converts to, got "
                           << result;
  return failure(failed(assign(op, op.getInput(), RowValueKind::row)) ||
                 failed(assign(op, op.getScales(), RowValueKind::scales)) ||
                 failed(assign(op, op.getResult(), RowValueKind::codes)));
}

LogicalResult Analysis::visit(Operation *op) {
  if (std::optional<RowKernelObstacle> obstacle = findRowKernelObstacle(op))
    return emitMissing(op) << obstacle->reason;
  if (body.schedule.rowSize == 0)
    body.schedule = RowSchedule::get(getRowSize(op), hooks.getLanes());
  if (getRowSize(op) != body.schedule.rowSize)
    return emitMissing(op) << "expected rows of " << body.schedule.rowSize
                           << " elements, as the ops before it have, got "
                           << op->getOperand(0).getType();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
#define ROW_OP(OP, CHECK, VISIT, EMIT)                                         \
  .Case([&](OP each) { return VISIT(each); })
#include "qfuse/Analysis/RowOps.def"
      .DefaultUnreachable("an op without a line in the table is an obstacle");
}

LogicalResult Analysis::checkOutputs() {
  YieldOp yield = body.kernel.getYield();
  for (Value value : yield.getValues())
    if (!body.kinds.contains(value) || isa<BlockArgument>(value))
      return emitMissing(yield)
             << "expected results that the body computes, got an input";
  return success();
}

LogicalResult Analysis::visitInputs() {
  std::optional<unsigned> rowsInput;
  for (BlockArgument argument : body.kernel.getBody()->getArguments()) {
    if (!body.kinds.contains(argument))
      continue; // not used
    if (getElementTypeOrSelf(argument.getType()).isF32())
      body.cleanNaNs = false;
    if (!rowsInput && body.getKind(argument) == RowValueKind::row)
      rowsInput = argument.getArgNumber();
  }
  if (!rowsInput)
    return emitMissing(body.kernel) << "expected an input of rows";
  body.rowsInput = *rowsInput;
  return success();
}

LogicalResult Analysis::run() {
  for (Operation &op : body.kernel.getBody()->without_terminator())
    if (failed(visit(&op)))
      return failure();
  return failure(failed(checkOutputs()) || failed(visitInputs()));
}

FailureOr<RowBody> RowBody::analyze(KernelDefOp kernel,
                                    const TargetHooks &hooks) {
  RowBody body;
  body.kernel = kernel;
  if (failed(Analysis(body, hooks).run()))
    return failure();
  return body;
}
