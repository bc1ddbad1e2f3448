//===- QFuseDialect.cpp - The qfuse dialect -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "qfuse/IR/Presets.h"
#include "llvm/ADT/TypeSwitch.h"
#include <mutex>

using namespace mlir;
using namespace mlir::qfuse;

#include "qfuse/IR/QFuseDialect.cpp.inc"

namespace {
/// Prints attributes under aliases: those of the table of presets under the
/// name they have there, others under their mnemonic.
class AttributeAliases : public OpAsmDialectInterface {
public:
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (&attr.getDialect() != getDialect())
      return AliasResult::NoAlias;
    std::call_once(parsed, [&] { parseAliases(attr.getContext()); });
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
  /// this dialect crashes. Reads the aliases of the table alone: a dialect of
  /// its functions cannot be loaded while the printer runs.
  void parseAliases(MLIRContext *context) const {
    for (StringRef line : llvm::split(getPresetTable(), '\n')) {
      if (!line.consume_front("#"))
        continue;
      auto [name, text] = line.split(" = ");
      names.try_emplace(parseAttribute(text, context), name);
    }
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
