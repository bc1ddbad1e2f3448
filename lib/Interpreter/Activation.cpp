//===- Activation.cpp - gated_activation ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluator.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::qfuse;

/// Half a unit in the last place of f32, and one, of a number of magnitude 1.
static constexpr double rounding = 0x1p-24, ulp = 0x1p-23;

namespace {
/// An activated value, and how far a computation in f32 may be from it.
struct Activated {
  double value, slack;
};

/// Rounds what is behind the activation.
struct Gating {
  Element activated, result;

  uint64_t operator()(double activation, float up) const {
    float rounded =
        toF32(decode(activated, encode(activated, toF32(activation))));
    return encode(result, rounded * up);
  }
};
} // namespace

// In forms that lose no digits where the tails cancel.

static Activated silu(double x) {
  double sigmoid = 1.0 / (1.0 + std::exp(-x));
  return {x / (1.0 + std::exp(-x)),
          std::abs(x) * sigmoid * (1.0 - sigmoid) * ulps::exp * ulp};
}

static Activated geluTanh(double x) {
  double u = std::sqrt(2.0 / llvm::numbers::pi) * (x + 0.044715 * x * x * x);
  double tanh = std::tanh(u), slope = 1.0 - tanh * tanh;
  // Eight roundings on the way to u. Where tanh is computed from exp, its error
  // is that of exp times the slope.
  double error = std::abs(tanh) * ulps::tanh * ulp +
                 slope * (std::abs(u) * 8 * rounding + ulps::exp * ulp);
  return {x / (1.0 + std::exp(-2.0 * u)), 0.5 * std::abs(x) * error};
}

static Activated geluErf(double x) {
  double v = std::sqrt(0.5) * x;
  double slope = 2.0 / std::sqrt(llvm::numbers::pi) * std::exp(-v * v);
  double error = std::abs(std::erf(v)) * ulps::erf * ulp +
                 slope * std::abs(v) * 2 * rounding;
  return {0.5 * x * std::erfc(-v), 0.5 * std::abs(x) * error};
}

/// Returns the ends between which a computation in f32 finds the activation.
static std::pair<double, double> getEnds(Activated exact, double x) {
  if (!std::isfinite(exact.value))
    return {exact.value, exact.value};
  // The division and three more steps. A factor below the smallest normal
  // number, or beyond the largest one and so the reciprocal of such, may be
  // lost, and so may the last bits of a subnormal product.
  double slack = exact.slack + 4 * ulp * std::abs(exact.value) +
                 0x1p-126 * std::abs(x) + 0x1p-147;
  double low = exact.value - slack, high = exact.value + slack;
  // No step changes the sign.
  if (x >= 0.0)
    return {std::max(low, 0.0), high};
  return {low, std::min(high, -0.0)};
}

/// Puts the codes of the ends into the interval, the smaller one first. Where
/// the value or an end alone is no number, as 0 by infinity, it is the value.
static void setEnds(Interval &interval, int64_t position, uint64_t value,
                    uint64_t a, uint64_t b) {
  Element element = interval.low.element;
  auto isNaN = [&](uint64_t bits) { return std::isnan(decode(element, bits)); };
  if (isNaN(a) || isNaN(value))
    a = value;
  if (isNaN(b) || isNaN(value))
    b = value;
  if (decode(element, a) > decode(element, b))
    std::swap(a, b);
  interval.low.setBits(position, a);
  interval.high.setBits(position, b);
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, GatedActivationOp op) {
  const Tensor &gate = evaluator.get(op.getGate()).tensor;
  const Tensor &up = evaluator.get(op.getUp()).tensor;
  if (gate.shape != up.shape)
    return op.emitOpError()
           << "expected operands of equal extents, got "
           << printShape(gate.shape) << " and " << printShape(up.shape);
  static constexpr Activated (*functions[])(double) = {silu, geluTanh, geluErf};
  auto activate = functions[static_cast<unsigned>(op.getActivation())];
  Gating gating{*getElement(op.getActivated()),
                *getElement(op.getResult().getType().getElementType())};
  std::vector<float> gates = toFloats(gate), ups = toFloats(up);
  Tensor result(gating.result, gate.shape);
  std::optional<Interval> interval;
  if (evaluator.needsInterval())
    interval = Interval{result, result};
  for (int64_t i = 0, e = result.getNumElements(); i < e; ++i) {
    Activated exact = activate(gates[i]);
    uint64_t value = gating(exact.value, ups[i]);
    result.setBits(i, value);
    if (!interval)
      continue;
    auto [low, high] = getEnds(exact, gates[i]);
    setEnds(*interval, i, value, gating(low, ups[i]), gating(high, ups[i]));
  }
  return evaluator.set(op->getResult(0), result, std::move(interval));
}
