//===- Bytecode.cpp - Version, and attributes without a nested text form --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Bytecode/BytecodeImplementation.h"
#include "qfuse/IR/QFuse.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::qfuse;

/// Of what this build writes. It becomes larger with each change after which an
/// older build would misread or refuse what is written: the syntax or a default
/// of an attribute or type, which are stored as their text; the properties of
/// an op; an encoding below. What an older version means is kept: each file of
/// `test/IR/Inputs/bytecode` stays readable.
static constexpr uint64_t currentVersion = 3;

namespace {
struct Version : DialectVersion {
  explicit Version(uint64_t number) : number(number) {}
  uint64_t number;
};

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

  LogicalResult writeType(Type type,
                          DialectBytecodeWriter &writer) const override {
    auto packed = cast<PackedType>(type);
    writer.writeVarInt(packedType);
    writer.writeSignedVarInts(packed.getShape());
    writer.writeType(packed.getElementType());
    writer.writeAttribute(packed.getLayout());
    return success();
  }

  Type readType(DialectBytecodeReader &reader) const override {
    uint64_t kind;
    if (failed(reader.readVarInt(kind)))
      return {};
    if (kind == packedType)
      return readPacked(reader);
    reader.emitError() << "unknown qfuse type code " << kind;
    return {};
  }

  void writeVersion(DialectBytecodeWriter &writer) const override {
    writer.writeVarInt(currentVersion);
  }

  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const override {
    uint64_t number;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    if (number <= currentVersion)
      return std::make_unique<Version>(number);
    reader.emitError() << "expected qfuse bytecode of version "
                       << currentVersion << " or older, got version " << number
                       << "; use the release that wrote it, or a newer one";
    return nullptr;
  }

private:
  /// Part of the format: a code keeps its meaning.
  enum Kind : uint64_t { matmulRow = 0, target = 1 };
  enum TypeKind : uint64_t { packedType = 0 };

  static Type readPacked(DialectBytecodeReader &reader) {
    SmallVector<int64_t> shape;
    Type elementType;
    LayoutAttr layout;
    if (failed(reader.readSignedVarInts(shape)) ||
        failed(reader.readType(elementType)) ||
        failed(reader.readAttribute(layout)))
      return {};
    return PackedType::getChecked([&] { return reader.emitError(); },
                                  reader.getContext(), ArrayRef(shape),
                                  elementType, layout);
  }

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
