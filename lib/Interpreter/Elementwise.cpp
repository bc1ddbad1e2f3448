//===- Elementwise.cpp - Floating-point ops of arith and math -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op is computed in f64 and rounded to the type of its result. For +, -, *,
// / and the square root of numbers of at most 24 bits, this is the correctly
// rounded result: 53 >= 2 * 24 + 2 (Figueroa, When is double rounding
// innocuous?, 1995).

#include "Evaluator.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace mlir::qfuse;

using Function = llvm::function_ref<double(ArrayRef<double>)>;

static double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? b : a;
  return std::max(a, b);
}

static double minimum(double a, double b) { return -maximum(-a, -b); }

/// Returns the operands' common extents, or emits an error.
static FailureOr<std::vector<int64_t>> getCommonShape(Evaluator &evaluator,
                                                      Operation *op) {
  std::vector<int64_t> shape = evaluator.get(op->getOperand(0)).shape;
  for (Value operand : op->getOperands())
    if (const auto &other = evaluator.get(operand).shape; other != shape)
      return op->emitOpError()
             << "expected operands of equal extents, got " << printShape(shape)
             << " and " << printShape(other);
  return shape;
}

/// Defines the result of `op` element by element. `error`, in units in the last
/// place of f32, is how far a legal result may be from the exact one before it
/// is rounded to the type of the result; 0 if there is but one.
static LogicalResult map(Evaluator &evaluator, Operation *op, Function function,
                         double error = 0.0,
                         Rounding rounding = Rounding::nearestEven) {
  FailureOr<std::vector<int64_t>> shape = getCommonShape(evaluator, op);
  if (failed(shape))
    return failure();
  SmallVector<std::vector<float>> operands;
  for (Value operand : op->getOperands())
    operands.push_back(toFloats(evaluator.get(operand).tensor));
  Element element = *getElement(getElementTypeOrSelf(op->getResult(0)));
  Tensor value(element, *shape);
  std::optional<Interval> interval;
  if (error != 0.0 && evaluator.needsInterval())
    interval = Interval{value, value};
  SmallVector<double> inputs(operands.size());
  for (int64_t i = 0, e = value.getNumElements(); i < e; ++i) {
    for (auto [input, operand] : llvm::zip_equal(inputs, operands))
      input = operand[i];
    double exact = function(inputs);
    value.setBits(i, encode(element, exact, rounding));
    if (!interval)
      continue;
    // Two neighbours of f32 are at most 2^-23 of the larger one apart, or the
    // smallest subnormal number.
    double slack = error * std::max(std::abs(exact) * 0x1p-23, 0x1p-149);
    if (!std::isfinite(exact))
      slack = 0.0;
    interval->low.setBits(i, encode(element, exact - slack));
    interval->high.setBits(i, encode(element, exact + slack));
  }
  return evaluator.set(op->getResult(0), value, std::move(interval));
}

static LogicalResult evaluateTruncF(Evaluator &evaluator, arith::TruncFOp op) {
  Rounding rounding = Rounding::nearestEven;
  switch (op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even)) {
  case arith::RoundingMode::to_nearest_even:
    break;
  case arith::RoundingMode::to_nearest_away:
    rounding = Rounding::nearestAway;
    break;
  case arith::RoundingMode::toward_zero:
    rounding = Rounding::towardZero;
    break;
  default:
    return op.emitOpError(
        "has a rounding mode that is not known to the interpreter");
  }
  return map(
      evaluator, op, [](ArrayRef<double> x) { return x[0]; }, 0.0, rounding);
}

std::optional<LogicalResult> qfuse::evaluateElementwise(Evaluator &evaluator,
                                                        Operation *op) {
  using X = ArrayRef<double>;
  using Done = std::optional<LogicalResult>;
  auto apply = [&](Function function, double error = 0.0) -> Done {
    return map(evaluator, op, function, error);
  };
  return TypeSwitch<Operation *, Done>(op)
      .Case(
          [&](arith::AddFOp) { return apply([](X x) { return x[0] + x[1]; }); })
      .Case(
          [&](arith::SubFOp) { return apply([](X x) { return x[0] - x[1]; }); })
      .Case(
          [&](arith::MulFOp) { return apply([](X x) { return x[0] * x[1]; }); })
      .Case(
          [&](arith::DivFOp) { return apply([](X x) { return x[0] / x[1]; }); })
      .Case([&](arith::NegFOp) { return apply([](X x) { return -x[0]; }); })
      .Case([&](arith::MaximumFOp) {
        return apply([](X x) { return maximum(x[0], x[1]); });
      })
      .Case([&](arith::MinimumFOp) {
        return apply([](X x) { return minimum(x[0], x[1]); });
      })
      .Case([&](arith::MaxNumFOp) {
        return apply([](X x) { return std::fmax(x[0], x[1]); });
      })
      .Case([&](arith::MinNumFOp) {
        return apply([](X x) { return std::fmin(x[0], x[1]); });
      })
      .Case([&](arith::ExtFOp) { return apply([](X x) { return x[0]; }); })
      .Case([&](arith::TruncFOp truncate) -> Done {
        return evaluateTruncF(evaluator, truncate);
      })
      .Case([&](math::AbsFOp) {
        return apply([](X x) { return std::abs(x[0]); });
      })
      .Case([&](math::SqrtOp) {
        return apply([](X x) { return std::sqrt(x[0]); });
      })
      .Case([&](math::RsqrtOp) {
        return apply([](X x) { return 1.0 / std::sqrt(x[0]); }, ulps::rsqrt);
      })
      .Case([&](math::ExpOp) {
        return apply([](X x) { return std::exp(x[0]); }, ulps::exp);
      })
      .Case([&](math::TanhOp) {
        return apply([](X x) { return std::tanh(x[0]); }, ulps::tanh);
      })
      .Case([&](math::ErfOp) {
        return apply([](X x) { return std::erf(x[0]); }, ulps::erf);
      })
      .Default([](Operation *) { return std::nullopt; });
}
