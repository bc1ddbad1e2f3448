//===- KernelBody.cpp - What kernel and kernel_def have in common ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Detail.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::qfuse;

LogicalResult qfuse::verifyKernelBody(Operation *op, Block &body,
                                      TypeRange outputs) {
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield)
    return op->emitOpError() << "expected the body to end in qfuse.yield, got "
                             << body.getTerminator()->getName();
  if (yield.getValues().getTypes() != outputs)
    return yield.emitOpError()
           << "expected values of types (" << outputs << "), got ("
           << yield.getValues().getTypes() << ")";
  // The first op of a role that a kernel has once at most.
  DenseMap<Role, Operation *> first;
  for (Operation &nested : body.without_terminator()) {
    std::optional<Role> role = getRole(&nested);
    if (!role) {
      InFlightDiagnostic error = nested.emitOpError() << "is not fusible";
      error.attachNote(op->getLoc()) << "in the body of this kernel";
      return error;
    }
    if (role != Role::contraction && role != Role::collective)
      continue;
    auto [entry, isFirst] = first.try_emplace(*role, &nested);
    if (isFirst)
      continue;
    InFlightDiagnostic error = nested.emitOpError()
                               << "is the second " << stringifyRole(*role)
                               << " of a kernel";
    error.attachNote(entry->second->getLoc()) << "the first is here";
    return error;
  }
  return success();
}

FailureOr<ExtentSource> qfuse::traceToArgument(ExtentSource source) {
  while (Operation *op = source.value.getDefiningOp()) {
    ExtentSource next{op->getNumOperands() ? op->getOperand(0) : Value(),
                      source.dim, 1};
    if (auto fusible = dyn_cast<FusibleOpInterface>(op))
      next = fusible.getExtentSource(
          cast<OpResult>(source.value).getResultNumber(), source.dim);
    if (!next.value)
      return failure();
    // ceil(ceil(x / a) / b) = ceil(x / (a * b))
    next.divisor *= source.divisor;
    source = next;
  }
  return source;
}

LogicalResult qfuse::reifyKernelBody(OpBuilder &builder, Location loc,
                                     YieldOp yield, ValueRange inputs,
                                     ReifiedRankedShapedTypeDims &shapes) {
  for (Value value : yield.getValues()) {
    SmallVector<OpFoldResult> &shape = shapes.emplace_back();
    auto type = dyn_cast<ShapedType>(value.getType());
    if (!type)
      continue;
    for (auto [dim, size] : llvm::enumerate(type.getShape())) {
      if (ShapedType::isStatic(size)) {
        shape.push_back(builder.getIndexAttr(size));
        continue;
      }
      FailureOr<ExtentSource> source =
          traceToArgument({value, static_cast<unsigned>(dim), 1});
      if (failed(source))
        return failure();
      unsigned index = cast<BlockArgument>(source->value).getArgNumber();
      shape.push_back(affine::makeComposedFoldedAffineApply(
          builder, loc, builder.getAffineSymbolExpr(0).ceilDiv(source->divisor),
          getExtent(builder, loc, inputs[index], source->dim)));
    }
  }
  return success();
}
