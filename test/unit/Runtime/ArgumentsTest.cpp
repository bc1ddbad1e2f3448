//===- ArgumentsTest.cpp - Arguments and counts of a compiled function ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Runtime/Arguments.h"
#include "TestArtifact.h"

using namespace mlir::qfuse;
using namespace mlir::qfuse::test;

namespace {
class ArgumentsTest : public testing::Test {
protected:
  void SetUp() override {
    Result<Artifact> created =
        Artifact::create(manifest, {{"k.ptx", {'/', '/'}}});
    ASSERT_TRUE(bool(created)) << created.getError().message;
    artifact = *created;
    function = *artifact.getFunction("");
  }

  Artifact artifact;
  const Function *function = nullptr;
};
} // namespace

TEST_F(ArgumentsTest, MakesDenseArguments) {
  auto arguments =
      makeArguments(*function, {{"M", 6}}, InputKind::random, /*seed=*/2);
  ASSERT_TRUE(bool(arguments)) << arguments.getError().message;
  ASSERT_EQ(arguments->size(), 2u);
  EXPECT_EQ((*arguments)[0].shape, (std::vector<int64_t>{6, 4}));
  EXPECT_EQ((*arguments)[1].element, Element::i32);
  Tensor expected(Element::f32, {6, 4});
  fillInput(expected, InputKind::random, 2, 0, /*isWeight=*/false);
  EXPECT_EQ((*arguments)[0].bytes, expected.bytes);
}

TEST_F(ArgumentsTest, NamesTheExtentThatIsMissing) {
  auto missing = makeArguments(*function, {}, InputKind::random, 1);
  ASSERT_FALSE(bool(missing));
  EXPECT_EQ(missing.getError().message,
            "the extent M of argument 0 ('x') is unknown; give it with "
            "--dim=M=N");
  auto unknown =
      makeArguments(*function, {{"M", 1}, {"N", 1}}, InputKind::random, 1);
  ASSERT_FALSE(bool(unknown));
  EXPECT_EQ(unknown.getError().message, "no argument of 'f' has an extent N");
}

TEST_F(ArgumentsTest, BindsExtentsThatAgree) {
  std::vector<Tensor> arguments = {Tensor(Element::f32, {6, 4}),
                                   Tensor(Element::i32, {4})};
  auto symbols = bindArguments(*function, arguments, {{"M", 6}});
  ASSERT_TRUE(bool(symbols)) << symbols.getError().message;
  EXPECT_EQ(symbols->at("arg0.stride0"), 4);
  auto other = bindArguments(*function, arguments, {{"M", 8}});
  ASSERT_FALSE(bool(other));
  EXPECT_EQ(other.getError().message,
            "expected the extent M to be 8, got 6 from the arguments");
}

TEST_F(ArgumentsTest, CountsTheLeastOfEachLaunch) {
  auto least = getLeastTraffic(*function, {{"M", 6}, {"arg0.stride0", 4}});
  ASSERT_TRUE(bool(least)) << least.getError().message;
  ASSERT_EQ(least->size(), 1u);
  EXPECT_EQ((*least)[0].read, 96);
  EXPECT_EQ((*least)[0].written, 32);
  auto none = getLeastTraffic(*function, {{"M", 0}, {"arg0.stride0", 4}});
  ASSERT_TRUE(bool(none)) << none.getError().message;
  EXPECT_TRUE(none->empty());
}

TEST(ArtifactCreateTest, SaysWhichObjectIsMissing) {
  auto artifact = Artifact::create(manifest, {});
  ASSERT_FALSE(bool(artifact));
  EXPECT_EQ(artifact.getError().message, "there is no object 'k.ptx'");
}
