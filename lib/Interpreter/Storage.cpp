//===- Storage.cpp - Packed values and their bytes ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluator.h"

using namespace mlir;
using namespace mlir::qfuse;

/// Calls `visit(logical, physical)` with the positions of each element, in
/// row-major order of the logical ones.
static void forEachElement(LayoutAttr layout, ArrayRef<int64_t> shape,
                           llvm::function_ref<void(int64_t, int64_t)> visit) {
  if (shape.empty())
    return visit(0, 0);
  if (llvm::is_contained(shape, 0))
    return;
  SmallVector<std::vector<int64_t>> offsets;
  for (unsigned dim : llvm::seq<unsigned>(shape.size()))
    offsets.push_back(layout.getDimOffsets(dim, shape));
  int64_t columns = shape.back();
  int64_t rows = columns == 0 ? 0 : ShapedType::getNumElements(shape) / columns;
  for (int64_t row = 0; row < rows; ++row) {
    int64_t begin = 0, rest = row;
    for (size_t dim = shape.size() - 1; dim-- > 0;) {
      begin += offsets[dim][rest % shape[dim]];
      rest /= shape[dim];
    }
    for (int64_t column = 0; column < columns; ++column)
      visit(row * columns + column, begin + offsets.back()[column]);
  }
}

Tensor qfuse::packTensor(const Tensor &logical, LayoutAttr layout) {
  Tensor physical(logical.element, {layout.physicalSize(logical.shape)});
  switch (layout.getPad()) {
  case Pad::undef:
    std::fill(physical.bytes.begin(), physical.bytes.end(), 0xaa);
    break;
  case Pad::zero:
    break;
  case Pad::one: {
    uint64_t one = encode(logical.element, 1.0);
    for (int64_t i = 0, e = physical.getNumElements(); i < e; ++i)
      physical.setBits(i, one);
    break;
  }
  }
  forEachElement(layout, logical.shape, [&](int64_t from, int64_t to) {
    physical.setBits(to, logical.getBits(from));
  });
  return physical;
}

Tensor qfuse::unpackTensor(const Tensor &physical, LayoutAttr layout,
                           ArrayRef<int64_t> shape) {
  Tensor logical(physical.element, shape.vec());
  forEachElement(layout, shape, [&](int64_t to, int64_t from) {
    logical.setBits(to, physical.getBits(from));
  });
  return logical;
}

LogicalResult
qfuse::checkPadding(Type type, const HostValue &value,
                    llvm::function_ref<InFlightDiagnostic()> emitError) {
  auto packed = dyn_cast<PackedType>(type);
  if (!packed || packed.getLayout().getPad() == Pad::undef)
    return success();
  LayoutAttr layout = packed.getLayout();
  Tensor expected =
      packTensor(unpackTensor(value.tensor, layout, value.shape), layout);
  for (int64_t i = 0, e = expected.getNumElements(); i < e; ++i)
    if (value.tensor.getBits(i) != expected.getBits(i))
      return emitError() << "expected padding of "
                         << stringifyPad(layout.getPad()) << " in " << type
                         << ", got " << value.tensor.get(i)
                         << " at physical element " << i;
  return success();
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, PackOp op) {
  return evaluator.set(op->getResult(0), evaluator.get(op.getInput()).tensor);
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, UnpackOp op) {
  return evaluator.set(op->getResult(0), evaluator.getLogical(op.getInput()));
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, qfuse::DimOp op) {
  Tensor extent(Element::index, {});
  extent.setBits(0, evaluator.get(op.getInput()).shape[op.getDim()]);
  return evaluator.set(op->getResult(0), extent);
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, FromStorageOp op) {
  auto type = cast<ShapedType>(op.getResult().getType());
  auto packed = dyn_cast<PackedType>(op.getResult().getType());
  HostValue value;
  value.shape = evaluator.getMixed(type.getShape(), op.getSizes());
  for (int64_t extent : value.shape)
    if (extent < 0)
      return op.emitOpError()
             << "expected sizes of 0 or more, got " << printShape(value.shape);
  std::vector<int64_t> physical = value.shape;
  if (packed)
    physical = {packed.getLayout().physicalSize(value.shape)};
  FailureOr<Tensor> tensor =
      allocate(op, *getElement(type.getElementType()), std::move(physical));
  if (failed(tensor))
    return failure();
  value.tensor = std::move(*tensor);
  const std::vector<uint8_t> &bytes =
      evaluator.get(op.getStorage()).tensor.bytes;
  if (bytes.size() != value.tensor.bytes.size())
    return op.emitOpError()
           << "expected " << value.tensor.bytes.size() << " bytes for extents "
           << printShape(value.shape) << ", got " << bytes.size();
  value.tensor.bytes = bytes;
  if (failed(checkPadding(op.getResult().getType(), value,
                          [&] { return op.emitOpError(); })))
    return failure();
  return evaluator.setPhysical(op->getResult(0), std::move(value));
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, ToStorageOp op) {
  Tensor bytes;
  bytes.element = Element::i8;
  bytes.bytes = evaluator.get(op.getInput()).tensor.bytes;
  bytes.shape = {static_cast<int64_t>(bytes.bytes.size())};
  return evaluator.set(op->getResult(0), bytes);
}
