//===- ElementwiseTest.cpp - Upstream ops ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTest.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::qfuse;

namespace {
class ElementwiseTest : public InterpreterTest {
protected:
  /// Executes `op` on two scalars of `type`.
  double apply(StringRef op, StringRef type, double a, double b) {
    std::string text = llvm::formatv("func.func @f(%a: {1}, %b: {1}) -> {1} "
                                     "{{\n %c = {0} %a, %b : {1}\n return %c : "
                                     "{1}\n}",
                                     op, type);
    Element element = *parseElement(type);
    return runValues(text, {make(element, {}, {a}), make(element, {}, {b})})
        .at(0);
  }
};

TEST_F(ElementwiseTest, EachOpRoundsOnce) {
  EXPECT_EQ(apply("arith.addf", "bf16", 256.0, 1.0), 256.0);
  EXPECT_EQ(apply("arith.addf", "bf16", 256.0, 3.0), 260.0);
  EXPECT_EQ(apply("arith.subf", "f32", 1.0, 0x1p-25), 1.0);
  EXPECT_EQ(apply("arith.mulf", "f16", 65504.0, 2.0), INFINITY);
  EXPECT_EQ(apply("arith.divf", "f32", 1.0, 3.0), 1.0f / 3.0f);
  EXPECT_TRUE(std::isnan(apply("arith.maximumf", "f32", NAN, 1.0)));
  EXPECT_EQ(apply("arith.maxnumf", "f32", NAN, 1.0), 1.0);
  EXPECT_EQ(apply("arith.minnumf", "f32", 2.0, NAN), 2.0);
  EXPECT_FALSE(std::signbit(apply("arith.maximumf", "f32", -0.0, 0.0)));
  EXPECT_TRUE(std::signbit(apply("arith.minimumf", "f32", 0.0, -0.0)));
  EXPECT_TRUE(std::isnan(apply("arith.minimumf", "f32", 0.0, NAN)));
}

TEST_F(ElementwiseTest, IntegersWrapAndDivide) {
  EXPECT_EQ(apply("arith.addi", "i8", 127.0, 1.0), -128.0);
  EXPECT_EQ(apply("arith.floordivsi", "index", -7.0, 2.0), -4.0);
  EXPECT_EQ(apply("arith.ceildivsi", "index", 7.0, 2.0), 4.0);
  EXPECT_EQ(apply("arith.remsi", "i32", -7.0, 2.0), -1.0);
  EXPECT_EQ(apply("arith.minsi", "i8", -7.0, 2.0), -7.0);
  EXPECT_EQ(apply("arith.divsi", "i8", -128.0, -1.0), -128.0);
  // Unsigned: -1 is 255.
  EXPECT_EQ(apply("arith.divui", "i8", -1.0, 2.0), 127.0);
  EXPECT_EQ(apply("arith.ceildivui", "i8", -1.0, 4.0), 64.0);
  EXPECT_EQ(apply("arith.remui", "i8", -1.0, 16.0), 15.0);
  EXPECT_EQ(apply("arith.minui", "i8", -1.0, 3.0), 3.0);
  EXPECT_EQ(apply("arith.maxui", "i8", -1.0, 3.0), -1.0);
  EXPECT_EQ(apply("arith.shrui", "i8", -1.0, 4.0), 15.0);
  EXPECT_EQ(apply("arith.shrsi", "i8", -128.0, 4.0), -8.0);
  EXPECT_EQ(apply("arith.shli", "i8", 3.0, 7.0), -128.0);
  EXPECT_EQ(apply("arith.andi", "i32", 12.0, 10.0), 8.0);
  EXPECT_EQ(apply("arith.ori", "i32", 12.0, 10.0), 14.0);
  EXPECT_EQ(apply("arith.xori", "i32", 12.0, 10.0), 6.0);
}

// A true i1 is -1, and wraps too.
TEST_F(ElementwiseTest, TruthValuesAreOfOneBit) {
  StringRef text = R"(
    func.func @f(%a: i1, %b: i1) -> (i32, i32, i1, i1) {
      %s = arith.extsi %a : i1 to i32
      %u = arith.extui %a : i1 to i32
      %n = arith.addi %a, %b : i1
      %c = arith.cmpi slt, %a, %b : i1
      return %s, %u, %n, %c : i32, i32, i1, i1
    })";
  auto results =
      run(text, {make(Element::i8, {}, {1}), make(Element::i8, {}, {1})});
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results[0].tensor.get(0), -1.0);
  EXPECT_EQ(results[1].tensor.get(0), 1.0);
  EXPECT_EQ(results[2].tensor.get(0), 0.0);
  results = run(text, {make(Element::i8, {}, {1}), make(Element::i8, {}, {0})});
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results[3].tensor.get(0), 1.0);
}

TEST_F(ElementwiseTest, NumbersBecomeIntegersAndBack) {
  StringRef text = R"(
    func.func @f(%x: f32, %n: i8, %big: i64) -> (i8, i8, f32, f32, f32) {
      %a = arith.fptosi %x : f32 to i8
      %b = arith.fptoui %x : f32 to i8
      %c = arith.sitofp %n : i8 to f32
      %d = arith.uitofp %n : i8 to f32
      %e = arith.sitofp %big : i64 to f32
      return %a, %b, %c, %d, %e : i8, i8, f32, f32, f32
    })";
  HostValue big = Tensor(Element::index, {});
  // Above the middle of two numbers of f32; f64 would round it to the middle.
  big.tensor.setBits(0, (1ll << 60) + (1ll << 36) + 1);
  auto results = run(text, {make(Element::f32, {}, {-3.75}),
                            make(Element::i8, {}, {-2}), big});
  ASSERT_EQ(results.size(), 5u);
  EXPECT_EQ(results[0].tensor.get(0), -3.0);
  EXPECT_EQ(results[1].tensor.get(0), 0.0);
  EXPECT_EQ(results[2].tensor.get(0), -2.0);
  EXPECT_EQ(results[3].tensor.get(0), 254.0);
  EXPECT_EQ(results[4].tensor.get(0), 0x1p60 + 0x1p37);
}

TEST_F(ElementwiseTest, PowersAndFusedProducts) {
  StringRef text = R"(
    func.func @f(%x: f32, %n: i32, %y: f64) -> (f32, f32, f64, f32) {
      %two = arith.constant 2 : i32
      %a = math.fpowi %x, %two : f32, i32
      %b = math.fma %x, %x, %x : f32
      %c = arith.mulf %y, %y : f64
      %d = arith.truncf %c : f64 to f32
      return %a, %b, %c, %d : f32, f32, f64, f32
    })";
  float x = 1.0f + 0x1p-12f;
  double y = 1.0 + 0x1p-30;
  auto results =
      run(text, {make(Element::f32, {}, {x}), make(Element::i32, {}, {3}),
                 make(Element::f64, {}, {y})});
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results[0].tensor.get(0), x * x);
  EXPECT_EQ(results[1].tensor.get(0), std::fma(x, x, x));
  EXPECT_EQ(results[2].tensor.get(0), y * y);
  EXPECT_EQ(results[3].tensor.get(0), static_cast<float>(y * y));
}

TEST_F(ElementwiseTest, CastsFollowMlir) {
  StringRef text = R"(
    func.func @f(%x: tensor<4xf32>) -> (tensor<4xf8E4M3FN>, tensor<4xbf16>, tensor<4xi32>) {
      %a = arith.truncf %x : tensor<4xf32> to tensor<4xf8E4M3FN>
      %b = arith.truncf %x toward_zero : tensor<4xf32> to tensor<4xbf16>
      %c = arith.bitcast %x : tensor<4xf32> to tensor<4xi32>
      return %a, %b, %c : tensor<4xf8E4M3FN>, tensor<4xbf16>, tensor<4xi32>
    })";
  auto results =
      run(text, {make(Element::f32, {4}, {500.0, 464.0, 1.0625, -1.0})});
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].tensor.bytes,
            (std::vector<uint8_t>{0x7f, 0x7e, 0x38, 0xb8}));
  EXPECT_EQ(getValues(results[1].tensor),
            (std::vector<double>{500.0, 464.0, 1.0625, -1.0}));
  EXPECT_EQ(results[2].tensor.getBits(3), 0xbf800000u);
}

TEST_F(ElementwiseTest, ComparisonsSelect) {
  auto values = runValues(R"(
    func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
      %zero = arith.constant dense<0.0> : tensor<3xf32>
      %one = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
      %c = arith.cmpf ugt, %x, %zero : tensor<3xf32>
      %y = arith.select %c, %x, %one : tensor<3xi1>, tensor<3xf32>
      %i = arith.constant 4 : index
      %j = arith.constant -3 : index
      %d = arith.cmpi slt, %j, %i : index
      %z = arith.select %d, %y, %zero : tensor<3xf32>
      return %z : tensor<3xf32>
    })",
                          {make(Element::f32, {3}, {5.0, -5.0, NAN})});
  ASSERT_EQ(values.size(), 3u);
  EXPECT_EQ(values[0], 5.0);
  EXPECT_EQ(values[1], 2.0);
  EXPECT_TRUE(std::isnan(values[2]));
}

TEST_F(ElementwiseTest, ShapesAndSlices) {
  auto values =
      runValues(R"(
    #half = affine_map<(d0) -> (d0 floordiv 2)>
    func.func @f(%x: tensor<?x4xf32>) -> tensor<?xf32> {
      %c0 = arith.constant 0 : index
      %m = tensor.dim %x, %c0 : tensor<?x4xf32>
      %h = affine.apply #half(%m)
      %s = tensor.extract_slice %x[%h, 1] [1, 2] [1, 2] : tensor<?x4xf32> to tensor<2xf32>
      %v = tensor.extract %s[%c0] : tensor<2xf32>
      %e = tensor.splat %v[%m] : tensor<?x4xf32>
      %i = tensor.insert_slice %s into %e[0, 0] [1, 2] [1, 1] : tensor<2xf32> into tensor<?x4xf32>
      %flat = tensor.collapse_shape %i [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
      return %flat : tensor<?xf32>
    })",
                {make(Element::f32, {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8})});
  EXPECT_EQ(values, (std::vector<double>{6, 8, 6, 6, 6, 6, 6, 6}));
  run(R"(
    func.func @f(%x: tensor<?x4xf32>, %o: index) -> tensor<1x4xf32> {
      %s = tensor.extract_slice %x[%o, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<1x4xf32>
      return %s : tensor<1x4xf32>
    })",
      {Tensor(Element::f32, {2, 4}), make(Element::index, {}, {2})});
  EXPECT_EQ(error, "'tensor.extract_slice' op expected a slice inside of "
                   "extents [2, 4], got offsets [2, 0] and sizes [1, 4]");
}

TEST_F(ElementwiseTest, DynamicExtentsMustBeEqual) {
  run(R"(
    func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
      %z = arith.addf %x, %y : tensor<?xf32>
      return %z : tensor<?xf32>
    })",
      {Tensor(Element::f32, {2}), Tensor(Element::f32, {3})});
  EXPECT_EQ(error,
            "'arith.addf' op expected operands of equal extents, got [2] and "
            "[3]");
}
} // namespace
