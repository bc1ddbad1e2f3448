//===- Matmul.cpp - scaled_matmul -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums are computed in f64 and rounded to f32 once.

#include "Evaluator.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace mlir::qfuse;

namespace {
/// A or B: rows of decoded codes, and their scales.
struct Operand {
  std::vector<float> codes, scales;
  ScaleIndex index;
  float outer = 1.0f;
};

/// One batch: `result : M x N`.
struct Problem {
  const Operand &a, &b;
  /// The first rows of A and B.
  int64_t aRow, bRow;
  int64_t m, n, k;
  /// Where a scale of A or B begins along K, and K itself.
  ArrayRef<int64_t> segments;
};

/// `sum` of the scaled products, and of their magnitudes.
struct Sums {
  std::vector<double> sum, magnitude;
};
} // namespace

/// Columns of the result that are computed together. The dot products of a
/// panel of B with a row of A are independent chains of additions, which
/// vectorize without another order of any sum.
static constexpr int64_t panelWidth = 8;

/// Returns `panelWidth` rows of B from `column` on as K x panelWidth; rows
/// beyond N are zero.
static std::vector<double> getPanel(const Problem &problem, int64_t column) {
  std::vector<double> panel(problem.k * panelWidth, 0.0);
  int64_t width = std::min(panelWidth, problem.n - column);
  for (int64_t j = 0; j < width; ++j) {
    const float *row =
        problem.b.codes.data() + (problem.bRow + column + j) * problem.k;
    for (int64_t k = 0; k < problem.k; ++k)
      panel[k * panelWidth + j] = row[k];
  }
  return panel;
}

/// Adds to `sums` the products of columns [begin, end) of a row of A with the
/// panel. Magnitudes are those of the products if `isMagnitude`.
template <bool isMagnitude>
static void addProducts(const float *row, const double *panel, int64_t begin,
                        int64_t end, double *sums) {
  double local[panelWidth] = {};
  for (int64_t k = begin; k < end; ++k) {
    double value = row[k];
    const double *factors = panel + k * panelWidth;
    for (int64_t j = 0; j < panelWidth; ++j) {
      double product = value * factors[j];
      local[j] += isMagnitude ? std::abs(product) : product;
    }
  }
  std::copy_n(local, panelWidth, sums);
}

/// Computes the columns of one panel of the result.
static void multiplyPanel(const Problem &problem, int64_t column,
                          bool needsMagnitude, Sums &sums) {
  std::vector<double> panel = getPanel(problem, column);
  int64_t width = std::min(panelWidth, problem.n - column);
  int64_t bScales[panelWidth];
  for (int64_t j = 0; j < width; ++j)
    bScales[j] = problem.b.index.getRowBegin(problem.bRow + column + j);
  for (int64_t i = 0; i < problem.m; ++i) {
    const float *row = problem.a.codes.data() + (problem.aRow + i) * problem.k;
    int64_t aScales = problem.a.index.getRowBegin(problem.aRow + i);
    for (size_t s = 0; s + 1 < problem.segments.size(); ++s) {
      int64_t begin = problem.segments[s], end = problem.segments[s + 1];
      double products[panelWidth], magnitudes[panelWidth];
      addProducts<false>(row, panel.data(), begin, end, products);
      if (needsMagnitude)
        addProducts<true>(row, panel.data(), begin, end, magnitudes);
      double aScale =
          problem.a.scales[aScales + begin / problem.a.index.getBlockColumns()];
      for (int64_t j = 0; j < width; ++j) {
        double bScale =
            problem.b
                .scales[bScales[j] + begin / problem.b.index.getBlockColumns()];
        int64_t position = i * problem.n + column + j;
        sums.sum[position] += products[j] * aScale * bScale;
        if (needsMagnitude)
          sums.magnitude[position] += magnitudes[j] * std::abs(aScale * bScale);
      }
    }
  }
}

/// Returns where the scales of A or B change along K, and K.
static std::vector<int64_t> getSegments(const Operand &a, const Operand &b,
                                        int64_t k) {
  std::vector<int64_t> segments;
  for (int64_t column = 0; column < k; ++column)
    if (column % a.index.getBlockColumns() == 0 ||
        column % b.index.getBlockColumns() == 0)
      segments.push_back(column);
  segments.push_back(k);
  return segments;
}

static FailureOr<Operand> getOperand(Evaluator &evaluator, Operation *op,
                                     Value codes, Value scales, Value outer,
                                     FormatAttr format) {
  const auto &shape = evaluator.get(codes).shape;
  if (failed(checkScales(op, evaluator.get(scales).shape, format, shape)))
    return failure();
  Operand operand{toFloats(evaluator.getLogical(codes)),
                  toFloats(evaluator.getLogical(scales)),
                  ScaleIndex(format, shape)};
  if (outer)
    operand.outer = toF32(evaluator.get(outer).tensor.get(0));
  return operand;
}

/// Rounds the sums to the results, and what they may be off to the interval.
static void finish(const Sums &sums, ArrayRef<float> bias, double outer,
                   double error, int64_t begin, Tensor &result,
                   std::optional<Interval> &interval) {
  for (size_t i = 0; i < sums.sum.size(); ++i) {
    double added = bias.empty() ? 0.0 : bias[i % bias.size()];
    double value = sums.sum[i] * outer + added;
    auto round = [&](double exact) {
      return encode(result.element, toF32(exact));
    };
    result.setBits(begin + i, round(value));
    if (!interval)
      continue;
    double slack =
        error * (sums.magnitude[i] * std::abs(outer) + std::abs(added));
    if (!std::isfinite(value))
      slack = 0.0;
    interval->low.setBits(begin + i, round(value - slack));
    interval->high.setBits(begin + i, round(value + slack));
  }
}

/// Emits an error unless the extents of A and B fit.
static LogicalResult checkExtents(ScaledMatmulOp op, ArrayRef<int64_t> a,
                                  ArrayRef<int64_t> b, size_t biasSize) {
  if (a.back() != b.back() || (a.size() == 3 && a[0] != b[0]))
    return op.emitOpError() << "expected B of the batch and K of A, which has "
                               "extents "
                            << printShape(a) << ", got " << printShape(b);
  if (op.getBias() && static_cast<int64_t>(biasSize) != b[b.size() - 2])
    return op.emitOpError() << "expected a bias of " << b[b.size() - 2]
                            << " elements, got " << biasSize;
  return success();
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, ScaledMatmulOp op) {
  std::vector<int64_t> shape = evaluator.get(op.getA()).shape;
  const auto &bShape = evaluator.get(op.getB()).shape;
  std::vector<float> bias;
  if (op.getBias())
    bias = toFloats(evaluator.get(op.getBias()).tensor);
  if (failed(checkExtents(op, shape, bShape, bias.size())))
    return failure();
  auto a = getOperand(evaluator, op, op.getA(), op.getAScales(), op.getOuterA(),
                      op.getAFormat());
  auto b = getOperand(evaluator, op, op.getB(), op.getBScales(), op.getOuterB(),
                      op.getBFormat());
  if (failed(a) || failed(b))
    return failure();

  size_t rank = shape.size();
  int64_t m = shape[rank - 2], n = bShape[rank - 2], k = shape[rank - 1];
  std::vector<int64_t> segments = getSegments(*a, *b, k);
  shape.back() = n;
  Tensor result(*getElement(op.getResult().getType().getElementType()), shape);
  std::optional<Interval> interval;
  if (evaluator.needsInterval())
    interval = Interval{result, result};
  // Matrix units may cut off instead of rounding, which is twice the error of a
  // sum. Six roundings: the scales, their product, outer scales and bias.
  double error = 2 * evaluator.getSumError(k) + 6 * 0x1p-24;
  for (int64_t batch = 0, e = rank == 3 ? shape[0] : 1; batch < e; ++batch) {
    Problem problem{*a, *b, batch * m, batch * n, m, n, k, segments};
    Sums sums{std::vector<double>(m * n), {}};
    if (interval)
      sums.magnitude.resize(m * n);
    for (int64_t column = 0; column < n; column += panelWidth)
      multiplyPanel(problem, column, interval.has_value(), sums);
    finish(sums, bias, double(a->outer) * b->outer, error, batch * m * n,
           result, interval);
  }
  return evaluator.set(op->getResult(0), result, std::move(interval));
}
