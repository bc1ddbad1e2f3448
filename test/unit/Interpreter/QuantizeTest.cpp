//===- QuantizeTest.cpp - Scales and codes --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTest.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::qfuse;

namespace {
const double nan = std::numeric_limits<double>::quiet_NaN();

class QuantizeTest : public InterpreterTest {
protected:
  /// Returns the scale of one block of two elements, of which `amax` is the
  /// larger one.
  double getScale(StringRef rule, double amax, StringRef type = "f32",
                  double other = 0.0) {
    std::string text = llvm::formatv(
        "func.func @f(%x: tensor<1x2xf32>) -> tensor<1x1x{1}> {{\n"
        "  %s = qfuse.block_scale %x {{format = #qfuse.format<block = [1, 2], "
        "scale_type = {1}>, rule = #qfuse.scale_rule<{0}>} : tensor<1x2xf32> "
        "-> tensor<1x1x{1}>\n return %s : tensor<1x1x{1}>\n}",
        rule, type);
    auto values = runValues(text, {make(Element::f32, {1, 2}, {other, amax})});
    return values.empty() ? -1.0 : values.front();
  }

  /// Returns the code of `value` by the scale `scale`.
  double getCode(StringRef rule, StringRef type, double value, double scale,
                 double other = 0.0) {
    std::string text = llvm::formatv(
        "func.func @f(%x: tensor<1x2xf32>, %s: tensor<1x1xf32>) -> "
        "tensor<1x2x{1}> {{\n"
        "  %q = qfuse.quantize %x by %s {{format = #qfuse.format<block = [1, "
        "2]>, rule = #qfuse.encode_rule<{0}>} : tensor<1x2xf32>, "
        "tensor<1x1xf32> -> tensor<1x2x{1}>\n return %q : tensor<1x2x{1}>\n}",
        rule, type);
    auto values = runValues(text, {make(Element::f32, {1, 2}, {value, other}),
                                   make(Element::f32, {1, 1}, {scale})});
    return values.empty() ? -1.0 : values.front();
  }
};

TEST_F(QuantizeTest, DivisionAndReciprocalRoundDifferently) {
  // 1 / 448 is not a number of f32.
  EXPECT_EQ(getScale("max = 448.0", 3.0), 3.0f / 448.0f);
  EXPECT_EQ(getScale("max = 448.0, divide = by_reciprocal_constant", 3.0),
            3.0f * (1.0f / 448.0f));
  EXPECT_NE(3.0f / 448.0f, 3.0f * (1.0f / 448.0f));
  EXPECT_EQ(getScale("max = 448.0", -3.5), 3.5f / 448.0f);
}

TEST_F(QuantizeTest, FloorsAndZeroBlocks) {
  EXPECT_EQ(getScale("max = 448.0", 0.0), 0.0);
  EXPECT_EQ(getScale("max = 448.0, zero = one", 0.0), 1.0);
  EXPECT_EQ(getScale("max = 448.0, amax_floor = 1.0e-10", 0.0),
            1.0e-10f / 448.0f);
  EXPECT_EQ(getScale("max = 448.0, scale_floor = 0.5", 1.0), 0.5);
  EXPECT_EQ(getScale("max = 448.0, zero = one, amax_floor = 1.0", 0.0), 1.0);
  EXPECT_EQ(getScale("max = 448.0, zero = one", 1.0e-30), 1.0e-30f / 448.0f);
}

TEST_F(QuantizeTest, NaNPropagatesOrIsIgnored) {
  EXPECT_TRUE(std::isnan(getScale("max = 448.0", nan, "f32", 7.0)));
  EXPECT_TRUE(std::isnan(getScale("max = 448.0", 7.0, "f32", nan)));
  EXPECT_TRUE(
      std::isnan(getScale("max = 6.0, pow2 = even", nan, "f8E8M0FNU", 1.0)));
  EXPECT_EQ(getScale("max = 448.0, nan = ignore", nan, "f32", 448.0), 1.0);
  EXPECT_EQ(getScale("max = 448.0, nan = ignore", 448.0, "f32", nan), 1.0);
}

TEST_F(QuantizeTest, PowersOfTwo) {
  // aiter csrc/include/mx_quant_utils.h, MxScaleRoundMode; max = 6: P = 2.
  struct Case {
    double amax, floor, even, ceil, roundup;
  };
  const Case cases[] = {
      {4.0, 1.0, 1.0, 1.0, 1.0},         {6.0, 1.0, 1.0, 2.0, 1.0},
      {6.5, 1.0, 1.0, 2.0, 2.0},         {6.99, 1.0, 1.0, 2.0, 2.0},
      {7.0, 1.0, 2.0, 2.0, 2.0},         {8.0, 2.0, 2.0, 2.0, 2.0},
      {0.75, 0.125, 0.125, 0.25, 0.125},
  };
  for (const Case &each : cases) {
    SCOPED_TRACE(each.amax);
    EXPECT_EQ(getScale("max = 6.0, pow2 = floor", each.amax), each.floor);
    EXPECT_EQ(getScale("max = 6.0, pow2 = even", each.amax), each.even);
    EXPECT_EQ(getScale("max = 6.0, pow2 = ceil", each.amax), each.ceil);
    EXPECT_EQ(getScale("max = 6.0, pow2 = roundup, "
                       "divide = by_reciprocal_constant",
                       each.amax, "f8E8M0FNU"),
              each.roundup);
  }
  // mb = 3, P = 8: up from 1.9375 on.
  EXPECT_EQ(getScale("max = 448.0, pow2 = even, even_bits = 3", 1.9375 * 256),
            2.0);
  EXPECT_EQ(getScale("max = 448.0, pow2 = even, even_bits = 3", 1.93 * 256),
            1.0);
  EXPECT_EQ(getScale("max = 6.0, pow2 = even", 0.0, "f8E8M0FNU"),
            std::ldexp(1.0, -127));
}

TEST_F(QuantizeTest, ScalesAreAppliedAsTheRuleSays) {
  // 10 / 3 in f32 is an f8E4M3FN of 3.25; with the rounded reciprocal too. A
  // scale of 0 shows which is which.
  EXPECT_EQ(getCode("apply = divide", "f8E4M3FN", 10.0, 3.0), 3.25);
  EXPECT_TRUE(std::isnan(getCode("apply = divide", "f8E4M3FN", 0.0, 0.0)));
  EXPECT_EQ(getCode("apply = divide", "f8E4M3FN", 1.0, 0.0), 448.0);
  EXPECT_EQ(getCode("apply = reciprocal", "i8", 1.0e38, 1.0e38), 1.0);
  // 1 / 1e-39 overflows f32, 1e-39 / 1e-39 does not.
  EXPECT_EQ(getCode("apply = divide", "i8", 1.0e-39, 1.0e-39), 1.0);
  EXPECT_EQ(getCode("apply = reciprocal", "i8", 1.0e-39, 1.0e-39), 127.0);
  // The largest of the block becomes the max, whatever the scale.
  EXPECT_EQ(
      getCode("apply = max_over_amax, max = 448.0", "f8E4M3FN", 3.5, 9.0, -7.0),
      224.0);
  EXPECT_EQ(getCode("apply = max_over_amax, max = 448.0", "f8E4M3FN", 0.0, 0.0),
            0.0);
  EXPECT_EQ(getCode("apply = max_over_amax", "f8E4M3FN", 1.0, 1.0), -1.0);
  EXPECT_EQ(error, "'qfuse.quantize' op expected a max in its rule, which "
                   "max_over_amax multiplies by");
}

TEST_F(QuantizeTest, CodesAreRoundedAndClamped) {
  EXPECT_EQ(getCode("", "f4E2M1FN", 2.5, 1.0), 2.0);
  EXPECT_EQ(getCode("round = rna", "f4E2M1FN", 2.5, 1.0), 3.0);
  EXPECT_EQ(getCode("round = rtz", "i8", -2.9, 1.0), -2.0);
  EXPECT_EQ(getCode("", "f8E4M3FN", 1000.0, 1.0), 448.0);
  EXPECT_TRUE(std::isnan(getCode("overflow = ieee", "f8E4M3FN", 1000.0, 1.0)));
  EXPECT_EQ(getCode("max = 240.0", "f8E4M3FN", 1000.0, 1.0), 240.0);
  EXPECT_EQ(getCode("min = -127.0", "i8", -1000.0, 1.0), -127.0);
  EXPECT_TRUE(std::isnan(getCode("max = 240.0", "f8E4M3FN", nan, 1.0)));
  EXPECT_EQ(getCode("", "f8E4M3FNUZ", -1.0e-9, 1.0), 0.0);
}

TEST_F(QuantizeTest, RaggedBlocksAndOuterScales) {
  auto values =
      runValues(R"(
    #f = #qfuse.format<block = [2, 2], scale_type = f8E4M3FN, outer_scale = f32>
    #r = #qfuse.scale_rule<max = 1.0>
    func.func @f(%x: tensor<3x3xbf16>, %o: tensor<1x1xf32>) -> tensor<3x3xf32> {
      %s = qfuse.block_scale %x outer(%o : tensor<1x1xf32>) {format = #f, rule = #r} : tensor<3x3xbf16> -> tensor<2x2xf8E4M3FN>
      %q = qfuse.quantize %x by %s outer(%o : tensor<1x1xf32>) {format = #f} : tensor<3x3xbf16>, tensor<2x2xf8E4M3FN> -> tensor<3x3xf8E4M3FN>
      %d = qfuse.dequantize %q by %s outer(%o : tensor<1x1xf32>) {format = #f} : tensor<3x3xf8E4M3FN>, tensor<2x2xf8E4M3FN> -> tensor<3x3xf32>
      return %d : tensor<3x3xf32>
    })",
                {make(Element::bf16, {3, 3}, {1, 2, 8, 4, 1, -16, 32, 64, 96}),
                 make(Element::f32, {1, 1}, {0.25})});
  EXPECT_EQ(values, (std::vector<double>{1, 2, 8, 4, 1, -16, 32, 64, 96}));
}

TEST_F(QuantizeTest, DynamicScalesOfOtherExtentsAreRefused) {
  run(R"(
    #f = #qfuse.format<block = [1, 2]>
    func.func @f(%x: tensor<?x4xf32>, %s: tensor<?x2xf32>) -> tensor<?x4xi8> {
      %q = qfuse.quantize %x by %s {format = #f} : tensor<?x4xf32>, tensor<?x2xf32> -> tensor<?x4xi8>
      return %q : tensor<?x4xi8>
    })",
      {Tensor(Element::f32, {3, 4}), Tensor(Element::f32, {2, 2})});
  EXPECT_EQ(error, "'qfuse.quantize' op expected scales of extents [3, 2] for "
                   "a value of extents [3, 4], got [2, 2]");
}
} // namespace
