//===- ModelOpsTest.cpp - rope, gated_activation, gather_rows -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTest.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::qfuse;

namespace {
const double infinity = std::numeric_limits<double>::infinity();

class ModelOpsTest : public InterpreterTest {
protected:
  /// Returns `x` of one head rotated by tables of one row.
  std::vector<double> rotate(StringRef attributes, std::vector<double> x,
                             std::vector<double> cos, std::vector<double> sin,
                             StringRef table = "f32", StringRef type = "f32") {
    std::string text = llvm::formatv(
        "func.func @f(%x: tensor<1x{0}x{4}>, %c: tensor<1x{1}x{3}>, %s: "
        "tensor<1x{1}x{3}>) -> tensor<1x{0}x{4}> {{\n"
        "  %y = qfuse.rope %x, %c, %s {{{2}} : tensor<1x{0}x{4}>, "
        "tensor<1x{1}x{3}>, tensor<1x{1}x{3}> -> tensor<1x{0}x{4}>\n"
        "  return %y : tensor<1x{0}x{4}>\n}",
        x.size(), cos.size(), attributes, table, type);
    int64_t size = x.size(), columns = cos.size();
    return runValues(
        text, {make(*parseElement(type), {1, size}, std::move(x)),
               make(*parseElement(table), {1, columns}, std::move(cos)),
               make(*parseElement(table), {1, columns}, std::move(sin))});
  }
};

constexpr StringLiteral interleaved = "style = #qfuse.rope_style<interleaved>";
constexpr StringLiteral half = "style = #qfuse.rope_style<half>";

TEST_F(ModelOpsTest, PairsAreThoseOfTheStyle) {
  // A right angle for the first pair, none for the second.
  using V = std::vector<double>;
  EXPECT_EQ(rotate(interleaved, {1, 2, 3, 4}, {0, 1}, {1, 0}),
            (V{-2, 1, 3, 4}));
  EXPECT_EQ(rotate(half, {1, 2, 3, 4}, {0, 1}, {1, 0}), (V{-3, 2, 1, 4}));
  std::string inverse = "inverse, " + interleaved.str();
  EXPECT_EQ(rotate(inverse, {1, 2, 3, 4}, {0, 1}, {1, 0}), (V{2, -1, 3, 4}));
  inverse = "inverse, " + half.str();
  EXPECT_EQ(rotate(inverse, {1, 2, 3, 4}, {0, 1}, {1, 0}), (V{3, 2, -1, 4}));
}

TEST_F(ModelOpsTest, TablesHaveAnEntryAPairOrAnElement) {
  using V = std::vector<double>;
  // The two elements of a pair by entries of their own.
  EXPECT_EQ(rotate(half, {1, 2, 3, 4}, {1, 2, 3, 4}, {10, 20, 30, 40}),
            (V{1 - 30, 4 - 80, 9 + 30, 16 + 80}));
  EXPECT_EQ(rotate(interleaved, {1, 2, 3, 4}, {1, 2, 3, 4}, {10, 20, 30, 40}),
            (V{1 - 20, 4 + 20, 9 - 120, 16 + 120}));
  // The rotated part, and which it is of four or two by the same tables.
  std::string last = "offset = 4, " + half.str();
  EXPECT_EQ(rotate(last, {1, 1, 1, 1, 1, 2, 3, 4}, {0, 1}, {1, 0}),
            (V{1, 1, 1, 1, -3, 2, 1, 4}));
  last += ", width = 2";
  EXPECT_EQ(rotate(last, {1, 1, 1, 1, 1, 2, 3, 4}, {0, 1}, {1, 0}),
            (V{1, 1, 1, 1, -2, 2, 3, 4}));
}

TEST_F(ModelOpsTest, ProductsAreRoundedBeforeTheirSum) {
  // The squares are 1 + 2^-11 + 2^-24, of which f32 drops the last bit: an fma
  // would leave it.
  double x = 1.0 + 0x1p-12;
  auto values = rotate(interleaved, {x, x}, {x}, {x});
  EXPECT_EQ(values, (std::vector<double>{0.0, 2.0 + 0x1p-10}));
  // bf16 has 8 bits: 3 * 0x1.56p0 is 0x1.008p2, which is 0x1p2 there.
  std::string product = "product = bf16, " + interleaved.str();
  double third = 0x1.56p0;
  EXPECT_EQ(rotate(interleaved, {3.0, 0.0}, {third}, {1.0}, "bf16", "f32"),
            (std::vector<double>{3.0 * third, 3.0}));
  EXPECT_EQ(rotate(product, {3.0, 0.0}, {third}, {1.0}, "bf16", "f32"),
            (std::vector<double>{4.0, 3.0}));
}

TEST_F(ModelOpsTest, WhatIsNotRotatedKeepsItsBits) {
  StringRef text = R"(
    func.func @f(%x: tensor<1x4xbf16>, %c: tensor<1x1xf32>, %s: tensor<1x1xf32>) -> tensor<1x4xbf16> {
      %y = qfuse.rope %x, %c, %s {style = #qfuse.rope_style<half>} : tensor<1x4xbf16>, tensor<1x1xf32>, tensor<1x1xf32> -> tensor<1x4xbf16>
      return %y : tensor<1x4xbf16>
    })";
  // A signaling NaN with a sign, and a subnormal number.
  Tensor input = make(Element::bf16, {1, 4}, {1.0, 2.0, 0.0, 0.0});
  input.setBits(2, 0xffa1);
  input.setBits(3, 0x8001);
  Tensor table = make(Element::f32, {1, 1}, {0.0});
  auto results = run(text, {input, table, table});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].tensor.getBits(2), 0xffa1u);
  EXPECT_EQ(results[0].tensor.getBits(3), 0x8001u);
}

TEST_F(ModelOpsTest, DynamicTablesHaveToFit) {
  StringRef text = R"(
    func.func @f(%x: tensor<?x2xf32>, %c: tensor<?x1xf32>, %s: tensor<?x1xf32>) -> tensor<?x2xf32> {
      %y = qfuse.rope %x, %c, %s {style = #qfuse.rope_style<half>} : tensor<?x2xf32>, tensor<?x1xf32>, tensor<?x1xf32> -> tensor<?x2xf32>
      return %y : tensor<?x2xf32>
    })";
  run(text, {Tensor(Element::f32, {3, 2}), Tensor(Element::f32, {2, 1}),
             Tensor(Element::f32, {2, 1})});
  EXPECT_EQ(error, "'qfuse.rope' op expected tables of extents 1 or those of "
                   "the input, [3, 2], got [2, 1] and [2, 1]");
  run(text, {Tensor(Element::f32, {3, 2}), Tensor(Element::f32, {3, 1}),
             Tensor(Element::f32, {1, 1})});
  EXPECT_EQ(error, "'qfuse.rope' op expected tables of extents 1 or those of "
                   "the input, [3, 2], got [3, 1] and [1, 1]");
  EXPECT_EQ(
      run(text, {Tensor(Element::f32, {0, 2}), Tensor(Element::f32, {0, 1}),
                 Tensor(Element::f32, {0, 1})})
          .size(),
      1u);
}

//===----------------------------------------------------------------------===//
// gated_activation
//===----------------------------------------------------------------------===//

class ActivationTest : public ModelOpsTest {
protected:
  /// Returns the activation of each gate by `up`; `interval` has its ends.
  std::vector<double> activate(StringRef attributes, Tensor gate, double up,
                               StringRef result = "f32") {
    std::string text = llvm::formatv(
        "func.func @f(%g: tensor<?x{0}>, %u: tensor<?xf32>) -> tensor<?x{1}> "
        "{{\n  %y = qfuse.gated_activation %g, %u {{{2}} : tensor<?x{0}>, "
        "tensor<?xf32> -> tensor<?x{1}>\n  return %y : tensor<?x{1}>\n}",
        std::string(getName(gate.element)), result, attributes);
    std::vector<double> ups(gate.getNumElements(), up);
    IntervalKeeper keeper;
    InterpreterOptions options = observeIntervals(keeper);
    Tensor factor = make(Element::f32, gate.shape, ups);
    auto results = run(text, {std::move(gate), std::move(factor)}, options);
    if (results.empty())
      return {};
    interval = keeper.interval.value();
    return getValues(results.front().tensor);
  }

  /// Each number of bf16.
  static Tensor getGates() {
    Tensor gates(Element::bf16, {65536});
    for (int64_t i = 0; i < 65536; ++i)
      gates.setBits(i, i);
    return gates;
  }

  Interval interval;
};

using Activation32 = float (*)(float);

// Computations in f32 that kernels have.
float siluDivide(float x) { return x / (1.0f + std::exp(-x)); }
float siluMultiply(float x) { return x * (1.0f / (1.0f + std::exp(-x))); }
float geluTanhPlain(float x) {
  float u = 0.7978845608f * (x + 0.044715f * x * x * x);
  return 0.5f * x * (1.0f + std::tanh(u));
}
float geluTanhExp(float x) {
  float u = 0.7978845608f * x * (1.0f + 0.044715f * x * x);
  return x / (1.0f + std::exp(-2.0f * u));
}
float geluErfPlain(float x) {
  return 0.5f * x * (1.0f + std::erf(x * 0.70710678f));
}

/// Returns the number of f32 that is `count` after `value`. Zero and infinity
/// are what they are.
float nudge(float value, int count) {
  for (; std::isnormal(value) && count > 0; --count)
    value = std::nextafter(value, INFINITY);
  return value;
}
// With functions that are as far off as they may be.
float siluOff(float x) {
  return x * nudge(1.0f / (1.0f + nudge(std::exp(-x), 3)), 1);
}
float geluTanhOff(float x) {
  float u = 0.7978845608f * (x + 0.044715f * x * x * x);
  return std::isinf(x) ? geluTanhPlain(x)
                       : 0.5f * x * (1.0f + nudge(std::tanh(u), 5));
}
float geluErfOff(float x) {
  float erf = std::erf(x * 0.70710678f);
  return std::isinf(x) ? geluErfPlain(x) : 0.5f * x * (1.0f + nudge(erf, 16));
}

TEST_F(ActivationTest, EachComputationInF32IsInTheInterval) {
  const std::pair<StringRef, Activation32> cases[] = {
      {"silu", siluDivide},         {"silu", siluMultiply},
      {"gelu_tanh", geluTanhPlain}, {"gelu_tanh", geluTanhExp},
      {"gelu_erf", geluErfPlain},   {"silu", siluOff},
      {"gelu_tanh", geluTanhOff},   {"gelu_erf", geluErfOff},
  };
  Tensor gates = getGates();
  for (auto [name, compute] : cases) {
    SCOPED_TRACE(name.str());
    auto values = activate(
        ("activation = #qfuse.activation<" + name + ">").str(), gates, 3.0);
    ASSERT_EQ(values.size(), 65536u);
    for (int64_t i = 0; i < 65536; ++i) {
      float x = static_cast<float>(gates.get(i)), y = compute(x) * 3.0f;
      double low = interval.low.get(i), high = interval.high.get(i);
      if (std::isnan(values[i])) {
        ASSERT_TRUE(std::isnan(x) || x == -infinity) << x;
        ASSERT_TRUE(std::isnan(low) && std::isnan(high) && std::isnan(y)) << x;
        continue;
      }
      ASSERT_LE(low, values[i]) << x;
      ASSERT_GE(high, values[i]) << x;
      ASSERT_LE(low, y) << x;
      ASSERT_GE(high, y) << x;
      // No more than a few ulps where nothing cancels.
      if (x > 0.0f && std::isfinite(y) && y > 0x1p-100f)
        ASSERT_LT(high - low, 40 * 0x1p-23 * y) << x;
    }
  }
}

TEST_F(ActivationTest, RoundsWhereItSays) {
  // silu(3) = 2.857722, in bf16 2.859375.
  Tensor gate = make(Element::f32, {1}, {3.0});
  float exact = static_cast<float>(3.0 / (1.0 + std::exp(-3.0)));
  EXPECT_EQ(activate("activation = #qfuse.activation<silu>", gate, 5.0),
            (std::vector<double>{exact * 5.0f}));
  EXPECT_EQ(activate("activation = #qfuse.activation<silu>, activated = bf16",
                     gate, 5.0),
            (std::vector<double>{2.859375 * 5.0}));
  EXPECT_EQ(activate("activation = #qfuse.activation<silu>, activated = bf16",
                     gate, 5.0, "bf16"),
            (std::vector<double>{14.3125}));
}

TEST_F(ActivationTest, TailsAndInfinities) {
  Tensor gate = make(Element::f32, {4}, {-200.0, infinity, -infinity, -0.0});
  for (StringRef name : {"silu", "gelu_tanh", "gelu_erf"}) {
    SCOPED_TRACE(name.str());
    std::string attribute =
        ("activation = #qfuse.activation<" + name + ">").str();
    auto values = activate(attribute, gate, 2.0);
    ASSERT_EQ(values.size(), 4u);
    EXPECT_EQ(values[0], 0.0);
    EXPECT_EQ(values[1], infinity);
    EXPECT_TRUE(std::isnan(values[2]));
    EXPECT_EQ(values[3], 0.0);
    EXPECT_TRUE(std::signbit(values[3]));
    // An end that is NaN alone does not make the interval one.
    values = activate(attribute, make(Element::f32, {1}, {-100.0}), infinity);
    ASSERT_EQ(values.size(), 1u);
    EXPECT_EQ(std::isnan(values[0]), std::isnan(interval.low.get(0)));
    EXPECT_EQ(std::isnan(values[0]), std::isnan(interval.high.get(0)));
  }
}

//===----------------------------------------------------------------------===//
// gather_rows
//===----------------------------------------------------------------------===//

TEST_F(ModelOpsTest, RowsThatAreNotThereAreZero) {
  auto values = runValues(
      R"(
    func.func @f(%x: tensor<?x2xf4E2M1FN>, %i: tensor<2x3xi32>) -> tensor<2x3x2xf4E2M1FN> {
      %y = qfuse.gather_rows %x, %i : tensor<?x2xf4E2M1FN>, tensor<2x3xi32> -> tensor<2x3x2xf4E2M1FN>
      return %y : tensor<2x3x2xf4E2M1FN>
    })",
      {make(Element::f4E2M1FN, {3, 2}, {1, 2, -3, 4, 6, -0.5}),
       make(Element::i32, {2, 3}, {2, -1, 0, 3, 1, 2147483647})});
  EXPECT_EQ(values,
            (std::vector<double>{6, -0.5, 0, 0, 1, 2, 0, 0, -3, 4, 0, 0}));
}

TEST_F(ModelOpsTest, NibblesOfALayoutAreGathered) {
  // Rows of a column-major value are nibbles of different bytes, two rows to a
  // byte.
  auto results = run(
      R"(
    #col = #qfuse.layout<map = (m, k) -> (k, m)>
    !p = !qfuse.packed<4x2xf4E2M1FN, #col>
    func.func @f(%x: tensor<4x2xf4E2M1FN>, %i: tensor<3xi32>) -> (tensor<3x2xf4E2M1FN>, !p) {
      %p = qfuse.pack %x : tensor<4x2xf4E2M1FN> -> !p
      %y = qfuse.gather_rows %p, %i : !p, tensor<3xi32> -> tensor<3x2xf4E2M1FN>
      return %y, %p : tensor<3x2xf4E2M1FN>, !p
    })",
      {make(Element::f4E2M1FN, {4, 2}, {1, 2, -3, 4, 6, -0.5, 0.5, 1.5}),
       make(Element::i32, {3}, {3, 0, 2})});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(getValues(results[0].tensor),
            (std::vector<double>{0.5, 1.5, 1, 2, 6, -0.5}));
  EXPECT_EQ(getValues(results[1].tensor),
            (std::vector<double>{1, -3, 6, 0.5, 2, 4, -0.5, 1.5}));
}

TEST_F(ModelOpsTest, NoRowsAndNoIndices) {
  StringRef text = R"(
    func.func @f(%x: tensor<?x2xi8>, %i: tensor<?xi32>) -> tensor<?x2xi8> {
      %y = qfuse.gather_rows %x, %i : tensor<?x2xi8>, tensor<?xi32> -> tensor<?x2xi8>
      return %y : tensor<?x2xi8>
    })";
  EXPECT_EQ(runValues(text, {Tensor(Element::i8, {0, 2}),
                             make(Element::i32, {2}, {0, 1})}),
            (std::vector<double>{0, 0, 0, 0}));
  auto results =
      run(text, {make(Element::i8, {1, 2}, {1, 2}), Tensor(Element::i32, {0})});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].shape, (std::vector<int64_t>{0, 2}));
}
} // namespace
