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

namespace {
using X = const double *;

/// What an op computes from its operands.
struct Function {
  double (*compute)(X);
  /// How far a legal result may be from the exact one, in units in the last
  /// place of f32, before it is rounded to the type of the result; 0 if there
  /// is but one. From The OpenCL C Specification 3.0, 7.4, Relative Error as
  /// ULPs: single precision.
  double ulps = 0.0;
};
} // namespace

double qfuse::getMaximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? b : a;
  return std::max(a, b);
}

static double minimum(double a, double b) { return -getMaximum(-a, -b); }

/// The sums, products and roundings of which there is but one.
static const llvm::StringMap<Function> &getExactFunctions() {
  static const llvm::StringMap<Function> functions = {
      {"arith.addf", {[](X x) { return x[0] + x[1]; }}},
      {"arith.subf", {[](X x) { return x[0] - x[1]; }}},
      {"arith.mulf", {[](X x) { return x[0] * x[1]; }}},
      {"arith.divf", {[](X x) { return x[0] / x[1]; }}},
      {"arith.remf", {[](X x) { return std::fmod(x[0], x[1]); }}},
      {"arith.negf", {[](X x) { return -x[0]; }}},
      {"arith.maximumf", {[](X x) { return getMaximum(x[0], x[1]); }}},
      {"arith.minimumf", {[](X x) { return minimum(x[0], x[1]); }}},
      {"arith.maxnumf", {[](X x) { return std::fmax(x[0], x[1]); }}},
      {"arith.minnumf", {[](X x) { return std::fmin(x[0], x[1]); }}},
      {"arith.extf", {[](X x) { return x[0]; }}},
      {"math.absf", {[](X x) { return std::abs(x[0]); }}},
      {"math.ceil", {[](X x) { return std::ceil(x[0]); }}},
      {"math.copysign", {[](X x) { return std::copysign(x[0], x[1]); }}},
      {"math.floor", {[](X x) { return std::floor(x[0]); }}},
      {"math.round", {[](X x) { return std::round(x[0]); }}},
      {"math.roundeven", {[](X x) { return std::nearbyint(x[0]); }}},
      {"math.sqrt", {[](X x) { return std::sqrt(x[0]); }}},
      {"math.trunc", {[](X x) { return std::trunc(x[0]); }}}};
  return functions;
}

static const llvm::StringMap<Function> &getApproximateFunctions() {
  static const llvm::StringMap<Function> functions = {
      {"math.atan", {[](X x) { return std::atan(x[0]); }, 5.0}},
      {"math.cos", {[](X x) { return std::cos(x[0]); }, 4.0}},
      {"math.erf", {[](X x) { return std::erf(x[0]); }, ulps::erf}},
      {"math.exp", {[](X x) { return std::exp(x[0]); }, ulps::exp}},
      {"math.exp2", {[](X x) { return std::exp2(x[0]); }, 3.0}},
      {"math.expm1", {[](X x) { return std::expm1(x[0]); }, 3.0}},
      {"math.log", {[](X x) { return std::log(x[0]); }, 3.0}},
      {"math.log1p", {[](X x) { return std::log1p(x[0]); }, 2.0}},
      {"math.log2", {[](X x) { return std::log2(x[0]); }, 3.0}},
      {"math.powf", {[](X x) { return std::pow(x[0], x[1]); }, 16.0}},
      {"math.rsqrt", {[](X x) { return 1.0 / std::sqrt(x[0]); }, ulps::rsqrt}},
      {"math.sin", {[](X x) { return std::sin(x[0]); }, 4.0}},
      {"math.tanh", {[](X x) { return std::tanh(x[0]); }, ulps::tanh}}};
  return functions;
}

/// Defines the result of `op` element by element.
static LogicalResult map(Evaluator &evaluator, Operation *op,
                         llvm::function_ref<double(X)> compute,
                         double ulps = 0.0,
                         Rounding rounding = Rounding::nearestEven) {
  FailureOr<Operands> operands = getOperands(evaluator, op);
  if (failed(operands))
    return failure();
  Element element = *getElement(getElementTypeOrSelf(op->getResult(0)));
  Tensor value(element, operands->shape);
  std::optional<Interval> interval;
  if (ulps != 0.0 && evaluator.needsInterval())
    interval = Interval{value, value};
  SmallVector<double> inputs(operands->tensors.size());
  for (int64_t i = 0, e = value.getNumElements(); i < e; ++i) {
    for (auto [position, input] : llvm::enumerate(inputs))
      input = operands->tensors[position]->get(operands->at(position, i));
    double exact = compute(inputs.data());
    value.setBits(i, encode(element, exact, rounding));
    if (!interval)
      continue;
    // Two neighbours of f32 are at most 2^-23 of the larger one apart, or the
    // smallest subnormal number.
    double slack = ulps * std::max(std::abs(exact) * 0x1p-23, 0x1p-149);
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
  return map(evaluator, op, [](X x) { return x[0]; }, 0.0, rounding);
}

/// The product is exact in f64 but for operands of f64, and so is its sum in
/// the narrow types; of f32, the host's own rounds once.
static LogicalResult evaluateFma(Evaluator &evaluator, math::FmaOp op) {
  if (getElementTypeOrSelf(op.getType()).isF32())
    return map(evaluator, op, [](X x) -> double {
      return std::fma(toF32(x[0]), toF32(x[1]), toF32(x[2]));
    });
  return map(evaluator, op, [](X x) { return std::fma(x[0], x[1], x[2]); });
}

/// A square is one product. Other powers have an order of products that is
/// nobody's; they are approximate as those of powf.
static LogicalResult evaluateFPowI(Evaluator &evaluator, math::FPowIOp op) {
  const Tensor &exponent = evaluator.get(op.getRhs()).tensor;
  double ulps = 0.0;
  for (int64_t i = 0, e = exponent.getNumElements(); i < e; ++i)
    if (exponent.get(i) < 0 || exponent.get(i) > 2)
      ulps = 16.0;
  return map(evaluator, op, [](X x) { return std::pow(x[0], x[1]); }, ulps);
}

std::optional<LogicalResult> qfuse::evaluateElementwise(Evaluator &evaluator,
                                                        Operation *op) {
  using Done = std::optional<LogicalResult>;
  StringRef name = op->getName().getStringRef();
  for (const auto *functions :
       {&getExactFunctions(), &getApproximateFunctions()})
    if (auto found = functions->find(name); found != functions->end())
      return map(evaluator, op, found->second.compute, found->second.ulps);
  return TypeSwitch<Operation *, Done>(op)
      .Case([&](arith::TruncFOp truncate) -> Done {
        return evaluateTruncF(evaluator, truncate);
      })
      .Case(
          [&](math::FmaOp fma) -> Done { return evaluateFma(evaluator, fma); })
      .Case([&](math::FPowIOp power) -> Done {
        return evaluateFPowI(evaluator, power);
      })
      .Default([](Operation *) { return std::nullopt; });
}
