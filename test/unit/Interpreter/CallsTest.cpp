//===- CallsTest.cpp - Calls, kernels and observers -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTest.h"

using namespace mlir;
using namespace mlir::qfuse;

namespace {
class CallsTest : public InterpreterTest {};

TEST_F(CallsTest, BodiesOfKernelsAndFunctionsAreExecuted) {
  auto values = runValues(R"(
    func.func private @twice(%x: tensor<?xf32>) -> tensor<?xf32> {
      %y = arith.addf %x, %x : tensor<?xf32>
      return %y : tensor<?xf32>
    }
    qfuse.kernel_def @square(%x: tensor<?xf32>) -> tensor<?xf32> {
      %y = arith.mulf %x, %x : tensor<?xf32>
      qfuse.yield %y : tensor<?xf32>
    }
    func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
      %a = func.call @twice(%x) : (tensor<?xf32>) -> tensor<?xf32>
      %b = func.call @twice(%a) : (tensor<?xf32>) -> tensor<?xf32>
      %c = qfuse.launch @square(%b) : (tensor<?xf32>) -> tensor<?xf32>
      %d = qfuse.kernel ins(%p = %c : tensor<?xf32>, %q = %x : tensor<?xf32>) -> (tensor<?xf32>) {
        %e = arith.subf %p, %q : tensor<?xf32>
        qfuse.yield %e : tensor<?xf32>
      }
      return %d : tensor<?xf32>
    })",
                          {make(Element::f32, {2}, {1, 2})});
  EXPECT_EQ(values, (std::vector<double>{15, 62}));
}

TEST_F(CallsTest, OpaqueCallsDependOnSeedAndCount) {
  StringRef text = R"(
    func.func private @attention(tensor<2xf32>, tensor<?x4xbf16>) -> tensor<?x4xbf16>
    func.func @f(%x: tensor<2xf32>, %y: tensor<?x4xbf16>) -> (tensor<?x4xbf16>, tensor<?x4xbf16>) {
      %a = func.call @attention(%x, %y) : (tensor<2xf32>, tensor<?x4xbf16>) -> tensor<?x4xbf16>
      %b = func.call @attention(%x, %y) : (tensor<2xf32>, tensor<?x4xbf16>) -> tensor<?x4xbf16>
      return %a, %b : tensor<?x4xbf16>, tensor<?x4xbf16>
    })";
  std::vector<HostValue> arguments = {Tensor(Element::f32, {2}),
                                      Tensor(Element::bf16, {3, 4})};
  auto first = run(text, arguments), again = run(text, arguments);
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0].shape, (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(first[0].tensor.bytes, again[0].tensor.bytes);
  EXPECT_NE(first[0].tensor.bytes, first[1].tensor.bytes);
  InterpreterOptions options;
  options.seed = 2;
  EXPECT_NE(run(text, arguments, options)[0].tensor.bytes,
            first[0].tensor.bytes);
}

TEST_F(CallsTest, ObserversSeeAndReplaceResults) {
  struct Replacer : Observer {
    std::vector<std::string> seen;
    void observe(OpResult result, const HostValue &value,
                 const Interval *interval) override {
      seen.push_back(result.getOwner()->getName().getStringRef().str());
      EXPECT_EQ(interval != nullptr, isa<math::ExpOp>(result.getOwner()));
      if (interval) {
        EXPECT_LT(interval->low.get(0), value.tensor.get(0));
        EXPECT_GT(interval->high.get(0), value.tensor.get(0));
      }
    }
    std::optional<Tensor> substitute(OpResult result) override {
      if (isa<math::ExpOp>(result.getOwner()))
        return make(Element::f32, {1}, {10.0});
      return std::nullopt;
    }
  } replacer;
  InterpreterOptions options;
  options.observer = &replacer;
  options.computeIntervals = true;
  auto results = run(R"(
    func.func @f(%x: tensor<1xf32>) -> tensor<1xf32> {
      %k = qfuse.kernel ins(%p = %x : tensor<1xf32>) -> (tensor<1xf32>) {
        %e = math.exp %p : tensor<1xf32>
        %y = arith.addf %e, %p : tensor<1xf32>
        qfuse.yield %y : tensor<1xf32>
      }
      return %k : tensor<1xf32>
    })",
                     {make(Element::f32, {1}, {1.0})}, options);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(getValues(results[0].tensor), std::vector<double>{11.0});
  EXPECT_EQ(replacer.seen, (std::vector<std::string>{"math.exp", "arith.addf",
                                                     "qfuse.kernel"}));
}

TEST_F(CallsTest, WhatIsNotKnownIsRefused) {
  run(R"(
    func.func @f(%x: tensor<1xf32>) -> tensor<1xf32> {
      %y = math.cbrt %x : tensor<1xf32>
      return %y : tensor<1xf32>
    })",
      {Tensor(Element::f32, {1})});
  EXPECT_EQ(error, "'math.cbrt' op is not known to the interpreter");
  run(R"(
    func.func @f() -> i16 {
      %y = arith.constant 1 : i16
      return %y : i16
    })",
      {});
  EXPECT_EQ(error, "'arith.constant' op has a result of a type that the "
                   "interpreter does not know: 'i16'");
  run("func.func @f() { func.call @f() : () -> () return }", {});
  EXPECT_EQ(error,
            "'func.call' op calls itself, which the interpreter does not "
            "support");
  run("func.func private @f()", {});
  EXPECT_EQ(error, "'func.func' op has no body to interpret");
  run("func.func @f(%x: f32) { return }", {});
  EXPECT_EQ(error, "'func.func' op expected 1 arguments, got 0");
  run(R"(
    func.func private @g() -> tensor<?xf32>
    func.func @f() {
      func.call @g() : () -> tensor<?xf32>
      return
    })",
      {});
  EXPECT_EQ(error, "'func.call' op has a result of unknown extents, as its "
                   "callee has no body and no operand is dynamic in dimension "
                   "0");
}
} // namespace
