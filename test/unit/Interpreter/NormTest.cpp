//===- NormTest.cpp - rms_norm and its interval ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTest.h"
#include "qfuse/Support/Inputs.h"
#include <cmath>

using namespace mlir;
using namespace mlir::qfuse;

namespace {
class NormTest : public InterpreterTest {};

/// Keeps the intervals of rms_norm.
struct NormKeeper : Observer {
  Interval interval;
  Tensor value;
  void observe(OpResult result, const HostValue &host,
               const Interval *bounds) override {
    if (!isa<RmsNormOp>(result.getOwner()))
      return;
    ASSERT_NE(bounds, nullptr);
    interval = *bounds;
    value = host.tensor;
  }
};

TEST_F(NormTest, RoundsWhereItSays) {
  // mean(x^2) = 12.5 and epsilon 3.5 give rsqrt(16) = 1/4.
  StringRef text = R"(
    func.func @f(%x: tensor<1x2xf32>, %w: tensor<2xf32>) -> tensor<1x2xf32> {
      %y = qfuse.rms_norm %x weight(%w : tensor<2xf32>) {epsilon = 3.5 : f32, weight_offset = 1.0 : f32} : tensor<1x2xf32> -> tensor<1x2xf32>
      return %y : tensor<1x2xf32>
    })";
  EXPECT_EQ(runValues(text, {make(Element::f32, {1, 2}, {3, -4}),
                             make(Element::f32, {2}, {1, -3})}),
            (std::vector<double>{1.5, 2.0}));
  // x * rstd is 0x1.02p0 + a bit, which bf16 rounds before the weight.
  std::string rounded = text.str();
  rounded.replace(rounded.find("weight_offset"), 0, "normalized = bf16, ");
  double x = 4.0 * (1.0 + 0x1p-9);
  Tensor input = make(Element::f32, {1, 2}, {x, 0.0});
  auto exact = runValues(text, {input, make(Element::f32, {2}, {2, 0})});
  auto once = runValues(rounded, {input, make(Element::f32, {2}, {2, 0})});
  double normalized = exact[0] / 3.0;
  EXPECT_NE(exact, once);
  EXPECT_EQ(once[0],
            3.0 * decode(Element::bf16, encode(Element::bf16, normalized)));
}

TEST_F(NormTest, EveryOrderOfTheSumIsInTheInterval) {
  StringRef text = R"(
    func.func @f(%x: tensor<?x512xbf16>) -> tensor<?x512xf32> {
      %y = qfuse.rms_norm %x {epsilon = 1.0e-6 : f32} : tensor<?x512xbf16> -> tensor<?x512xf32>
      return %y : tensor<?x512xf32>
    })";
  Tensor input(Element::bf16, {3, 512});
  fillInput(input, InputKind::outlier, /*seed=*/1, 0, /*isWeight=*/false);
  NormKeeper keeper;
  InterpreterOptions options = observeIntervals(keeper);
  ASSERT_EQ(run(text, {input}, options).size(), 1u);
  double widest = 0.0;
  for (int64_t row = 0; row < 3; ++row) {
    // Forwards, in f32.
    float sum = 0.0f;
    for (int64_t k = 0; k < 512; ++k) {
      float x = static_cast<float>(input.get(row * 512 + k));
      sum += x * x;
    }
    float rstd = 1.0f / std::sqrt(sum / 512.0f + 1.0e-6f);
    for (int64_t k = row * 512; k < (row + 1) * 512; ++k) {
      float y = static_cast<float>(input.get(k)) * rstd;
      ASSERT_LE(keeper.interval.low.get(k), y);
      ASSERT_GE(keeper.interval.high.get(k), y);
      ASSERT_LE(keeper.interval.low.get(k), keeper.value.get(k));
      ASSERT_GE(keeper.interval.high.get(k), keeper.value.get(k));
      double width = keeper.interval.high.get(k) - keeper.interval.low.get(k);
      widest = std::max(widest, width / std::abs(y));
    }
  }
  // Half of 513 roundings of the sum, and 7 later ones, to each side.
  EXPECT_LT(widest, 532 * 0x1p-24);
  EXPECT_GT(widest, 513 * 0x1p-24);
  // A schedule that is known makes it tighter.
  options.getSumDepth = [](int64_t) { return int64_t(9); };
  run(text, {input}, options);
  EXPECT_LT(keeper.interval.high.get(0) - keeper.interval.low.get(0),
            30 * 0x1p-24 * std::abs(keeper.value.get(0)));
}

TEST_F(NormTest, SumsBeyondF32AreInfinite) {
  StringRef text = R"(
    func.func @f(%x: tensor<1x2xbf16>) -> tensor<1x2xbf16> {
      %y = qfuse.rms_norm %x {epsilon = 1.0e-6 : f32} : tensor<1x2xbf16> -> tensor<1x2xbf16>
      return %y : tensor<1x2xbf16>
    })";
  EXPECT_EQ(runValues(text, {make(Element::bf16, {1, 2}, {1.0e30, 1.0})}),
            (std::vector<double>{0.0, 0.0}));
  auto values =
      runValues(text, {make(Element::bf16, {1, 2},
                            {std::numeric_limits<double>::infinity(), 1.0})});
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_EQ(values[1], 0.0);
  EXPECT_EQ(runValues(text, {make(Element::bf16, {1, 2}, {0.0, 0.0})}),
            (std::vector<double>{0.0, 0.0}));
}
} // namespace
