//===- Places.cpp - Addresses of elements ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Places.h"

#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::qfuse;

Value qfuse::moveTo(KernelBuilder &b, Value pointer, Value start,
                    int64_t size) {
  Type element = cast<MemRefType>(pointer.getType()).getElementType();
  auto layout = StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic,
                                       ArrayRef<int64_t>{1});
  auto type = MemRefType::get({size}, element, layout);
  return memref::ReinterpretCastOp::create(
      b, type, pointer, OpFoldResult(start),
      ArrayRef<OpFoldResult>{b.getIndexAttr(size)},
      ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
}

Place qfuse::getPlace(KernelBuilder &b, Value pointer, ShapedType type,
                      Value rows, Value row, Value column) {
  AffineExpr m = b.getAffineDimExpr(0), k = b.getAffineDimExpr(1);
  AffineExpr zero = b.getAffineConstantExpr(0);
  AffineExpr offset = m * type.getDimSize(1) + k;
  if (auto packed = dyn_cast<PackedType>(type))
    offset = packed.getLayout().getOffsetMap().getResult(0);
  Value extents[] = {rows, b.index(type.getDimSize(1))};
  auto expand = [&](AffineExpr expr) {
    return affine::expandAffineExpr(b, b.getLoc(),
                                    simplifyAffineExpr(expr, 2, 2),
                                    ValueRange{row, column}, extents);
  };
  // The index is not checked against the size.
  return {moveTo(b, pointer, expand(offset.replace(k, zero)), 1),
          expand(offset.replace(m, zero))};
}
