//===- Evaluator.cpp - Values, and what is done for an op -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluator.h"
#include "mlir/IR/TypeUtilities.h"
#include "qfuse/Support/Inputs.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::qfuse;

Observer::~Observer() = default;
void Observer::observe(OpResult, const HostValue &, const Interval *) {}
std::optional<Tensor> Observer::substitute(OpResult) { return std::nullopt; }

std::optional<Element> qfuse::getElement(Type type) {
  if (type.isInteger(1))
    return Element::i8;
  if (type.isIndex() || type.isInteger(64))
    return Element::index;
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return parseElement(name);
}

std::string qfuse::printShape(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << '[';
  llvm::interleaveComma(shape, stream);
  stream << ']';
  return text;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Tensor Evaluator::getLogical(Value value) const {
  const HostValue &host = get(value);
  if (auto packed = dyn_cast<PackedType>(value.getType()))
    return unpackTensor(host.tensor, packed.getLayout(), host.shape);
  return host.tensor;
}

int64_t Evaluator::getInteger(Value value) const {
  const Tensor &tensor = get(value).tensor;
  unsigned width = getBitWidth(tensor.element);
  return llvm::SignExtend64(tensor.getBits(0), width);
}

std::vector<int64_t> Evaluator::getMixed(ArrayRef<int64_t> integers,
                                         ValueRange range) {
  std::vector<int64_t> mixed(integers);
  auto next = range.begin();
  for (int64_t &integer : mixed)
    if (ShapedType::isDynamic(integer))
      integer = getInteger(*next++);
  return mixed;
}

FailureOr<Tensor> qfuse::allocate(Operation *op, Element element,
                                  std::vector<int64_t> shape) {
  if (llvm::any_of(shape, [](int64_t extent) { return extent < 0; }))
    return op->emitOpError()
           << "expected extents of 0 or more, got " << printShape(shape);
  Result<Tensor> tensor = allocateTensor(element, std::move(shape));
  if (!tensor)
    return op->emitOpError() << "is too large: " << tensor.getError().message;
  return std::move(*tensor);
}

LogicalResult
qfuse::checkWholeBytes(Type type, const HostValue &value,
                       llvm::function_ref<InFlightDiagnostic()> emitError) {
  const Tensor &tensor = value.tensor;
  if (getBitWidth(tensor.element) >= 8 || tensor.shape.empty() ||
      tensor.shape.back() % 2 == 0)
    return success();
  return emitError() << "expected an even last extent of " << type
                     << ", as a byte holds two f4E2M1FN, got "
                     << printShape(tensor.shape);
}

LogicalResult Evaluator::set(OpResult result, const Tensor &logical,
                             std::optional<Interval> interval) {
  const Interval *bounds = interval ? &*interval : nullptr;
  if (auto packed = dyn_cast<PackedType>(result.getType())) {
    if (failed(allocate(result.getOwner(), logical.element,
                        {packed.getLayout().physicalSize(logical.shape)})))
      return failure();
    return setPhysical(result,
                       {packTensor(logical, packed.getLayout()), logical.shape},
                       bounds);
  }
  return setPhysical(result, HostValue(logical), bounds);
}

LogicalResult Evaluator::setPhysical(OpResult result, HostValue value,
                                     const Interval *interval) {
  if (body) {
    if (interval)
      body->intervals[result] = *interval;
    values[result] = std::make_shared<HostValue>(std::move(value));
    return success();
  }
  auto type = dyn_cast<ShapedType>(result.getType());
  if (type && failed(verifyCompatibleShape(type.getShape(), value.shape)))
    return result.getOwner()->emitOpError()
           << "expected extents of " << type << ", got "
           << printShape(value.shape);
  if (failed(checkWholeBytes(result.getType(), value,
                             [&] { return result.getOwner()->emitOpError(); })))
    return failure();
  if (options.observer) {
    options.observer->observe(result, value, interval);
    if (std::optional<Tensor> other = options.observer->substitute(result)) {
      assert(other->element == value.tensor.element &&
             other->shape == value.tensor.shape &&
             "a substitute is of the type of what it replaces");
      value.tensor = std::move(*other);
    }
  }
  values[result] = std::make_shared<HostValue>(std::move(value));
  return success();
}

void Evaluator::define(ValueRange targets, ValueRange sources) {
  std::vector<ValueRef> refs;
  for (Value source : sources)
    refs.push_back(getRef(source));
  for (auto [target, ref] : llvm::zip_equal(targets, refs))
    values[target] = std::move(ref);
}

ValueRef qfuse::makeScalar(Element element, uint64_t bits) {
  Tensor scalar(element, {});
  scalar.setBits(0, bits);
  return std::make_shared<HostValue>(std::move(scalar));
}

FailureOr<Operands> qfuse::getOperands(Evaluator &evaluator, Operation *op) {
  Operands operands;
  for (Value operand : op->getOperands())
    operands.tensors.push_back(&evaluator.get(operand).tensor);
  for (const Tensor *tensor : operands.tensors)
    if (!tensor->shape.empty())
      operands.shape = tensor->shape;
  for (const Tensor *tensor : operands.tensors)
    if (tensor->shape != operands.shape && !tensor->shape.empty())
      return op->emitOpError() << "expected operands of equal extents, got "
                               << printShape(tensor->shape) << " and "
                               << printShape(operands.shape);
  return operands;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult qfuse::evaluateOnRank(Evaluator &evaluator, Operation *op) {
  if (auto done = evaluateElementwise(evaluator, op))
    return *done;
  if (auto done = evaluateIntegers(evaluator, op))
    return *done;
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<RmsNormOp, BlockScaleOp, QuantizeOp, DequantizeOp, ScaledMatmulOp,
            RopeOp, GatedActivationOp, GatherRowsOp, PackOp, UnpackOp,
            qfuse::DimOp, FromStorageOp, ToStorageOp, arith::ConstantOp,
            affine::AffineApplyOp, tensor::DimOp, tensor::EmptyOp,
            tensor::SplatOp, tensor::CastOp, tensor::ConcatOp,
            tensor::ExtractOp, tensor::ExtractSliceOp, tensor::FromElementsOp,
            tensor::InsertOp, tensor::InsertSliceOp, tensor::PadOp,
            tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
          [&](auto known) { return evaluate(evaluator, known); })
      .Case([&](linalg::LinalgOp structured) {
        return evaluate(evaluator, structured);
      })
      .Default([](Operation *unknown) {
        return unknown->emitOpError("is not known to the interpreter");
      });
}

//===----------------------------------------------------------------------===//
// Functions without a body
//===----------------------------------------------------------------------===//

/// Returns the extent of dimension `dim` of the first operand whose type has a
/// dynamic one there, or nothing.
static std::optional<int64_t> findExtent(const Evaluator &evaluator,
                                         ValueRange operands, unsigned dim) {
  for (Value operand : operands) {
    auto type = dyn_cast<ShapedType>(operand.getType());
    if (type && dim < type.getRank() && type.isDynamicDim(dim))
      return evaluator.get(operand).shape[dim];
  }
  return std::nullopt;
}

LogicalResult Evaluator::callOpaque(func::CallOp op, func::FuncOp callee) {
  unsigned count = numOpaqueCalls[callee.getName()]++;
  for (OpResult result : op->getResults()) {
    std::vector<int64_t> shape;
    auto type = dyn_cast<ShapedType>(result.getType());
    if (type)
      shape = type.getShape();
    for (auto [dim, extent] : llvm::enumerate(shape)) {
      if (ShapedType::isStatic(extent))
        continue;
      auto found = findExtent(*this, op.getOperands(), dim);
      if (!found)
        return op.emitOpError()
               << "has a result of unknown extents, as its callee has no body "
                  "and no operand is dynamic in dimension "
               << dim;
      extent = *found;
    }
    Element element = *getElement(getElementTypeOrSelf(result.getType()));
    auto packed = dyn_cast<PackedType>(result.getType());
    FailureOr<Tensor> tensor = allocate(
        op, element,
        packed ? std::vector<int64_t>{packed.getLayout().physicalSize(shape)}
               : shape);
    if (failed(tensor))
      return failure();
    fillOpaqueResult(*tensor, options.seed, callee.getName(), count,
                     result.getResultNumber());
    // What is packed has the padding of its layout.
    if (packed)
      tensor = packTensor(unpackTensor(*tensor, packed.getLayout(), shape),
                          packed.getLayout());
    if (failed(setPhysical(result, {std::move(*tensor), std::move(shape)})))
      return failure();
  }
  return success();
}
