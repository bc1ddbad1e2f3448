//===- ControlFlowTest.cpp - Branches, loops and assertions ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTest.h"

using namespace mlir;
using namespace mlir::qfuse;

namespace {
class ControlFlowTest : public InterpreterTest {
protected:
  static HostValue makeIndex(int64_t value) {
    return make(Element::index, {}, {static_cast<double>(value)});
  }
};

TEST_F(ControlFlowTest, BranchesAreTaken) {
  StringRef text = R"(
    func.func @f(%c: i1, %x: tensor<?xf32>) -> tensor<?xf32> {
      %y = scf.if %c -> tensor<?xf32> {
        %a = arith.addf %x, %x : tensor<?xf32>
        scf.yield %a : tensor<?xf32>
      } else {
        scf.yield %x : tensor<?xf32>
      }
      scf.if %c {
        func.call @g() : () -> ()
      }
      return %y : tensor<?xf32>
    }
    func.func private @g())";
  HostValue x = make(Element::f32, {1}, {3});
  HostValue yes = make(Element::i8, {}, {1}), no = make(Element::i8, {}, {0});
  EXPECT_EQ(runValues(text, {yes, x}), std::vector<double>{6});
  EXPECT_EQ(runValues(text, {no, x}), std::vector<double>{3});
}

TEST_F(ControlFlowTest, SwitchesTakeTheirCase) {
  StringRef text = R"(
    func.func @f(%i: index) -> f32 {
      %y = scf.index_switch %i -> f32
      case 2 {
        %a = arith.constant 20.0 : f32
        scf.yield %a : f32
      }
      case 5 {
        %a = arith.constant 50.0 : f32
        scf.yield %a : f32
      }
      default {
        %a = arith.constant -1.0 : f32
        scf.yield %a : f32
      }
      return %y : f32
    })";
  EXPECT_EQ(runValues(text, {makeIndex(2)}), std::vector<double>{20});
  EXPECT_EQ(runValues(text, {makeIndex(5)}), std::vector<double>{50});
  EXPECT_EQ(runValues(text, {makeIndex(0)}), std::vector<double>{-1});
}

TEST_F(ControlFlowTest, LoopsCarryTheirValues) {
  // Fibonacci: what is carried is exchanged, all at once.
  StringRef text = R"(
    func.func @f(%n: index, %step: index) -> (index, index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %r:2 = scf.for %i = %c0 to %n step %step iter_args(%a = %c0, %b = %c1) -> (index, index) {
        %c = arith.addi %a, %b : index
        scf.yield %b, %c : index, index
      }
      return %r#0, %r#1 : index, index
    })";
  EXPECT_EQ(runValues(text, {makeIndex(10), makeIndex(1)}),
            std::vector<double>{55});
  EXPECT_EQ(runValues(text, {makeIndex(10), makeIndex(3)}),
            std::vector<double>{3});
  EXPECT_EQ(runValues(text, {makeIndex(0), makeIndex(1)}),
            std::vector<double>{0});
  run(text, {makeIndex(1), makeIndex(0)});
  EXPECT_EQ(error, "'scf.for' op expected a step above 0, got 0");
}

TEST_F(ControlFlowTest, AssertionsHold) {
  StringRef text = R"(
    func.func @f(%c: i1) -> i1 {
      cf.assert %c, "extents differ"
      return %c : i1
    })";
  EXPECT_EQ(runValues(text, {make(Element::i8, {}, {1})}),
            std::vector<double>{1});
  run(text, {make(Element::i8, {}, {0})});
  EXPECT_EQ(error, "'cf.assert' op does not hold: extents differ");
}
} // namespace
