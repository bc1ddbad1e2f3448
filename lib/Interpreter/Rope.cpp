//===- Rope.cpp - rope ----------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each product is rounded before the sum is: an fma would give other bits.

#include "Evaluator.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::qfuse;

namespace {
/// Where the pairs of a head and their entries in a row of a table are.
struct Pairs {
  RopeStyle style;
  int64_t offset, width, columns;

  int64_t getCount() const { return width / 2; }

  /// Returns the positions of pair `index` among the rotated elements.
  std::pair<int64_t, int64_t> get(int64_t index) const {
    if (style == RopeStyle::interleaved)
      return {2 * index, 2 * index + 1};
    return {index, index + width / 2};
  }

  /// Returns the column for element `element` of pair `index`.
  int64_t getColumn(int64_t index, int64_t element) const {
    return columns == width ? element : index;
  }
};

/// How products and sums are rounded, and which way a pair turns.
struct Rotation {
  Element product, result;
  bool inverse;

  float round(float value) const {
    return toF32(decode(product, encode(product, value)));
  }

  /// Returns `x * cos - y * sin`, or with a plus sign.
  uint64_t turn(float x, float cos, float y, float sin, bool adds) const {
    float first = round(x * cos);
    float second = round(y * sin);
    return encode(result, adds != inverse ? first + second : first - second);
  }
};
} // namespace

/// Returns the row of a table of extents `table` for row `row` of an input of
/// extents `input`.
static int64_t getTableRow(ArrayRef<int64_t> table, ArrayRef<int64_t> input,
                           int64_t row) {
  int64_t position = 0, scale = 1;
  for (size_t dim = input.size() - 1; dim-- > 0;) {
    int64_t index = row % input[dim];
    row /= input[dim];
    if (dim + 1 >= table.size())
      continue;
    position += table[dim] == 1 ? 0 : scale * index;
    scale *= table[dim];
  }
  return position;
}

/// Emits an error unless dynamic extents fit; static ones are the verifier's.
static LogicalResult checkTables(Evaluator &evaluator, RopeOp op) {
  ArrayRef<int64_t> input = evaluator.get(op.getInput()).shape;
  ArrayRef<int64_t> cos = evaluator.get(op.getCos()).shape;
  ArrayRef<int64_t> sin = evaluator.get(op.getSin()).shape;
  bool fits = cos == sin;
  for (auto [extent, own] : llvm::zip_first(cos.drop_back(), input))
    fits &= extent == 1 || extent == own;
  if (fits)
    return success();
  return op.emitOpError() << "expected tables of extents 1 or those of the "
                             "input, "
                          << printShape(input) << ", got " << printShape(cos)
                          << " and " << printShape(sin);
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, RopeOp op) {
  if (failed(checkTables(evaluator, op)))
    return failure();
  const Tensor &input = evaluator.get(op.getInput()).tensor;
  const Tensor &table = evaluator.get(op.getCos()).tensor;
  std::vector<float> x = toFloats(input), cos = toFloats(table),
                     sin = toFloats(evaluator.get(op.getSin()).tensor);
  Pairs pairs{op.getStyle(), static_cast<int64_t>(op.getOffset()),
              op.getRotatedWidth(), table.shape.back()};
  Rotation rotation{*getElement(op.getProduct()),
                    *getElement(op.getResult().getType().getElementType()),
                    op.getInverse()};
  Tensor result(rotation.result, input.shape);
  bool keepsBits = rotation.result == input.element;
  for (int64_t i = 0, e = input.getNumElements(); i < e; ++i)
    result.setBits(i, keepsBits ? input.getBits(i)
                                : encode(rotation.result, x[i]));
  int64_t size = input.shape.back(), rows = input.getNumElements() / size;
  for (int64_t row = 0; row < rows; ++row) {
    int64_t head = row * size + pairs.offset;
    int64_t entry = getTableRow(table.shape, input.shape, row) * pairs.columns;
    for (int64_t index = 0; index < pairs.getCount(); ++index) {
      auto [a, b] = pairs.get(index);
      int64_t ofA = entry + pairs.getColumn(index, a);
      int64_t ofB = entry + pairs.getColumn(index, b);
      result.setBits(head + a, rotation.turn(x[head + a], cos[ofA], x[head + b],
                                             sin[ofA], /*adds=*/false));
      result.setBits(head + b, rotation.turn(x[head + b], cos[ofB], x[head + a],
                                             sin[ofB], /*adds=*/true));
    }
  }
  return evaluator.set(op->getResult(0), result);
}
