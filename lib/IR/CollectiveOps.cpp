//===- CollectiveOps.cpp - Ops that the ranks of a group share ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "qfuse/IR/QFuse.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::qfuse;

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

static DictionaryAttr getGroups(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto groups = op->getAttrOfType<DictionaryAttr>("qfuse.groups"))
      return groups;
  return {};
}

static int64_t getSize(NamedAttribute group) {
  return cast<IntegerAttr>(group.getValue()).getInt();
}

int64_t qfuse::getNumRanks(Operation *op) {
  int64_t ranks = 1;
  if (DictionaryAttr groups = getGroups(op))
    for (NamedAttribute group : groups)
      ranks *= getSize(group);
  return ranks;
}

std::optional<RankGroup> qfuse::findGroup(Operation *op, StringRef name) {
  DictionaryAttr groups = getGroups(op);
  if (!groups || !groups.contains(name))
    return std::nullopt;
  // A dictionary is sorted. The last dimension varies fastest.
  RankGroup found;
  for (NamedAttribute group : llvm::reverse(groups.getValue())) {
    if (group.getName() == name) {
      found.size = getSize(group);
      return found;
    }
    found.stride *= getSize(group);
  }
  llvm_unreachable("the dictionary contains the name");
}

/// Emits an error if the module does not have the group of `op`.
static FailureOr<RankGroup> verifyGroup(Operation *op, StringRef name) {
  if (std::optional<RankGroup> group = findGroup(op, name))
    return *group;
  return op->emitOpError() << "expected group \"" << name
                           << "\" in qfuse.groups of the module, got "
                           << (getGroups(op)
                                   ? Attribute(getGroups(op))
                                   : DictionaryAttr::get(op->getContext()));
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Emits an error unless `part` and `whole` are alike but for their extents
/// along `dim`, and the bytes of parts follow one another in the whole.
static LogicalResult verifyParts(Operation *op, Value part, Value whole,
                                 int64_t dim) {
  auto partType = cast<ShapedType>(part.getType());
  auto wholeType = cast<ShapedType>(whole.getType());
  if (dim >= partType.getRank())
    return op->emitOpError()
           << "expected a dimension of " << partType << ", got " << dim;
  SmallVector<int64_t> shape(wholeType.getShape());
  if (wholeType.getRank() == partType.getRank())
    shape[dim] = partType.getDimSize(dim);
  if (wholeType.getRank() != partType.getRank() ||
      wholeType.clone(shape) != partType)
    return op->emitOpError()
           << "expected types that differ in the extent of dimension " << dim
           << " only, got " << op->getOperand(0).getType() << " and "
           << op->getResult(0).getType();
  auto packed = dyn_cast<PackedType>(partType);
  if (!packed)
    return success();
  // What holds for one row holds for any number of rows.
  int64_t extent = packed.isDynamicDim(dim) ? 1 : packed.getDimSize(dim);
  if (packed.getLayout().commutesWithConcat(dim, extent))
    return success();
  return op->emitOpError()
         << "expected a layout of which parts follow one another along "
            "dimension "
         << dim << ", got " << partType
         << " as the part; use tensors, and pack "
         << "what comes out";
}

/// Emits an error unless the extents of `whole` along `dim` are those of `part`
/// on each rank of the group.
static LogicalResult verifyExtents(Operation *op, StringRef name, Value part,
                                   Value whole, int64_t dim) {
  FailureOr<RankGroup> group = verifyGroup(op, name);
  if (failed(group))
    return failure();
  int64_t ofPart = cast<ShapedType>(part.getType()).getDimSize(dim);
  int64_t ofWhole = cast<ShapedType>(whole.getType()).getDimSize(dim);
  bool isDynamic = ShapedType::isDynamic(ofPart);
  int64_t ofAll = 0;
  bool fits = isDynamic || (!llvm::MulOverflow(ofPart, group->size, ofAll) &&
                            ofAll == ofWhole);
  if (isDynamic == ShapedType::isDynamic(ofWhole) && fits)
    return success();
  return op->emitOpError() << "expected extents whose ratio in dimension "
                           << dim << " is the " << group->size
                           << " ranks of group \"" << name << "\", got "
                           << part.getType() << " and " << whole.getType();
}

/// Appends the extents of `input`, but `change` of that along `dim`.
static void reifyParts(OpBuilder &builder, Location loc, Value input,
                       int64_t dim, AffineExpr change,
                       ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> &shape = shapes.emplace_back();
  int64_t rank = cast<ShapedType>(input.getType()).getRank();
  for (int64_t each : llvm::seq(rank)) {
    shape.push_back(getExtent(builder, loc, input, each));
    if (each == dim)
      shape.back() = affine::makeComposedFoldedAffineApply(builder, loc, change,
                                                           shape.back());
  }
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult AllReduceOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyGroup(*this, getGroup());
}

LogicalResult ReduceScatterOp::verify() {
  Type element = cast<ShapedType>(getInput().getType()).getElementType();
  if (!element.isF32() && !element.isBF16() && !element.isF16() &&
      !element.isInteger(32))
    return emitOpError() << "expected elements of f32, bf16, f16 or i32, got "
                         << getInput().getType();
  return verifyParts(*this, getResult(), getInput(), getDim());
}

LogicalResult ReduceScatterOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyExtents(*this, getGroup(), getResult(), getInput(), getDim());
}

LogicalResult
ReduceScatterOp::reifyResultShapes(OpBuilder &builder,
                                   ReifiedRankedShapedTypeDims &shapes) {
  std::optional<RankGroup> group = findGroup(*this, getGroup());
  if (!group)
    return failure();
  reifyParts(builder, getLoc(), getInput(), getDim(),
             builder.getAffineSymbolExpr(0).floorDiv(group->size), shapes);
  return success();
}

LogicalResult AllGatherOp::verify() {
  return verifyParts(*this, getInput(), getResult(), getDim());
}

LogicalResult AllGatherOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyExtents(*this, getGroup(), getInput(), getResult(), getDim());
}

LogicalResult
AllGatherOp::reifyResultShapes(OpBuilder &builder,
                               ReifiedRankedShapedTypeDims &shapes) {
  std::optional<RankGroup> group = findGroup(*this, getGroup());
  if (!group)
    return failure();
  reifyParts(builder, getLoc(), getInput(), getDim(),
             builder.getAffineSymbolExpr(0) * group->size, shapes);
  return success();
}
