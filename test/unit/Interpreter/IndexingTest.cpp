//===- IndexingTest.cpp - Positions beyond 32 bits ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Indexing.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"
#include "qfuse/IR/QFuse.h"
#include "qfuse/Support/Tensor.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::qfuse;

namespace {
constexpr int64_t large = 70000; // its square is beyond 2^32

class IndexingTest : public ::testing::Test {
protected:
  AffineMap parseMap(StringRef text) {
    auto attr = parseAttribute(("affine_map<" + text + ">").str(), &context);
    return cast<AffineMapAttr>(attr).getValue();
  }
  LayoutAttr parseLayout(StringRef text) {
    return cast<LayoutAttr>(
        parseAttribute(("#qfuse.layout<" + text + ">").str(), &context));
  }

  IndexingTest() { context.loadDialect<QFuseDialect>(); }
  MLIRContext context;
};

TEST_F(IndexingTest, SlicesReachTheLastElement) {
  Slice slice{{0, 1}, {large, large / 2}, {1, 2}};
  std::vector<int64_t> shape = {large, large};
  EXPECT_TRUE(slice.isInside(shape));
  EXPECT_EQ(slice.getNumElements(), large * large / 2);
  EXPECT_EQ(slice.getPosition(slice.getNumElements() - 1, shape),
            large * large - 1);
  slice.offsets = {1, 0};
  EXPECT_FALSE(slice.isInside(shape));
}

TEST_F(IndexingTest, EmptySlicesAreInside) {
  EXPECT_TRUE((Slice{{5}, {0}, {1}}).isInside({3}));
  EXPECT_FALSE((Slice{{0}, {-1}, {1}}).isInside({3}));
}

TEST_F(IndexingTest, MapsReachTheLastElement) {
  std::vector<int64_t> shape = {large, large};
  IndexMap map(parseMap("(m, k) -> (k, m)"), shape);
  EXPECT_EQ(map.getPosition({2, large - 1}), (large - 1) * large + 2);
  EXPECT_EQ(map.getStrides(), (std::vector<int64_t>{1, large}));
  EXPECT_EQ(map.getPosition({large, 0}), std::nullopt);
  EXPECT_EQ(map.getPosition({0, -1}), std::nullopt);
}

TEST_F(IndexingTest, MapsNeedNotBeLinear) {
  IndexMap map(parseMap("(m, k) -> (m floordiv 2, k mod 3, m ceildiv 4)"),
               {4, 3, 4});
  EXPECT_EQ(map.getStrides(), std::nullopt);
  EXPECT_EQ(map.getPosition({5, 4}), (2 * 3 + 1) * 4 + 2);
  EXPECT_EQ(map.getPosition({8, 0}), std::nullopt);
}

TEST_F(IndexingTest, PointsAreInRowMajorOrder) {
  PointIterator points({2, 2});
  std::vector<std::vector<int64_t>> seen;
  for (int i = 0; i < 5; ++i, points.advance())
    seen.push_back((*points).vec());
  EXPECT_EQ(seen, (std::vector<std::vector<int64_t>>{
                      {0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 0}}));
}

TEST_F(IndexingTest, LayoutsReachTheLastElement) {
  LayoutAttr layout = parseLayout(
      "map = (m, k) -> (m floordiv 32, k floordiv 8, k mod 8, m mod 32)");
  std::vector<int64_t> shape = {large, large};
  int64_t rows = (large + 31) / 32 * 32;
  EXPECT_EQ(layout.physicalSize(shape), rows * large);
  // m = 69999 is row 15 of its tile.
  EXPECT_EQ(layout.offset({large - 1, large - 1}, shape),
            (rows - 32) * large + (large - 8) * 32 + 7 * 32 + 15);
  EXPECT_EQ(layout.getDimOffsets(0, shape).back(), (rows - 32) * large + 15);
}

TEST_F(IndexingTest, SizesInBytesAreOf64Bits) {
  EXPECT_EQ(getByteSize(Element::bf16, large * large), 2 * large * large);
  EXPECT_EQ(getByteSize(Element::f4E2M1FN, large * large + 1),
            large * large / 2 + 1);
}
} // namespace
