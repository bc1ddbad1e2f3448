//===- TensorOps.cpp - Constants and shapes ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluator.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::qfuse;

static uint64_t getBits(Attribute element) {
  if (auto number = dyn_cast<FloatAttr>(element))
    return number.getValue().bitcastToAPInt().getZExtValue();
  // Sign-extended but for a truth value, which is 0 or 1.
  auto integer = cast<IntegerAttr>(element);
  if (integer.getType().isInteger(1))
    return integer.getValue().getZExtValue();
  return static_cast<uint64_t>(integer.getValue().getSExtValue());
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, arith::ConstantOp op) {
  Element element = *getElement(getElementTypeOrSelf(op.getType()));
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!dense && isa<ShapedType>(op.getType()))
    return op.emitOpError()
           << "is not known to the interpreter: " << op.getValue();
  if (!dense) {
    Tensor scalar(element, {});
    scalar.setBits(0, getBits(op.getValue()));
    return evaluator.set(op->getResult(0), scalar);
  }
  FailureOr<Tensor> tensor =
      allocate(op, element, dense.getType().getShape().vec());
  if (failed(tensor))
    return failure();
  for (auto [index, value] : llvm::enumerate(dense.getValues<Attribute>()))
    tensor->setBits(index, getBits(value));
  return evaluator.set(op->getResult(0), *tensor);
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, affine::AffineApplyOp op) {
  Builder builder(op.getContext());
  SmallVector<Attribute> operands, results;
  for (Value operand : op.getOperands())
    operands.push_back(builder.getIndexAttr(evaluator.getInteger(operand)));
  if (failed(op.getAffineMap().constantFold(operands, results)))
    return op.emitOpError("divides by zero");
  Tensor scalar(Element::index, {});
  scalar.setBits(0, getBits(results.front()));
  return evaluator.set(op->getResult(0), scalar);
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, tensor::DimOp op) {
  const auto &shape = evaluator.get(op.getSource()).shape;
  int64_t dim = evaluator.getInteger(op.getIndex());
  if (dim < 0 || dim >= static_cast<int64_t>(shape.size()))
    return op.emitOpError() << "expected a dimension of "
                            << op.getSource().getType() << ", got " << dim;
  Tensor extent(Element::index, {});
  extent.setBits(0, shape[dim]);
  return evaluator.set(op->getResult(0), extent);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult qfuse::evaluate(Evaluator &evaluator, tensor::EmptyOp op) {
  std::vector<int64_t> shape =
      evaluator.getMixed(op.getType().getShape(), op.getDynamicSizes());
  FailureOr<Tensor> tensor = allocate(
      op, *getElement(op.getType().getElementType()), std::move(shape));
  if (failed(tensor))
    return failure();
  // So that reading it shows.
  std::fill(tensor->bytes.begin(), tensor->bytes.end(), 0xaa);
  return evaluator.set(op->getResult(0), *tensor);
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, tensor::SplatOp op) {
  const Tensor &scalar = evaluator.get(op.getInput()).tensor;
  FailureOr<Tensor> tensor = allocate(
      op, scalar.element,
      evaluator.getMixed(op.getType().getShape(), op.getDynamicSizes()));
  if (failed(tensor))
    return failure();
  for (int64_t i = 0, e = tensor->getNumElements(); i < e; ++i)
    tensor->setBits(i, scalar.getBits(0));
  return evaluator.set(op->getResult(0), *tensor);
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, tensor::CastOp op) {
  if (!isa<RankedTensorType>(op.getType()))
    return op.emitOpError("to an unranked tensor is not known to the "
                          "interpreter");
  return evaluator.set(op->getResult(0), evaluator.get(op.getSource()).tensor);
}

LogicalResult qfuse::evaluate(Evaluator &evaluator,
                              tensor::CollapseShapeOp op) {
  Tensor tensor = evaluator.get(op.getSrc()).tensor;
  std::vector<int64_t> shape;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    int64_t extent = 1;
    for (int64_t dim : group)
      extent *= tensor.shape[dim];
    shape.push_back(extent);
  }
  tensor.shape = std::move(shape);
  return evaluator.set(op->getResult(0), tensor);
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, tensor::ExpandShapeOp op) {
  const Tensor &source = evaluator.get(op.getSrc()).tensor;
  std::vector<int64_t> shape =
      evaluator.getMixed(op.getStaticOutputShape(), op.getOutputShape());
  FailureOr<Tensor> tensor = allocate(op, source.element, shape);
  if (failed(tensor))
    return failure();
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    int64_t extent = 1;
    for (int64_t each : group)
      extent *= shape[each];
    if (extent != source.shape[dim])
      return op.emitOpError()
             << "expected extents whose product is " << source.shape[dim]
             << " for dimension " << dim << ", got " << printShape(shape);
  }
  tensor->bytes = source.bytes;
  return evaluator.set(op->getResult(0), *tensor);
}
