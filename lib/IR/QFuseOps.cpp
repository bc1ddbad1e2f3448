//===- QFuseOps.cpp - Primitive ops: roles, extents, verifiers ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Detail.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::qfuse;

#include "qfuse/IR/QFuseInterfaces.cpp.inc"

//===----------------------------------------------------------------------===//
// Roles and extents
//===----------------------------------------------------------------------===//

std::optional<Role> qfuse::getRole(Operation *op) {
  if (auto fusible = dyn_cast<FusibleOpInterface>(op))
    return fusible.getRole();
  // A list, not "whatever is elementwise": each has an emitter and an
  // interpretation.
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::ExtFOp,
          arith::TruncFOp, math::ExpOp, math::TanhOp>(op))
    return Role::elementwise;
  if (auto constant = dyn_cast<arith::ConstantOp>(op);
      constant && !isa<ShapedType>(constant.getType()))
    return Role::elementwise;
  return std::nullopt;
}

OpFoldResult qfuse::getExtent(OpBuilder &builder, Location loc, Value value,
                              unsigned dim) {
  auto packed = dyn_cast<PackedType>(value.getType());
  if (!packed)
    return tensor::getMixedSize(builder, loc, value, dim);
  if (packed.isDynamicDim(dim))
    return DimOp::create(builder, loc, value, dim).getResult();
  return builder.getIndexAttr(packed.getDimSize(dim));
}

LogicalResult qfuse::reifyExtents(OpBuilder &builder, Operation *op,
                                  ReifiedRankedShapedTypeDims &shapes) {
  Location loc = op->getLoc();
  for (OpResult result : op->getResults()) {
    auto type = cast<ShapedType>(result.getType());
    SmallVector<OpFoldResult> &shape = shapes.emplace_back();
    for (auto [dim, size] : llvm::enumerate(type.getShape())) {
      if (ShapedType::isStatic(size)) {
        shape.push_back(builder.getIndexAttr(size));
        continue;
      }
      ExtentSource source = cast<FusibleOpInterface>(op).getExtentSource(
          result.getResultNumber(), dim);
      shape.push_back(affine::makeComposedFoldedAffineApply(
          builder, loc, builder.getAffineSymbolExpr(0).ceilDiv(source.divisor),
          getExtent(builder, loc, source.value, source.dim)));
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// What verifiers share
//===----------------------------------------------------------------------===//

LogicalResult qfuse::verifyType(Operation *op, StringRef name, Value value,
                                ArrayRef<int64_t> shape, Type elementType) {
  auto type = cast<ShapedType>(value.getType());
  if (type.getShape() == shape && type.getElementType() == elementType)
    return success();
  // A layout has the rank of its type.
  Type expected = RankedTensorType::get(shape, elementType);
  if (type.getRank() == static_cast<int64_t>(shape.size()))
    expected = type.clone(shape, elementType);
  return op->emitOpError() << "expected " << name << " of type " << expected
                           << ", got " << type;
}

/// Emits an error unless `scales`, and `outer` if the format has an outer
/// scale, are of the shapes and types that `format` has for `input`. Whether
/// they are packed is up to the user. `of` ends the names in the message.
static LogicalResult verifyScales(Operation *op, Value input, Value scales,
                                  Value outer, FormatAttr format,
                                  StringRef of = "") {
  ArrayRef<int64_t> shape = cast<ShapedType>(input.getType()).getShape();
  if (shape.size() != format.getBlock().size())
    return op->emitOpError() << "expected a format with " << shape.size()
                             << " block extents" << of << ", got " << format;
  if (failed(verifyType(op, ("scales" + of).str(), scales,
                        format.getScaleShape(shape), format.getScaleType())))
    return failure();
  if (!outer && !format.getOuterScale())
    return success();
  if (!outer)
    return op->emitOpError()
           << "expected an outer scale" << of << ", which its format has";
  if (!format.getOuterScale())
    return op->emitOpError()
           << "expected no outer scale" << of << ", as its format has none";
  return verifyType(op, ("outer scale" + of).str(), outer,
                    SmallVector<int64_t>(shape.size(), 1),
                    format.getOuterScale());
}

LogicalResult qfuse::verifyCodes(Operation *op, StringRef name, Value codes) {
  auto type = cast<ShapedType>(codes.getType());
  if (!isa<Float4E2M1FNType>(type.getElementType()) || type.getRank() == 0 ||
      ShapedType::isDynamic(type.getShape().back()) ||
      type.getShape().back() % 2 == 0)
    return success();
  return op->emitOpError() << "expected an even last extent of " << name
                           << ", as a byte holds two " << type.getElementType()
                           << ", got " << type;
}

//===----------------------------------------------------------------------===//
// rms_norm
//===----------------------------------------------------------------------===//

LogicalResult RmsNormOp::verify() {
  if (!(getEpsilon() >= APFloat(0.0f))) // also NaN
    return emitOpError() << "expected epsilon >= 0.0, got " << getEpsilonAttr();
  if (!getWeightOffset().isZero() && !getWeightOffset().isExactlyValue(1.0))
    return emitOpError() << "expected weight_offset 0.0 or 1.0, got "
                         << getWeightOffsetAttr();
  if (!getWeight())
    return success();
  return verifyType(*this, "weight", getWeight(),
                    getInput().getType().getShape().take_back(),
                    getWeight().getType().getElementType());
}

//===----------------------------------------------------------------------===//
// block_scale, quantize, dequantize
//===----------------------------------------------------------------------===//

LogicalResult BlockScaleOp::verify() {
  ScaleRuleAttr rule = getRule();
  auto scaleType = cast<FloatType>(getFormat().getScaleType());
  if (rule.getZero() == ZeroRow::nan &&
      rule.getScaleOfZeroBlock(scaleType) != 0.0f)
    return emitOpError()
           << "expected a rule by which the scale of a zero block is 0, as it "
              "says zero = nan, got "
           << rule << " and scales of " << scaleType;
  // A power of two of amax alone: the outer scale would not count.
  if (getOuter() &&
      llvm::is_contained({Pow2::floor, Pow2::even, Pow2::ceil}, rule.getPow2()))
    return emitOpError() << "expected pow2 = none or roundup with an outer "
                            "scale, got pow2 = "
                         << stringifyPow2(rule.getPow2());
  return verifyScales(*this, getInput(), getScales(), getOuter(), getFormat());
}

ExtentSource BlockScaleOp::getExtentSource(unsigned, unsigned dim) {
  return {getInput(), dim, getFormat().getBlock()[dim]};
}

LogicalResult QuantizeOp::verify() {
  if (failed(verifyCodes(*this, "result", getResult())))
    return failure();
  return verifyScales(*this, getInput(), getScales(), getOuter(), getFormat());
}

LogicalResult DequantizeOp::verify() {
  if (failed(verifyCodes(*this, "input", getInput())))
    return failure();
  return verifyScales(*this, getInput(), getScales(), getOuter(), getFormat());
}

//===----------------------------------------------------------------------===//
// scaled_matmul
//===----------------------------------------------------------------------===//

static LogicalResult verifyScaleOrder(ScaledMatmulOp op) {
  if (op.getScaleOrder() == ScaleOrder::per_block ||
      op.getScaleOrder() == ScaleOrder::per_block_product)
    return success();
  for (auto [name, scales] :
       {std::pair("A", op.getAScales()), std::pair("B", op.getBScales())})
    if (auto type = cast<ShapedType>(scales.getType());
        type.getShape().back() != 1)
      return op.emitOpError()
             << "expected scale_order per_block, as the scales of " << name
             << " vary along K, got "
             << stringifyScaleOrder(op.getScaleOrder());
  return success();
}

LogicalResult ScaledMatmulOp::verify() {
  auto a = cast<ShapedType>(getA().getType());
  auto b = cast<ShapedType>(getB().getType());
  int64_t rank = a.getRank();
  if (rank != 2 && rank != 3)
    return emitOpError() << "expected A of rank 2, or 3 with a batch, got "
                         << a;
  // All but the rows of A and B.
  auto withoutRows = [](ShapedType type) {
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.end() - 2);
    return shape;
  };
  if (b.getRank() != rank ||
      failed(verifyCompatibleShape(withoutRows(a), withoutRows(b))))
    return emitOpError() << "expected B of the batch and K of A, which is " << a
                         << ", got " << b;
  if (failed(verifyCodes(*this, "A", getA())) ||
      failed(verifyCodes(*this, "B", getB())) ||
      failed(verifyScales(*this, getA(), getAScales(), getOuterA(),
                          getAFormat(), " of A")) ||
      failed(verifyScales(*this, getB(), getBScales(), getOuterB(),
                          getBFormat(), " of B")) ||
      failed(verifyScaleOrder(*this)))
    return failure();

  int64_t columns = b.getDimSize(rank - 2);
  if (getBias() && failed(verifyType(*this, "bias", getBias(), columns,
                                     getBias().getType().getElementType())))
    return failure();
  SmallVector<int64_t> shape(a.getShape());
  shape.back() = columns;
  return verifyType(*this, "result", getResult(), shape,
                    getResult().getType().getElementType());
}

ExtentSource ScaledMatmulOp::getExtentSource(unsigned, unsigned dim) {
  unsigned rank = getResult().getType().getRank();
  if (dim + 1 == rank)
    return {getB(), rank - 2, /*divisor=*/1};
  return {getA(), dim, /*divisor=*/1};
}
