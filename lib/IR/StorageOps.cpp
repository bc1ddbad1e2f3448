//===- StorageOps.cpp - Ops that make and take packed values --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Detail.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::qfuse;

//===----------------------------------------------------------------------===//
// pack, unpack
//===----------------------------------------------------------------------===//

LogicalResult PackOp::verify() {
  RankedTensorType logical = getResult().getType().getLogicalType();
  return verifyType(*this, "input", getInput(), logical.getShape(),
                    logical.getElementType());
}

OpFoldResult PackOp::fold(FoldAdaptor) {
  // Equal types promise equal padding, so the bytes are the same.
  auto unpack = getInput().getDefiningOp<UnpackOp>();
  if (unpack && unpack.getInput().getType() == getType())
    return unpack.getInput();
  return {};
}

LogicalResult UnpackOp::verify() {
  RankedTensorType logical = getInput().getType().getLogicalType();
  return verifyType(*this, "result", getResult(), logical.getShape(),
                    logical.getElementType());
}

OpFoldResult UnpackOp::fold(FoldAdaptor) {
  if (auto pack = getInput().getDefiningOp<PackOp>())
    return pack.getInput();
  return {};
}

//===----------------------------------------------------------------------===//
// from_storage, to_storage, dim
//===----------------------------------------------------------------------===//

static LogicalResult verifyStorage(Operation *op, Value storage, Value value) {
  auto type = cast<ShapedType>(value.getType());
  RankedTensorType expected = getStorageType(type);
  if (storage.getType() == expected)
    return success();
  return op->emitOpError() << "expected storage of type " << expected << " for "
                           << type << ", got " << storage.getType();
}

LogicalResult FromStorageOp::verify() {
  auto type = cast<ShapedType>(getResult().getType());
  if (!type.getElementType().isIntOrFloat())
    return emitOpError() << "expected integer or float elements, got " << type;
  if (getSizes().size() != type.getNumDynamicDims())
    return emitOpError() << "expected " << type.getNumDynamicDims()
                         << " sizes, one for each dynamic extent of " << type
                         << ", got " << getSizes().size();
  return verifyStorage(*this, getStorage(), getResult());
}

OpFoldResult FromStorageOp::fold(FoldAdaptor) {
  auto to = getStorage().getDefiningOp<ToStorageOp>();
  if (!to || to.getInput().getType() != getType())
    return {};
  PackedType type = to.getInput().getType();
  auto size = getSizes().begin();
  for (unsigned dim : llvm::seq<unsigned>(type.getRank())) {
    if (!type.isDynamicDim(dim))
      continue;
    auto extent = (*size++).getDefiningOp<DimOp>();
    if (!extent || extent.getInput() != to.getInput() || extent.getDim() != dim)
      return {};
  }
  return to.getInput();
}

LogicalResult
FromStorageOp::reifyResultShapes(OpBuilder &builder,
                                 ReifiedRankedShapedTypeDims &shapes) {
  auto type = cast<ShapedType>(getResult().getType());
  shapes.push_back(getMixedValues(type.getShape(), getSizes(), builder));
  return success();
}

LogicalResult ToStorageOp::verify() {
  return verifyStorage(*this, getStorage(), getInput());
}

OpFoldResult ToStorageOp::fold(FoldAdaptor) {
  if (auto from = getInput().getDefiningOp<FromStorageOp>())
    return from.getStorage();
  return {};
}

LogicalResult
ToStorageOp::reifyResultShapes(OpBuilder &builder,
                               ReifiedRankedShapedTypeDims &shapes) {
  PackedType packed = getInput().getType();
  SmallVector<OpFoldResult> extents;
  for (unsigned dim : llvm::seq(packed.getRank()))
    extents.push_back(getExtent(builder, getLoc(), getInput(), dim));
  shapes.emplace_back().push_back(affine::makeComposedFoldedAffineApply(
      builder, getLoc(), packed.getStorageSizeMap(), extents));
  return success();
}

LogicalResult DimOp::verify() {
  int64_t rank = getInput().getType().getRank();
  if (static_cast<int64_t>(getDim()) < rank)
    return success();
  return emitOpError() << "expected a dimension below " << rank << ", got "
                       << getDim();
}

OpFoldResult DimOp::fold(FoldAdaptor) {
  PackedType packed = getInput().getType();
  if (packed.isDynamicDim(getDim()))
    return {};
  return IntegerAttr::get(getType(), packed.getDimSize(getDim()));
}

LogicalResult DimOp::canonicalize(DimOp op, PatternRewriter &rewriter) {
  auto result = dyn_cast<OpResult>(op.getInput());
  if (!result)
    return failure();
  auto producer = dyn_cast<ReifyRankedShapedTypeOpInterface>(result.getOwner());
  if (!producer)
    return failure();
  FailureOr<OpFoldResult> extent = producer.reifyDimOfResult(
      rewriter, result.getResultNumber(), op.getDim());
  if (failed(extent) || !*extent)
    return failure();
  rewriter.replaceOp(
      op, getValueOrCreateConstantIndexOp(rewriter, op.getLoc(), *extent));
  return success();
}
