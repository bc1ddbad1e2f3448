//===- ModelOps.cpp - Ops of models that quantize nothing -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Detail.h"

using namespace mlir;
using namespace mlir::qfuse;

//===----------------------------------------------------------------------===//
// rope
//===----------------------------------------------------------------------===//

int64_t RopeOp::getRotatedWidth() {
  if (std::optional<uint64_t> width = getWidth())
    return *width;
  int64_t columns = getCos().getType().getShape().back();
  // Tables of an entry a pair would be for more than the head.
  return columns == getInput().getType().getShape().back() ? columns
                                                           : 2 * columns;
}

/// Emits an error unless each extent of the tables but the last is the one that
/// `op` reads them by.
static LogicalResult verifyTables(RopeOp op) {
  RankedTensorType input = op.getInput().getType();
  RankedTensorType table = op.getCos().getType();
  if (table.getRank() > input.getRank())
    return op.emitOpError() << "expected tables of the rank of the input, "
                            << input << ", or less, got " << table;
  for (auto [extent, own] : llvm::zip_first(table.getShape().drop_back(),
                                            input.getShape().drop_back()))
    if (extent != 1 && extent != own)
      return op.emitOpError()
             << "expected tables whose extents before the last are 1 or those "
                "of the input, "
             << input << ", got " << table;
  return success();
}

LogicalResult RopeOp::verify() {
  RankedTensorType input = getInput().getType(), table = getCos().getType();
  int64_t size = input.getShape().back(), columns = table.getShape().back();
  if (ShapedType::isDynamic(size) || ShapedType::isDynamic(columns))
    return emitOpError() << "expected heads and tables of a static size, got "
                         << input << " and " << table;
  if (failed(verifyTables(*this)))
    return failure();
  // Of the size of a head at most, or twice the columns cannot be told from it.
  if (columns > size)
    return emitOpError() << "expected tables of " << size
                         << " columns at most, as a head has elements, got "
                         << table;
  int64_t width = getRotatedWidth(), offset = getOffset();
  if (width <= 0 || width % 2 != 0)
    return emitOpError()
           << "expected a positive even number of rotated elements, got "
           << width << " by " << table;
  if (columns != width && columns != width / 2)
    return emitOpError() << "expected tables of " << width / 2 << " or "
                         << width << " columns for a width of " << width
                         << ", got " << table;
  if (width > size || offset > size - width)
    return emitOpError() << "expected the rotated part inside of the " << size
                         << " elements of a head, got " << width
                         << " elements from " << offset << " on";
  return success();
}

//===----------------------------------------------------------------------===//
// gather_rows
//===----------------------------------------------------------------------===//

LogicalResult GatherRowsOp::verify() {
  auto source = cast<ShapedType>(getSource().getType());
  if (failed(verifyCodes(*this, "source", getSource())) ||
      failed(verifyCodes(*this, "result", getResult())))
    return failure();
  SmallVector<int64_t> shape(getIndices().getType().getShape());
  llvm::append_range(shape, source.getShape().drop_front());
  return verifyType(*this, "result", getResult(), shape,
                    source.getElementType());
}

ExtentSource GatherRowsOp::getExtentSource(unsigned, unsigned dim) {
  unsigned rank = getIndices().getType().getRank();
  if (dim < rank)
    return {getIndices(), dim, /*divisor=*/1};
  return {getSource(), dim - rank + 1, /*divisor=*/1};
}
