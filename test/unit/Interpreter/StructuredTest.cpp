//===- StructuredTest.cpp - Ops of linalg ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTest.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::qfuse;

namespace {
class StructuredTest : public InterpreterTest {
protected:
  /// Executes `@f` with intervals; returns that of the last result.
  std::optional<Interval> runInterval(StringRef text,
                                      std::vector<HostValue> arguments) {
    IntervalKeeper keeper;
    run(text, std::move(arguments), observeIntervals(keeper));
    return keeper.interval;
  }

  /// Returns a function that reduces the rows of `?x?` elements of `type` by
  /// `body`, which has the arguments `%in` and `%out`.
  static std::string reduce(StringRef type, StringRef body) {
    return llvm::formatv(R"(
      func.func @f(%x: tensor<?x?x{0}>, %init: tensor<?x{0}>) -> tensor<?x{0}> {{
        %y = linalg.generic {{indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>],
            iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x?x{0}>) outs(%init : tensor<?x{0}>) {{
        ^bb0(%in: {0}, %out: {0}):
          {1}
          linalg.yield %r : {0}
        } -> tensor<?x{0}>
        return %y : tensor<?x{0}>
      })",
                         type, body);
  }
};

TEST_F(StructuredTest, SumsRoundEachTimeInRowMajorOrder) {
  std::string text = reduce("bf16", "%r = arith.addf %in, %out : bf16");
  // 256 + 1 is 256 in bf16, and 1 + 1 + 256 is 258.
  EXPECT_EQ(
      runValues(text, {make(Element::bf16, {2, 3}, {256, 1, 1, 1, 1, 256}),
                       make(Element::bf16, {2}, {0, 0})}),
      (std::vector<double>{256, 258}));
  auto interval = runInterval(text, {make(Element::bf16, {1, 3}, {256, 1, 1}),
                                     make(Element::bf16, {1}, {0})});
  ASSERT_TRUE(interval);
  EXPECT_LE(interval->low.get(0), 256.0);
  EXPECT_GE(interval->high.get(0), 258.0);
}

TEST_F(StructuredTest, IntervalsOfSumsHoldForEachOrder) {
  std::string text = reduce("f32", "%r = arith.addf %out, %in : f32");
  std::vector<double> terms = {0x1p24, 1, 1, -0x1p24, 1};
  auto interval = runInterval(
      text, {make(Element::f32, {1, 5}, terms), make(Element::f32, {1}, {0})});
  ASSERT_TRUE(interval);
  llvm::sort(terms);
  do {
    float sum = 0;
    for (double term : terms)
      sum += static_cast<float>(term);
    EXPECT_LE(interval->low.get(0), sum);
    EXPECT_GE(interval->high.get(0), sum);
  } while (std::next_permutation(terms.begin(), terms.end()));
}

TEST_F(StructuredTest, WhatIsFreeOfOrderHasNoInterval) {
  std::string text = reduce("f32", "%r = arith.maximumf %out, %in : f32");
  EXPECT_EQ(runInterval(text, {make(Element::f32, {1, 3}, {1, 3, 2}),
                               make(Element::f32, {1}, {0})}),
            std::nullopt);
}

TEST_F(StructuredTest, OtherReductionsHaveAValueAndNoInterval) {
  std::string text = reduce("f32", "%r = arith.mulf %out, %in : f32");
  std::vector<HostValue> arguments = {make(Element::f32, {1, 3}, {2, 3, 4}),
                                      make(Element::f32, {1}, {1})};
  EXPECT_EQ(runValues(text, arguments), std::vector<double>{24});
  runInterval(text, arguments);
  EXPECT_EQ(error, "'arith.mulf' op reduces in a way that depends on order and "
                   "is no sum, of which no interval follows");
}

TEST_F(StructuredTest, ReductionsOfNothingAreTheirInit) {
  EXPECT_EQ(runValues(reduce("f32", "%r = arith.addf %out, %in : f32"),
                      {Tensor(Element::f32, {2, 0}),
                       make(Element::f32, {2}, {7, 8})}),
            (std::vector<double>{7, 8}));
}

TEST_F(StructuredTest, ExtentsHaveToFit) {
  run(reduce("f32", "%r = arith.addf %out, %in : f32"),
      {Tensor(Element::f32, {2, 3}), Tensor(Element::f32, {4})});
  EXPECT_EQ(error, "'linalg.generic' op expected operands of one extent in "
                   "loop 0, got 2 and 4");
}

TEST_F(StructuredTest, ApproximationsInBodiesHaveIntervals) {
  StringRef text = R"(
    func.func @f(%x: tensor<1xf32>) -> tensor<1xf32> {
      %one = arith.constant 1.0 : f32
      %y = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>], iterator_types = ["parallel"]} outs(%x : tensor<1xf32>) {
      ^bb0(%out: f32):
        %n = arith.negf %out : f32
        %e = math.exp %n : f32
        %s = arith.addf %e, %one : f32
        %r = arith.divf %one, %s : f32
        linalg.yield %r : f32
      } -> tensor<1xf32>
      return %y : tensor<1xf32>
    })";
  auto interval = runInterval(text, {make(Element::f32, {1}, {0.5})});
  ASSERT_TRUE(interval);
  double exact = 1.0 / (1.0 + std::exp(-0.5));
  EXPECT_LT(interval->low.get(0), exact);
  EXPECT_GT(interval->high.get(0), exact);
  EXPECT_LT(interval->high.get(0) - interval->low.get(0), 1.0e-6);
}

TEST_F(StructuredTest, ChoicesByApproximationsHaveNoInterval) {
  StringRef text = R"(
    func.func @f(%x: tensor<1xf32>) -> tensor<1xf32> {
      %y = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>], iterator_types = ["parallel"]} outs(%x : tensor<1xf32>) {
      ^bb0(%out: f32):
        %e = math.exp %out : f32
        %c = arith.cmpf olt, %e, %out : f32
        %r = arith.select %c, %e, %out : f32
        linalg.yield %r : f32
      } -> tensor<1xf32>
      return %y : tensor<1xf32>
    })";
  runInterval(text, {make(Element::f32, {1}, {0.5})});
  EXPECT_EQ(error, "'arith.cmpf' op uses a value that depends on order or "
                   "approximation, of which no interval follows");
}

TEST_F(StructuredTest, IndicesAndTensorsFromOutside) {
  // A row for each token, and its number added.
  StringRef text = R"(
    func.func @f(%table: tensor<?x2xi32>, %tokens: tensor<?xindex>, %init: tensor<?x2xi32>) -> tensor<?x2xi32> {
      %y = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m)>, affine_map<(m, k) -> (m, k)>],
          iterator_types = ["parallel", "parallel"]} ins(%tokens : tensor<?xindex>) outs(%init : tensor<?x2xi32>) {
      ^bb0(%in: index, %out: i32):
        %m = linalg.index 0 : index
        %k = linalg.index 1 : index
        %value = tensor.extract %table[%in, %k] : tensor<?x2xi32>
        %twice = affine.apply affine_map<(d0)[s0] -> (d0 * 100 + s0)>(%m)[%k]
        %number = arith.index_cast %twice : index to i32
        %r = arith.addi %value, %number : i32
        linalg.yield %r : i32
      } -> tensor<?x2xi32>
      return %y : tensor<?x2xi32>
    })";
  HostValue table = make(Element::i32, {3, 2}, {10, 11, 20, 21, 30, 31});
  EXPECT_EQ(runValues(text, {table, make(Element::index, {2}, {2, 0}),
                             Tensor(Element::i32, {2, 2})}),
            (std::vector<double>{30, 32, 110, 112}));
  run(text,
      {table, make(Element::index, {1}, {3}), Tensor(Element::i32, {1, 2})});
  EXPECT_EQ(error, "'tensor.extract' op expected indices inside of extents "
                   "[3, 2], got [3, 0]");
}

TEST_F(StructuredTest, NamedOpsAreTheirBodies) {
  auto values = runValues(
      R"(
    func.func @f(%a: tensor<2x1x3xf32>, %b: tensor<2x3x2xf32>) -> tensor<2x2x1xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<2x1x2xf32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
      %p = linalg.batch_matmul ins(%a, %b : tensor<2x1x3xf32>, tensor<2x3x2xf32>) outs(%z : tensor<2x1x2xf32>) -> tensor<2x1x2xf32>
      %u = tensor.empty() : tensor<2x2x1xf32>
      %t = linalg.transpose ins(%p : tensor<2x1x2xf32>) outs(%u : tensor<2x2x1xf32>) permutation = [0, 2, 1]
      %s = linalg.add ins(%t, %t : tensor<2x2x1xf32>, tensor<2x2x1xf32>) outs(%u : tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
      return %s : tensor<2x2x1xf32>
    })",
      {make(Element::f32, {2, 1, 3}, {1, 2, 3, 4, 5, 6}),
       make(Element::f32, {2, 3, 2}, {1, 0, 0, 1, 1, 1, 2, 0, 0, 2, 1, 1})});
  EXPECT_EQ(values, (std::vector<double>{8, 10, 28, 32}));
}

TEST_F(StructuredTest, OperandsOfMatmulsMayBeTransposed) {
  EXPECT_EQ(runValues(R"(
    func.func @f(%a: tensor<1x2xf32>, %b: tensor<3x2xf32>, %c: tensor<1x3xf32>) -> tensor<1x3xf32> {
      %y = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
          ins(%a, %b : tensor<1x2xf32>, tensor<3x2xf32>) outs(%c : tensor<1x3xf32>) -> tensor<1x3xf32>
      return %y : tensor<1x3xf32>
    })",
                      {make(Element::f32, {1, 2}, {1, 2}),
                       make(Element::f32, {3, 2}, {1, 0, 0, 1, 1, 1}),
                       make(Element::f32, {1, 3}, {0, 0, 100})}),
            (std::vector<double>{1, 2, 103}));
}

TEST_F(StructuredTest, ManyWaysToAValueAreSearchedOnce) {
  std::string chain = "%p0 = arith.maximumf %in, %in : f32\n";
  for (unsigned i = 1; i < 64; ++i)
    chain +=
        llvm::formatv("%p{0} = arith.maximumf %p{1}, %p{1} : f32\n", i, i - 1);
  Observer observer;
  InterpreterOptions options;
  options.observer = &observer;
  options.computeIntervals = true;
  auto results =
      run(R"(
    func.func @f(%x: tensor<2xf32>, %y: tensor<f32>) -> tensor<f32> {
      %r = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> ()>], iterator_types = ["reduction"]}
          ins(%x : tensor<2xf32>) outs(%y : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        )" + chain +
              R"(
        %s = arith.addf %p63, %out : f32
        linalg.yield %s : f32
      } -> tensor<f32>
      return %r : tensor<f32>
    })",
          {make(Element::f32, {2}, {1, 2}), make(Element::f32, {}, {0})},
          options);
  ASSERT_EQ(results.size(), 1u) << error;
  EXPECT_EQ(results[0].tensor.get(0), 3.0);
}

TEST_F(StructuredTest, WhatBodiesDoNotKnowIsRefused) {
  run(R"(
    func.func @f(%x: tensor<1xf32>) -> tensor<1xf32> {
      %y = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>], iterator_types = ["parallel"]} outs(%x : tensor<1xf32>) {
      ^bb0(%out: f32):
        %r = math.cbrt %out : f32
        linalg.yield %r : f32
      } -> tensor<1xf32>
      return %y : tensor<1xf32>
    })",
      {Tensor(Element::f32, {1})});
  EXPECT_EQ(error, "'math.cbrt' op is not known to the interpreter in a body "
                   "of scalars");
}

TEST_F(StructuredTest, ManyPointsAreSplit) {
  int64_t extent = 10001; // no multiple of a chunk
  Tensor x(Element::i32, {extent});
  for (int64_t i = 0; i < extent; ++i)
    x.setBits(i, i);
  auto values = runValues(R"(
    func.func @f(%x: tensor<?xi32>) -> tensor<?xi32> {
      %y = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>], iterator_types = ["parallel"]} outs(%x : tensor<?xi32>) {
      ^bb0(%out: i32):
        %r = arith.addi %out, %out : i32
        linalg.yield %r : i32
      } -> tensor<?xi32>
      return %y : tensor<?xi32>
    })",
                          {x});
  ASSERT_EQ(values.size(), static_cast<size_t>(extent));
  for (int64_t i = 0; i < extent; ++i)
    ASSERT_EQ(values[i], 2.0 * i);
}
} // namespace
