//===- QFuseAttrs.cpp - Assembly of attributes, formats and targets -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/IntegerSet.h"
#include "qfuse/IR/QFuse.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::qfuse;

//===----------------------------------------------------------------------===//
// Custom directives
//===----------------------------------------------------------------------===//

// Lists in brackets. A bare list would swallow the comma before the next
// parameter.

static ParseResult parseIntegerList(AsmParser &parser,
                                    SmallVector<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(values.emplace_back());
  });
}

static void printIntegerList(AsmPrinter &printer, ArrayRef<int64_t> values) {
  printer << '[' << values << ']';
}

static ParseResult parseTypeList(AsmParser &parser, SmallVector<Type> &types) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseType(types.emplace_back());
  });
}

static void printTypeList(AsmPrinter &printer, ArrayRef<Type> types) {
  printer << '[' << types << ']';
}

static ParseResult parseRowList(AsmParser &parser,
                                SmallVector<MatmulRowAttr> &rows) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseAttribute(rows.emplace_back());
  });
}

static void printRowList(AsmPrinter &printer, ArrayRef<MatmulRowAttr> rows) {
  printer << '[' << rows << ']';
}

namespace mlir::qfuse {
static FailureOr<APFloat> parseF64(AsmParser &parser) {
  APFloat value(0.0);
  if (parser.parseFloat(value.getSemantics(), value))
    return failure();
  return value;
}

static FailureOr<FloatAttr> parseF64Attr(AsmParser &parser) {
  FailureOr<APFloat> value = parseF64(parser);
  if (failed(value))
    return failure();
  return FloatAttr::get(parser.getBuilder().getF64Type(), *value);
}
} // namespace mlir::qfuse

#include "qfuse/IR/QFuseEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "qfuse/IR/QFuseAttrs.cpp.inc"

void QFuseDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "qfuse/IR/QFuseAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

bool qfuse::isCodeType(Type type) {
  return isa<Float8E4M3FNType, Float8E4M3FNUZType, Float8E5M2Type,
             Float8E5M2FNUZType, Float4E2M1FNType>(type) ||
         type.isSignlessInteger(8);
}

LogicalResult FormatAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> block, Type scaleType,
                                 Type outerScale) {
  for (int64_t extent : block)
    if (extent < 0)
      return emitError() << "expected block extents of 0 or more, got "
                         << extent;
  for (Type type : {scaleType, outerScale})
    if (type && !isa<FloatType>(type))
      return emitError() << "expected scales of a float type, got " << type;
  return success();
}

SmallVector<int64_t> FormatAttr::getScaleShape(ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> scales;
  for (auto [size, extent] : llvm::zip_equal(shape, getBlock())) {
    if (extent == 0)
      scales.push_back(1);
    else if (ShapedType::isDynamic(size))
      scales.push_back(ShapedType::kDynamic);
    else
      scales.push_back(llvm::divideCeil(size, extent));
  }
  return scales;
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

LogicalResult OperandAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  Type type, LayoutAttr layout,
                                  FormatAttr format, LayoutAttr scaleLayout) {
  if (!isCodeType(type))
    return emitError() << "expected an operand of codes: fp8, f4E2M1FN or i8, "
                          "got "
                       << type;
  size_t rank = format.getBlock().size();
  for (LayoutAttr each : {layout, scaleLayout})
    if (each && each.getMap().getNumDims() != rank)
      return emitError() << "expected a layout of rank " << rank
                         << ", as the format has, got " << each;
  return success();
}

LogicalResult
MatmulRowAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef,
                      OperandAttr, OperandAttr, ArrayRef<Type> results,
                      IntegerSetAttr when, Provider, StringRef, StringRef) {
  if (results.empty())
    return emitError() << "expected a result type";
  for (Type type : results)
    if (!isa<Float32Type, Float16Type, BFloat16Type>(type))
      return emitError() << "expected results of f32, f16 or bf16, got "
                         << type;
  if (when && (when.getValue().getNumDims() != 3 ||
               when.getValue().getNumSymbols() != 0))
    return emitError() << "expected a condition on (m, n, k), got " << when;
  return success();
}

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 Attribute, DictionaryAttr,
                                 DictionaryAttr costs,
                                 ArrayRef<MatmulRowAttr>) {
  for (NamedAttribute cost : costs)
    if (!isa<FloatAttr, IntegerAttr>(cost.getValue()))
      return emitError() << "expected a number as cost " << cost.getName()
                         << ", got " << cost.getValue();
  return success();
}
