//===- Presets.cpp - Table of public formats, rules and layouts -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/IR/Presets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::qfuse;

static constexpr struct {
  StringLiteral name;
  StringLiteral text;
} table[] = {
#include "Presets.inc"
};

StringRef qfuse::getPresetTable() { return table[0].text; }

static OwningOpRef<ModuleOp> parseTable(MLIRContext *context) {
  context->loadDialect<QFuseDialect, arith::ArithDialect, func::FuncDialect>();
  auto module = parseSourceString<ModuleOp>(getPresetTable(), context);
  assert(module && "the table is IR");
  return module;
}

static StringRef getText(func::FuncOp entry, StringRef name) {
  auto text = entry->getAttrOfType<StringAttr>(name);
  return text ? text.getValue() : StringRef();
}

/// Returns whether `entry` quantizes, or says why none of the rules can.
static bool isPreset(func::FuncOp entry) {
  return entry->hasAttr("not_expressible") ||
         entry.walk([](QuantizeOp) { return WalkResult::interrupt(); })
             .wasInterrupted();
}

static bool isLayout(func::FuncOp entry) {
  return entry.isExternal() && !isPreset(entry);
}

static Preset readPreset(func::FuncOp entry) {
  Preset preset;
  preset.name = entry.getSymNameAttr().getValue();
  preset.summary = getText(entry, "summary");
  preset.source = getText(entry, "source");
  preset.notExpressible = getText(entry, "not_expressible");
  entry.walk([&](BlockScaleOp op) {
    preset.computed = op.getFormat();
    preset.scaleRule = op.getRule();
    preset.nanOnZeroBlock = op.getRule().getZero() == ZeroRow::nan;
  });
  entry.walk([&](QuantizeOp op) {
    preset.format = op.getFormat();
    preset.encodeRule = op.getRule();
    preset.input = getElementTypeOrSelf(op.getInput());
    preset.codes = getElementTypeOrSelf(op.getResult());
  });
  return preset;
}

SmallVector<Preset> qfuse::getPresets(MLIRContext *context) {
  OwningOpRef<ModuleOp> module = parseTable(context);
  SmallVector<Preset> presets;
  for (auto entry : module->getOps<func::FuncOp>())
    if (isPreset(entry))
      presets.push_back(readPreset(entry));
  return presets;
}

SmallVector<NamedLayout> qfuse::getLayouts(MLIRContext *context) {
  OwningOpRef<ModuleOp> module = parseTable(context);
  SmallVector<NamedLayout> layouts;
  for (auto entry : module->getOps<func::FuncOp>()) {
    if (!isLayout(entry))
      continue;
    NamedLayout &layout = layouts.emplace_back();
    layout.name = entry.getSymNameAttr().getValue();
    layout.summary = getText(entry, "summary");
    layout.source = getText(entry, "source");
    for (Type type : entry.getArgumentTypes())
      layout.types.push_back(cast<PackedType>(type));
  }
  return layouts;
}

FailureOr<LayoutAttr> qfuse::findLayout(StringRef name, unsigned bitWidth,
                                        Location loc) {
  SmallVector<NamedLayout> layouts = getLayouts(loc.getContext());
  auto *layout = llvm::find_if(
      layouts, [&](const NamedLayout &each) { return each.name == name; });
  if (layout == layouts.end()) {
    InFlightDiagnostic error = emitError(loc) << "expected a layout that is one"
                                                 " of ";
    llvm::interleaveComma(layouts, error,
                          [&](const NamedLayout &each) { error << each.name; });
    return error << ", got '" << name << "'";
  }
  for (PackedType type : layout->types)
    if (type.getElementTypeBitWidth() == bitWidth)
      return type.getLayout();
  InFlightDiagnostic error = emitError(loc) << "expected elements of ";
  llvm::interleave(
      layout->types, error,
      [&](PackedType type) { error << type.getElementTypeBitWidth(); }, " or ");
  return error << " bits for the layout " << name << ", got " << bitWidth;
}
