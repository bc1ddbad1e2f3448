//===- Matmul.cpp - scaled_matmul -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dot product is summed in f64 and rounded to f32 once; it is scaled in f32,
// by the steps of the op's order; what it is added to is f64 again.

#include "Evaluator.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace mlir::qfuse;

namespace {
/// A or B: rows of decoded codes, and their scales times the outer scale.
struct Operand {
  std::vector<float> codes, scales;
  ScaleIndex index;

  /// Returns the scale at `column` of the row whose scales begin at `begin`.
  float getScale(int64_t begin, int64_t column) const {
    return scales[begin + column / index.getBlockColumns()];
  }
};

/// What a dot product is multiplied by, in this order.
struct Factors {
  float first, last;
};

/// Numbers from `low` to `high`, both included.
struct Ends {
  double low, high;
};

/// One batch: `result : M x N`.
struct Problem {
  const Operand &a, &b;
  /// The first rows of A and B.
  int64_t aRow, bRow;
  int64_t m, n, k;
  /// Where a scale of A or B begins along K, and K itself.
  ArrayRef<int64_t> segments;
  ScaleOrder order;
  /// How much a dot product may be off, of the sum of its magnitudes; and the
  /// sum of scaled ones and the bias, of theirs.
  double productError, sumError;
};

/// Sums of scaled dot products; the ends are empty if no interval is wanted.
struct Sums {
  std::vector<double> sum, low, high;
};
} // namespace

static Factors getFactors(ScaleOrder order, float a, float b) {
  switch (order) {
  case ScaleOrder::per_block:
  case ScaleOrder::a_then_b:
    return {a, b};
  case ScaleOrder::b_then_a:
    return {b, a};
  case ScaleOrder::per_block_product:
  case ScaleOrder::product:
    return {1.0f, a * b};
  }
  llvm_unreachable("all orders are listed");
}

/// Returns `product` after each of the steps.
static float scale(float product, Factors factors) {
  float scaled = product * factors.first;
  return scaled * factors.last;
}

/// Returns what the steps make of dot products in `product`. Rounding keeps
/// order, so that the ends bound what is between them. A kernel may fuse the
/// last step with the addition, which then does not round or overflow.
static Ends scale(Ends product, Factors factors) {
  Ends ends{INFINITY, -INFINITY};
  for (float end : {toF32(product.low), toF32(product.high)}) {
    double fused = double(end * factors.first) * factors.last;
    for (double scaled : {double(scale(end, factors)), fused}) {
      // Of 0 and infinity, beside which is any number.
      bool isUnknown = std::isnan(scaled);
      ends.low = isUnknown ? -INFINITY : std::min(ends.low, scaled);
      ends.high = isUnknown ? INFINITY : std::max(ends.high, scaled);
    }
  }
  return ends;
}

/// Returns `ends`, each moved outward by `error` of its magnitude.
static Ends widen(Ends ends, double error) {
  // A product, as an infinite end stays where it is.
  return {ends.low * (ends.low < 0.0 ? 1.0 + error : 1.0 - error),
          ends.high * (ends.high < 0.0 ? 1.0 - error : 1.0 + error)};
}

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

/// Adds columns [begin, end) of K to the panel's columns of row `i`.
static void addSegment(const Problem &problem, const double *panel,
                       int64_t column, int64_t i, int64_t begin, int64_t end,
                       Sums &sums) {
  const float *row = problem.a.codes.data() + (problem.aRow + i) * problem.k;
  double products[panelWidth], magnitudes[panelWidth];
  addProducts<false>(row, panel, begin, end, products);
  if (!sums.low.empty())
    addProducts<true>(row, panel, begin, end, magnitudes);
  float aScale =
      problem.a.getScale(problem.a.index.getRowBegin(problem.aRow + i), begin);
  int64_t width = std::min(panelWidth, problem.n - column);
  for (int64_t j = 0; j < width; ++j) {
    float bScale = problem.b.getScale(
        problem.b.index.getRowBegin(problem.bRow + column + j), begin);
    Factors factors = getFactors(problem.order, aScale, bScale);
    int64_t position = i * problem.n + column + j;
    sums.sum[position] += scale(toF32(products[j]), factors);
    if (sums.low.empty())
      continue;
    double slack = problem.productError * magnitudes[j];
    Ends ends =
        widen(scale({products[j] - slack, products[j] + slack}, factors),
              problem.sumError);
    sums.low[position] += ends.low;
    sums.high[position] += ends.high;
  }
}

/// Computes the columns of one panel of the result.
static void multiplyPanel(const Problem &problem, int64_t column, Sums &sums) {
  std::vector<double> panel = getPanel(problem, column);
  for (int64_t i = 0; i < problem.m; ++i)
    for (size_t s = 0; s + 1 < problem.segments.size(); ++s)
      addSegment(problem, panel.data(), column, i, problem.segments[s],
                 problem.segments[s + 1], sums);
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
  if (outer) {
    float factor = toF32(evaluator.get(outer).tensor.get(0));
    for (float &scale : operand.scales)
      scale *= factor;
  }
  return operand;
}

/// Rounds the sums to the results and their ends.
static void finish(const Sums &sums, ArrayRef<float> bias, double error,
                   int64_t begin, Tensor &result,
                   std::optional<Interval> &interval) {
  auto round = [&](double exact) {
    return encode(result.element, toF32(exact));
  };
  for (size_t i = 0; i < sums.sum.size(); ++i) {
    double added = bias.empty() ? 0.0 : bias[i % bias.size()];
    double value = sums.sum[i] + added;
    result.setBits(begin + i, round(value));
    if (!interval)
      continue;
    Ends biasEnds = widen({added, added}, error);
    Ends ends{sums.low[i] + biasEnds.low, sums.high[i] + biasEnds.high};
    // Infinite ends of both signs, which bound nothing.
    if (std::isnan(ends.low))
      ends.low = -INFINITY;
    if (std::isnan(ends.high))
      ends.high = INFINITY;
    if (std::isnan(value))
      ends = {value, value};
    interval->low.setBits(begin + i, round(ends.low));
    interval->high.setBits(begin + i, round(ends.high));
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
  // sum. A unit that scales adds up all of K, whatever the blocks. Four
  // roundings: outer scales, here and where a kernel may multiply by them.
  double productError = 2 * evaluator.getSumError(k);
  double sumError =
      2 * evaluator.getSumError(segments.size() - 1) + 4 * 0x1p-24;
  for (int64_t batch = 0, e = rank == 3 ? shape[0] : 1; batch < e; ++batch) {
    Problem problem{*a, *b,       batch * m,          batch * n,    m,       n,
                    k,  segments, op.getScaleOrder(), productError, sumError};
    Sums sums{std::vector<double>(m * n), {}, {}};
    if (interval)
      sums.low = sums.high = sums.sum;
    for (int64_t column = 0; column < n; column += panelWidth)
      multiplyPanel(problem, column, sums);
    finish(sums, bias, sumError, batch * m * n, result, interval);
  }
  return evaluator.set(op->getResult(0), result, std::move(interval));
}
