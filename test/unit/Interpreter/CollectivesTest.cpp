//===- CollectivesTest.cpp - Ranks that execute a function together -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTest.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::qfuse;

namespace {
class CollectivesTest : public InterpreterTest {
protected:
  /// Executes `@f` on ranks with an argument each; returns the first result of
  /// each rank. Without results, `error` says why.
  std::vector<HostValue> runRanks(StringRef text,
                                  std::vector<HostValue> arguments,
                                  const InterpreterOptions &options = {}) {
    error.clear();
    auto module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return {};
    std::vector<RankCall> ranks;
    for (HostValue &argument : arguments)
      ranks.push_back({{std::move(argument)}, options.observer});
    auto results =
        interpretRanks(module->lookupSymbol<func::FuncOp>("f"), ranks, options);
    std::vector<HostValue> first;
    if (succeeded(results))
      for (std::vector<HostValue> &ofRank : *results)
        first.push_back(ofRank.front());
    return first;
  }

  /// Returns a function of `type` that executes `op` on its argument `%x`.
  static std::string apply(StringRef groups, StringRef op, StringRef from,
                           StringRef to) {
    return llvm::formatv(R"(
      module attributes {{qfuse.groups = {{{0}}} {{
        func.func @f(%x: {2}) -> {3} {{
          %y = {1}
          return %y : {3}
        }
      })",
                         groups, op, from, to);
  }

  static std::string reduce(StringRef groups, StringRef attributes,
                            StringRef type) {
    return apply(
        groups,
        llvm::formatv("qfuse.all_reduce %x {{{0}} : {1}", attributes, type)
            .str(),
        type, type);
  }
};

// 2^24 + 1 is 2^24 in f32.
TEST_F(CollectivesTest, OneStageAddsFromTheFirstRankOn) {
  auto results =
      runRanks(reduce("tp = 4",
                      "group = \"tp\", algorithm = #qfuse.algorithm<one_stage>",
                      "tensor<1xf32>"),
               {make(Element::f32, {1}, {0x1p24}), make(Element::f32, {1}, {1}),
                make(Element::f32, {1}, {1}), make(Element::f32, {1}, {2})});
  ASSERT_EQ(results.size(), 4u);
  for (const HostValue &result : results)
    EXPECT_EQ(result.tensor.get(0), 0x1p24 + 2);
}

TEST_F(CollectivesTest, TwoStagesAddFromTheOwnerOn) {
  // Three units of 16 bytes on three ranks, one each.
  std::vector<double> large(12, 0x1p24), ones(12, 1);
  auto text = reduce("tp = 3",
                     "group = \"tp\", algorithm = #qfuse.algorithm<two_stage>",
                     "tensor<12xf32>");
  auto results = runRanks(text, {make(Element::f32, {12}, large),
                                 make(Element::f32, {12}, ones),
                                 make(Element::f32, {12}, ones)});
  ASSERT_EQ(results.size(), 3u);
  for (const HostValue &result : results)
    for (int64_t i = 0; i < 12; ++i)
      // Rank 0 adds 2^24 + 1 + 1, rank 1 adds 1 + 1 + 2^24, rank 2 adds
      // 1 + 2^24 + 1.
      EXPECT_EQ(result.tensor.get(i), i / 4 == 1 ? 0x1p24 + 2 : 0x1p24) << i;
}

TEST_F(CollectivesTest, LeftOverUnitsAreTheLastRanks) {
  // A unit and a half on three ranks.
  auto text = reduce("tp = 3",
                     "group = \"tp\", algorithm = #qfuse.algorithm<two_stage>",
                     "tensor<6xf32>");
  std::vector<double> large(6, 0x1p24), ones(6, 1);
  auto results = runRanks(text, {make(Element::f32, {6}, ones),
                                 make(Element::f32, {6}, ones),
                                 make(Element::f32, {6}, large)});
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(getValues(results[0].tensor), std::vector<double>(6, 0x1p24));
}

TEST_F(CollectivesTest, SumsAreRoundedOnce) {
  auto results =
      runRanks(reduce("tp = 3",
                      "group = \"tp\", algorithm = #qfuse.algorithm<one_stage>",
                      "tensor<1xbf16>"),
               {make(Element::bf16, {1}, {256}), make(Element::bf16, {1}, {1}),
                make(Element::bf16, {1}, {1})});
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].tensor.get(0), 258.0);
}

TEST_F(CollectivesTest, IntegersWrapAndLargestValuesKeepNaN) {
  auto sums = runRanks(
      reduce("tp = 2",
             "group = \"tp\", algorithm = #qfuse.algorithm<one_stage>",
             "tensor<1xi32>"),
      {make(Element::i32, {1}, {2147483647}), make(Element::i32, {1}, {1})});
  ASSERT_EQ(sums.size(), 2u);
  EXPECT_EQ(sums[0].tensor.get(0), -2147483648.0);
  auto largest = runRanks(
      reduce("tp = 2",
             "group = \"tp\", algorithm = #qfuse.algorithm<one_stage>, "
             "reduction = #qfuse.reduction<max>",
             "tensor<3xf32>"),
      {make(Element::f32, {3}, {NAN, -0.0, 1}),
       make(Element::f32, {3}, {1, 0.0, 2})});
  ASSERT_EQ(largest.size(), 2u);
  EXPECT_TRUE(std::isnan(largest[1].tensor.get(0)));
  EXPECT_FALSE(std::signbit(largest[1].tensor.get(1)));
  EXPECT_EQ(largest[1].tensor.get(2), 2.0);
}

TEST_F(CollectivesTest, GroupsAreDimensionsOfAGrid) {
  // Ranks 0 to 5 are (dp, tp) = (0, 0), (0, 1), (0, 2), (1, 0), ...
  std::vector<HostValue> arguments;
  for (double rank : {1, 2, 4, 8, 16, 32})
    arguments.push_back(make(Element::f32, {1}, {rank}));
  auto sum = [&](StringRef group) {
    std::vector<double> sums;
    for (const HostValue &result :
         runRanks(reduce("tp = 3, dp = 2",
                         llvm::formatv("group = \"{0}\", algorithm = "
                                       "#qfuse.algorithm<one_stage>",
                                       group)
                             .str(),
                         "tensor<1xf32>"),
                  arguments))
      sums.push_back(result.tensor.get(0));
    return sums;
  };
  EXPECT_EQ(sum("tp"), (std::vector<double>{7, 7, 7, 56, 56, 56}));
  EXPECT_EQ(sum("dp"), (std::vector<double>{9, 18, 36, 9, 18, 36}));
}

TEST_F(CollectivesTest, PartsAreScatteredAndGathered) {
  std::vector<HostValue> arguments = {
      make(Element::f32, {2, 4}, {0, 1, 2, 3, 4, 5, 6, 7}),
      make(Element::f32, {2, 4}, {10, 10, 10, 10, 20, 20, 20, 20})};
  auto parts = runRanks(
      apply("tp = 2",
            "qfuse.reduce_scatter %x {dim = 1 : i64, group = \"tp\", "
            "algorithm = #qfuse.algorithm<two_stage>} : tensor<2x4xf32> -> "
            "tensor<2x2xf32>",
            "tensor<2x4xf32>", "tensor<2x2xf32>"),
      arguments);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(getValues(parts[0].tensor), (std::vector<double>{10, 11, 24, 25}));
  EXPECT_EQ(getValues(parts[1].tensor), (std::vector<double>{12, 13, 26, 27}));
  auto wholes =
      runRanks(apply("tp = 2",
                     "qfuse.all_gather %x {dim = 1 : i64, group = \"tp\"} : "
                     "tensor<2x2xf32> -> tensor<2x4xf32>",
                     "tensor<2x2xf32>", "tensor<2x4xf32>"),
               parts);
  ASSERT_EQ(wholes.size(), 2u);
  EXPECT_EQ(getValues(wholes[1].tensor),
            (std::vector<double>{10, 11, 12, 13, 24, 25, 26, 27}));
}

TEST_F(CollectivesTest, BytesOfPackedPartsFollowOneAnother) {
  StringRef layout = "#qfuse.layout<map = (m, k) -> (m floordiv 2, k, m mod "
                     "2), align = [2, 4], pad = one>";
  std::string from = llvm::formatv("!qfuse.packed<2x3xf32, {0}>", layout).str();
  std::string to = llvm::formatv("!qfuse.packed<4x3xf32, {0}>", layout).str();
  std::string text = llvm::formatv(R"(
    module attributes {{qfuse.groups = {{tp = 2}} {{
      func.func @f(%x: tensor<2x3xf32>) -> tensor<4x3xf32> {{
        %p = qfuse.pack %x : tensor<2x3xf32> -> {0}
        %g = qfuse.all_gather %p {{dim = 0 : i64, group = "tp"} : {0} -> {1}
        %y = qfuse.unpack %g : {1} -> tensor<4x3xf32>
        return %y : tensor<4x3xf32>
      }
    })",
                                   from, to);
  auto results =
      runRanks(text, {make(Element::f32, {2, 3}, {1, 2, 3, 4, 5, 6}),
                      make(Element::f32, {2, 3}, {7, 8, 9, 10, 11, 12})});
  ASSERT_EQ(results.size(), 2u) << error;
  EXPECT_EQ(getValues(results[0].tensor),
            (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
}

TEST_F(CollectivesTest, IntervalsHoldForEachOrder) {
  IntervalKeeper keeper;
  InterpreterOptions options = observeIntervals(keeper);
  std::vector<double> terms = {-0x1p24, 0x1p24, 1, 1};
  std::vector<HostValue> arguments;
  for (double term : terms)
    arguments.push_back(make(Element::f32, {1}, {term}));
  runRanks(reduce("tp = 4",
                  "group = \"tp\", algorithm = #qfuse.algorithm<one_stage>",
                  "tensor<1xf32>"),
           arguments, options);
  ASSERT_TRUE(keeper.interval);
  do {
    float sum = 0;
    for (double term : terms)
      sum += static_cast<float>(term);
    EXPECT_LE(keeper.interval->low.get(0), sum);
    EXPECT_GE(keeper.interval->high.get(0), sum);
  } while (std::next_permutation(terms.begin(), terms.end()));
}

TEST_F(CollectivesTest, BranchesMayDifferAroundWholeGroups) {
  // Rank 1 doubles what it has; all meet again at the collective.
  StringRef text = R"(
    module attributes {qfuse.groups = {tp = 2}} {
      func.func @f(%c: i1) -> f32 {
        %one = arith.constant 1.0 : f32
        %x = scf.if %c -> f32 {
          %two = arith.addf %one, %one : f32
          scf.yield %two : f32
        } else {
          scf.yield %one : f32
        }
        %t = tensor.from_elements %x : tensor<1xf32>
        %s = qfuse.all_reduce %t {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<1xf32>
        %c0 = arith.constant 0 : index
        %y = tensor.extract %s[%c0] : tensor<1xf32>
        return %y : f32
      }
    })";
  auto results =
      runRanks(text, {make(Element::i8, {}, {0}), make(Element::i8, {}, {1})});
  ASSERT_EQ(results.size(), 2u) << error;
  EXPECT_EQ(results[0].tensor.get(0), 3.0);
}

TEST_F(CollectivesTest, RanksThatMissACollectiveAreAnError) {
  StringRef branch = R"(
    module attributes {qfuse.groups = {tp = 3}} {
      func.func @f(%c: i1) -> tensor<1xf32> {
        %x = arith.constant dense<1.0> : tensor<1xf32>
        %y = scf.if %c -> tensor<1xf32> {
          %s = qfuse.all_reduce %x {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<1xf32>
          scf.yield %s : tensor<1xf32>
        } else {
          %s = qfuse.all_reduce %x {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<1xf32>
          scf.yield %s : tensor<1xf32>
        }
        return %y : tensor<1xf32>
      }
    })";
  HostValue yes = make(Element::i8, {}, {1}), no = make(Element::i8, {}, {0});
  EXPECT_EQ(runRanks(branch, {yes, yes, yes}).size(), 3u);
  runRanks(branch, {yes, no, yes});
  EXPECT_EQ(error, "'qfuse.all_reduce' op is reached by ranks 0, 2 of group "
                   "\"tp\" and not by ranks 1, which take another branch and "
                   "would leave them waiting");
  StringRef loop = R"(
    module attributes {qfuse.groups = {tp = 2}} {
      func.func @f(%n: index) -> tensor<1xf32> {
        %x = arith.constant dense<1.0> : tensor<1xf32>
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<1xf32> {
          %s = qfuse.all_reduce %a {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<1xf32>
          scf.yield %s : tensor<1xf32>
        }
        return %y : tensor<1xf32>
      }
    })";
  auto turns = [](double n) { return make(Element::index, {}, {n}); };
  auto results = runRanks(loop, {turns(3), turns(3)});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[1].tensor.get(0), 8.0);
  runRanks(loop, {turns(2), turns(3)});
  EXPECT_EQ(error, "'qfuse.all_reduce' op is reached by ranks 1 of group "
                   "\"tp\" and not by ranks 0, which take another branch and "
                   "would leave them waiting");
}

TEST_F(CollectivesTest, WhatDoesNotFitIsRefused) {
  auto text = reduce("tp = 2",
                     "group = \"tp\", algorithm = #qfuse.algorithm<one_stage>",
                     "tensor<?xf32>");
  runRanks(text, {Tensor(Element::f32, {2}), Tensor(Element::f32, {3})});
  EXPECT_EQ(error, "'qfuse.all_reduce' op expected operands of equal extents "
                   "on all ranks, got [2] on rank 0 and [3] on rank 1");
  runRanks(text, {Tensor(Element::f32, {2})});
  EXPECT_EQ(error, "'qfuse.all_reduce' op is executed by 1 ranks, expected the "
                   "2 of qfuse.groups");
  runRanks(apply("tp = 2",
                 "qfuse.reduce_scatter %x {dim = 0 : i64, group = \"tp\", "
                 "algorithm = #qfuse.algorithm<one_stage>} : tensor<?xf32> -> "
                 "tensor<?xf32>",
                 "tensor<?xf32>", "tensor<?xf32>"),
           {Tensor(Element::f32, {3}), Tensor(Element::f32, {3})});
  EXPECT_EQ(error, "'qfuse.reduce_scatter' op expected an extent of dimension "
                   "0 that is a multiple of 2, got [3]");
  StringRef uniform = R"(
    module attributes {qfuse.groups = {tp = 2}} {
      func.func @f(%x: tensor<1xf32> {qfuse.uniform = "tp"}) -> tensor<1xf32> {
        return %x : tensor<1xf32>
      }
    })";
  HostValue one = make(Element::f32, {1}, {1}),
            two = make(Element::f32, {1}, {2});
  EXPECT_EQ(runRanks(uniform, {one, one}).size(), 2u);
  runRanks(uniform, {one, two});
  EXPECT_EQ(error, "expected argument 0 to be equal on all ranks of group "
                   "\"tp\", as qfuse.uniform says, got others on ranks 0 and "
                   "1");
}

TEST_F(CollectivesTest, EmptyTensorsAreReduced) {
  auto results =
      runRanks(reduce("tp = 2",
                      "group = \"tp\", algorithm = #qfuse.algorithm<two_stage>",
                      "tensor<?x4xbf16>"),
               {Tensor(Element::bf16, {0, 4}), Tensor(Element::bf16, {0, 4})});
  ASSERT_EQ(results.size(), 2u) << error;
  EXPECT_EQ(results[0].shape, (std::vector<int64_t>{0, 4}));
}
} // namespace
