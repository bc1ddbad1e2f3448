//===- Bytecode.cpp - Attributes without a nested text form ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "qfuse/IR/QFuse.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::qfuse;

namespace {
/// The text of an attribute is its bytecode, unless a dialect encodes it. A row
/// has to be encoded, and so has what contains one: the `>=` of its condition
/// cannot be parsed inside of a dialect attribute.
class QFuseBytecode : public BytecodeDialectInterface {
public:
  // Not inherited: the constructor is protected.
  explicit QFuseBytecode(Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  LogicalResult writeAttribute(Attribute attr,
                               DialectBytecodeWriter &writer) const override {
    return llvm::TypeSwitch<Attribute, LogicalResult>(attr)
        .Case<MatmulRowAttr, TargetAttr>([&](auto encoded) {
          write(encoded, writer);
          return success();
        })
        .Default([](Attribute) { return failure(); });
  }

  Attribute readAttribute(DialectBytecodeReader &reader) const override {
    uint64_t kind;
    if (failed(reader.readVarInt(kind)))
      return {};
    switch (kind) {
    case matmulRow:
      return readMatmulRow(reader);
    case target:
      return readTarget(reader);
    }
    reader.emitError() << "unknown qfuse attribute code " << kind;
    return {};
  }

private:
  /// Part of the format: a code keeps its meaning.
  enum Kind : uint64_t { matmulRow = 0, target = 1 };

  static void write(MatmulRowAttr row, DialectBytecodeWriter &writer) {
    writer.writeVarInt(matmulRow);
    writer.writeOwnedString(row.getName());
    writer.writeAttribute(row.getA());
    writer.writeAttribute(row.getB());
    writer.writeTypes(row.getResults());
    writer.writeOptionalAttribute(row.getWhen());
    writer.writeVarInt(static_cast<uint64_t>(row.getProvider()));
    writer.writeOwnedString(row.getNeeds());
    writer.writeOwnedString(row.getSource());
  }

  static Attribute readMatmulRow(DialectBytecodeReader &reader) {
    StringRef name, needs, source;
    OperandAttr a, b;
    SmallVector<Type> results;
    IntegerSetAttr when;
    uint64_t code;
    if (failed(reader.readString(name)) || failed(reader.readAttribute(a)) ||
        failed(reader.readAttribute(b)) || failed(reader.readTypes(results)) ||
        failed(reader.readOptionalAttribute(when)) ||
        failed(reader.readVarInt(code)) || failed(reader.readString(needs)) ||
        failed(reader.readString(source)))
      return {};
    std::optional<Provider> provider = symbolizeProvider(code);
    if (!provider) {
      reader.emitError() << "unknown provider code " << code;
      return {};
    }
    return MatmulRowAttr::getChecked(
        [&] { return reader.emitError(); }, reader.getContext(), name, a, b,
        ArrayRef(results), when, *provider, needs, source);
  }

  static void write(TargetAttr attr, DialectBytecodeWriter &writer) {
    writer.writeVarInt(target);
    writer.writeAttribute(attr.getDevice());
    writer.writeAttribute(attr.getFeatures());
    writer.writeAttribute(attr.getCosts());
    writer.writeAttributes(attr.getRows());
  }

  static Attribute readTarget(DialectBytecodeReader &reader) {
    Attribute device;
    DictionaryAttr features, costs;
    SmallVector<MatmulRowAttr> rows;
    if (failed(reader.readAttribute(device)) ||
        failed(reader.readAttribute(features)) ||
        failed(reader.readAttribute(costs)) ||
        failed(reader.readAttributes(rows)))
      return {};
    return TargetAttr::getChecked([&] { return reader.emitError(); },
                                  reader.getContext(), device, features, costs,
                                  ArrayRef(rows));
  }
};
} // namespace

void QFuseDialect::registerBytecode() { addInterfaces<QFuseBytecode>(); }
