//===- ExpressionTest.cpp - Values of expressions -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Runtime/Expression.h"
#include <gtest/gtest.h>
#include <limits>

using namespace mlir::qfuse;

static constexpr int64_t largest = std::numeric_limits<int64_t>::max();
static constexpr int64_t smallest = std::numeric_limits<int64_t>::min();

static Result<int64_t> apply(const char *name, int64_t a, int64_t b) {
  return Expression::binary(*parseOperator(name), a, b).evaluate({});
}

TEST(Expression, EvaluatesOperators) {
  EXPECT_EQ(*apply("add", 7, -2), 5);
  EXPECT_EQ(*apply("sub", 7, 9), -2);
  EXPECT_EQ(*apply("mul", -7, 6), -42);
  EXPECT_EQ(*apply("min", 7, -2), -2);
  EXPECT_EQ(*apply("max", 7, -2), 7);
}

TEST(Expression, DividesDownAndUp) {
  EXPECT_EQ(*apply("floordiv", 7, 2), 3);
  EXPECT_EQ(*apply("floordiv", -7, 2), -4);
  EXPECT_EQ(*apply("floordiv", 6, 2), 3);
  EXPECT_EQ(*apply("ceildiv", 7, 2), 4);
  EXPECT_EQ(*apply("ceildiv", -7, 2), -3);
  EXPECT_EQ(*apply("ceildiv", 6, 2), 3);
  EXPECT_EQ(*apply("mod", 7, 4), 3);
  EXPECT_EQ(*apply("mod", -7, 4), 1);
}

TEST(Expression, EvaluatesSymbols) {
  // ceildiv(M, 32) * 32 - M
  Expression m = Expression::symbol("M");
  Expression padding = Expression::binary(
      Operator::sub,
      Expression::binary(Operator::mul,
                         Expression::binary(Operator::ceildiv, m, 32), 32),
      m);
  EXPECT_EQ(*padding.evaluate({{"M", 33}}), 31);
  EXPECT_EQ(*padding.evaluate({{"M", 64}}), 0);
  EXPECT_EQ(padding.toString(), "(((M ceildiv 32) mul 32) sub M)");
  EXPECT_EQ(*m.getSymbol(), "M");
  EXPECT_EQ(padding.getSymbol(), nullptr);
}

TEST(Expression, ReportsWhatHasNoValue) {
  EXPECT_EQ(Expression::symbol("N").evaluate({{"M", 1}}).getError().message,
            "the value of 'N' is not known");
  EXPECT_EQ(apply("floordiv", 1, 0).getError().message,
            "'(1 floordiv 0)' has no 64-bit value for 1 and 0");
  EXPECT_FALSE(bool(apply("ceildiv", 1, 0)));
  EXPECT_FALSE(bool(apply("mod", 1, 0)));
  EXPECT_FALSE(bool(apply("floordiv", smallest, -1)));
  EXPECT_FALSE(bool(apply("mod", smallest, -1)));
  EXPECT_FALSE(bool(apply("add", largest, 1)));
  EXPECT_FALSE(bool(apply("sub", smallest, 1)));
  EXPECT_FALSE(bool(apply("mul", largest, 2)));
}

TEST(Expression, KnowsItsOperators) {
  EXPECT_FALSE(parseOperator("pow").has_value());
}
