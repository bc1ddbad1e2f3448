//===- Slices.cpp - Elements and parts of tensors -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluator.h"
#include "Indexing.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::qfuse;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Returns the row-major position of the element at `indices`, or emits an
/// error if there is none.
static FailureOr<int64_t> getPosition(Evaluator &evaluator, Operation *op,
                                      ValueRange indices,
                                      ArrayRef<int64_t> shape) {
  int64_t position = 0;
  for (auto [extent, index] : llvm::zip_equal(shape, indices)) {
    int64_t value = evaluator.getInteger(index);
    if (value < 0 || value >= extent)
      return op->emitOpError()
             << "expected an index below " << extent << ", got " << value;
    position = position * extent + value;
  }
  return position;
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, tensor::ExtractOp op) {
  const Tensor &source = evaluator.get(op.getTensor()).tensor;
  FailureOr<int64_t> position =
      getPosition(evaluator, op, op.getIndices(), source.shape);
  if (failed(position))
    return failure();
  Tensor scalar(source.element, {});
  scalar.setBits(0, source.getBits(*position));
  return evaluator.set(op->getResult(0), scalar);
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, tensor::InsertOp op) {
  Tensor tensor = evaluator.get(op.getDest()).tensor;
  FailureOr<int64_t> position =
      getPosition(evaluator, op, op.getIndices(), tensor.shape);
  if (failed(position))
    return failure();
  tensor.setBits(*position, evaluator.get(op.getScalar()).tensor.getBits(0));
  return evaluator.set(op->getResult(0), tensor);
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, tensor::FromElementsOp op) {
  Tensor tensor(*getElement(op.getType().getElementType()),
                op.getType().getShape().vec());
  for (auto [index, element] : llvm::enumerate(op.getElements()))
    tensor.setBits(index, evaluator.get(element).tensor.getBits(0));
  return evaluator.set(op->getResult(0), tensor);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Returns the slice that `op` reads or writes of a tensor of extents `shape`,
/// or emits an error if it is not inside.
static FailureOr<Slice> getSlice(Evaluator &evaluator,
                                 OffsetSizeAndStrideOpInterface op,
                                 ArrayRef<int64_t> shape) {
  Slice slice{evaluator.getMixed(op.getStaticOffsets(), op.getOffsets()),
              evaluator.getMixed(op.getStaticSizes(), op.getSizes()),
              evaluator.getMixed(op.getStaticStrides(), op.getStrides())};
  if (!slice.isInside(shape))
    return op->emitOpError()
           << "expected a slice inside of extents " << printShape(shape)
           << ", got offsets " << printShape(slice.offsets) << " and sizes "
           << printShape(slice.sizes);
  return slice;
}

/// Returns the extents of `slice` without the dimensions `dropped`.
static std::vector<int64_t>
getReducedShape(const Slice &slice, const llvm::SmallBitVector &dropped) {
  std::vector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(slice.sizes))
    if (!dropped.test(dim))
      shape.push_back(size);
  return shape;
}

/// Writes `source` to the elements `slice` of `target`.
static void insert(const Tensor &source, const Slice &slice, Tensor &target) {
  for (int64_t i = 0, e = source.getNumElements(); i < e; ++i)
    target.setBits(slice.getPosition(i, target.shape), source.getBits(i));
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, tensor::ExtractSliceOp op) {
  const Tensor &source = evaluator.get(op.getSource()).tensor;
  FailureOr<Slice> slice = getSlice(evaluator, op, source.shape);
  if (failed(slice))
    return failure();
  FailureOr<Tensor> tensor = allocate(
      op, source.element, getReducedShape(*slice, op.getDroppedDims()));
  if (failed(tensor))
    return failure();
  for (int64_t i = 0, e = tensor->getNumElements(); i < e; ++i)
    tensor->setBits(i, source.getBits(slice->getPosition(i, source.shape)));
  return evaluator.set(op->getResult(0), *tensor);
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, tensor::InsertSliceOp op) {
  const Tensor &source = evaluator.get(op.getSource()).tensor;
  Tensor tensor = evaluator.get(op.getDest()).tensor;
  FailureOr<Slice> slice = getSlice(evaluator, op, tensor.shape);
  if (failed(slice))
    return failure();
  std::vector<int64_t> expected = getReducedShape(*slice, op.getDroppedDims());
  if (source.shape != expected)
    return op.emitOpError()
           << "expected a source of extents " << printShape(expected)
           << ", got " << printShape(source.shape);
  insert(source, *slice, tensor);
  return evaluator.set(op->getResult(0), tensor);
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, tensor::ConcatOp op) {
  SmallVector<const Tensor *> parts;
  for (Value input : op.getInputs())
    parts.push_back(&evaluator.get(input).tensor);
  std::vector<int64_t> shape = parts.front()->shape;
  size_t along = op.getDim();
  shape[along] = 0;
  for (const Tensor *part : parts) {
    for (auto [dim, extent] : llvm::enumerate(part->shape))
      if (dim != along && extent != shape[dim])
        return op.emitOpError()
               << "expected inputs of equal extents but in dimension " << along
               << ", got " << printShape(parts.front()->shape) << " and "
               << printShape(part->shape);
    shape[along] += part->shape[along];
  }
  FailureOr<Tensor> tensor = allocate(op, parts.front()->element, shape);
  if (failed(tensor))
    return failure();
  Slice slice{std::vector<int64_t>(shape.size(), 0),
              {},
              std::vector<int64_t>(shape.size(), 1)};
  for (const Tensor *part : parts) {
    slice.sizes = part->shape;
    insert(*part, slice, *tensor);
    slice.offsets[along] += part->shape[along];
  }
  return evaluator.set(op->getResult(0), *tensor);
}

/// The body, which says what an element of the padding is, is evaluated for all
/// elements.
LogicalResult qfuse::evaluate(Evaluator &evaluator, tensor::PadOp op) {
  const Tensor &source = evaluator.get(op.getSource()).tensor;
  std::vector<int64_t> low = evaluator.getMixed(op.getStaticLow(), op.getLow());
  std::vector<int64_t> high =
      evaluator.getMixed(op.getStaticHigh(), op.getHigh());
  std::vector<int64_t> shape = source.shape;
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (low[dim] < 0 || high[dim] < 0)
      return op.emitOpError() << "expected padding of 0 or more, got "
                              << printShape(low) << " and " << printShape(high);
    // An extent that does not fit is too large below.
    if (llvm::AddOverflow(extent, low[dim], extent) ||
        llvm::AddOverflow(extent, high[dim], extent))
      extent = std::numeric_limits<int64_t>::max();
  }
  FailureOr<Tensor> tensor = allocate(op, source.element, shape);
  if (failed(tensor))
    return failure();
  int64_t count = tensor->getNumElements();
  Block &block = op.getRegion().front();
  PointIterator points(shape);
  SmallVector<Tensor> indices(shape.size(), Tensor(Element::index, {count}));
  for (int64_t i = 0; i < count; ++i, points.advance())
    for (auto [dim, index] : llvm::enumerate(*points))
      indices[dim].setBits(i, index);
  for (auto [argument, index] : llvm::zip_equal(block.getArguments(), indices))
    evaluator.define(argument, std::make_shared<HostValue>(std::move(index)));
  ScalarBody body;
  evaluator.body = &body;
  LogicalResult done = evaluateScalars(evaluator, block);
  evaluator.body = nullptr;
  if (failed(done))
    return failure();
  const Tensor &padding =
      evaluator.get(block.getTerminator()->getOperand(0)).tensor;
  for (int64_t i = 0; i < count; ++i)
    tensor->setBits(i, padding.getBits(padding.shape.empty() ? 0 : i));
  insert(source, {low, source.shape, std::vector<int64_t>(shape.size(), 1)},
         *tensor);
  return evaluator.set(op->getResult(0), *tensor);
}
