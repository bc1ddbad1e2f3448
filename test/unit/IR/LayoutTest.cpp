//===- LayoutTest.cpp - Offsets and sizes of layouts ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/MLIRContext.h"
#include "qfuse/IR/QFuse.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::qfuse;

namespace {
class LayoutTest : public ::testing::Test {
protected:
  LayoutTest() { context.loadDialect<QFuseDialect>(); }

  LayoutAttr parse(StringRef text) {
    return cast<LayoutAttr>(parseAttribute(text, &context));
  }

  MLIRContext context;
};

/// aiter csrc/include/mx_quant_utils.h, mx_scale_shuffle_idx.
int64_t mxShuffleIndex(int64_t m, int64_t k, int64_t columns) {
  int64_t padded = (columns + 7) / 8 * 8;
  return m / 32 * 32 * padded + k / 8 * 256 + k % 4 * 64 + m % 16 * 4 +
         k / 4 % 2 * 2 + m / 16 % 2;
}

TEST_F(LayoutTest, OffsetsEqualTheFormulaOfMxShuffle) {
  LayoutAttr layout = parse(
      "#qfuse.layout<map = (m, k) -> (m floordiv 32, k floordiv 8, k mod 4, "
      "m mod 16, (k floordiv 4) mod 2, (m floordiv 16) mod 2), "
      "align = [256, 8]>");
  for (int64_t columns : {1, 8, 11, 224})
    for (int64_t m : {0, 1, 15, 16, 31, 32, 100, 299})
      for (int64_t k = 0; k < columns; ++k)
        ASSERT_EQ(layout.offset({m, k}, {300, columns}),
                  mxShuffleIndex(m, k, columns));
  EXPECT_EQ(layout.physicalSize({300, 224}), 512 * 224);
  EXPECT_EQ(layout.physicalSize({0, 224}), 0);
}

TEST_F(LayoutTest, OffsetsAreABijection) {
  // Three dimensions, a group digit between row and column tiles, radix 48.
  LayoutAttr layout =
      parse("#qfuse.layout<map = (m, g, k) -> (m floordiv 48, g, "
            "k floordiv 4, m mod 48, k mod 4)>");
  int64_t size = layout.physicalSize({96, 3, 8});
  ASSERT_EQ(size, 96 * 3 * 8);
  std::vector<bool> seen(size);
  for (int64_t m = 0; m < 96; ++m)
    for (int64_t g = 0; g < 3; ++g)
      for (int64_t k = 0; k < 8; ++k) {
        int64_t offset = layout.offset({m, g, k}, {96, 3, 8});
        ASSERT_LT(offset, size);
        ASSERT_FALSE(seen[offset]);
        seen[offset] = true;
      }
}

TEST_F(LayoutTest, OffsetsAndSizesEqualTheirMaps) {
  LayoutAttr layout =
      parse("#qfuse.layout<map = (m, g, k) -> (m floordiv 48, g, "
            "k floordiv 4, m mod 48, k mod 4), align = [96, 2, 8]>");
  auto evaluate = [&](AffineMap map, ArrayRef<int64_t> operands) {
    Builder builder(&context);
    SmallVector<Attribute> attributes, results;
    for (int64_t operand : operands)
      attributes.push_back(builder.getIndexAttr(operand));
    EXPECT_TRUE(succeeded(map.constantFold(attributes, results)));
    return cast<IntegerAttr>(results.front()).getInt();
  };
  int64_t shape[] = {50, 3, 10};
  EXPECT_EQ(layout.physicalSize(shape),
            evaluate(layout.getPhysicalSizeMap(), shape));
  for (int64_t m = 0; m < 50; ++m)
    for (int64_t g = 0; g < 3; ++g)
      for (int64_t k = 0; k < 10; ++k) {
        int64_t offset = layout.offset({m, g, k}, shape);
        ASSERT_EQ(offset,
                  evaluate(layout.getOffsetMap(), {m, g, k, 50, 3, 10}));
        ASSERT_EQ(offset, layout.getDimOffsets(0, shape)[m] +
                              layout.getDimOffsets(1, shape)[g] +
                              layout.getDimOffsets(2, shape)[k]);
      }
}

TEST_F(LayoutTest, OffsetsBeyond32Bits) {
  LayoutAttr layout =
      parse("#qfuse.layout<map = (m, k) -> (k, m), align = [4, 1]>");
  EXPECT_EQ(layout.offset({5, 1 << 20}, {8190, 1 << 21}),
            (int64_t(8192) << 20) + 5);
  EXPECT_EQ(layout.physicalSize({8190, 1 << 21}), int64_t(8192) << 21);
}

TEST_F(LayoutTest, InnermostRunIsTheVectorWidth) {
  LayoutAttr weight =
      parse("#qfuse.layout<map = (n, k) -> (n floordiv 16, k floordiv 32, "
            "(k floordiv 16) mod 2, n mod 16, k mod 16)>");
  EXPECT_EQ(weight.innermostRun(0), 1);
  EXPECT_EQ(weight.innermostRun(1), 16);
  LayoutAttr split = parse("#qfuse.layout<map = (m, k) -> (k floordiv 8, m, "
                           "(k floordiv 2) mod 4, k mod 2)>");
  EXPECT_EQ(split.innermostRun(1), 8);
  LayoutAttr column = parse("#qfuse.layout<map = (m, k) -> (k, m)>");
  EXPECT_EQ(column.innermostRun(0), 0);
  EXPECT_EQ(column.innermostRun(1), 1);
}

TEST_F(LayoutTest, ConcatCommutesIfTheOutermostDigitIsOfIts) {
  LayoutAttr tiled = parse("#qfuse.layout<map = (m, k) -> (m floordiv 16, k, "
                           "m mod 16), align = [32, 1]>");
  EXPECT_TRUE(tiled.commutesWithConcat(0, 64));
  EXPECT_FALSE(tiled.commutesWithConcat(0, 48));
  EXPECT_FALSE(tiled.commutesWithConcat(1, 64));
  LayoutAttr column = parse("#qfuse.layout<map = (m, k) -> (k, m)>");
  EXPECT_FALSE(column.commutesWithConcat(0, 64));
  EXPECT_TRUE(column.commutesWithConcat(1, 3));
  LayoutAttr inner =
      parse("#qfuse.layout<map = (m, k) -> (m mod 16, k, m floordiv 16)>");
  EXPECT_FALSE(inner.commutesWithConcat(0, 64));
}

TEST_F(LayoutTest, SizesWithoutAlignAreRoundedUpToTheTile) {
  LayoutAttr layout =
      parse("#qfuse.layout<map = (m, k) -> (m floordiv 16, k, m mod 16)>");
  EXPECT_EQ(layout.physicalSize({17, 3}), 32 * 3);
}
} // namespace
