//===- RowKernel.cpp - What a generated row kernel computes ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Analysis/RowKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "qfuse/Target/Target.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::qfuse;

using Obstacle = std::optional<RowKernelObstacle>;

template <typename... Args>
static Obstacle makeObstacle(const char *format, Args &&...args) {
  return RowKernelObstacle{
      false, llvm::formatv(format, std::forward<Args>(args)...).str()};
}

int64_t qfuse::getRowSize(Operation *op) {
  auto type = op->getNumOperands() == 0
                  ? ShapedType()
                  : dyn_cast<ShapedType>(op->getOperand(0).getType());
  return type && type.hasRank() && type.getRank() > 0 ? type.getShape().back()
                                                      : ShapedType::kDynamic;
}

static bool isRowElement(Type type) { return type.isF32() || type.isBF16(); }

unsigned qfuse::getMaxLiveRows(TargetAttr target, int64_t rowSize) {
  // A lane holds up to 24 elements of rows of 8192, and 32 of longer ones, each
  // in a register as f32; addresses and reductions take about 20 (measured on
  // gfx950 and sm_90). Work-groups of more than 512 lanes have less in each.
  unsigned registers =
      getIntegerFeature(target, "lane_registers").value_or(256) - 20;
  return registers / (rowSize <= 8192 ? 24 : 32);
}

unsigned qfuse::countLiveRows(ArrayRef<Operation *> ops) {
  if (ops.empty())
    return 0;
  // How many rows begin and end to be live behind each op.
  std::vector<int> changes(ops.size() + 1);
  DenseMap<Value, std::pair<unsigned, unsigned>> ranges;
  int64_t rowSize = getRowSize(ops.front());
  // Rows, and the weights of norms, which have the size of one.
  auto isRow = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getRank() > 0 && type.getShape().back() == rowSize &&
           isRowElement(type.getElementType());
  };
  for (auto [position, op] : llvm::enumerate(ops)) {
    for (Value operand : op->getOperands())
      if (isRow(operand)) // one from outside is not there yet
        ranges.try_emplace(operand, 0, 0).first->second.second = position;
    for (Value result : op->getResults())
      if (isRow(result))
        ranges[result] = {position, position};
  }
  for (auto [value, range] : ranges) {
    ++changes[range.first];
    --changes[range.second];
  }
  int live = 0, most = 0;
  for (int change : changes)
    most = std::max(most, live += change);
  return most;
}

/// The rows that an op reads or writes.
static Obstacle checkRow(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getRank() != 2 || tensor.isDynamicDim(1) ||
      !isRowElement(tensor.getElementType()))
    return makeObstacle("expected a tensor of rank 2 with rows of a static "
                        "size of f32 or bf16, got {0}",
                        type);
  int64_t size = tensor.getDimSize(1);
  if (size <= 0 || size % rowSizeMultiple != 0 || size > maxRowSize)
    return makeObstacle("expected rows whose size is a multiple of {0} up to "
                        "{1}, got {2}",
                        rowSizeMultiple, maxRowSize, type);
  return std::nullopt;
}

static Obstacle checkNorm(RmsNormOp op) {
  if (Obstacle obstacle = checkRow(op.getInput().getType()))
    return obstacle;
  if (op.getWeight() &&
      !isRowElement(op.getWeight().getType().getElementType()))
    return RowKernelObstacle{
        true, llvm::formatv("expected a weight of f32 or bf16, got {0}",
                            op.getWeight().getType())};
  if (!isRowElement(op.getNormalized()))
    return makeObstacle("expected normalized to be f32 or bf16, got {0}",
                        op.getNormalized());
  return checkRow(op.getResult().getType());
}

static bool isBlockSize(int64_t block) {
  return block == 0 || (block >= rowSizeMultiple && block <= maxBlockSize &&
                        llvm::isPowerOf2_64(block));
}

static Obstacle checkScales(FormatAttr format, Value scales) {
  auto type = cast<ShapedType>(scales.getType());
  if (format.getOuterScale())
    return makeObstacle("expected no outer scale, got {0}", format);
  if (format.getBlock().size() != 2 || format.getBlock().front() != 1 ||
      !isBlockSize(format.getBlock().back()))
    return makeObstacle("expected blocks of 8, 16, 32, 64 or 128 elements of "
                        "one row, or of the row, got {0}",
                        format);
  if (!type.getElementType().isF32() && !hasPowersOfTwo(type))
    return makeObstacle("expected scales of f32 or f8E8M0FNU, got {0}", type);
  auto packed = dyn_cast<PackedType>(scales.getType());
  if (packed && packed.getLayout().getPad() != Pad::undef)
    return makeObstacle("expected a layout with undefined padding, got {0}",
                        packed);
  return std::nullopt;
}

bool qfuse::hasPowersOfTwo(Type scales) {
  return isa<Float8E8M0FNUType>(getElementTypeOrSelf(scales));
}

/// Returns whether `pow2 = roundup` of an amax is known to depend on whether
/// its mantissa is above that of `max`: compared for all mantissas.
static bool isKnownRoundup(double max) {
  return llvm::is_contained({6.0, 448.0, 240.0}, max);
}

/// Powers of two come with scales of f8E8M0FNU, and with them alone.
static Obstacle checkBlockScale(BlockScaleOp op) {
  if (Obstacle obstacle = checkRow(op.getInput().getType()))
    return obstacle;
  ScaleRuleAttr rule = op.getRule();
  if (rule.getNan() != NaNRule::propagate)
    return makeObstacle("expected a rule that propagates NaN, got {0}", rule);
  bool isPower = rule.getPow2() != Pow2::none;
  if (isPower != hasPowersOfTwo(op.getScales().getType()))
    return makeObstacle("expected scales of f8E8M0FNU with pow2, and of f32 "
                        "without, got {0} and {1}",
                        op.getScales().getType(), rule);
  if (isPower && !rule.getScaleFloor().isZero())
    return makeObstacle("expected no scale_floor with pow2, got {0}", rule);
  if (rule.getPow2() == Pow2::roundup &&
      !isKnownRoundup(rule.getMax().convertToDouble()))
    return makeObstacle("expected max = 6, 448 or 240 with pow2 = roundup, got "
                        "{0}",
                        rule);
  return checkScales(op.getFormat(), op.getScales());
}

static Obstacle checkQuantize(QuantizeOp op) {
  if (Obstacle obstacle = checkRow(op.getInput().getType()))
    return obstacle;
  EncodeRuleAttr rule = op.getRule();
  if (rule.getRound() != Round::rne || rule.getApply() == Apply::max_over_amax)
    return makeObstacle("expected a rule with round = rne and apply = divide, "
                        "reciprocal or reciprocal_approx, got {0}",
                        rule);
  Type type = op.getResult().getType();
  if (!isa<RankedTensorType>(type) ||
      !isa<Float8E4M3FNType, Float8E4M3FNUZType, Float4E2M1FNType>(
          getElementTypeOrSelf(type)))
    return makeObstacle("expected codes of f8E4M3FN, f8E4M3FNUZ or f4E2M1FN in "
                        "a tensor, got {0}",
                        type);
  return checkScales(op.getFormat(), op.getScales());
}

static Obstacle checkElementwise(Operation *op) {
  for (Value value : llvm::concat<Value>(op->getOperands(), op->getResults()))
    if (Obstacle obstacle = checkRow(value.getType()))
      return obstacle;
  return std::nullopt;
}

static Obstacle checkTruncation(arith::TruncFOp op) {
  std::optional<arith::RoundingMode> mode = op.getRoundingmode();
  if (mode && *mode != arith::RoundingMode::to_nearest_even &&
      *mode != arith::RoundingMode::toward_zero)
    return makeObstacle("expected a rounding mode to_nearest_even or "
                        "toward_zero, got {0}",
                        arith::stringifyRoundingMode(*mode));
  return checkElementwise(op);
}

Obstacle qfuse::findRowKernelObstacle(Operation *op) {
  return llvm::TypeSwitch<Operation *, Obstacle>(op)
#define ROW_OP(OP, CHECK, VISIT, EMIT)                                         \
  .Case([](OP each) { return CHECK(each); })
#include "qfuse/Analysis/RowOps.def"
      .Default([](Operation *other) {
        return makeObstacle("no row kernel computes {0} yet", other->getName());
      });
}
