//===- Evaluator.cpp - Functions, bodies and calls ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluator.h"
#include "mlir/IR/TypeUtilities.h"
#include "qfuse/Support/Inputs.h"
#include "llvm/ADT/ScopeExit.h"
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

LogicalResult Evaluator::set(OpResult result, const Tensor &logical,
                             std::optional<Interval> interval) {
  const Interval *bounds = interval ? &*interval : nullptr;
  if (auto packed = dyn_cast<PackedType>(result.getType()))
    return setPhysical(result,
                       {packTensor(logical, packed.getLayout()), logical.shape},
                       bounds);
  return setPhysical(result, HostValue(logical), bounds);
}

LogicalResult Evaluator::setPhysical(OpResult result, HostValue value,
                                     const Interval *interval) {
  auto type = dyn_cast<ShapedType>(result.getType());
  if (type && failed(verifyCompatibleShape(type.getShape(), value.shape)))
    return result.getOwner()->emitOpError()
           << "expected extents of " << type << ", got "
           << printShape(value.shape);
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

std::vector<ValueRef> Evaluator::getRefs(ValueRange range) const {
  std::vector<ValueRef> refs;
  for (Value value : range)
    refs.push_back(values.at(value));
  return refs;
}

//===----------------------------------------------------------------------===//
// Functions and kernels
//===----------------------------------------------------------------------===//

static LogicalResult evaluateOp(Evaluator &evaluator, Operation *op) {
  if (auto done = evaluateElementwise(evaluator, op))
    return *done;
  if (auto done = evaluateIntegers(evaluator, op))
    return *done;
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<RmsNormOp, BlockScaleOp, QuantizeOp, DequantizeOp, ScaledMatmulOp,
            RopeOp, GatedActivationOp, GatherRowsOp, PackOp, UnpackOp,
            qfuse::DimOp, FromStorageOp, ToStorageOp, KernelOp, LaunchOp,
            arith::ConstantOp, affine::AffineApplyOp, func::CallOp,
            tensor::DimOp, tensor::EmptyOp, tensor::SplatOp, tensor::CastOp,
            tensor::ExtractOp, tensor::ExtractSliceOp, tensor::InsertSliceOp,
            tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
          [&](auto known) { return evaluate(evaluator, known); })
      .Default([](Operation *unknown) {
        return unknown->emitOpError("is not known to the interpreter");
      });
}

/// Emits an error for a result whose elements have no representation here.
static LogicalResult checkTypes(Operation *op) {
  for (Type type : op->getResultTypes())
    if (!getElement(getElementTypeOrSelf(type)))
      return op->emitOpError()
             << "has a result of a type that the interpreter does not know: "
             << type;
  return success();
}

LogicalResult Evaluator::evaluateBlock(Block &block,
                                       ArrayRef<ValueRef> arguments) {
  for (auto [argument, value] :
       llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = value;
  for (Operation &op : block.without_terminator())
    if (failed(checkTypes(&op)) || failed(evaluateOp(*this, &op)))
      return failure();
  return success();
}

FailureOr<std::vector<ValueRef>>
Evaluator::call(func::FuncOp function, std::vector<ValueRef> arguments) {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError(
        "has control flow, which is not known to the interpreter");
  stack.push_back(function);
  llvm::scope_exit pop([&] { stack.pop_back(); });
  Block &body = function.getBody().front();
  if (failed(evaluateBlock(body, arguments)))
    return failure();
  return getRefs(body.getTerminator()->getOperands());
}

LogicalResult Evaluator::evaluateBody(Operation *op, Block &body,
                                      YieldOp yield) {
  if (failed(evaluateBlock(body, getRefs(op->getOperands()))))
    return failure();
  for (auto [result, value] :
       llvm::zip_equal(op->getResults(), getRefs(yield.getValues())))
    if (failed(setPhysical(result, *value)))
      return failure();
  return success();
}

namespace mlir::qfuse {
LogicalResult evaluate(Evaluator &evaluator, KernelOp op) {
  return evaluator.evaluateBody(op, op.getBodyRegion().front(), op.getYield());
}

LogicalResult evaluate(Evaluator &evaluator, LaunchOp op) {
  auto callee =
      SymbolTable::lookupNearestSymbolFrom<KernelDefOp>(op, op.getCalleeAttr());
  return evaluator.evaluateBody(op, callee.getBodyRegion().front(),
                                callee.getYield());
}

LogicalResult evaluate(Evaluator &evaluator, func::CallOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (callee.isExternal())
    return evaluator.callOpaque(op, callee);
  if (llvm::is_contained(evaluator.stack, callee.getOperation()))
    return op.emitOpError()
           << "calls itself, which the interpreter does not support";
  auto results = evaluator.call(callee, evaluator.getRefs(op.getOperands()));
  if (failed(results))
    return failure();
  for (auto [result, value] : llvm::zip_equal(op.getResults(), *results))
    if (failed(evaluator.setPhysical(cast<OpResult>(result), *value)))
      return failure();
  return success();
}
} // namespace mlir::qfuse

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
    Tensor tensor(
        element,
        packed ? std::vector<int64_t>{packed.getLayout().physicalSize(shape)}
               : shape);
    fillOpaqueResult(tensor, options.seed, callee.getName(), count,
                     result.getResultNumber());
    if (failed(setPhysical(result, {std::move(tensor), std::move(shape)})))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The entry
//===----------------------------------------------------------------------===//

FailureOr<std::vector<HostValue>>
qfuse::interpret(func::FuncOp function, ArrayRef<HostValue> arguments,
                 const InterpreterOptions &options) {
  if (function.isExternal())
    return function.emitOpError("has no body to interpret");
  if (arguments.size() != function.getNumArguments())
    return function.emitOpError() << "expected " << function.getNumArguments()
                                  << " arguments, got " << arguments.size();
  std::vector<ValueRef> refs;
  for (const HostValue &argument : arguments)
    refs.push_back(std::make_shared<HostValue>(argument));
  auto results = Evaluator(options).call(function, std::move(refs));
  if (failed(results))
    return failure();
  std::vector<HostValue> outputs;
  for (const ValueRef &result : *results)
    outputs.push_back(*result);
  return outputs;
}
