//===- Extents.cpp - Integer expressions of a manifest --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Extents.h"

using namespace mlir;
using namespace mlir::qfuse;

namespace json = llvm::json;

/// Name of extent `dim` of argument `index`: that of `qfuse.dims`, if any.
static std::string getDimName(func::FuncOp function, unsigned index,
                              unsigned dim) {
  if (auto dims = function.getArgAttrOfType<ArrayAttr>(index, "qfuse.dims"))
    if (StringRef name = cast<StringAttr>(dims[dim]).getValue(); !name.empty())
      return name.str();
  return llvm::formatv("arg{0}.{1}", index, dim);
}

Extents::Extents(func::FuncOp function) : function(function) {
  // All of them, also those that no step needs: a launch binds them.
  for (BlockArgument argument : function.getArguments())
    if (auto type = dyn_cast<ShapedType>(argument.getType()))
      for (unsigned dim : llvm::seq(type.getRank()))
        if (type.isDynamicDim(dim))
          getSymbol(getDimName(function, argument.getArgNumber(), dim));
}

AffineExpr Extents::getSymbol(const Twine &name) {
  std::string text = name.str();
  auto found = llvm::find(names, text);
  unsigned position = found - names.begin();
  if (found == names.end())
    names.push_back(text);
  return getAffineSymbolExpr(position, function.getContext());
}

FailureOr<AffineExpr> Extents::getExtent(Value value, unsigned dim) {
  auto type = cast<ShapedType>(value.getType());
  if (!type.isDynamicDim(dim))
    return getAffineConstantExpr(type.getDimSize(dim), function.getContext());
  if (auto argument = dyn_cast<BlockArgument>(value))
    return getSymbol(getDimName(function, argument.getArgNumber(), dim));

  auto launch = value.getDefiningOp<LaunchOp>();
  if (!launch)
    return value.getDefiningOp()->emitOpError()
           << "has a result whose extents no launch plan can express";
  auto kernel = SymbolTable::lookupNearestSymbolFrom<KernelDefOp>(
      launch, launch.getCalleeAttr());
  Value yielded =
      kernel.getYield().getValues()[cast<OpResult>(value).getResultNumber()];
  FailureOr<ExtentSource> source = traceToArgument({yielded, dim, 1});
  if (failed(source))
    return launch.emitOpError()
           << "has a result with an extent that comes from no input";
  unsigned input = cast<BlockArgument>(source->value).getArgNumber();
  FailureOr<AffineExpr> extent =
      getExtent(launch.getInputs()[input], source->dim);
  if (failed(extent))
    return failure();
  return extent->ceilDiv(source->divisor);
}

FailureOr<SmallVector<AffineExpr>> Extents::getShape(Value value) {
  SmallVector<AffineExpr> shape;
  for (unsigned dim :
       llvm::seq<unsigned>(cast<ShapedType>(value.getType()).getRank())) {
    FailureOr<AffineExpr> extent = getExtent(value, dim);
    if (failed(extent))
      return failure();
    shape.push_back(*extent);
  }
  return shape;
}

FailureOr<SmallVector<AffineExpr>> Extents::getDenseStrides(Value value) {
  AffineExpr stride = getAffineConstantExpr(1, function.getContext());
  if (isa<PackedType>(value.getType()))
    return SmallVector<AffineExpr>{stride};
  FailureOr<SmallVector<AffineExpr>> shape = getShape(value);
  if (failed(shape))
    return failure();
  SmallVector<AffineExpr> strides(shape->size());
  for (unsigned dim = shape->size(); dim-- > 0;) {
    strides[dim] = stride;
    stride = stride * (*shape)[dim];
  }
  return strides;
}

FailureOr<SmallVector<AffineExpr>> Extents::getStrides(Value value) {
  StridedLayoutAttr stated = getStatedStrides(value);
  if (!stated)
    return getDenseStrides(value);
  unsigned index = cast<BlockArgument>(value).getArgNumber();
  SmallVector<AffineExpr> strides;
  for (auto [dim, size] : llvm::enumerate(stated.getStrides()))
    strides.push_back(
        ShapedType::isDynamic(size)
            ? getSymbol(llvm::formatv("arg{0}.stride{1}", index, dim))
            : getAffineConstantExpr(size, function.getContext()));
  return strides;
}

StridedLayoutAttr Extents::getStatedStrides(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument ? function.getArgAttrOfType<StridedLayoutAttr>(
                        argument.getArgNumber(), "qfuse.strides")
                  : StridedLayoutAttr();
}

FailureOr<AffineExpr> Extents::getBytes(Value value) {
  FailureOr<SmallVector<AffineExpr>> shape = getShape(value);
  if (failed(shape))
    return failure();
  if (auto packed = dyn_cast<PackedType>(value.getType()))
    return packed.getStorageSizeMap().getResult(0).replaceSymbols(*shape);
  AffineExpr elements = getAffineConstantExpr(1, function.getContext());
  for (AffineExpr extent : *shape)
    elements = elements * extent;
  unsigned bits = cast<ShapedType>(value.getType()).getElementTypeBitWidth();
  return bits % 8 == 0 ? elements * (bits / 8) : (elements * bits).ceilDiv(8);
}

json::Value Extents::toJson(AffineExpr expr) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return names[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  static constexpr std::pair<AffineExprKind, StringLiteral> operations[] = {
      {AffineExprKind::Add, "add"},
      {AffineExprKind::Mul, "mul"},
      {AffineExprKind::FloorDiv, "floordiv"},
      {AffineExprKind::CeilDiv, "ceildiv"},
      {AffineExprKind::Mod, "mod"}};
  const auto *found = llvm::find_if(operations, [&](const auto &operation) {
    return operation.first == binary.getKind();
  });
  assert(found != std::end(operations) && "all kinds are listed");
  return json::Object{
      {"op", found->second},
      {"args", json::Array{toJson(binary.getLHS()), toJson(binary.getRHS())}}};
}

json::Object Extents::getDims() const {
  auto ranges = function->getAttrOfType<DictionaryAttr>("qfuse.ranges");
  json::Object dims;
  for (const std::string &name : names) {
    if (StringRef(name).contains(".stride"))
      continue;
    // Kernels get extents as i32.
    json::Array range{0, std::numeric_limits<int32_t>::max()};
    if (auto stated = ranges ? ranges.getAs<ArrayAttr>(name) : ArrayAttr())
      range = json::Array{cast<IntegerAttr>(stated[0]).getInt(),
                          cast<IntegerAttr>(stated[1]).getInt()};
    dims[json::ObjectKey(std::string(name))] = std::move(range);
  }
  return dims;
}
