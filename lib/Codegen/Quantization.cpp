//===- Quantization.cpp - Scales and codes of a row -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowEmitter.h"
#include "qfuse/Codegen/SplitReciprocal.h"

#include <cmath>

using namespace mlir;
using namespace mlir::qfuse;

/// From here on up, and far below the largest f32, no step of the divisions
/// that are written out below is subnormal or overflows.
static constexpr double smallestSafe = 0x1p-100;

static float toFloat(const APFloat &value) {
  return static_cast<float>(value.convertToDouble());
}

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

LaneValue RowEmitter::emitBlockScale(BlockScaleOp op) {
  int64_t block = getBlockSize(op.getFormat());
  unsigned shared = schedule.getLanesOfBlock(block);
  SmallVector<Value> magnitudes;
  for (Value chunk : values.at(op.getInput()).chunks)
    magnitudes.push_back(hooks.getMagnitude(b, chunk));

  LaneValue scales;
  if (block != 0) {
    for (Value magnitude : magnitudes)
      scales.chunks.push_back(
          emitScale(op.getRule(),
                    hooks.reduceGroup(b, magnitude, shared, Combine::maximum)));
    return scales;
  }
  Value largest = magnitudes.front();
  for (Value magnitude : ArrayRef(magnitudes).drop_front())
    largest = hooks.combine(b, largest, magnitude, Combine::maximum);
  Value scale =
      emitScale(op.getRule(), reduceAcrossRow(largest, Combine::maximum));
  scales.chunks.assign(schedule.chunks, scale);
  return scales;
}

/// Returns `amax / max` as division rounds it, if nothing underflows or the
/// division is emitted as such.
static Value emitDivision(KernelBuilder &b, Value amax, float max,
                          bool isSafe) {
  if (!isSafe)
    return arith::DivFOp::create(b, amax, b.f32(max));
  SplitReciprocal reciprocal = SplitReciprocal::get(max);
  return b.fma(amax, b.f32(reciprocal.high),
               b.mulf(amax, b.f32(reciprocal.low)));
}

/// Returns the byte of the f8E8M0FNU that `rule` gives for `amax`. The exponent
/// is that of amax, one more where the mantissa is above what the rule rounds
/// down, less that of max: an addition to the bits. Below the smallest power it
/// saturates; for infinity and NaN it is NaN.
Value RowEmitter::emitPower(ScaleRuleAttr rule, Value amax) {
  constexpr uint32_t mantissaMask = 0x7fffff;
  uint32_t max = llvm::bit_cast<uint32_t>(toFloat(rule.getMax()));
  uint32_t exponentOfMax = (max >> 23) - 127;
  uint32_t addend = 0;
  switch (rule.getPow2()) {
  case Pow2::none:
    llvm_unreachable("not a power of two");
  case Pow2::floor:
    break;
  case Pow2::even:
    addend = 1u << (22 - rule.getEvenBits());
    break;
  case Pow2::ceil:
    addend = mantissaMask;
    break;
  case Pow2::roundup:
    addend = mantissaMask - (max & mantissaMask);
    break;
  }
  Value bits = b.bitcast(amax, b.i32());
  Value less = b.i32((exponentOfMax << 23) - addend);
  Value shifted = b.intrinsic(b.i32(), "llvm.usub.sat.i32", {bits, less});
  Value isFinite = b.lessThan(bits, b.i32(0x7f800000));
  return b.select(isFinite, b.shrui(shifted, 23), b.i32(255));
}

Value RowEmitter::emitScale(ScaleRuleAttr rule, Value magnitude) {
  // Magnitudes order as the f32 do, also where they are bits.
  auto atLeast = [&](Value x, float floor) {
    if (floor == 0.0f)
      return x;
    Value limit = b.bitcast(b.f32(floor), x.getType());
    return hooks.combine(b, x, limit, Combine::maximum);
  };
  float max = toFloat(rule.getMax()), floor = toFloat(rule.getAmaxFloor());
  Value amax = hooks.fromMagnitude(b, atLeast(magnitude, floor));
  auto isZero = [&] {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ,
                                 hooks.fromMagnitude(b, magnitude),
                                 b.f32(0.0f));
  };
  if (rule.getPow2() != Pow2::none) {
    Value power = emitPower(rule, amax);
    if (rule.getZero() == ZeroRow::one)
      power = b.select(isZero(), b.i32(127), power);
    return power;
  }
  Value scale;
  if (rule.getDivide() == Divide::by_reciprocal_constant)
    scale = b.mulf(amax, b.f32(1.0f / max));
  else
    scale = emitDivision(
        b, amax, max, floor >= smallestSafe && SplitReciprocal::divides(max));
  if (float scaleFloor = toFloat(rule.getScaleFloor()); scaleFloor != 0.0f)
    scale = hooks.fromMagnitude(
        b, atLeast(b.bitcast(scale, magnitude.getType()), scaleFloor));
  if (rule.getZero() == ZeroRow::one)
    scale = b.select(isZero(), b.f32(1.0f), scale);
  return scale;
}

//===----------------------------------------------------------------------===//
// Codes
//===----------------------------------------------------------------------===//

/// Returns the op that computes the scales of `op` in this kernel from the same
/// values, in the same blocks; null if there is none.
static BlockScaleOp getOwnScale(QuantizeOp op) {
  auto scale = op.getScales().getDefiningOp<BlockScaleOp>();
  if (!scale || scale.getInput() != op.getInput() ||
      scale.getFormat() != op.getFormat())
    return {};
  return scale;
}

/// Returns the smallest scale that `rule` gives but for zero = one.
static double getLeastScale(ScaleRuleAttr rule) {
  return std::max(rule.getAmaxFloor().convertToDouble() /
                      rule.getMax().convertToDouble(),
                  rule.getScaleFloor().convertToDouble());
}

/// Returns whether no quotient is rounded to a code beyond `limit`: with a
/// scale of its own block a quotient is at most `max * (1 + 2^-21)`, which is
/// rounded to `max`. Powers of two that are rounded down let it be larger, and
/// so do f32 that are subnormal, which are rounded down by up to all they are.
static bool isBounded(QuantizeOp op, double limit) {
  BlockScaleOp scale = getOwnScale(op);
  if (!scale)
    return false;
  ScaleRuleAttr rule = scale.getRule();
  Pow2 pow2 = rule.getPow2();
  return pow2 != Pow2::floor && pow2 != Pow2::even &&
         (pow2 != Pow2::none || getLeastScale(rule) >= 0x1p-126) &&
         rule.getMax().convertToDouble() <= limit;
}

/// Returns whether each scale of `op` is from `smallestSafe` to what is far
/// below the largest f32, infinite or NaN.
static bool hasSafeScales(QuantizeOp op) {
  BlockScaleOp scale = getOwnScale(op);
  if (!scale)
    return false;
  ScaleRuleAttr rule = scale.getRule();
  return rule.getMax().convertToDouble() >= 4.0 &&
         getLeastScale(rule) >= smallestSafe;
}

/// Returns the reciprocal of `scale`, correctly rounded (but for four pairs of
/// a scale and an error of the approximation, of which one can reach a
/// quotient). `divisor` is the scale, or a number for an infinity, whose
/// approximation 0 is then left as it is.
static Value emitReciprocal(KernelBuilder &b, const TargetHooks &hooks,
                            Value scale, Value divisor) {
  Value r = hooks.reciprocal(b, scale);
  Value e = b.fma(b.negf(divisor), r, b.f32(1.0f));
  return b.fma(b.fma(e, e, e), r, r);
}

/// Returns `value / divisor`, correctly rounded but for the sign of zero:
/// Markstein's correction. Needs safe scales.
static Value emitQuotient(KernelBuilder &b, Value value, Value divisor,
                          Value reciprocal) {
  Value approximation = b.mulf(value, reciprocal);
  Value rest = b.fma(b.negf(approximation), divisor, value);
  return b.fma(rest, reciprocal, approximation);
}

/// Returns `-value / divisor`, correctly rounded, also the sign of zero, which
/// the sum of the correction keeps only if all signs are turned.
static Value emitNegativeQuotient(KernelBuilder &b, Value value, Value divisor,
                                  Value reciprocal) {
  Value negative = b.negf(reciprocal);
  Value approximation = b.mulf(value, negative);
  Value rest = b.fma(approximation, divisor, value);
  return b.fma(rest, negative, approximation);
}

static bool hasNegativeZero(Type type) {
  const llvm::fltSemantics &semantics =
      cast<FloatType>(type).getFloatSemantics();
  return APFloat::getZero(semantics, /*Negative=*/true).isNegative();
}

RowEmitter::Quotients RowEmitter::emitQuotients(QuantizeOp op) {
  Apply apply = op.getRule().getApply();
  bool isSafe = hasSafeScales(op);
  Quotients quotients;
  // A code has a sign that is turned for four at a time.
  quotients.areNegative =
      apply == Apply::divide && isSafe &&
      hasNegativeZero(getElementTypeOrSelf(op.getResult().getType()));
  // The factors of a scale; the chunks of a token share one.
  DenseMap<Value, std::pair<Value, Value>> factors;
  auto getFactors = [&](Value scale) -> std::pair<Value, Value> {
    if (apply == Apply::reciprocal)
      return {b.splat(arith::DivFOp::create(b, b.f32(1.0f), scale)), {}};
    if (apply == Apply::reciprocal_approx)
      return {b.splat(hooks.reciprocal(b, scale)), {}};
    if (!isSafe)
      return {{}, b.splat(scale)};
    // No correction may meet an infinity; a NaN is in the reciprocal.
    Value bits =
        arith::MinUIOp::create(b, b.bitcast(scale, b.i32()), b.i32(0x7f7fffff));
    Value divisor = b.bitcast(bits, b.f32());
    Value reciprocal = emitReciprocal(b, hooks, scale, divisor);
    return {b.splat(reciprocal), b.splat(divisor)};
  };

  for (auto [value, scale] : llvm::zip_equal(
           values.at(op.getInput()).chunks, values.at(op.getScales()).chunks)) {
    auto found = factors.find(scale);
    if (found == factors.end())
      found = factors.try_emplace(scale, getFactors(scale)).first;
    auto [factor, divisor] = found->second;
    if (!divisor)
      quotients.chunks.push_back(b.mulf(value, factor));
    else if (!factor)
      quotients.chunks.push_back(arith::DivFOp::create(b, value, divisor));
    else if (quotients.areNegative)
      quotients.chunks.push_back(
          emitNegativeQuotient(b, value, divisor, factor));
    else
      quotients.chunks.push_back(emitQuotient(b, value, divisor, factor));
  }
  return quotients;
}

LaneValue RowEmitter::emitQuantize(QuantizeOp op) {
  EncodeRuleAttr rule = op.getRule();
  Type type = getElementTypeOrSelf(op.getResult().getType());
  APFloat largest =
      APFloat::getLargest(cast<FloatType>(type).getFloatSemantics());
  double high = largest.convertToDouble(), low = -high;
  const double numberLimit = high;
  bool clamps = rule.getOverflow() == Overflow::saturate;
  if (rule.getMax() || rule.getMin()) {
    // A bound that is given holds in either mode; the other side is as it was.
    double open = clamps ? high : INFINITY;
    high = rule.getMax() ? rule.getMax().getValueAsDouble() : open;
    low = rule.getMin() ? rule.getMin().getValueAsDouble() : -open;
    clamps = true;
  }
  if (clamps && isBounded(op, std::min(high, -low)))
    clamps = false;
  bool isInRange = isBounded(op, numberLimit) ||
                   (clamps && std::max(high, -low) <= numberLimit);

  // A power of two divides exactly, also within the conversion; but what is
  // clamped has to be divided before.
  bool isPower = hasPowersOfTwo(op.getScales().getType());
  ArrayRef<Value> powers;
  Quotients dividends;
  if (isPower) {
    powers = values.at(op.getScales()).chunks;
    dividends.chunks = values.at(op.getInput()).chunks;
  } else {
    dividends = emitQuotients(op);
  }
  // The conversion to fp4 saturates.
  if (isa<Float4E2M1FNType>(type) && !rule.getMax() && !rule.getMin())
    clamps = false;
  LaneValue codes;
  for (auto [chunk, value] : llvm::enumerate(dividends.chunks)) {
    Value power = isPower ? powers[chunk] : Value();
    if (clamps && power) {
      value = hooks.divideByPower(b, value, power);
      power = {};
    }
    if (clamps && dividends.areNegative)
      value = hooks.clamp(b, value, -high, -low);
    else if (clamps)
      value = hooks.clamp(b, value, low, high);
    codes.chunks.push_back(hooks.convertToCodes(
        b, value, power, type, dividends.areNegative, isInRange));
  }
  return codes;
}
