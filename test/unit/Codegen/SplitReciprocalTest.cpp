//===- SplitReciprocalTest.cpp --------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Codegen/SplitReciprocal.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace mlir::qfuse;

/// The quotient as kernels compute it. A product of two f32 is exact in f64; so
/// is the sum of one and a f32 that is 2^-23 of it, as an f80.
static float divide(float a, SplitReciprocal reciprocal) {
  float rest = a * reciprocal.low;
  return static_cast<float>(static_cast<long double>(a) * reciprocal.high +
                            rest);
}

/// Returns how many mantissas `a` have another quotient than division gives.
static int countWrong(float divisor) {
  SplitReciprocal reciprocal = SplitReciprocal::get(divisor);
  int wrong = 0;
  for (int mantissa = 0; mantissa < 1 << 23; ++mantissa) {
    float a = std::ldexp(static_cast<float>((1 << 23) + mantissa), -23);
    wrong += divide(a, reciprocal) != a / divisor;
  }
  return wrong;
}

TEST(SplitReciprocalTest, DividesAllMantissas) {
  for (float divisor : {448.0f, 240.0f, 224.0f, 127.0f, 6.0f, 57344.0f}) {
    EXPECT_TRUE(SplitReciprocal::divides(divisor)) << divisor;
    EXPECT_EQ(countWrong(divisor), 0) << divisor;
  }
  EXPECT_FALSE(SplitReciprocal::divides(440.0f));
}

TEST(SplitReciprocalTest, OnePartIsNotEnough) {
  SplitReciprocal half = SplitReciprocal::get(448.0f);
  half.low = 0.0f;
  EXPECT_NE(divide(3.0f, half), 3.0f / 448.0f);
}

TEST(SplitReciprocalTest, KeepsInfinityAndNaN) {
  for (float divisor : {448.0f, 240.0f, 224.0f, 127.0f, 6.0f, 57344.0f}) {
    SplitReciprocal reciprocal = SplitReciprocal::get(divisor);
    EXPECT_GE(reciprocal.low, 0.0f) << divisor;
    EXPECT_EQ(std::fma(INFINITY, reciprocal.high, INFINITY * reciprocal.low),
              INFINITY);
    EXPECT_TRUE(std::isnan(divide(NAN, reciprocal)));
  }
}
