//===- Indexing.cpp - Positions in tensors --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Indexing.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::qfuse;

bool Slice::isInside(ArrayRef<int64_t> shape) const {
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (sizes[dim] < 0)
      return false;
    if (sizes[dim] == 0)
      continue;
    int64_t first = offsets[dim], last;
    if (llvm::MulOverflow(sizes[dim] - 1, strides[dim], last) ||
        llvm::AddOverflow(first, last, last) || std::min(first, last) < 0 ||
        std::max(first, last) >= shape[dim])
      return false;
  }
  return true;
}

int64_t Slice::getPosition(int64_t index, ArrayRef<int64_t> shape) const {
  int64_t position = 0, scale = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    position += scale * (offsets[dim] + index % sizes[dim] * strides[dim]);
    index /= sizes[dim];
    scale *= shape[dim];
  }
  return position;
}

/// Adds `scale * expr` to `strides`. Returns false if it is not linear.
static bool addStrides(AffineExpr expr, int64_t scale,
                       std::vector<int64_t> &strides) {
  switch (expr.getKind()) {
  case AffineExprKind::Constant:
    return true;
  case AffineExprKind::DimId:
    strides[cast<AffineDimExpr>(expr).getPosition()] += scale;
    return true;
  case AffineExprKind::Add: {
    auto sum = cast<AffineBinaryOpExpr>(expr);
    return addStrides(sum.getLHS(), scale, strides) &&
           addStrides(sum.getRHS(), scale, strides);
  }
  case AffineExprKind::Mul: {
    auto product = cast<AffineBinaryOpExpr>(expr);
    auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
    return factor &&
           addStrides(product.getLHS(), scale * factor.getValue(), strides);
  }
  default:
    return false;
  }
}

std::optional<int64_t> qfuse::getAffineValue(AffineExpr expr,
                                             ArrayRef<int64_t> point) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return point[dim.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<int64_t> left = getAffineValue(binary.getLHS(), point);
  std::optional<int64_t> right = getAffineValue(binary.getRHS(), point);
  if (!left || !right)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return *left + *right;
  if (expr.getKind() == AffineExprKind::Mul)
    return *left * *right;
  if (*right <= 0)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Mod)
    return llvm::mod(*left, *right);
  return expr.getKind() == AffineExprKind::FloorDiv
             ? llvm::divideFloorSigned(*left, *right)
             : llvm::divideCeilSigned(*left, *right);
}

IndexMap::IndexMap(AffineMap map, ArrayRef<int64_t> shape)
    : map(map), shape(shape), strides(std::in_place, map.getNumDims(), 0) {
  int64_t scale = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    if (strides && !addStrides(map.getResult(dim), scale, *strides))
      strides.reset();
    scale *= shape[dim];
  }
}

std::optional<int64_t> IndexMap::getPosition(ArrayRef<int64_t> point) const {
  int64_t position = 0;
  for (auto [expr, extent] : llvm::zip_equal(map.getResults(), shape)) {
    std::optional<int64_t> index = getAffineValue(expr, point);
    if (!index || *index < 0 || *index >= extent)
      return std::nullopt;
    position = position * extent + *index;
  }
  return position;
}

void PointIterator::advance() {
  for (size_t dim = extents.size(); dim-- > 0;) {
    if (++point[dim] < extents[dim])
      return;
    point[dim] = 0;
  }
}
