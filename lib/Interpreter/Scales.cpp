//===- Scales.cpp - Which scale covers which element ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluator.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::qfuse;

std::vector<float> qfuse::toFloats(const Tensor &tensor) {
  std::vector<float> floats(tensor.getNumElements());
  unsigned width = getBitWidth(tensor.element);
  if (width > 8) {
    for (auto [index, value] : llvm::enumerate(floats))
      value = toF32(tensor.get(index));
    return floats;
  }
  std::vector<float> table(size_t(1) << width);
  for (auto [code, value] : llvm::enumerate(table))
    value = toF32(decode(tensor.element, code));
  for (auto [index, value] : llvm::enumerate(floats))
    value = table[width == 8 ? tensor.bytes[index] : tensor.getBits(index)];
  return floats;
}

ScaleIndex::ScaleIndex(FormatAttr format, ArrayRef<int64_t> shape)
    : shape(shape), block(format.getBlock()) {
  for (auto [extent, size] : llvm::zip_equal(shape, block)) {
    // Also for an extent of 0, where there is no element to divide it.
    if (size == 0) {
      size = std::max<int64_t>(extent, 1);
      scaleShape.push_back(1);
    } else {
      scaleShape.push_back(llvm::divideCeil(extent, size));
    }
  }
  columns = shape.back();
  numRows = ShapedType::getNumElements(shape.drop_back());
  blockColumns = block.back();
}

int64_t ScaleIndex::getRowBegin(int64_t row) const {
  int64_t begin = 0, scale = scaleShape.back();
  for (size_t dim = shape.size() - 1; dim-- > 0;) {
    begin += scale * (row % shape[dim] / block[dim]);
    row /= shape[dim];
    scale *= scaleShape[dim];
  }
  return begin;
}

LogicalResult qfuse::checkScales(Operation *op, ArrayRef<int64_t> scales,
                                 FormatAttr format, ArrayRef<int64_t> shape) {
  const std::vector<int64_t> expected = ScaleIndex(format, shape).getShape();
  if (scales == ArrayRef<int64_t>(expected))
    return success();
  return op->emitOpError() << "expected scales of extents "
                           << printShape(expected) << " for a value of extents "
                           << printShape(shape) << ", got "
                           << printShape(scales);
}
