//===- BindingTest.cpp - Symbols from shapes ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Runtime/Artifact.h"
#include <gtest/gtest.h>

using namespace mlir::qfuse;

static Expression sym(const char *name) { return Expression::symbol(name); }

/// x : M x 8 with a free row stride, y : M x arg1.1, packed : ceildiv(M, 2).
static Function makeFunction() {
  Function function;
  function.name = "f";
  function.dims["M"] = {1, 100};
  Port x;
  x.name = "x";
  x.element = Element::bf16;
  x.shape = {sym("M"), 8};
  x.strides = {sym("arg0.stride0"), 1};
  Port y;
  y.name = "y";
  y.shape = {sym("M"), sym("arg1.1")};
  y.strides = {sym("arg1.1"), 1};
  Port packed;
  packed.name = "scales";
  packed.element = Element::f8E8M0FNU;
  packed.layout = "swizzled";
  packed.shape = {sym("M")};
  packed.strides = {1};
  packed.bytes = Expression::binary(Operator::ceildiv, sym("M"), 2);
  function.inputs = {x, y, packed};
  return function;
}

static std::string getError(const std::vector<ArgumentShape> &arguments,
                            const Function &function = makeFunction()) {
  Result<Symbols> symbols = bindSymbols(function, arguments);
  return symbols ? "" : symbols.getError().message;
}

TEST(Binding, BindsDimsExtentsAndStrides) {
  Result<Symbols> symbols =
      bindSymbols(makeFunction(), {{{5, 8}, {12, 1}}, {{5, 3}, {}}, {{3}, {}}});
  ASSERT_TRUE(bool(symbols)) << symbols.getError().message;
  EXPECT_EQ(*symbols, (Symbols{{"M", 5}, {"arg1.1", 3}, {"arg0.stride0", 12}}));
}

TEST(Binding, DenseStridesAreTheDefault) {
  Result<Symbols> symbols =
      bindSymbols(makeFunction(), {{{5, 8}, {}}, {{5, 3}, {}}, {{3}, {}}});
  ASSERT_TRUE(bool(symbols));
  EXPECT_EQ(symbols->at("arg0.stride0"), 8);
}

TEST(Binding, ReportsShapes) {
  EXPECT_EQ(getError({{{5, 8}, {}}}), "expected 3 arguments of 'f', got 1");
  EXPECT_EQ(getError({{{5}, {}}, {{5, 3}, {}}, {{3}, {}}}),
            "argument 0 ('x'): expected 2 dimensions, got 1");
  EXPECT_EQ(getError({{{5, 9}, {}}, {{5, 3}, {}}, {{3}, {}}}),
            "argument 0 ('x'): expected dimension 1 to be 8, got 9");
  EXPECT_EQ(getError({{{5, 8}, {}}, {{6, 3}, {}}, {{3}, {}}}),
            "argument 1 ('y'): expected dimension 0 to be 5 (M of argument 0 "
            "('x')), got 6");
  EXPECT_EQ(getError({{{101, 8}, {}}, {{101, 3}, {}}, {{51}, {}}}),
            "argument 0 ('x'): expected dimension 0 to be from 1 to 100 (M), "
            "got 101");
  EXPECT_EQ(getError({{{0, 8}, {}}, {{0, 3}, {}}, {{0}, {}}}),
            "argument 0 ('x'): expected dimension 0 to be from 1 to 100 (M), "
            "got 0");
}

TEST(Binding, ReportsPackedSizes) {
  EXPECT_EQ(getError({{{5, 8}, {}}, {{5, 3}, {}}, {{4}, {}}}),
            "argument 2 ('scales'): expected the size in bytes to be 3, got 4");
  EXPECT_EQ(getError({{{5, 8}, {}}, {{5, 3}, {}}, {{3, 1}, {}}}),
            "argument 2 ('scales'): expected its 3 packed bytes as an array of "
            "rank 1, got rank 2");
}

TEST(Binding, ReportsStrides) {
  EXPECT_EQ(getError({{{5, 8}, {7, 1}}, {{5, 3}, {}}, {{3}, {}}}),
            "argument 0 ('x'): expected stride 0 to be 8 or more, got 7");
  EXPECT_EQ(getError({{{5, 8}, {16, 2}}, {{5, 3}, {}}, {{3}, {}}}),
            "argument 0 ('x'): expected stride 1 to be 1, got 2");
  EXPECT_EQ(getError({{{5, 8}, {8}}, {{5, 3}, {}}, {{3}, {}}}),
            "argument 0 ('x'): expected 2 strides, got 1");
  EXPECT_EQ(getError({{{5, 8}, {}}, {{5, 3}, {4, 1}}, {{3}, {}}}),
            "argument 1 ('y'): expected stride 0 to be 3 (arg1.1 of argument 1 "
            "('y')), got 4");
  EXPECT_EQ(
      getError({{{5, 8}, {int64_t(1) << 62, 1}}, {{5, 3}, {}}, {{3}, {}}}),
      "argument 0 ('x'): it is too large");
}

TEST(Binding, EvaluatesChecks) {
  Function function = makeFunction();
  function.checks.push_back({Expression::binary(Operator::mod, sym("M"), 4), 0,
                             "expected a multiple of 4 rows"});
  EXPECT_EQ(getError({{{8, 8}, {}}, {{8, 3}, {}}, {{4}, {}}}, function), "");
  EXPECT_EQ(getError({{{5, 8}, {}}, {{5, 3}, {}}, {{3}, {}}}, function),
            "expected a multiple of 4 rows: (M mod 4) is 1, 0 is 0");
}
