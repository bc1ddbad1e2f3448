// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_IR_QFUSETYPES_TD
#define QFUSE_IR_QFUSETYPES_TD

include "mlir/Dialect/Bufferization/IR/BufferizationTypeInterfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "qfuse/IR/QFuseTargetAttrs.td"

def QFuse_PackedType : TypeDef<QFuse_Dialect, "Packed", [
    ShapedTypeInterface,
    DeclareTypeInterfaceMethods<Bufferization_TensorLikeTypeInterface>]> {
  let mnemonic = "packed";
  let summary = "value whose bytes are in the order of a layout";
  let description = [{
    The shape is the logical one. The type lacks the `ValueSemantics` trait on
    purpose: no elementwise op of upstream takes it. In memory it has
    `physicalSize` elements, padding included, in the order of the layout.

    ```mlir
    !scales = !qfuse.packed<?x224xf8E8M0FNU, #mx_shuffle>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape,
    "::mlir::Type":$elementType,
    "::mlir::qfuse::LayoutAttr":$layout
  );
  let builders = [
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape,
        "::mlir::Type":$elementType, "::mlir::qfuse::LayoutAttr":$layout), [{
      return $_get(elementType.getContext(), shape, elementType, layout);
    }]>
  ];
  let assemblyFormat = [{
    `<` custom<ShapeAndElementType>($shape, $elementType) `,`
    qualified($layout) `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    // ShapedType; getShape and getElementType are parameters.
    bool hasRank() const { return true; }
    ::mlir::ShapedType cloneWith(::std::optional<::llvm::ArrayRef<int64_t>> shape,
                                 ::mlir::Type elementType) const;

    /// Returns the tensor type of the same shape and element type.
    ::mlir::RankedTensorType getLogicalType() const;

    /// Returns `()[s0, ...] -> N`, where N is the physical size in bytes.
    ::mlir::AffineMap getStorageSizeMap() const;
  }];
}

#endif // QFUSE_IR_QFUSETYPES_TD
