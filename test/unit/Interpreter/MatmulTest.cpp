//===- MatmulTest.cpp - scaled_matmul -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::qfuse;

namespace {
class MatmulTest : public InterpreterTest {};

TEST_F(MatmulTest, BlocksOfDifferentWidthAndABias) {
  // K = 3 is no multiple of either block.
  auto values =
      runValues(R"(
    #a = #qfuse.format<block = [1, 2]>
    #b = #qfuse.format<block = [2, 0]>
    func.func @f(%a: tensor<2x3xi8>, %as: tensor<2x2xf32>, %b: tensor<3x3xi8>, %bs: tensor<2x1xf32>, %v: tensor<3xf32>) -> tensor<2x3xf32> {
      %y = qfuse.scaled_matmul %a by %as, %b by %bs bias(%v : tensor<3xf32>) {a_format = #a, b_format = #b} : tensor<2x3xi8>, tensor<2x2xf32>, tensor<3x3xi8>, tensor<2x1xf32> -> tensor<2x3xf32>
      return %y : tensor<2x3xf32>
    })",
                {make(Element::i8, {2, 3}, {1, 2, 3, -4, 5, 6}),
                 make(Element::f32, {2, 2}, {1, 10, 2, 0.5}),
                 make(Element::i8, {3, 3}, {1, 0, 0, 0, 1, 1, 7, 0, -1}),
                 make(Element::f32, {2, 1}, {3, 100}),
                 make(Element::f32, {3}, {0, 1000, 0.5})});
  EXPECT_EQ(values, (std::vector<double>{3, 1096, 700 - 3000 + 0.5, -24, 1039,
                                         -5600 - 300 + 0.5}));
}

TEST_F(MatmulTest, BatchesOuterScalesAndPackedOperands) {
  auto values =
      runValues(R"(
    #f = #qfuse.format<block = [1, 1, 16], scale_type = f8E4M3FN, outer_scale = f32>
    #tile = #qfuse.layout<map = (g, n, k) -> (g, k, n floordiv 2, n mod 2)>
    !b = !qfuse.packed<2x3x2xf4E2M1FN, #tile>
    func.func @f(%a: tensor<2x?x2xf4E2M1FN>, %as: tensor<2x?x1xf8E4M3FN>, %oa: tensor<1x1x1xf32>, %b: tensor<2x3x2xf4E2M1FN>, %bs: tensor<2x3x1xf8E4M3FN>, %ob: tensor<1x1x1xf32>) -> tensor<2x?x3xbf16> {
      %p = qfuse.pack %b : tensor<2x3x2xf4E2M1FN> -> !b
      %y = qfuse.scaled_matmul %a by %as outer_a(%oa : tensor<1x1x1xf32>), %p by %bs outer_b(%ob : tensor<1x1x1xf32>) {a_format = #f, b_format = #f} : tensor<2x?x2xf4E2M1FN>, tensor<2x?x1xf8E4M3FN>, !b, tensor<2x3x1xf8E4M3FN> -> tensor<2x?x3xbf16>
      return %y : tensor<2x?x3xbf16>
    })",
                {make(Element::f4E2M1FN, {2, 1, 2}, {1, 2, 3, 0.5}),
                 make(Element::f8E4M3FN, {2, 1, 1}, {1, 2}),
                 make(Element::f32, {1, 1, 1}, {4}),
                 make(Element::f4E2M1FN, {2, 3, 2},
                      {1, 0, 0, 1, 1, 1, 2, 0, 0, 2, -1, -1}),
                 make(Element::f8E4M3FN, {2, 3, 1}, {1, 1, 2, 1, 1, 1}),
                 make(Element::f32, {1, 1, 1}, {0.5})});
  EXPECT_EQ(values, (std::vector<double>{2, 4, 12, 24, 4, -14}));
}

TEST_F(MatmulTest, ManyColumnsAndTheirInterval) {
  // N = 19 is no multiple of what is computed together.
  IntervalKeeper keeper;
  InterpreterOptions options = observeIntervals(keeper);
  Tensor a(Element::f8E4M3FN, {3, 40}), b(Element::f8E4M3FN, {19, 40});
  for (int64_t i = 0; i < a.getNumElements(); ++i)
    a.setBits(i, i * 37 % 120 | (i % 3 == 0 ? 0x80 : 0));
  for (int64_t i = 0; i < b.getNumElements(); ++i)
    b.setBits(i, i * 53 % 120 | (i % 5 == 0 ? 0x80 : 0));
  auto results =
      run(R"(
    #f = #qfuse.format<block = [1, 0]>
    func.func @f(%a: tensor<?x40xf8E4M3FN>, %as: tensor<?x1xf32>, %b: tensor<19x40xf8E4M3FN>, %bs: tensor<19x1xf32>) -> tensor<?x19xf32> {
      %y = qfuse.scaled_matmul %a by %as, %b by %bs {a_format = #f, b_format = #f, scale_order = #qfuse.scale_order<b_then_a>} : tensor<?x40xf8E4M3FN>, tensor<?x1xf32>, tensor<19x40xf8E4M3FN>, tensor<19x1xf32> -> tensor<?x19xf32>
      return %y : tensor<?x19xf32>
    })",
          {a, make(Element::f32, {3, 1}, {1, 0.1, 3}), b,
           make(Element::f32, {19, 1}, std::vector<double>(19, 0.7))},
          options);
  ASSERT_EQ(results.size(), 1u);
  ASSERT_TRUE(keeper.interval);
  for (int64_t m = 0; m < 3; ++m)
    for (int64_t n = 0; n < 19; ++n) {
      float sum = 0.0f;
      double magnitude = 0.0;
      for (int64_t k = 40; k-- > 0;) {
        double product = a.get(m * 40 + k) * b.get(n * 40 + k);
        sum += static_cast<float>(product);
        magnitude += std::abs(product);
      }
      float scale = m == 0 ? 1.0f : m == 1 ? 0.1f : 3.0f;
      float value = sum * 0.7f * scale;
      ASSERT_LE(keeper.interval->low.get(m * 19 + n), value);
      ASSERT_GE(keeper.interval->high.get(m * 19 + n), value);
      ASSERT_NEAR(results[0].tensor.get(m * 19 + n), value,
                  magnitude * scale * 40 * 0x1p-24);
    }
}

TEST_F(MatmulTest, SecondScalesOfBatchesAreInTheInterval) {
  IntervalKeeper keeper;
  InterpreterOptions options = observeIntervals(keeper);
  Tensor a(Element::f4E2M1FN, {2, 3, 32}), b(Element::f4E2M1FN, {2, 5, 32});
  for (int64_t i = 0; i < a.getNumElements(); ++i)
    a.setBits(i, i * 7 % 16);
  for (int64_t i = 0; i < b.getNumElements(); ++i)
    b.setBits(i, i * 11 % 16);
  Tensor aScales(Element::f8E4M3FN, {2, 3, 2}),
      bScales(Element::f8E4M3FN, {2, 5, 2});
  for (int64_t i = 0; i < aScales.getNumElements(); ++i)
    aScales.setBits(i, 0x30 + i);
  for (int64_t i = 0; i < bScales.getNumElements(); ++i)
    bScales.setBits(i, 0x48 - i);
  const float outerA = 0.37f, outerB = 2.7f, bias = 0.3f;
  auto results = run(R"(
    #f = #qfuse.format<block = [1, 1, 16], scale_type = f8E4M3FN, outer_scale = f32>
    func.func @f(%a: tensor<2x3x32xf4E2M1FN>, %as: tensor<2x3x2xf8E4M3FN>, %oa: tensor<1x1x1xf32>, %b: tensor<2x5x32xf4E2M1FN>, %bs: tensor<2x5x2xf8E4M3FN>, %ob: tensor<1x1x1xf32>, %v: tensor<5xf32>) -> tensor<2x3x5xf32> {
      %y = qfuse.scaled_matmul %a by %as outer_a(%oa : tensor<1x1x1xf32>), %b by %bs outer_b(%ob : tensor<1x1x1xf32>) bias(%v : tensor<5xf32>) {a_format = #f, b_format = #f} : tensor<2x3x32xf4E2M1FN>, tensor<2x3x2xf8E4M3FN>, tensor<2x5x32xf4E2M1FN>, tensor<2x5x2xf8E4M3FN> -> tensor<2x3x5xf32>
      return %y : tensor<2x3x5xf32>
    })",
                     {a, aScales, make(Element::f32, {1, 1, 1}, {outerA}), b,
                      bScales, make(Element::f32, {1, 1, 1}, {outerB}),
                      make(Element::f32, {5}, std::vector<double>(5, bias))},
                     options);
  ASSERT_EQ(results.size(), 1u);
  ASSERT_TRUE(keeper.interval);
  for (int64_t i = 0; i < 30; ++i) {
    int64_t aRow = i / 5, bRow = i / 15 * 5 + i % 5;
    // Block by block in f32, as a kernel does.
    float sum = 0.0f, magnitude = std::abs(bias);
    for (int64_t block = 0; block < 2; ++block) {
      float product = 0.0f, size = 0.0f;
      for (int64_t k = block * 16; k < block * 16 + 16; ++k) {
        float term =
            static_cast<float>(a.get(aRow * 32 + k) * b.get(bRow * 32 + k));
        product += term;
        size += std::abs(term);
      }
      float scale = static_cast<float>(aScales.get(aRow * 2 + block) *
                                       bScales.get(bRow * 2 + block));
      sum += product * scale;
      magnitude += size * scale * outerA * outerB;
    }
    float value = sum * outerA * outerB + bias;
    double low = keeper.interval->low.get(i),
           high = keeper.interval->high.get(i);
    ASSERT_LE(low, value);
    ASSERT_GE(high, value);
    ASSERT_LE(low, results[0].tensor.get(i));
    ASSERT_GE(high, results[0].tensor.get(i));
    // 2 * (33 + 3) + 4 roundings to each side, of sums that may cut off.
    ASSERT_GT(high, low);
    ASSERT_LE(high - low, 158 * 0x1p-24 * magnitude);
  }
}

/// What a kernel computes of one block that has the dot product `p`.
float scaleInOrder(StringRef order, float p, float a, float b) {
  if (order == "product" || order == "per_block_product") {
    float scale = a * b;
    return p * scale;
  }
  float scaled = p * (order == "b_then_a" ? b : a);
  return scaled * (order == "b_then_a" ? a : b);
}

TEST_F(MatmulTest, IntervalsHoldTheOrderOfTheScales) {
  IntervalKeeper keeper;
  InterpreterOptions options = observeIntervals(keeper);
  const char *orders[] = {"per_block", "per_block_product", "b_then_a",
                          "a_then_b", "product"};
  const std::pair<double, double> scales[] = {
      {1e35, 1e-35}, {1e-35, 1e35}, {1e-23, 1e-23}, {1e-43, 1e38}, {0.3, 0.7}};
  const float p = 448.0f * 448.0f * 16.0f;
  unsigned numOutside = 0;
  for (StringRef order : orders)
    for (auto [a, b] : scales) {
      Tensor codes =
          make(Element::f8E4M3FN, {1, 16}, std::vector<double>(16, 448.0));
      Tensor aScale = make(Element::f32, {1, 1}, {a});
      Tensor bScale = make(Element::f32, {1, 1}, {b});
      auto results = run(
          (R"(
    #f = #qfuse.format<block = [1, 0]>
    func.func @f(%a: tensor<1x16xf8E4M3FN>, %as: tensor<1x1xf32>, %b: tensor<1x16xf8E4M3FN>, %bs: tensor<1x1xf32>) -> tensor<1x1xf32> {
      %y = qfuse.scaled_matmul %a by %as, %b by %bs {a_format = #f, b_format = #f, scale_order = #qfuse.scale_order<)" +
           order +
           R"(>} : tensor<1x16xf8E4M3FN>, tensor<1x1xf32>, tensor<1x16xf8E4M3FN>, tensor<1x1xf32> -> tensor<1x1xf32>
      return %y : tensor<1x1xf32>
    })")
              .str(),
          {codes, aScale, codes, bScale}, options);
      ASSERT_EQ(results.size(), 1u);
      ASSERT_TRUE(keeper.interval);
      float expected = scaleInOrder(order, p, aScale.get(0), bScale.get(0));
      EXPECT_EQ(results[0].tensor.get(0), expected) << order.str();
      double low = keeper.interval->low.get(0);
      double high = keeper.interval->high.get(0);
      for (StringRef other : orders) {
        float value = scaleInOrder(other, p, aScale.get(0), bScale.get(0));
        // One rounding of normal values is within what a sum may be off.
        bool isNear =
            value == expected || std::abs(value - expected) < 1e-5f * expected;
        EXPECT_EQ(low <= value && value <= high, isNear)
            << order.str() << " " << other.str() << " " << a << " " << b;
        numOutside += !isNear;
      }
    }
  // Two orders against three or one against four, for each but the last pair.
  EXPECT_EQ(numOutside, 2u * (2 * 3 + 1 * 4 + 2 * 3 + 1 * 4));
}

TEST_F(MatmulTest, ExtentsThatDoNotFitAreRefused) {
  run(R"(
    #f = #qfuse.format<block = [1, 0]>
    func.func @f(%a: tensor<1x?xi8>, %as: tensor<1x1xf32>, %b: tensor<1x?xi8>, %bs: tensor<1x1xf32>) -> tensor<1x1xf32> {
      %y = qfuse.scaled_matmul %a by %as, %b by %bs {a_format = #f, b_format = #f} : tensor<1x?xi8>, tensor<1x1xf32>, tensor<1x?xi8>, tensor<1x1xf32> -> tensor<1x1xf32>
      return %y : tensor<1x1xf32>
    })",
      {Tensor(Element::i8, {1, 4}), Tensor(Element::f32, {1, 1}),
       Tensor(Element::i8, {1, 5}), Tensor(Element::f32, {1, 1})});
  EXPECT_EQ(error, "'qfuse.scaled_matmul' op expected B of the batch and K of "
                   "A, which has extents [1, 4], got [1, 5]");
}
} // namespace
