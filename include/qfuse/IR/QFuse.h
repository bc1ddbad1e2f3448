//===- QFuse.h - The qfuse dialect ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_IR_QFUSE_H
#define QFUSE_IR_QFUSE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizationTypeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::qfuse {

/// One result of a layout map: `(dim floordiv divisor) mod radix`. A radix of 0
/// means no `mod`: the digit takes what is left of the dimension.
struct LayoutDigit {
  unsigned dim = 0;
  int64_t divisor = 1;
  int64_t radix = 0;
};

/// An extent: `ceil(extent of dimension dim of value / divisor)`.
struct ExtentSource {
  Value value;
  unsigned dim = 0;
  int64_t divisor = 1;
};

/// What all collectives read and write: they keep their order.
struct CollectiveResource
    : public SideEffects::Resource::Base<CollectiveResource> {
  StringRef getName() final { return "QFuseCollective"; }
};

/// The ranks of a group: those along one dimension of the grid that all ranks
/// form.
struct RankGroup {
  int64_t size = 1;
  /// Between the numbers of two neighbours.
  int64_t stride = 1;

  /// Returns the position of `rank` in its group.
  int64_t getIndex(unsigned rank) const { return rank / stride % size; }
  /// Returns the rank at position `index` of the group of `rank`.
  unsigned getMember(unsigned rank, int64_t index) const {
    return rank + (index - getIndex(rank)) * stride;
  }
};

/// Returns the group `name` of the module of `op`, or nothing if `qfuse.groups`
/// does not have it.
std::optional<RankGroup> findGroup(Operation *op, StringRef name);

/// Returns the number of ranks of the module of `op`: the product of the sizes
/// of its groups.
int64_t getNumRanks(Operation *op);

/// Returns whether quantized values have elements of `type`: fp8, fp4 or i8.
bool isCodeType(Type type);

/// Follows the extent `source` of a value in the body of a kernel to an
/// argument of the body. Returns failure, and emits no error, if it comes from
/// none.
FailureOr<ExtentSource> traceToArgument(ExtentSource source);

/// Implements `reifyResultShapes` for a FusibleOpInterface `op`.
LogicalResult reifyExtents(OpBuilder &builder, Operation *op,
                           ReifiedRankedShapedTypeDims &shapes);

} // namespace mlir::qfuse

#include "qfuse/IR/QFuseDialect.h.inc"
#include "qfuse/IR/QFuseEnums.h.inc"
#include "qfuse/IR/QFuseInterfaces.h.inc"
#define GET_ATTRDEF_CLASSES
#include "qfuse/IR/QFuseAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "qfuse/IR/QFuseTypes.h.inc"
#define GET_OP_CLASSES
#include "qfuse/IR/QFuseOps.h.inc"

namespace mlir::qfuse {

/// Returns the role of `op` in a fused body, or nothing if it is not fusible:
/// that of its FusibleOpInterface, or elementwise for the ops of arith and math
/// whose results on a row depend on that row alone, and for scalar constants.
std::optional<Role> getRole(Operation *op);

/// Returns `tensor<Nxi8>`, where N is the size in bytes, padding included, of a
/// tensor or packed value of type `type`; dynamic if an extent is.
RankedTensorType getStorageType(ShapedType type);

/// Returns the extent of dimension `dim` of `value`, a tensor or packed value:
/// an attribute if it is static, else the result of a `dim` op that is created.
OpFoldResult getExtent(OpBuilder &builder, Location loc, Value value,
                       unsigned dim);

} // namespace mlir::qfuse

#endif // QFUSE_IR_QFUSE_H
