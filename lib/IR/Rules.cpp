//===- Rules.cpp - Rules of scales and codes ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/IR/QFuse.h"
#include <cmath>

using namespace mlir;
using namespace mlir::qfuse;

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

static float toF32(const APFloat &value) {
  return static_cast<float>(value.convertToDouble());
}

/// Returns 2 to the power of the largest integer that is at most log2(value).
static double floorPow2(double value) {
  if (value == 0.0 || !std::isfinite(value))
    return value;
  return std::ldexp(1.0, std::ilogb(value));
}

static double ceilPow2(double value) {
  double floor = floorPow2(value);
  return floor < value ? 2.0 * floor : floor;
}

/// Returns the power of two at most `value` once that is rounded, half up, to
/// `bits` bits behind the leading one.
static double evenPow2(double value, int64_t bits) {
  double floor = floorPow2(value);
  double carries = floor * (2.0 - std::ldexp(1.0, -static_cast<int>(bits) - 1));
  return std::isfinite(value) && value != 0.0 && value >= carries ? 2.0 * floor
                                                                  : floor;
}

double ScaleRuleAttr::computeScale(float amax, float outer) const {
  if (amax == 0.0f && getZero() == ZeroRow::one)
    return 1.0;
  if (std::isnan(amax))
    return amax;
  float max = toF32(getMax());
  amax = std::max(amax, toF32(getAmaxFloor()));
  switch (getPow2()) {
  case Pow2::floor:
    return floorPow2(amax) / floorPow2(max);
  case Pow2::ceil:
    return ceilPow2(amax) / floorPow2(max);
  case Pow2::even:
    return evenPow2(amax, getEvenBits()) / floorPow2(max);
  case Pow2::none:
  case Pow2::roundup:
    break;
  }
  float scale = getDivide() == Divide::exact ? amax / max : amax * (1.0f / max);
  scale = scale / outer;
  scale = std::max(scale, toF32(getScaleFloor()));
  return getPow2() == Pow2::roundup ? ceilPow2(scale) : scale;
}

float ScaleRuleAttr::getScaleOfZeroBlock(FloatType scaleType) const {
  float scale = static_cast<float>(computeScale(0.0f, 1.0f));
  // It has no zero.
  if (isa<Float8E8M0FNUType>(scaleType))
    return std::max(scale, 0x1p-127f);
  APFloat rounded(scale);
  bool isInexact;
  rounded.convert(scaleType.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &isInexact);
  return toF32(rounded);
}

LogicalResult
ScaleRuleAttr::verify(function_ref<InFlightDiagnostic()> emitError, APFloat max,
                      Divide divide, APFloat amaxFloor, APFloat scaleFloor,
                      ZeroRow, NaNRule, Pow2 pow2, int64_t evenBits) {
  // As f32, in which they are used.
  if (!(toF32(max) > 0.0f) || std::isinf(toF32(max))) // also NaN
    return emitError() << "expected max > 0 in the range of f32, got "
                       << max.convertToDouble();
  for (auto [name, floor] : {std::pair("amax_floor", amaxFloor),
                             std::pair("scale_floor", scaleFloor)})
    if (!(toF32(floor) >= 0.0f) || std::isinf(toF32(floor)))
      return emitError() << "expected " << name
                         << " >= 0 in the range of f32, got "
                         << floor.convertToDouble();
  if (pow2 == Pow2::floor || pow2 == Pow2::even || pow2 == Pow2::ceil) {
    // No quotient comes up in these.
    if (divide != Divide::exact)
      return emitError() << "expected no divide with pow2 = "
                         << stringifyPow2(pow2)
                         << ", which takes the power of amax, got divide = "
                         << stringifyDivide(divide);
    if (toF32(scaleFloor) != 0.0f)
      return emitError() << "expected no scale_floor with pow2 = "
                         << stringifyPow2(pow2)
                         << ", which takes the power of amax, got "
                         << scaleFloor.convertToDouble()
                         << "; give an amax_floor";
  }
  if (evenBits != 1 && pow2 != Pow2::even)
    return emitError() << "expected even_bits only with pow2 = even, got "
                          "pow2 = "
                       << stringifyPow2(pow2);
  // The mantissa of an f32 has 23 bits.
  if (evenBits < 0 || evenBits > 22)
    return emitError() << "expected even_bits from 0 to 22, got " << evenBits;
  return success();
}

//===----------------------------------------------------------------------===//
// Codes
//===----------------------------------------------------------------------===//

bool EncodeRuleAttr::makesNaNOfZeros(float scale, Type codeType) const {
  if (codeType.isInteger() || getApply() == Apply::max_over_amax)
    return false;
  return std::isnan(getApply() == Apply::divide ? 0.0f / scale
                                                : 0.0f * (1.0f / scale));
}

LogicalResult
EncodeRuleAttr::verify(function_ref<InFlightDiagnostic()> emitError, Apply,
                       Round, Overflow, FloatAttr max, FloatAttr min) {
  for (auto [name, bound] : {std::pair("max", max), std::pair("min", min)})
    if (bound && !std::isfinite(toF32(bound.getValue())))
      return emitError() << "expected " << name << " in the range of f32, got "
                         << bound.getValueAsDouble();
  if (max && min && !(min.getValue() < max.getValue()))
    return emitError() << "expected min < max, got " << min.getValueAsDouble()
                       << " and " << max.getValueAsDouble();
  return success();
}
