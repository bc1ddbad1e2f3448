//===- InputsTest.cpp - Made-up values for arguments ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Support/Inputs.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>

using namespace mlir::qfuse;

namespace {
const InputKind kinds[] = {InputKind::random,   InputKind::zero_rows,
                           InputKind::outlier,  InputKind::ties,
                           InputKind::denormal, InputKind::nan,
                           InputKind::inf};

Tensor make(InputKind kind, std::vector<int64_t> shape,
            Element element = Element::bf16, bool isWeight = false,
            uint64_t seed = 1, unsigned argument = 0) {
  Tensor tensor(element, std::move(shape));
  fillInput(tensor, kind, seed, argument, isWeight);
  return tensor;
}

template <typename Predicate>
int64_t count(const Tensor &tensor, int64_t begin, int64_t end,
              Predicate predicate) {
  int64_t found = 0;
  for (int64_t i = begin; i < end; ++i)
    found += predicate(tensor.get(i));
  return found;
}

TEST(InputsTest, RowsDoNotDependOnTheirNumber) {
  for (InputKind kind : kinds) {
    Tensor few = make(kind, {3, 64}), many = make(kind, {7, 64});
    EXPECT_TRUE(
        std::equal(few.bytes.begin(), few.bytes.end(), many.bytes.begin()))
        << getName(kind);
  }
  // Also if the rows are not outermost.
  Tensor few = make(InputKind::random, {2, 3, 64});
  Tensor many = make(InputKind::random, {2, 5, 64});
  EXPECT_TRUE(std::equal(few.bytes.begin() + 3 * 128, few.bytes.end(),
                         many.bytes.begin() + 5 * 128));
}

TEST(InputsTest, SeedsAndArgumentsDiffer) {
  Tensor first = make(InputKind::random, {4, 64});
  EXPECT_EQ(first.bytes, make(InputKind::random, {4, 64}).bytes);
  EXPECT_NE(first.bytes, make(InputKind::random, {4, 64}, Element::bf16, false,
                              /*seed=*/2)
                             .bytes);
  EXPECT_NE(first.bytes, make(InputKind::random, {4, 64}, Element::bf16, false,
                              1, /*argument=*/1)
                             .bytes);
}

TEST(InputsTest, KindsShowWhatTheyAreFor) {
  auto isNaN = [](double value) { return std::isnan(value); };
  auto isInf = [](double value) { return std::isinf(value); };
  auto isZero = [](double value) { return value == 0.0; };
  auto isLarge = [](double value) { return std::abs(value) > 100.0; };
  auto isSubnormal = [](double value) {
    return std::abs(value) < getSmallestNormal(Element::bf16);
  };
  Tensor zeros = make(InputKind::zero_rows, {2, 256});
  EXPECT_EQ(count(zeros, 0, 256, isZero), 256);
  EXPECT_LT(count(zeros, 256, 512, isZero), 16);
  EXPECT_EQ(count(make(InputKind::nan, {2, 256}), 0, 256, isNaN), 1);
  EXPECT_EQ(count(make(InputKind::nan, {2, 256}), 256, 512, isNaN), 0);
  EXPECT_EQ(count(make(InputKind::inf, {2, 256}), 0, 256, isInf), 1);
  EXPECT_EQ(count(make(InputKind::denormal, {1, 256}), 0, 256, isSubnormal),
            256);
  EXPECT_GT(count(make(InputKind::outlier, {8, 256}), 0, 2048, isLarge), 0);
  EXPECT_EQ(count(make(InputKind::random, {8, 256}), 0, 2048, isLarge), 0);
}

TEST(InputsTest, TiesOfFp4Occur) {
  // Some row has 6 * 2^e as its largest magnitude, and values half way between
  // the multiples of 2^e that fp4 has.
  Tensor tensor = make(InputKind::ties, {64, 64});
  int64_t ties = 0;
  for (int64_t row = 0; row < 64; ++row) {
    double amax = 0.0;
    for (int64_t column = 0; column < 64; ++column)
      amax = std::max(amax, std::abs(tensor.get(row * 64 + column)));
    for (int64_t column = 0; column < 64; ++column)
      ties += std::abs(tensor.get(row * 64 + column)) / amax * 6.0 == 2.5;
  }
  EXPECT_GT(ties, 10);
}

TEST(InputsTest, WeightsCodesAndScalesAreOrdinary) {
  for (InputKind kind : kinds) {
    Tensor codes = make(kind, {64, 64}, Element::f8E4M3FN);
    EXPECT_EQ(count(codes, 0, 4096,
                    [](double value) { return std::isfinite(value); }),
              4096);
    Tensor scales = make(kind, {64, 64}, Element::f32, /*isWeight=*/true);
    EXPECT_EQ(
        count(scales, 0, 4096,
              [](double value) { return value > 0.0 && std::isfinite(value); }),
        4096);
    EXPECT_EQ(make(kind, {8}, Element::bf16, /*isWeight=*/true).bytes,
              make(InputKind::random, {8}, Element::bf16, true).bytes);
  }
}

TEST(InputsTest, OpaqueResultsDependOnCalleeAndCount) {
  auto fill = [](std::string_view callee, unsigned number) {
    Tensor tensor(Element::bf16, {2, 8});
    fillOpaqueResult(tensor, /*seed=*/1, callee, number, /*result=*/0);
    return tensor.bytes;
  };
  EXPECT_EQ(fill("attention", 0), fill("attention", 0));
  EXPECT_NE(fill("attention", 0), fill("attention", 1));
  EXPECT_NE(fill("attention", 0), fill("mlp", 0));
}
} // namespace
