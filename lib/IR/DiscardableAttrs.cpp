//===- DiscardableAttrs.cpp - Attributes of modules, functions, arguments -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/IR/BuiltinOps.h"
#include "qfuse/IR/QFuse.h"

using namespace mlir;
using namespace mlir::qfuse;

/// Emits an error that says what `attr` should be, with what it is.
static LogicalResult emitExpected(Operation *op, NamedAttribute attr,
                                  const Twine &expected) {
  return op->emitOpError() << "expected " << attr.getName().getValue()
                           << " to be " << expected << ", got "
                           << attr.getValue();
}

//===----------------------------------------------------------------------===//
// Modules and functions
//===----------------------------------------------------------------------===//

static bool isGroup(NamedAttribute group) {
  auto size = dyn_cast<IntegerAttr>(group.getValue());
  return size && size.getValue().isStrictlyPositive();
}

/// Emits an error if `groups`, which are sizes, are of more ranks than any
/// machine has, all together.
static LogicalResult verifyNumRanks(Operation *op, DictionaryAttr groups) {
  constexpr uint64_t maxRanks = 65536;
  uint64_t ranks = 1;
  for (NamedAttribute group : groups) {
    ranks *= cast<IntegerAttr>(group.getValue())
                 .getValue()
                 .getLimitedValue(maxRanks + 1);
    if (ranks > maxRanks)
      return op->emitOpError()
             << "expected qfuse.groups of at most " << maxRanks
             << " ranks, all sizes multiplied, got " << groups;
  }
  return success();
}

/// `[low, high]`, both ends included.
static bool isRange(NamedAttribute range) {
  auto ends = dyn_cast<ArrayAttr>(range.getValue());
  if (!ends || ends.size() != 2)
    return false;
  auto low = dyn_cast<IntegerAttr>(ends[0]);
  auto high = dyn_cast<IntegerAttr>(ends[1]);
  return low && high && 0 <= low.getInt() && low.getInt() <= high.getInt();
}

static bool isDictionaryOf(Attribute attr,
                           function_ref<bool(NamedAttribute)> isEntry) {
  auto entries = dyn_cast<DictionaryAttr>(attr);
  return entries && llvm::all_of(entries, isEntry);
}

LogicalResult QFuseDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attr) {
  StringRef name = attr.getName().getValue();
  if (name == "qfuse.ranges") {
    if (!isa<FunctionOpInterface>(op))
      return op->emitOpError() << "expected " << name << " on a function";
    if (!isDictionaryOf(attr.getValue(), isRange))
      return emitExpected(op, attr, "like {M = [0, 16384]}");
    return success();
  }
  if (name != "qfuse.target" && name != "qfuse.groups")
    return op->emitOpError() << "unknown attribute " << name;
  if (!isa<ModuleOp>(op))
    return op->emitOpError() << "expected " << name << " on a module";
  if (name == "qfuse.target" && !isa<TargetAttr>(attr.getValue()))
    return emitExpected(op, attr, "a #qfuse.target");
  if (name == "qfuse.groups" && !isDictionaryOf(attr.getValue(), isGroup))
    return emitExpected(op, attr, "like {tp = 8}");
  if (name == "qfuse.groups")
    return verifyNumRanks(op, cast<DictionaryAttr>(attr.getValue()));
  return success();
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static bool isListOfNames(Attribute attr, int64_t size) {
  auto names = dyn_cast<ArrayAttr>(attr);
  return names && static_cast<int64_t>(names.size()) == size &&
         llvm::all_of(names, llvm::IsaPred<StringAttr>);
}

LogicalResult QFuseDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                     unsigned argument,
                                                     NamedAttribute attr) {
  StringRef name = attr.getName().getValue();
  Attribute value = attr.getValue();
  Type type = cast<FunctionOpInterface>(op).getArgumentTypes()[argument];
  auto shaped = dyn_cast<ShapedType>(type);
  int64_t rank = shaped && shaped.hasRank() ? shaped.getRank() : 0;
  if (name == "qfuse.dims") {
    if (!isListOfNames(value, rank))
      return emitExpected(op, attr,
                          "a list of " + Twine(rank) +
                              " names, as the argument has extents");
    return success();
  }
  if (name == "qfuse.strides") {
    auto strides = dyn_cast<StridedLayoutAttr>(value);
    if (!isa<RankedTensorType>(type))
      return emitExpected(op, attr, "of a builtin tensor");
    if (!strides || static_cast<int64_t>(strides.getStrides().size()) != rank)
      return emitExpected(op, attr, "a strided layout of rank " + Twine(rank));
    // An argument begins at its first element.
    if (strides.getOffset() != 0)
      return emitExpected(op, attr, "without an offset");
    return success();
  }
  if (name == "qfuse.role") {
    if (value != StringAttr::get(getContext(), "weight"))
      return emitExpected(op, attr, "\"weight\"");
    return success();
  }
  if (name == "qfuse.donated") {
    if (!isa<UnitAttr>(value))
      return emitExpected(op, attr, "without a value");
    return success();
  }
  if (name == "qfuse.uniform") {
    if (!isa<StringAttr>(value))
      return emitExpected(op, attr, "the name of a group");
    return success();
  }
  return op->emitOpError() << "unknown attribute " << name << " of an argument";
}
