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

bool qfuse::hasPowersOfTwo(Type scales) {
  return isa<Float8E8M0FNUType>(getElementTypeOrSelf(scales));
}

namespace {
/// Fills a RowBody, op by op.
class Analysis {
public:
  Analysis(RowBody &body, const TargetHooks &hooks)
      : body(body), hooks(hooks) {}

  LogicalResult run();

private:
  LogicalResult findRowSize();
  LogicalResult visit(Operation *op);
  LogicalResult visitNorm(RmsNormOp op);
  LogicalResult visitBlockScale(BlockScaleOp op);
  LogicalResult checkScaleRule(BlockScaleOp op);
  LogicalResult visitQuantize(QuantizeOp op);
  LogicalResult checkFormat(Operation *op, FormatAttr format, Value scales);
  LogicalResult checkOutputs();

  /// Says that `value` is a `kind`; an error if it is something else already,
  /// or if its type does not fit.
  LogicalResult assign(Operation *user, Value value, RowValueKind kind);
  LogicalResult checkType(Operation *user, Value value, RowValueKind kind);

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
  if (!isNew && entry->second != kind)
    return emitMissing(user)
           << "expected " << getName(kind) << ", got a value that is used as "
           << getName(entry->second) << " too";
  return checkType(user, value, kind);
}

LogicalResult Analysis::checkType(Operation *user, Value value,
                                  RowValueKind kind) {
  auto type = cast<ShapedType>(value.getType());
  int64_t rowSize = body.schedule.rowSize;
  bool isFloat =
      type.getElementType().isF32() || type.getElementType().isBF16();
  switch (kind) {
  case RowValueKind::row:
    if (isa<RankedTensorType>(type) && type.getRank() == 2 && isFloat &&
        type.getDimSize(1) == rowSize)
      return success();
    return emitMissing(user)
           << "expected a row of " << rowSize
           << " x f32 or bf16 in a tensor of rank 2, got " << type;
  case RowValueKind::vector:
    if (isFloat)
      return success();
    return emitMissing(user)
           << "expected a weight of f32 or bf16, got " << type;
  case RowValueKind::scales:
    if (type.getRank() == 2 &&
        (type.getElementType().isF32() || hasPowersOfTwo(type)))
      return success();
    return emitMissing(user)
           << "expected scales of f32 or f8E8M0FNU of rank 2, got " << type;
  case RowValueKind::codes:
    if (isa<RankedTensorType>(type) &&
        hooks.hasConversionTo(type.getElementType()))
      return success();
    return emitMissing(user) << "expected codes in a tensor of a type that the "
                                "target converts to, got "
                             << type;
  }
  llvm_unreachable("all kinds are handled");
}

LogicalResult Analysis::checkFormat(Operation *op, FormatAttr format,
                                    Value scales) {
  if (format.getOuterScale())
    return emitMissing(op) << "outer scales";
  if (format.getBlock().size() != 2 || format.getBlock().front() != 1)
    return emitMissing(op) << "expected blocks of one row, got " << format;
  int64_t block = getBlockSize(format);
  if (body.schedule.getLanesOfBlock(block) == 0 ||
      (block != 0 && block / RowSchedule::vectorWidth > 16))
    return emitMissing(op)
           << "expected blocks of 8, 16, 32, 64 or 128 elements or of a row, "
              "got "
           << format;
  auto packed = dyn_cast<PackedType>(scales.getType());
  if (packed && packed.getLayout().getPad() != Pad::undef)
    return emitMissing(op) << "expected a layout with undefined padding, got "
                           << packed;
  return success();
}

LogicalResult Analysis::visitNorm(RmsNormOp op) {
  if (failed(assign(op, op.getInput(), RowValueKind::row)) ||
      (op.getWeight() &&
       failed(assign(op, op.getWeight(), RowValueKind::vector))))
    return failure();
  if (!op.getNormalized().isF32() && !op.getNormalized().isBF16())
    return emitMissing(op) << "expected normalized to be f32 or bf16, got "
                           << op.getNormalized();
  return assign(op, op.getResult(), RowValueKind::row);
}

/// Returns whether `pow2 = roundup` of an amax is known to depend on whether
/// its mantissa is above that of `max`: compared for all mantissas.
static bool isKnownRoundup(double max) {
  return llvm::is_contained({6.0, 448.0, 240.0}, max);
}

/// Powers of two come with scales of f8E8M0FNU, and with them alone.
LogicalResult Analysis::checkScaleRule(BlockScaleOp op) {
  ScaleRuleAttr rule = op.getRule();
  if (rule.getNan() != NaNRule::propagate)
    return emitMissing(op) << "expected a rule that propagates NaN, got "
                           << rule;
  bool isPower = rule.getPow2() != Pow2::none;
  if (isPower != hasPowersOfTwo(op.getScales().getType()))
    return emitMissing(op)
           << "expected scales of f8E8M0FNU with pow2, and of f32 without, got "
           << op.getScales().getType() << " and " << rule;
  if (isPower && !rule.getScaleFloor().isZero())
    return emitMissing(op) << "expected no scale_floor with pow2, got " << rule;
  if (rule.getPow2() == Pow2::roundup &&
      !isKnownRoundup(rule.getMax().convertToDouble()))
    return emitMissing(op)
           << "expected max = 6, 448 or 240 with pow2 = roundup, got " << rule;
  return success();
}

LogicalResult Analysis::visitBlockScale(BlockScaleOp op) {
  if (failed(assign(op, op.getInput(), RowValueKind::row)) ||
      failed(assign(op, op.getScales(), RowValueKind::scales)))
    return failure();
  if (failed(checkScaleRule(op)))
    return failure();
  return checkFormat(op, op.getFormat(), op.getScales());
}

LogicalResult Analysis::visitQuantize(QuantizeOp op) {
  if (failed(assign(op, op.getInput(), RowValueKind::row)) ||
      failed(assign(op, op.getScales(), RowValueKind::scales)) ||
      failed(assign(op, op.getResult(), RowValueKind::codes)))
    return failure();
  EncodeRuleAttr rule = op.getRule();
  if (rule.getRound() != Round::rne || rule.getApply() == Apply::max_over_amax)
    return emitMissing(op) << "expected a rule with round = rne and apply = "
                              "divide, reciprocal or reciprocal_approx, got "
                           << rule;
  return checkFormat(op, op.getFormat(), op.getScales());
}

LogicalResult Analysis::visit(Operation *op) {
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::ExtFOp,
          arith::TruncFOp>(op)) {
    for (Value value : llvm::concat<Value>(op->getOperands(), op->getResults()))
      if (!isa<RankedTensorType>(value.getType()))
        return emitMissing(op) << "expected tensors, got " << value.getType();
    for (Value operand : op->getOperands())
      if (failed(assign(op, operand, RowValueKind::row)))
        return failure();
    return assign(op, op->getResult(0), RowValueKind::row);
  }
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](RmsNormOp norm) { return visitNorm(norm); })
      .Case([&](BlockScaleOp scale) { return visitBlockScale(scale); })
      .Case([&](QuantizeOp quantize) { return visitQuantize(quantize); })
      .Default([&](Operation *other) {
        return emitMissing(other) << "no emitter in a row kernel";
      });
}

/// The row is that of the first operand of each op; they have to agree.
LogicalResult Analysis::findRowSize() {
  Operation &first = body.kernel.getBody()->front();
  auto type = first.getNumOperands() == 0
                  ? RankedTensorType()
                  : dyn_cast<RankedTensorType>(first.getOperand(0).getType());
  if (!type || type.getRank() != 2 || type.isDynamicDim(1))
    return emitMissing(&first)
           << "expected rows in a tensor of rank 2 with a static last extent, "
              "got "
           << (type ? Type(type) : Type(body.kernel.getFunctionType()));
  if (std::string obstacle = RowSchedule::getObstacle(type.getDimSize(1));
      !obstacle.empty())
    return emitMissing(&first) << obstacle << " in " << type;
  body.schedule = RowSchedule::get(type.getDimSize(1), hooks.getLanes());
  return success();
}

LogicalResult Analysis::checkOutputs() {
  YieldOp yield = body.kernel.getYield();
  for (Value value : yield.getValues())
    if (!body.kinds.contains(value) || isa<BlockArgument>(value))
      return emitMissing(yield)
             << "expected results that the body computes, got an input";
  return success();
}

LogicalResult Analysis::run() {
  if (failed(findRowSize()))
    return failure();
  for (Operation &op : body.kernel.getBody()->without_terminator())
    if (failed(visit(&op)))
      return failure();
  if (failed(checkOutputs()))
    return failure();
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

FailureOr<RowBody> RowBody::analyze(KernelDefOp kernel,
                                    const TargetHooks &hooks) {
  RowBody body;
  body.kernel = kernel;
  if (failed(Analysis(body, hooks).run()))
    return failure();
  return body;
}
