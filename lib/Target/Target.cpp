//===- Target.cpp - Built-in targets and look-ups -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Target/Target.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::qfuse;

//===----------------------------------------------------------------------===//
// Built-in targets
//===----------------------------------------------------------------------===//

static constexpr struct {
  StringLiteral name;
  StringLiteral text;
} builtIn[] = {
#include "Targets.inc"
};

ArrayRef<StringRef> qfuse::getTargetNames() {
  static const SmallVector<StringRef> names = [] {
    SmallVector<StringRef> all;
    for (const auto &target : builtIn)
      all.push_back(target.name);
    return all;
  }();
  return names;
}

void qfuse::registerTargetDialects(DialectRegistry &registry) {
  registry.insert<QFuseDialect, ROCDL::ROCDLDialect, NVVM::NVVMDialect>();
}

static FailureOr<TargetAttr> getTargetOf(ModuleOp module, StringRef file) {
  if (auto target = module->getAttrOfType<TargetAttr>(targetAttrName))
    return target;
  return module.emitError()
         << "expected a module with " << targetAttrName << " in " << file;
}

FailureOr<TargetAttr> qfuse::loadTarget(StringRef name, Location loc) {
  MLIRContext *context = loc.getContext();
  ParserConfig config(context);
  if (name.ends_with(".mlir")) {
    auto module = parseSourceFile<ModuleOp>(name, config);
    if (!module)
      return failure(); // has been reported
    return getTargetOf(*module, name);
  }
  for (const auto &target : builtIn)
    if (target.name == name) {
      auto module = parseSourceString<ModuleOp>(target.text, config, name);
      if (!module)
        return failure();
      return getTargetOf(*module, name);
    }
  return emitError(loc) << "expected a target that is one of "
                        << llvm::join(getTargetNames(), ", ")
                        << " or a file that ends in .mlir, got '" << name
                        << "'";
}

//===----------------------------------------------------------------------===//
// Look-ups
//===----------------------------------------------------------------------===//

FailureOr<TargetAttr> qfuse::getTarget(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  TargetAttr target =
      module ? module->getAttrOfType<TargetAttr>(targetAttrName) : TargetAttr();
  if (target)
    return target;
  return op->emitError() << "expected a module with " << targetAttrName
                         << "; run qfuse-attach-target first";
}

std::optional<int64_t> qfuse::getIntegerFeature(TargetAttr target,
                                                StringRef name) {
  if (auto value = target.getFeatures().getAs<IntegerAttr>(name))
    return value.getInt();
  return std::nullopt;
}

StringRef qfuse::getStringFeature(TargetAttr target, StringRef name) {
  auto value = target.getFeatures().getAs<StringAttr>(name);
  return value ? value.getValue() : StringRef();
}

bool qfuse::hasFeature(TargetAttr target, StringRef name) {
  auto value = target.getFeatures().getAs<BoolAttr>(name);
  return value && value.getValue();
}

/// Returns whether `operand` is what `value` and its `scales` are.
static bool reads(OperandAttr operand, Value value, Value scales,
                  FormatAttr format) {
  auto getLayout = [](Value each) {
    auto packed = dyn_cast<PackedType>(each.getType());
    return packed ? packed.getLayout() : LayoutAttr();
  };
  return getElementTypeOrSelf(value.getType()) == operand.getType() &&
         format == operand.getFormat() &&
         getLayout(value) == operand.getLayout() &&
         getLayout(scales) == operand.getScaleLayout();
}

/// Returns whether a constraint of `when` that only has extents which are
/// static in (m, n, k) does not hold. -1: not static.
static bool excludes(IntegerSetAttr when, ArrayRef<int64_t> extents) {
  if (!when)
    return false;
  IntegerSet set = when.getValue();
  MLIRContext *context = when.getContext();
  SmallVector<AffineExpr> dims;
  for (auto [position, extent] : llvm::enumerate(extents))
    dims.push_back(ShapedType::isDynamic(extent)
                       ? getAffineDimExpr(position, context)
                       : getAffineConstantExpr(extent, context));
  for (auto [constraint, isEquality] :
       llvm::zip_equal(set.getConstraints(), set.getEqFlags())) {
    auto value = dyn_cast<AffineConstantExpr>(
        simplifyAffineExpr(constraint.replaceDims(dims), dims.size(), 0));
    if (value && (isEquality ? value.getValue() != 0 : value.getValue() < 0))
      return true;
  }
  return false;
}

MatmulRowAttr qfuse::findRow(TargetAttr target, ScaledMatmulOp op) {
  ArrayRef<int64_t> a = cast<ShapedType>(op.getA().getType()).getShape();
  ArrayRef<int64_t> b = cast<ShapedType>(op.getB().getType()).getShape();
  int64_t extents[] = {a[a.size() - 2], b[b.size() - 2], a.back()};
  Type result = getElementTypeOrSelf(op.getResult().getType());
  for (MatmulRowAttr row : target.getRows())
    if (llvm::is_contained(row.getResults(), result) &&
        reads(row.getA(), op.getA(), op.getAScales(), op.getAFormat()) &&
        reads(row.getB(), op.getB(), op.getBScales(), op.getBFormat()) &&
        !excludes(row.getWhen(), extents))
      return row;
  return {};
}
