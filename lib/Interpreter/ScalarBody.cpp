//===- ScalarBody.cpp - Bodies of scalars, for many points at once --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluator.h"
#include "Indexing.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace mlir::qfuse;

//===----------------------------------------------------------------------===//
// Ops whose operands differ from point to point
//===----------------------------------------------------------------------===//

static LogicalResult evaluateIndex(Evaluator &evaluator, linalg::IndexOp op) {
  const std::vector<int64_t> &indices = evaluator.body->indices[op.getDim()];
  Tensor tensor(Element::index, {static_cast<int64_t>(indices.size())});
  for (auto [position, index] : llvm::enumerate(indices))
    tensor.setBits(position, index);
  return evaluator.set(op->getResult(0), tensor);
}

/// Returns the values of integers at point `point`.
static SmallVector<int64_t> getIntegersAt(Evaluator &evaluator,
                                          ValueRange operands, int64_t point) {
  SmallVector<int64_t> integers;
  for (Value operand : operands) {
    const Tensor &tensor = evaluator.get(operand).tensor;
    integers.push_back(
        llvm::SignExtend64(tensor.getBits(tensor.shape.empty() ? 0 : point),
                           getBitWidth(tensor.element)));
  }
  return integers;
}

static LogicalResult evaluateApply(Evaluator &evaluator,
                                   affine::AffineApplyOp op) {
  FailureOr<Operands> operands = getOperands(evaluator, op);
  if (failed(operands))
    return failure();
  // Symbols are the dimensions behind the others.
  AffineMap map = op.getAffineMap();
  unsigned rank = map.getNumDims();
  SmallVector<AffineExpr> dims;
  for (unsigned symbol : llvm::seq(map.getNumSymbols()))
    dims.push_back(getAffineDimExpr(rank + symbol, op.getContext()));
  map = map.replaceDimsAndSymbols({}, dims, rank + dims.size(), 0);
  Tensor tensor(Element::index, operands->shape);
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i) {
    std::optional<int64_t> value = getAffineValue(
        map.getResult(0), getIntegersAt(evaluator, op.getOperands(), i));
    if (!value)
      return op.emitOpError("divides by zero");
    tensor.setBits(i, *value);
  }
  return evaluator.set(op->getResult(0), tensor);
}

/// Of a tensor from outside of the body, at indices from inside; or of a tensor
/// that one scalar makes up.
static LogicalResult evaluateExtract(Evaluator &evaluator,
                                     tensor::ExtractOp op) {
  const HostValue &source = evaluator.get(op.getTensor());
  if (op.getTensor().getType().getRank() == 0)
    return evaluator.setPhysical(op->getResult(0), source);
  std::vector<int64_t> shape;
  for (Value index : op.getIndices())
    if (!evaluator.get(index).shape.empty())
      shape = evaluator.get(index).shape;
  Tensor tensor(source.tensor.element, shape);
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i) {
    auto indices = getIntegersAt(evaluator, op.getIndices(), i);
    int64_t position = 0;
    for (auto [index, extent] : llvm::zip_equal(indices, source.shape)) {
      if (index < 0 || index >= extent)
        return op.emitOpError()
               << "expected indices inside of extents "
               << printShape(source.shape) << ", got " << printShape(indices);
      position = position * extent + index;
    }
    tensor.setBits(i, source.tensor.getBits(position));
  }
  return evaluator.set(op->getResult(0), tensor);
}

static LogicalResult evaluateAssert(Evaluator &evaluator, cf::AssertOp op) {
  const Tensor &holds = evaluator.get(op.getArg()).tensor;
  for (int64_t i = 0, e = holds.getNumElements(); i < e; ++i)
    if (holds.getBits(i) == 0)
      return op.emitOpError() << "does not hold: " << op.getMsg();
  return success();
}

static LogicalResult evaluateScalarOp(Evaluator &evaluator, Operation *op) {
  if (auto done = evaluateElementwise(evaluator, op))
    return *done;
  if (auto done = evaluateIntegers(evaluator, op))
    return *done;
  auto refuse = [](Operation *op) {
    return op->emitOpError(
        "is not known to the interpreter in a body of scalars");
  };
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](linalg::IndexOp index) {
        return evaluateIndex(evaluator, index);
      })
      .Case([&](affine::AffineApplyOp apply) {
        return evaluateApply(evaluator, apply);
      })
      .Case([&](cf::AssertOp assertion) {
        return evaluateAssert(evaluator, assertion);
      })
      .Case([&](tensor::ExtractOp extract) {
        return evaluateExtract(evaluator, extract);
      })
      .Case([&](tensor::FromElementsOp from) {
        return from.getType().getRank() == 0
                   ? evaluator.setPhysical(from->getResult(0),
                                           evaluator.get(from.getOperand(0)))
                   : refuse(from);
      })
      .Case<arith::ConstantOp, tensor::DimOp>(
          [&](auto known) { return evaluate(evaluator, known); })
      .Default(refuse);
}

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

/// Returns whether the result of `op` grows or falls with each operand while
/// the others stay: its interval lies between those of the ends.
static bool isMonotonic(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, arith::ExtFOp, arith::TruncFOp,
             arith::SelectOp, math::ExpOp, math::Exp2Op, math::ExpM1Op,
             math::LogOp, math::Log2Op, math::Log1pOp, math::SqrtOp,
             math::RsqrtOp, math::TanhOp, math::ErfOp, tensor::ExtractOp,
             tensor::FromElementsOp>(op);
}

/// Widens `interval` by what the op has just been found to give.
static void widen(Interval &interval, const Tensor &low, const Tensor &high) {
  for (int64_t i = 0, e = interval.low.getNumElements(); i < e; ++i) {
    if (!(low.get(i) >= interval.low.get(i)))
      interval.low.setBits(i, low.getBits(i));
    if (!(high.get(i) <= interval.high.get(i)))
      interval.high.setBits(i, high.getBits(i));
  }
}

/// Sets the elements to all numbers where the divisor may be zero.
static void widenQuotients(Interval &interval, const Interval &divisor) {
  for (int64_t i = 0, e = interval.low.getNumElements(); i < e; ++i) {
    int64_t of = divisor.low.shape.empty() ? 0 : i;
    if (divisor.low.get(of) > 0.0 || divisor.high.get(of) < 0.0)
      continue;
    interval.low.setBits(i, encode(interval.low.element, -INFINITY));
    interval.high.setBits(i, encode(interval.high.element, INFINITY));
  }
}

/// Executes `op`, of whose operands `uncertain` have intervals: for all
/// combinations of their ends, and last for their values.
static LogicalResult evaluateEnds(Evaluator &evaluator, Operation *op,
                                  ArrayRef<Value> uncertain) {
  auto &intervals = evaluator.body->intervals;
  if (!isMonotonic(op) ||
      (isa<arith::SelectOp>(op) && uncertain.front() == op->getOperand(0)))
    return op->emitOpError("uses a value that depends on order or "
                           "approximation, of which no interval follows");
  SmallVector<ValueRef> originals;
  for (Value value : uncertain)
    originals.push_back(evaluator.getRef(value));
  Value result = op->getResult(0);
  std::optional<Interval> interval;
  for (unsigned ends = 0; ends < 1u << uncertain.size(); ++ends) {
    for (auto [index, value] : llvm::enumerate(uncertain)) {
      const Interval &of = intervals.at(value);
      evaluator.define(value, std::make_shared<HostValue>(
                                  ends >> index & 1 ? of.high : of.low));
    }
    intervals.erase(result);
    if (failed(evaluateScalarOp(evaluator, op)))
      return failure();
    const Tensor &got = evaluator.get(result).tensor;
    auto own = intervals.find(result);
    bool isOwn = own != intervals.end();
    if (!interval)
      interval = isOwn ? own->second : Interval{got, got};
    widen(*interval, isOwn ? own->second.low : got,
          isOwn ? own->second.high : got);
  }
  for (auto [value, original] : llvm::zip_equal(uncertain, originals))
    evaluator.define(value, original);
  if (isa<arith::DivFOp>(op) &&
      llvm::is_contained(uncertain, op->getOperand(1)))
    widenQuotients(*interval, intervals.at(op->getOperand(1)));
  if (failed(evaluateScalarOp(evaluator, op)))
    return failure();
  intervals[result] = std::move(*interval);
  return success();
}

LogicalResult qfuse::evaluateScalars(Evaluator &evaluator, Block &body) {
  for (Operation &op : body.without_terminator()) {
    for (Type type : op.getResultTypes())
      if (!getElement(getElementTypeOrSelf(type)))
        return op.emitOpError()
               << "has a result of a type that the interpreter does not know: "
               << type;
    llvm::SmallSetVector<Value, 4> uncertain;
    for (Value operand : op.getOperands())
      if (evaluator.body->intervals.contains(operand))
        uncertain.insert(operand);
    // Of an earlier point.
    for (Value result : op.getResults())
      evaluator.body->intervals.erase(result);
    if (failed(uncertain.empty()
                   ? evaluateScalarOp(evaluator, &op)
                   : evaluateEnds(evaluator, &op, uncertain.getArrayRef())))
      return failure();
  }
  return success();
}
