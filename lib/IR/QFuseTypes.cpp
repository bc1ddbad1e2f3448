//===- QFuseTypes.cpp - Packed values -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "qfuse/IR/QFuse.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::qfuse;

/// `?x224xf8E8M0FNU`.
static ParseResult parseShapeAndElementType(AsmParser &parser,
                                            SmallVector<int64_t> &shape,
                                            Type &elementType) {
  return failure(parser.parseDimensionList(shape) ||
                 parser.parseType(elementType));
}

static void printShapeAndElementType(AsmPrinter &printer,
                                     ArrayRef<int64_t> shape,
                                     Type elementType) {
  printer.printDimensionList(shape);
  printer << 'x' << elementType;
}

#define GET_TYPEDEF_CLASSES
#include "qfuse/IR/QFuseTypes.cpp.inc"

void QFuseDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "qfuse/IR/QFuseTypes.cpp.inc"
      >();
}

LogicalResult PackedType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type elementType,
                                 LayoutAttr layout) {
  if (!elementType.isIntOrFloat())
    return emitError() << "expected an integer or float element type, got "
                       << elementType;
  if (layout.getMap().getNumDims() != shape.size())
    return emitError() << "expected a layout of rank " << shape.size()
                       << ", got rank " << layout.getMap().getNumDims()
                       << " of " << layout;
  return success();
}

ShapedType PackedType::cloneWith(std::optional<ArrayRef<int64_t>> shape,
                                 Type elementType) const {
  return PackedType::get(shape.value_or(getShape()), elementType, getLayout());
}

RankedTensorType PackedType::getLogicalType() const {
  return RankedTensorType::get(getShape(), getElementType());
}

AffineMap PackedType::getStorageSizeMap() const {
  AffineMap elements = getLayout().getPhysicalSizeMap();
  AffineExpr bits =
      elements.getResult(0) * getElementType().getIntOrFloatBitWidth();
  return AffineMap::get(0, elements.getNumSymbols(), bits.ceilDiv(8));
}

RankedTensorType qfuse::getStorageType(ShapedType type) {
  int64_t bytes = ShapedType::kDynamic;
  if (type.hasStaticShape()) {
    auto packed = dyn_cast<PackedType>(type);
    int64_t elements = packed ? packed.getLayout().physicalSize(type.getShape())
                              : type.getNumElements();
    bytes = llvm::divideCeil(elements * type.getElementTypeBitWidth(), 8);
  }
  return RankedTensorType::get(bytes, IntegerType::get(type.getContext(), 8));
}

FailureOr<bufferization::BufferLikeType>
PackedType::getBufferType(const bufferization::BufferizationOptions &,
                          function_ref<InFlightDiagnostic()>) const {
  RankedTensorType storage = getStorageType(*this);
  return cast<bufferization::BufferLikeType>(
      MemRefType::get(storage.getShape(), storage.getElementType()));
}

LogicalResult PackedType::verifyCompatibleBufferType(
    bufferization::BufferLikeType bufferType,
    function_ref<InFlightDiagnostic()> emitError) const {
  RankedTensorType storage = getStorageType(*this);
  auto memref = dyn_cast<MemRefType>(bufferType);
  if (!memref || memref.getElementType() != storage.getElementType() ||
      failed(verifyCompatibleShape(memref, storage)))
    return emitError() << "expected a buffer of the bytes of " << *this
                       << ", got " << bufferType;
  return success();
}
