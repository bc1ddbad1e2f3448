//===- Norm.cpp - rms_norm ------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluator.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace mlir::qfuse;

namespace {
/// `rsqrt(mean(x^2) + epsilon)` of a row, in f32, and the ends between which
/// a computation in f32 finds it.
struct Rstd {
  float value, low, high;
};

/// What is done with each element once the factor of its row is known.
struct Scaling {
  Element normalized, result;
  /// `weight + weight_offset`, or empty.
  std::vector<float> weight;

  uint64_t operator()(float input, float rstd, int64_t column) const {
    float value = toF32(decode(normalized, encode(normalized, input * rstd)));
    if (!weight.empty())
      value *= weight[column];
    return encode(result, value);
  }
};
} // namespace

/// Returns `sum`, or infinity if f32 has no such number.
static double overflow(double sum) {
  return sum > std::numeric_limits<float>::max()
             ? std::numeric_limits<double>::infinity()
             : sum;
}

static Rstd getRstd(ArrayRef<float> row, float epsilon, double sumError) {
  // Of 24 bits, so that the squares are exact in f64. In the order of columns.
  double sum = 0.0;
  for (float value : row)
    sum += static_cast<double>(value) * value;
  double count = std::max<double>(row.size(), 1.0);
  auto compute = [&](double sum) {
    return 1.0 / std::sqrt(overflow(sum) / count + epsilon);
  };
  // Squares below the smallest number of f32 may be lost. One rounding each for
  // the mean (whose 1 / K may be rounded too) and the addition of epsilon: the
  // root halves them. 2 ulps for rsqrt: The OpenCL C Specification 3.0, 7.4.
  double lost = static_cast<double>(row.size()) * 0x1p-126;
  constexpr double later = 2 * 0x1p-23 + 3 * 0x1p-24;
  auto end = [&](double sum, double direction) {
    return toF32(compute(sum) * (1.0 + direction * later));
  };
  return {toF32(compute(sum)), end(sum * (1.0 + sumError) + lost, -1.0),
          end(std::max(0.0, sum * (1.0 - sumError) - lost), 1.0)};
}

/// Puts the two codes into the interval, the smaller one first.
static void setEnds(Interval &interval, int64_t position, uint64_t a,
                    uint64_t b) {
  Element element = interval.low.element;
  if (decode(element, a) > decode(element, b))
    std::swap(a, b);
  interval.low.setBits(position, a);
  interval.high.setBits(position, b);
}

static std::vector<float> getWeight(Evaluator &evaluator, RmsNormOp op) {
  if (!op.getWeight())
    return {};
  std::vector<float> weight = toFloats(evaluator.get(op.getWeight()).tensor);
  float offset = op.getWeightOffset().convertToFloat();
  if (offset != 0.0f)
    for (float &value : weight)
      value += offset;
  return weight;
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, RmsNormOp op) {
  const Tensor &input = evaluator.get(op.getInput()).tensor;
  if (input.shape.empty())
    return op.emitOpError("expected an input of rank 1 or more");
  int64_t columns = input.shape.back();
  Scaling scaling{*getElement(op.getNormalized()),
                  *getElement(op.getResult().getType().getElementType()),
                  getWeight(evaluator, op)};
  if (op.getWeight() && static_cast<int64_t>(scaling.weight.size()) != columns)
    return op.emitOpError() << "expected a weight of " << columns
                            << " elements, got " << scaling.weight.size();
  std::vector<float> values = toFloats(input);
  Tensor result(scaling.result, input.shape);
  std::optional<Interval> interval;
  if (evaluator.needsInterval())
    interval = Interval{result, result};
  float epsilon = op.getEpsilon().convertToFloat();
  double sumError = evaluator.getSumError(columns);
  int64_t rows = columns == 0 ? 0 : input.getNumElements() / columns;
  for (int64_t row = 0; row < rows; ++row) {
    ArrayRef<float> ofRow =
        ArrayRef<float>(values).slice(row * columns, columns);
    Rstd rstd = getRstd(ofRow, epsilon, sumError);
    for (int64_t column = 0; column < columns; ++column) {
      int64_t position = row * columns + column;
      result.setBits(position, scaling(ofRow[column], rstd.value, column));
      if (interval)
        setEnds(*interval, position, scaling(ofRow[column], rstd.low, column),
                scaling(ofRow[column], rstd.high, column));
    }
  }
  return evaluator.set(op->getResult(0), result, std::move(interval));
}
