//===- Indexing.h - Positions in tensors ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All of it in 64 bits, and a function of extents alone.

#ifndef QFUSE_LIB_INTERPRETER_INDEXING_H
#define QFUSE_LIB_INTERPRETER_INDEXING_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include <optional>
#include <vector>

namespace mlir::qfuse {

/// Positions in a tensor: `offset + i * stride` for i below `size`, in each
/// dimension.
struct Slice {
  std::vector<int64_t> offsets, sizes, strides;

  int64_t getNumElements() const { return ShapedType::getNumElements(sizes); }

  /// Returns whether all positions are in a tensor of extents `shape`.
  bool isInside(ArrayRef<int64_t> shape) const;

  /// Returns the row-major position, in a tensor of extents `shape`, of element
  /// `index` of the slice.
  int64_t getPosition(int64_t index, ArrayRef<int64_t> shape) const;
};

/// Returns the value of `expr`, which has no symbols, or nothing if it divides
/// by what is not positive.
std::optional<int64_t> getAffineValue(AffineExpr expr, ArrayRef<int64_t> point);

/// The element of a tensor of extents `shape` that an affine map selects for a
/// point, which has an index for each dimension of the map.
class IndexMap {
public:
  IndexMap(AffineMap map, ArrayRef<int64_t> shape);

  /// Returns its row-major position, or nothing if there is no such element.
  std::optional<int64_t> getPosition(ArrayRef<int64_t> point) const;

  /// Returns by how much the position grows with each index, or nothing if
  /// that is no constant.
  const std::optional<std::vector<int64_t>> &getStrides() const {
    return strides;
  }

private:
  AffineMap map;
  std::vector<int64_t> shape;
  std::optional<std::vector<int64_t>> strides;
};

/// Goes through the points below `extents` in row-major order.
class PointIterator {
public:
  explicit PointIterator(std::vector<int64_t> extents)
      : extents(std::move(extents)), point(this->extents.size(), 0) {}

  ArrayRef<int64_t> operator*() const { return point; }
  /// Goes to the next point; the first one follows the last one.
  void advance();

private:
  std::vector<int64_t> extents, point;
};

} // namespace mlir::qfuse

#endif // QFUSE_LIB_INTERPRETER_INDEXING_H
