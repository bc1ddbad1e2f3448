//===- Integers.cpp - Integers, comparisons and bits ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluator.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::qfuse;

using Done = std::optional<LogicalResult>;

/// Defines the result of `op` element by element, from the bits of its
/// operands.
static LogicalResult
mapBits(Evaluator &evaluator, Operation *op,
        llvm::function_ref<uint64_t(ArrayRef<uint64_t>)> function) {
  SmallVector<const HostValue *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(&evaluator.get(operand));
  for (const HostValue *operand : operands)
    if (operand->shape != operands.back()->shape)
      return op->emitOpError() << "expected operands of equal extents, got "
                               << printShape(operand->shape) << " and "
                               << printShape(operands.back()->shape);
  Tensor value(*getElement(getElementTypeOrSelf(op->getResult(0))),
               operands.front()->shape);
  SmallVector<uint64_t> bits(operands.size());
  for (int64_t i = 0, e = value.getNumElements(); i < e; ++i) {
    for (auto [each, operand] : llvm::zip_equal(bits, operands))
      each = operand->tensor.getBits(i);
    value.setBits(i, function(bits));
  }
  return evaluator.set(op->getResult(0), value);
}

/// The same for signed integers. The result wraps.
static LogicalResult
mapIntegers(Evaluator &evaluator, Operation *op,
            llvm::function_ref<int64_t(ArrayRef<int64_t>)> function) {
  Type type = getElementTypeOrSelf(op->getOperand(0));
  unsigned width = type.isInteger(1) ? 8 : getBitWidth(*getElement(type));
  SmallVector<int64_t> integers(op->getNumOperands());
  return mapBits(evaluator, op, [&](ArrayRef<uint64_t> bits) {
    for (auto [integer, each] : llvm::zip_equal(integers, bits))
      integer = llvm::SignExtend64(each, width);
    return static_cast<uint64_t>(function(integers));
  });
}

static bool compare(arith::CmpFPredicate predicate, double a, double b) {
  using P = arith::CmpFPredicate;
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::AlwaysTrue:
    return true;
  case P::ORD:
    return !unordered;
  case P::UNO:
    return unordered;
  case P::OEQ:
    return a == b;
  case P::UEQ:
    return unordered || a == b;
  case P::ONE:
    return !unordered && a != b;
  case P::UNE:
    return unordered || a != b;
  case P::OLT:
    return a < b;
  case P::ULT:
    return unordered || a < b;
  case P::OLE:
    return a <= b;
  case P::ULE:
    return unordered || a <= b;
  case P::OGT:
    return a > b;
  case P::UGT:
    return unordered || a > b;
  case P::OGE:
    return a >= b;
  case P::UGE:
    return unordered || a >= b;
  }
  llvm_unreachable("all predicates are covered");
}

static bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b) {
  using P = arith::CmpIPredicate;
  auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  switch (predicate) {
  case P::eq:
    return a == b;
  case P::ne:
    return a != b;
  case P::slt:
    return a < b;
  case P::sle:
    return a <= b;
  case P::sgt:
    return a > b;
  case P::sge:
    return a >= b;
  case P::ult:
    return ua < ub;
  case P::ule:
    return ua <= ub;
  case P::ugt:
    return ua > ub;
  case P::uge:
    return ua >= ub;
  }
  llvm_unreachable("all predicates are covered");
}

/// The condition is a scalar, or has the extents of the operands.
static LogicalResult evaluateSelect(Evaluator &evaluator, arith::SelectOp op) {
  const HostValue &condition = evaluator.get(op.getCondition());
  const HostValue &yes = evaluator.get(op.getTrueValue());
  const HostValue &no = evaluator.get(op.getFalseValue());
  OpResult result = op->getResult(0);
  if (!isa<ShapedType>(op.getCondition().getType()))
    return evaluator.setPhysical(result,
                                 condition.tensor.getBits(0) ? yes : no);
  if (yes.shape != no.shape || condition.shape != yes.shape)
    return op.emitOpError()
           << "expected operands of equal extents, got "
           << printShape(condition.shape) << ", " << printShape(yes.shape)
           << " and " << printShape(no.shape);
  Tensor value(yes.tensor.element, yes.shape);
  for (int64_t i = 0, e = value.getNumElements(); i < e; ++i)
    value.setBits(i,
                  (condition.tensor.getBits(i) ? yes : no).tensor.getBits(i));
  return evaluator.set(result, value);
}

/// Emits an error if `op`, a division, has a divisor of 0.
static LogicalResult checkDivisor(Evaluator &evaluator, Operation *op) {
  const Tensor &divisor = evaluator.get(op->getOperand(1)).tensor;
  for (int64_t i = 0, e = divisor.getNumElements(); i < e; ++i)
    if (divisor.getBits(i) == 0)
      return op->emitOpError("divides by zero");
  return success();
}

static Done evaluateDivision(Evaluator &evaluator, Operation *op) {
  using X = ArrayRef<int64_t>;
  auto apply = [&](llvm::function_ref<int64_t(X)> function) -> Done {
    if (failed(checkDivisor(evaluator, op)))
      return failure();
    return mapIntegers(evaluator, op, function);
  };
  // The quotient by -1 is apart, as that of the smallest integer traps.
  return TypeSwitch<Operation *, Done>(op)
      .Case([&](arith::FloorDivSIOp) {
        return apply([](X x) {
          return x[1] == -1 ? static_cast<int64_t>(0 - uint64_t(x[0]))
                            : llvm::divideFloorSigned(x[0], x[1]);
        });
      })
      .Case([&](arith::CeilDivSIOp) {
        return apply([](X x) {
          return x[1] == -1 ? static_cast<int64_t>(0 - uint64_t(x[0]))
                            : llvm::divideCeilSigned(x[0], x[1]);
        });
      })
      .Case([&](arith::DivSIOp) {
        return apply([](X x) {
          return x[1] == -1 ? static_cast<int64_t>(0 - uint64_t(x[0]))
                            : x[0] / x[1];
        });
      })
      .Case([&](arith::RemSIOp) {
        return apply([](X x) { return x[1] == -1 ? 0 : x[0] % x[1]; });
      })
      .Default([](Operation *) { return std::nullopt; });
}

static Done evaluateArithmetic(Evaluator &evaluator, Operation *op) {
  using X = ArrayRef<int64_t>;
  auto apply = [&](llvm::function_ref<int64_t(X)> function) -> Done {
    return mapIntegers(evaluator, op, function);
  };
  // Unsigned, so that it wraps.
  auto applyBits =
      [&](llvm::function_ref<uint64_t(ArrayRef<uint64_t>)> function) -> Done {
    return mapBits(evaluator, op, function);
  };
  return TypeSwitch<Operation *, Done>(op)
      .Case([&](arith::AddIOp) {
        return applyBits([](ArrayRef<uint64_t> x) { return x[0] + x[1]; });
      })
      .Case([&](arith::SubIOp) {
        return applyBits([](ArrayRef<uint64_t> x) { return x[0] - x[1]; });
      })
      .Case([&](arith::MulIOp) {
        return applyBits([](ArrayRef<uint64_t> x) { return x[0] * x[1]; });
      })
      .Case([&](arith::MinSIOp) {
        return apply([](X x) { return std::min(x[0], x[1]); });
      })
      .Case([&](arith::MaxSIOp) {
        return apply([](X x) { return std::max(x[0], x[1]); });
      })
      .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(
          [&](auto) { return apply([](X x) { return x[0]; }); })
      .Default([](Operation *) { return std::nullopt; });
}

Done qfuse::evaluateIntegers(Evaluator &evaluator, Operation *op) {
  if (Done done = evaluateArithmetic(evaluator, op))
    return done;
  if (Done done = evaluateDivision(evaluator, op))
    return done;
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return evaluateSelect(evaluator, select);
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    return mapIntegers(evaluator, op, [&](ArrayRef<int64_t> x) {
      return static_cast<int64_t>(compare(cmp.getPredicate(), x[0], x[1]));
    });
  if (auto cmp = dyn_cast<arith::CmpFOp>(op)) {
    Element element = *getElement(getElementTypeOrSelf(cmp.getLhs()));
    return mapBits(evaluator, op, [&](ArrayRef<uint64_t> bits) {
      return static_cast<uint64_t>(compare(cmp.getPredicate(),
                                           decode(element, bits[0]),
                                           decode(element, bits[1])));
    });
  }
  if (isa<arith::BitcastOp>(op))
    return mapBits(evaluator, op, [](ArrayRef<uint64_t> x) { return x[0]; });
  return std::nullopt;
}
