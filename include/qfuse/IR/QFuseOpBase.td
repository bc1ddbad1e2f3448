// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_IR_QFUSEOPBASE_TD
#define QFUSE_IR_QFUSEOPBASE_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "qfuse/IR/QFuseInterfaces.td"
include "qfuse/IR/QFuseTypes.td"

class QFuse_Op<string mnemonic, list<Trait> traits = []>
    : Op<QFuse_Dialect, mnemonic, traits>;

/// An op that may stand in a kernel body and knows the extents of its results.
class QFuse_FusibleOp<string mnemonic, string role, list<Trait> traits = [],
                      list<string> fusibleMethods = []>
    : QFuse_Op<mnemonic, !listconcat([Pure,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>,
        DeclareOpInterfaceMethods<QFuse_FusibleOpInterface, fusibleMethods>], traits)> {
  code roleDefinition = [{
    ::mlir::qfuse::Role $cppClass::getRole() { return ::mlir::qfuse::Role::}] # role # [{; }
    ::llvm::LogicalResult $cppClass::reifyResultShapes(
        ::mlir::OpBuilder &builder, ::mlir::ReifiedRankedShapedTypeDims &shapes) {
      return ::mlir::qfuse::reifyExtents(builder, *this, shapes);
    }
  }];
  let extraClassDefinition = roleDefinition;
}

def QFuse_Float : AnyTypeOf<[F32, BF16, F16]>;

/// A tensor that has rows.
class QFuse_RowsOf<list<Type> elements>
    : RankedTensorOf<elements, [HasRankGreaterOrEqualPred<1>],
                     "tensor of rank 1 or more">;
def QFuse_FloatTensor : QFuse_RowsOf<[QFuse_Float]>;
def QFuse_TensorOrPacked : AnyTypeOf<[AnyRankedTensor, QFuse_PackedType]>;
def QFuse_RowsOrPacked : Type<
    And<[QFuse_TensorOrPacked.predicate, HasRankGreaterOrEqualPred<1>]>,
    "tensor or packed value of rank 1 or more">;
def QFuse_Codes : Type<
    And<[QFuse_RowsOrPacked.predicate,
         CPred<"::mlir::qfuse::isCodeType("
               "::llvm::cast<::mlir::ShapedType>($_self).getElementType())">]>,
    "tensor or packed value of codes: fp8, f4E2M1FN or i8">;
def QFuse_Storage : 1DTensorOf<[I8]>;

#endif // QFUSE_IR_QFUSEOPBASE_TD
