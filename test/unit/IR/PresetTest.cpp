//===- PresetTest.cpp - The table and the formulas of its layouts ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "qfuse/IR/Presets.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::qfuse;

namespace {
class PresetTest : public ::testing::Test {
protected:
  PresetTest()
      : handler(&context,
                [this](Diagnostic &diagnostic) { error = diagnostic.str(); }) {}

  LayoutAttr find(StringRef name, unsigned bitWidth) {
    error.clear();
    FailureOr<LayoutAttr> layout =
        findLayout(name, bitWidth, UnknownLoc::get(&context));
    return succeeded(layout) ? *layout : LayoutAttr();
  }

  MLIRContext context;
  std::string error;
  ScopedDiagnosticHandler handler;
};

TEST_F(PresetTest, EntriesAreComplete) {
  SmallVector<Preset> presets = getPresets(&context);
  EXPECT_GT(presets.size(), 40u);
  for (const Preset &preset : presets) {
    SCOPED_TRACE(preset.name.str());
    EXPECT_FALSE(preset.source.empty());
    EXPECT_EQ(preset.format == nullptr, !preset.notExpressible.empty());
    EXPECT_EQ(preset.scaleRule == nullptr, preset.computed == nullptr);
    if (!preset.notExpressible.empty())
      continue;
    EXPECT_FALSE(preset.summary.empty());
    EXPECT_TRUE(isCodeType(preset.codes));
    EXPECT_TRUE(preset.input.isF32() || preset.input.isBF16());
    EXPECT_NE(preset.encodeRule, nullptr);
    EXPECT_EQ(preset.scaleRule == nullptr, preset.name.ends_with("_static"));
    // Blocks are those of the consumer; only the type of a scale may differ.
    if (preset.computed) {
      EXPECT_EQ(preset.computed.getBlock(), preset.format.getBlock());
      EXPECT_EQ(preset.computed != preset.format,
                preset.name.starts_with("torch_"));
    }
  }
}

// The name of the rule says what the rules compute.
TEST_F(PresetTest, ZeroIsNanWhereZerosBecomeNaN) {
  unsigned count = 0;
  for (const Preset &preset : getPresets(&context)) {
    if (!preset.scaleRule)
      continue;
    SCOPED_TRACE(preset.name.str());
    float scale = preset.scaleRule.getScaleOfZeroBlock(
        cast<FloatType>(preset.computed.getScaleType()));
    EXPECT_EQ(preset.nanOnZeroBlock,
              preset.encodeRule.makesNaNOfZeros(scale, preset.codes));
    count += preset.nanOnZeroBlock;
  }
  EXPECT_EQ(count, 6u);
}

// An alias that ends in a digit is not told from one to which the printer has
// appended it.
TEST_F(PresetTest, NoNameEndsInADigit) {
  llvm::StringSet<> names;
  for (StringRef line : llvm::split(getPresetTable(), '\n'))
    if (line.consume_front("#")) {
      StringRef name = line.split(' ').first;
      EXPECT_FALSE(llvm::isDigit(name.back())) << name.str();
      EXPECT_TRUE(names.insert(name).second) << name.str();
    }
  EXPECT_TRUE(names.contains("mx_shuffle"));
  for (const Preset &preset : getPresets(&context))
    EXPECT_FALSE(llvm::isDigit(preset.name.back())) << preset.name.str();
}

TEST_F(PresetTest, LayoutsAreFoundByNameAndWidth) {
  EXPECT_EQ(find("col", 32), find("col", 8));
  EXPECT_NE(find("col", 32), nullptr);
  EXPECT_NE(find("gate_up_interleave", 8), find("gate_up_interleave", 4));
  // aiter shuffle_scale returns f32 scales as they are, silently.
  EXPECT_EQ(find("mx_shuffle", 32), nullptr);
  EXPECT_EQ(error, "expected elements of 8 bits for the layout mx_shuffle, "
                   "got 32");
  EXPECT_EQ(find("gate_up_interleave", 16), nullptr);
  EXPECT_EQ(error, "expected elements of 8 or 4 bits for the layout "
                   "gate_up_interleave, got 16");
  EXPECT_EQ(find("mx_shufle", 8), nullptr);
  EXPECT_TRUE(StringRef(error).starts_with(
      "expected a layout that is one of col, col_aligned, mx_shuffle, "))
      << error;
  EXPECT_TRUE(StringRef(error).ends_with(", got 'mx_shufle'")) << error;
}

//===----------------------------------------------------------------------===//
// Formulas of the sources
//===----------------------------------------------------------------------===//

int64_t ceilTo(int64_t value, int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

using Formula = int64_t (*)(ArrayRef<int64_t> index, ArrayRef<int64_t> shape);

struct LayoutCase {
  StringRef name;
  unsigned bitWidth;
  /// Of one value of each dimension: ragged shapes are made from it.
  SmallVector<int64_t> align;
  Formula offset;
};

// aiter csrc/include/mx_quant_utils.h, mx_scale_shuffle_idx.
int64_t mxShuffle(ArrayRef<int64_t> i, ArrayRef<int64_t> shape) {
  int64_t m = i[0], k = i[1], padded = ceilTo(shape[1], 8);
  return m / 32 * 32 * padded + k / 8 * 256 + k % 4 * 64 + m % 16 * 4 +
         k / 4 % 2 * 2 + m / 16 % 2;
}

// aiter inverse_rope_group_quant: a plane a group.
int64_t mfmaTile(ArrayRef<int64_t> i, ArrayRef<int64_t> shape) {
  int64_t plane = ceilTo(shape[0], 32) * ceilTo(shape[2], 8);
  return i[1] * plane + mxShuffle({i[0], i[2]}, {shape[0], shape[2]});
}

int64_t mfmaTileWide(ArrayRef<int64_t> i, ArrayRef<int64_t> shape) {
  int64_t m = i[0], k = i[2], padded = ceilTo(shape[2], 2);
  return i[1] * ceilTo(shape[0], 32) * padded + m / 32 * 32 * padded +
         k / 2 * 64 + m % 16 * 4 + k % 2 * 2 + m / 16 % 2;
}

int64_t n32k4(ArrayRef<int64_t> i, ArrayRef<int64_t> shape) {
  int64_t s = i[0], g = i[1], k = i[2], columns = ceilTo(shape[2], 4);
  return (s / 32 * shape[1] + g) * columns * 32 + k / 4 * 128 + s % 32 * 4 +
         k % 4;
}

// flashinfer include/flashinfer/comm/trtllm_allreduce_fusion.cuh.
int64_t nv128x4(ArrayRef<int64_t> i, ArrayRef<int64_t> shape) {
  int64_t m = i[0], k = i[1];
  return m / 128 * (ceilTo(shape[1], 4) / 4 * 512) + k / 4 * 512 + m % 32 * 16 +
         m % 128 / 32 * 4 + k % 4;
}

int64_t nv8x4(ArrayRef<int64_t> i, ArrayRef<int64_t> shape) {
  int64_t m = i[0], k = i[1];
  return m / 8 * (ceilTo(shape[1], 4) / 4 * 32) + k / 4 * 32 + m % 8 * 4 +
         k % 4;
}

// Words of four columns, in columns of rows.
int64_t deepgemm(ArrayRef<int64_t> i, ArrayRef<int64_t> shape) {
  int64_t word = i[1] / 4 * ceilTo(shape[0], 4) + i[0];
  return word * 4 + i[1] % 4;
}

// iree materialize_encoding_gfx950.mlir: inner tiles of 16 by 16.
int64_t iree(ArrayRef<int64_t> i, ArrayRef<int64_t> shape) {
  int64_t m = i[0], k = i[1];
  int64_t tile = m / 16 * (ceilTo(shape[1], 16) / 16) + k / 16;
  return tile * 256 + k % 4 * 64 + m % 16 * 4 + k / 4 % 4;
}

// aiter/ops/shuffle.py, shuffle_weight, of a (rows, 16) layout: tiles of `rows`
// by two vectors of 16 bytes.
template <int64_t rows, int64_t vector, int64_t vectors>
int64_t weight(ArrayRef<int64_t> i, ArrayRef<int64_t> shape) {
  int64_t n = i[0], k = i[1], tile = vector * vectors;
  return n / rows * rows * ceilTo(shape[1], tile) + k / tile * rows * tile +
         k % tile / vector * rows * vector + n % rows * vector + k % vector;
}

// aiter/ops/shuffle.py: view(2, n / 16, 16, k / 4 vectors, 4, vector)
// .permute(1, 0, 3, 4, 2, 5).
template <int64_t vector>
int64_t gateUp(ArrayRef<int64_t> i, ArrayRef<int64_t> shape) {
  int64_t h = i[0], n = i[1], k = i[2], steps = ceilTo(shape[2], 4 * vector);
  int64_t step =
      (n / 16 * shape[0] + h) * (steps / (4 * vector)) + k / (4 * vector);
  return ((step * 4 + k / vector % 4) * 16 + n % 16) * vector + k % vector;
}

int64_t col(ArrayRef<int64_t> i, ArrayRef<int64_t> shape) {
  return i[1] * shape[0] + i[0];
}

int64_t colAligned(ArrayRef<int64_t> i, ArrayRef<int64_t> shape) {
  return i[1] * ceilTo(shape[0], 4) + i[0];
}

const LayoutCase cases[] = {
    {"col", 32, {1, 1}, col},
    {"col", 8, {1, 1}, col},
    {"col_aligned", 32, {4, 1}, colAligned},
    {"mx_shuffle", 8, {256, 8}, mxShuffle},
    {"mfma_tile", 8, {32, 1, 8}, mfmaTile},
    {"mfma_tile_wide", 8, {32, 1, 2}, mfmaTileWide},
    {"n32k4_scale", 8, {32, 1, 4}, n32k4},
    {"nv_128x4_scale", 8, {128, 4}, nv128x4},
    {"nv_8x4_scale", 8, {8, 4}, nv8x4},
    {"deepgemm_words", 8, {4, 4}, deepgemm},
    {"iree_gfx950_scale", 8, {16, 16}, iree},
    {"weight_16x16_byte", 8, {16, 32}, weight<16, 16, 2>},
    {"weight_16x16_nibble", 4, {16, 64}, weight<16, 32, 2>},
    {"weight_16x16_half", 16, {16, 32}, weight<16, 8, 4>},
    {"weight_32x16_byte", 8, {32, 32}, weight<32, 16, 2>},
    {"gate_up_interleave", 8, {1, 16, 64}, gateUp<16>},
    {"gate_up_interleave", 4, {1, 16, 128}, gateUp<32>},
};

/// Calls `visit` with each index of a value of `shape`.
void forEachIndex(ArrayRef<int64_t> shape,
                  function_ref<void(ArrayRef<int64_t>)> visit) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  SmallVector<int64_t> index(shape.size());
  for (int64_t position = 0; position < count; ++position) {
    int64_t rest = position;
    for (size_t dim = shape.size(); dim-- > 0; rest /= shape[dim])
      index[dim] = rest % shape[dim];
    visit(index);
  }
}

/// Extents around the alignment: one element, one short of a tile, a tile, one
/// more, and several tiles of which the last is ragged. A half has two values.
SmallVector<int64_t> getExtents(const LayoutCase &each, unsigned dim) {
  int64_t align = each.align[dim];
  if (each.name == "gate_up_interleave" && dim == 0)
    return {2};
  if (align == 1)
    return {1, 2, 3, 7};
  return {1, align - 1, align, align + 1, 2 * align + align / 2};
}

int64_t evaluate(AffineMap map, ArrayRef<int64_t> operands) {
  Builder builder(map.getContext());
  SmallVector<Attribute> constants, results;
  for (int64_t operand : operands)
    constants.push_back(builder.getIndexAttr(operand));
  EXPECT_TRUE(succeeded(map.constantFold(constants, results)));
  return cast<IntegerAttr>(results.front()).getInt();
}

void checkShape(const LayoutCase &each, LayoutAttr layout,
                ArrayRef<int64_t> shape) {
  int64_t size = 1;
  for (auto [extent, align] : llvm::zip_equal(shape, each.align))
    size *= ceilTo(extent, align);
  ASSERT_EQ(layout.physicalSize(shape), size);
  std::vector<std::vector<int64_t>> parts;
  for (unsigned dim : llvm::seq<unsigned>(shape.size()))
    parts.push_back(layout.getDimOffsets(dim, shape));
  std::vector<bool> taken(size);
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    int64_t sum = 0;
    for (auto [part, position] : llvm::zip_equal(parts, index))
      sum += part[position];
    int64_t expected = each.offset(index, shape);
    ASSERT_EQ(sum, expected);
    ASSERT_LT(expected, size);
    ASSERT_FALSE(taken[expected]);
    taken[expected] = true;
  });
  // The other spellings, at the last element.
  SmallVector<int64_t> operands;
  for (int64_t extent : shape)
    operands.push_back(extent - 1);
  int64_t last = each.offset(operands, shape);
  EXPECT_EQ(layout.offset(operands, shape), last);
  llvm::append_range(operands, shape);
  EXPECT_EQ(evaluate(layout.getOffsetMap(), operands), last);
  EXPECT_EQ(evaluate(layout.getPhysicalSizeMap(), shape), size);
}

TEST_F(PresetTest, EachLayoutHasACase) {
  for (const NamedLayout &layout : getLayouts(&context)) {
    EXPECT_FALSE(layout.summary.empty());
    EXPECT_FALSE(layout.source.empty());
    for (PackedType type : layout.types)
      EXPECT_TRUE(llvm::any_of(cases, [&](const LayoutCase &each) {
        return each.name == layout.name &&
               each.bitWidth == type.getElementTypeBitWidth();
      })) << layout.name.str();
  }
}

TEST_F(PresetTest, OffsetsEqualTheFormulasOnRaggedShapes) {
  for (const LayoutCase &each : cases) {
    SCOPED_TRACE(each.name.str());
    LayoutAttr layout = find(each.name, each.bitWidth);
    ASSERT_TRUE(layout) << error;
    ASSERT_EQ(layout.getMap().getNumDims(), each.align.size());
    SmallVector<SmallVector<int64_t>> extents;
    SmallVector<int64_t> counts;
    for (unsigned dim : llvm::seq<unsigned>(each.align.size()))
      counts.push_back(extents.emplace_back(getExtents(each, dim)).size());
    forEachIndex(counts, [&](ArrayRef<int64_t> choice) {
      SmallVector<int64_t> shape;
      for (auto [list, position] : llvm::zip_equal(extents, choice))
        shape.push_back(list[position]);
      checkShape(each, layout, shape);
    });
  }
}

/// Returns the largest n, up to `limit`, such that each n elements along `dim`
/// from a multiple of n on are next to each other.
int64_t getRun(const LayoutCase &each, ArrayRef<int64_t> shape, unsigned dim) {
  int64_t run = 1;
  for (int64_t width = 2; width <= shape[dim]; ++width) {
    if (shape[dim] % width != 0)
      continue;
    bool holds = true;
    forEachIndex(shape, [&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> first(index);
      first[dim] -= first[dim] % width;
      holds &= each.offset(index, shape) - each.offset(first, shape) ==
               index[dim] - first[dim];
    });
    if (holds)
      run = width;
  }
  return run;
}

TEST_F(PresetTest, InnermostRunIsThatOfTheFormula) {
  for (const LayoutCase &each : cases) {
    SCOPED_TRACE(each.name.str());
    LayoutAttr layout = find(each.name, each.bitWidth);
    ASSERT_TRUE(layout) << error;
    // Two tiles in each dimension, or six elements.
    SmallVector<int64_t> shape;
    for (int64_t align : each.align)
      shape.push_back(align == 1 ? 6 : std::min<int64_t>(2 * align, 256));
    for (unsigned dim : llvm::seq<unsigned>(shape.size())) {
      int64_t run = layout.innermostRun(dim);
      EXPECT_EQ(getRun(each, shape, dim), run == 0 ? shape[dim] : run) << dim;
    }
  }
}

TEST_F(PresetTest, ConcatCommutesWhereTheFormulaDoes) {
  for (const LayoutCase &each : cases) {
    SCOPED_TRACE(each.name.str());
    LayoutAttr layout = find(each.name, each.bitWidth);
    ASSERT_TRUE(layout) << error;
    for (unsigned dim : llvm::seq<unsigned>(each.align.size()))
      for (int64_t extent : {each.align[dim], each.align[dim] + 1}) {
        SmallVector<int64_t> part(each.align);
        for (int64_t &other : part)
          other = other == 1 ? 3 : 2 * other;
        part[dim] = extent;
        SmallVector<int64_t> whole(part);
        whole[dim] = 2 * extent;
        int64_t size = layout.physicalSize(part);
        bool commutes = layout.physicalSize(whole) == 2 * size;
        forEachIndex(whole, [&](ArrayRef<int64_t> index) {
          SmallVector<int64_t> inPart(index);
          int64_t second = index[dim] / extent;
          inPart[dim] -= second * extent;
          commutes &= each.offset(index, whole) ==
                      second * size + each.offset(inPart, part);
        });
        EXPECT_EQ(layout.commutesWithConcat(dim, extent), commutes)
            << dim << " " << extent;
      }
  }
}
} // namespace
