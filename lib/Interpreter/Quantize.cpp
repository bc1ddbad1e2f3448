//===- Quantize.cpp - Scales and codes ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each step is one operation of f32, rounded to nearest even.

#include "Evaluator.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace mlir::qfuse;

/// Returns the outer scale, or 1 if there is none.
static float getOuter(Evaluator &evaluator, Value outer) {
  return outer ? toF32(evaluator.get(outer).tensor.get(0)) : 1.0f;
}

/// Returns the largest magnitude of each block. A NaN is the largest one,
/// unless they are ignored.
static std::vector<float> getAmax(ArrayRef<float> input,
                                  const ScaleIndex &index, NaNRule rule) {
  std::vector<float> amax(ShapedType::getNumElements(index.getShape()), 0.0f);
  for (int64_t row = 0; row < index.getNumRows(); ++row) {
    float *ofRow = amax.data() + index.getRowBegin(row);
    for (int64_t column = 0; column < index.getColumns(); ++column) {
      float value = std::abs(input[row * index.getColumns() + column]);
      float &largest = ofRow[column / index.getBlockColumns()];
      if (std::isnan(value) ? rule == NaNRule::propagate : value > largest)
        largest = value; // no value is larger than a NaN
    }
  }
  return amax;
}

//===----------------------------------------------------------------------===//
// block_scale
//===----------------------------------------------------------------------===//

LogicalResult qfuse::evaluate(Evaluator &evaluator, BlockScaleOp op) {
  const Tensor &input = evaluator.get(op.getInput()).tensor;
  ScaleIndex index(op.getFormat(), input.shape);
  std::vector<float> amax =
      getAmax(toFloats(input), index, op.getRule().getNan());
  float outer = getOuter(evaluator, op.getOuter());
  Tensor scales(*getElement(getElementTypeOrSelf(op.getScales())),
                index.getShape());
  for (auto [position, value] : llvm::enumerate(amax))
    scales.setBits(
        position,
        encode(scales.element, toF32(op.getRule().computeScale(value, outer))));
  return evaluator.set(op->getResult(0), scales);
}

//===----------------------------------------------------------------------===//
// quantize
//===----------------------------------------------------------------------===//

namespace {
/// What the elements of one block are divided by or multiplied by.
struct Factor {
  float value;
  bool divides;
};

class Encoder {
public:
  Encoder(EncodeRuleAttr rule, Element element)
      : element(element), min(getOr(rule.getMin(), -infinity)),
        max(getOr(rule.getMax(), infinity)) {
    static constexpr Rounding roundings[] = {
        Rounding::nearestEven, Rounding::nearestAway, Rounding::towardZero};
    rounding = roundings[static_cast<unsigned>(rule.getRound())];
    overflow = rule.getOverflow() == Overflow::saturate ? OverflowTo::largest
                                                        : OverflowTo::ieee;
  }

  uint64_t operator()(float input, Factor factor) const {
    float value = factor.divides ? input / factor.value : input * factor.value;
    // A NaN fails both comparisons and stays.
    if (value < min)
      value = min;
    if (value > max)
      value = max;
    return encode(element, value, rounding, overflow);
  }

private:
  static constexpr float infinity = std::numeric_limits<float>::infinity();
  static float getOr(FloatAttr attr, float otherwise) {
    return attr ? toF32(attr.getValueAsDouble()) : otherwise;
  }

  Element element;
  float min, max;
  Rounding rounding;
  OverflowTo overflow;
};
} // namespace

/// Returns the factor of each block. `ulps` moves an approximate reciprocal by
/// so many units in the last place.
static std::vector<Factor> getFactors(ArrayRef<float> scales, float outer,
                                      EncodeRuleAttr rule, ArrayRef<float> amax,
                                      int ulps) {
  std::vector<Factor> factors;
  for (size_t block = 0; block < scales.size(); ++block) {
    float scale = scales[block] * outer;
    switch (rule.getApply()) {
    case Apply::divide:
      factors.push_back({scale, /*divides=*/true});
      break;
    case Apply::reciprocal:
      factors.push_back({1.0f / scale, /*divides=*/false});
      break;
    case Apply::reciprocal_approx: {
      float reciprocal = 1.0f / scale;
      if (ulps != 0 && std::isfinite(reciprocal))
        reciprocal =
            std::nextafter(reciprocal, ulps < 0 ? -INFINITY : INFINITY);
      factors.push_back({reciprocal, /*divides=*/false});
      break;
    }
    case Apply::max_over_amax: {
      float max = toF32(rule.getMax().getValueAsDouble());
      // Of a zero block nothing but zeros are multiplied.
      factors.push_back({amax[block] == 0.0f ? 1.0f : max / amax[block],
                         /*divides=*/false});
      break;
    }
    }
  }
  return factors;
}

static Tensor encodeAll(ArrayRef<float> input, const ScaleIndex &index,
                        ArrayRef<Factor> factors, const Encoder &encoder,
                        Tensor codes) {
  for (int64_t row = 0; row < index.getNumRows(); ++row) {
    int64_t scaleBegin = index.getRowBegin(row);
    for (int64_t column = 0; column < index.getColumns(); ++column) {
      int64_t position = row * index.getColumns() + column;
      codes.setBits(
          position,
          encoder(input[position],
                  factors[scaleBegin + column / index.getBlockColumns()]));
    }
  }
  return codes;
}

/// Swaps codes where `low` is the larger one, as it is of negative numbers.
static void order(Interval &interval) {
  for (int64_t i = 0, e = interval.low.getNumElements(); i < e; ++i)
    if (interval.low.get(i) > interval.high.get(i)) {
      uint64_t low = interval.low.getBits(i);
      interval.low.setBits(i, interval.high.getBits(i));
      interval.high.setBits(i, low);
    }
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, QuantizeOp op) {
  const Tensor &input = evaluator.get(op.getInput()).tensor;
  Tensor scales = evaluator.getLogical(op.getScales());
  if (failed(checkScales(op, scales.shape, op.getFormat(), input.shape)))
    return failure();
  EncodeRuleAttr rule = op.getRule();
  bool usesAmax = rule.getApply() == Apply::max_over_amax;
  if (usesAmax && !rule.getMax())
    return op.emitOpError("expected a max in its rule, which max_over_amax "
                          "multiplies by");
  ScaleIndex index(op.getFormat(), input.shape);
  std::vector<float> values = toFloats(input), amax;
  if (usesAmax)
    amax = getAmax(values, index, NaNRule::propagate);
  std::vector<float> scaleValues = toFloats(scales);
  float outer = getOuter(evaluator, op.getOuter());
  Tensor codes(*getElement(getElementTypeOrSelf(op.getResult())), input.shape);
  Encoder encoder(rule, codes.element);
  auto run = [&](int ulps) {
    return encodeAll(values, index,
                     getFactors(scaleValues, outer, rule, amax, ulps), encoder,
                     codes);
  };
  std::optional<Interval> interval;
  if (rule.getApply() == Apply::reciprocal_approx &&
      evaluator.needsInterval()) {
    interval = Interval{run(-1), run(1)};
    order(*interval);
  }
  return evaluator.set(op->getResult(0), run(0), std::move(interval));
}

//===----------------------------------------------------------------------===//
// dequantize
//===----------------------------------------------------------------------===//

LogicalResult qfuse::evaluate(Evaluator &evaluator, DequantizeOp op) {
  Tensor input = evaluator.getLogical(op.getInput());
  Tensor scales = evaluator.getLogical(op.getScales());
  if (failed(checkScales(op, scales.shape, op.getFormat(), input.shape)))
    return failure();
  ScaleIndex index(op.getFormat(), input.shape);
  std::vector<float> codes = toFloats(input), factors = toFloats(scales);
  float outer = getOuter(evaluator, op.getOuter());
  Tensor result(*getElement(getElementTypeOrSelf(op.getResult())), input.shape);
  for (int64_t row = 0; row < index.getNumRows(); ++row)
    for (int64_t column = 0; column < index.getColumns(); ++column) {
      int64_t position = row * index.getColumns() + column;
      float value =
          codes[position] *
          factors[index.getRowBegin(row) + column / index.getBlockColumns()];
      result.setBits(position, encode(result.element, value * outer));
    }
  return evaluator.set(op->getResult(0), result);
}
