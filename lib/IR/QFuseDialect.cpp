//===- QFuseDialect.cpp - The qfuse dialect -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "qfuse/IR/QFuse.h"
#include "llvm/ADT/TypeSwitch.h"
#include <mutex>

using namespace mlir;
using namespace mlir::qfuse;

#include "qfuse/IR/QFuseDialect.cpp.inc"

ArrayRef<std::pair<StringRef, StringRef>> qfuse::getPresets() {
  // mlir/IR/OpImplementation.h: an alias must not end in a digit, as the
  // printer adds one to tell equal names apart.
  static constexpr std::pair<StringRef, StringRef> presets[] = {
      {"fp8_per_token", "#qfuse.format<block = [1, 0]>"},
      {"fp8_block", "#qfuse.format<block = [1, 128]>"},
      {"mxfp", "#qfuse.format<block = [1, 32], scale_type = f8E8M0FNU>"},
      {"aiter_mxfp4_roundup",
       "#qfuse.scale_rule<max = 6.0, divide = by_reciprocal_constant, "
       "amax_floor = 1.0e-10, pow2 = roundup>"},
      {"aiter_triton_mxfp4_even",
       "#qfuse.scale_rule<max = 6.0, pow2 = even>"},
      {"mx_shuffle",
       "#qfuse.layout<map = (m, k) -> (m floordiv 32, k floordiv 8, k mod 4, "
       "m mod 16, (k floordiv 4) mod 2, (m floordiv 16) mod 2), "
       "align = [256, 8]>"}};
  return presets;
}

namespace {
/// Prints attributes under aliases: well-known ones under their own name, which
/// are IR text, as a user would write them; others under their mnemonic.
class AttributeAliases : public OpAsmDialectInterface {
public:
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (&attr.getDialect() != getDialect())
      return AliasResult::NoAlias;
    std::call_once(parsed, [&] { parseWellKnown(attr.getContext()); });
    StringRef name = names.lookup(attr);
    if (name.empty())
      name = llvm::TypeSwitch<Attribute, StringRef>(attr)
                 .Case<LayoutAttr, FormatAttr, ScaleRuleAttr, EncodeRuleAttr,
                       MatmulRowAttr, TargetAttr>(
                     [](auto own) { return own.getMnemonic(); })
                 .Default(StringRef());
    if (name.empty())
      return AliasResult::NoAlias;
    os << name;
    // Overridable: an attribute that contains this one may have its own name.
    return AliasResult::OverridableAlias;
  }

private:
  /// At the first use and not in the constructor, where parsing an attribute of
  /// this dialect crashes.
  void parseWellKnown(MLIRContext *context) const {
    for (auto [name, text] : getPresets())
      names[parseAttribute(text, context)] = name;
  }

  mutable std::once_flag parsed;
  mutable DenseMap<Attribute, StringRef> names;
};
} // namespace

void QFuseDialect::initialize() {
  registerAttributes();
  registerBytecode();
  registerTypes();
  registerOps();
  addInterfaces<AttributeAliases>();
}

Operation *QFuseDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
