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
  FailureOr<Operands> operands = getOperands(evaluator, op);
  if (failed(operands))
    return failure();
  Type type = getElementTypeOrSelf(op->getResult(0));
  Tensor value(*getElement(type), operands->shape);
  uint64_t mask = type.isInteger(1) ? 1 : ~uint64_t(0);
  SmallVector<uint64_t> bits(operands->tensors.size());
  for (int64_t i = 0, e = value.getNumElements(); i < e; ++i) {
    for (auto [position, each] : llvm::enumerate(bits))
      each = operands->tensors[position]->getBits(operands->at(position, i));
    value.setBits(i, function(bits) & mask);
  }
  return evaluator.set(op->getResult(0), value);
}

/// Returns the width of integers of `type`.
static unsigned getWidth(Type type) {
  return type.isInteger(1) ? 1 : getBitWidth(*getElement(type));
}

/// The same for signed integers. The result wraps.
static LogicalResult
mapIntegers(Evaluator &evaluator, Operation *op,
            llvm::function_ref<int64_t(ArrayRef<int64_t>)> function) {
  unsigned width = getWidth(getElementTypeOrSelf(op->getOperand(0)));
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
  if (condition.shape.empty())
    return evaluator.setPhysical(op->getResult(0),
                                 evaluator.get(condition.tensor.getBits(0)
                                                   ? op.getTrueValue()
                                                   : op.getFalseValue()));
  return mapBits(evaluator, op,
                 [](ArrayRef<uint64_t> x) { return x[0] ? x[1] : x[2]; });
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
  using Bits = ArrayRef<uint64_t>;
  auto applyBits = [&](llvm::function_ref<uint64_t(Bits)> function) -> Done {
    if (failed(checkDivisor(evaluator, op)))
      return failure();
    return mapBits(evaluator, op, function);
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
      .Case([&](arith::DivUIOp) {
        return applyBits([](Bits x) { return x[0] / x[1]; });
      })
      .Case([&](arith::CeilDivUIOp) {
        return applyBits(
            [](Bits x) { return x[0] / x[1] + (x[0] % x[1] != 0); });
      })
      .Case([&](arith::RemUIOp) {
        return applyBits([](Bits x) { return x[0] % x[1]; });
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// Ops for which the sign of an operand does not matter.
static Done evaluateBits(Evaluator &evaluator, Operation *op) {
  using X = ArrayRef<uint64_t>;
  unsigned width = getWidth(getElementTypeOrSelf(op->getOperand(0)));
  // Unsigned, so that it wraps.
  auto apply = [&](llvm::function_ref<uint64_t(X)> function) -> Done {
    return mapBits(evaluator, op, function);
  };
  return TypeSwitch<Operation *, Done>(op)
      .Case(
          [&](arith::AddIOp) { return apply([](X x) { return x[0] + x[1]; }); })
      .Case(
          [&](arith::SubIOp) { return apply([](X x) { return x[0] - x[1]; }); })
      .Case(
          [&](arith::MulIOp) { return apply([](X x) { return x[0] * x[1]; }); })
      .Case(
          [&](arith::AndIOp) { return apply([](X x) { return x[0] & x[1]; }); })
      .Case(
          [&](arith::OrIOp) { return apply([](X x) { return x[0] | x[1]; }); })
      .Case(
          [&](arith::XOrIOp) { return apply([](X x) { return x[0] ^ x[1]; }); })
      .Case([&](arith::MinUIOp) {
        return apply([](X x) { return std::min(x[0], x[1]); });
      })
      .Case([&](arith::MaxUIOp) {
        return apply([](X x) { return std::max(x[0], x[1]); });
      })
      // A shift by the width or more is poison; 0 is as good as any.
      .Case([&](arith::ShLIOp) {
        return apply([&](X x) { return x[1] < width ? x[0] << x[1] : 0; });
      })
      .Case([&](arith::ShRUIOp) {
        return apply([&](X x) { return x[1] < width ? x[0] >> x[1] : 0; });
      })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp, arith::BitcastOp>(
          [&](auto) { return apply([](X x) { return x[0]; }); })
      .Default([](Operation *) { return std::nullopt; });
}

static Done evaluateSigned(Evaluator &evaluator, Operation *op) {
  using X = ArrayRef<int64_t>;
  auto apply = [&](llvm::function_ref<int64_t(X)> function) -> Done {
    return mapIntegers(evaluator, op, function);
  };
  return TypeSwitch<Operation *, Done>(op)
      .Case([&](arith::MinSIOp) {
        return apply([](X x) { return std::min(x[0], x[1]); });
      })
      .Case([&](arith::MaxSIOp) {
        return apply([](X x) { return std::max(x[0], x[1]); });
      })
      .Case([&](arith::ShRSIOp) {
        return apply(
            [](X x) { return x[0] >> std::clamp<int64_t>(x[1], 0, 63); });
      })
      .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(
          [&](auto) { return apply([](X x) { return x[0]; }); })
      .Default([](Operation *) { return std::nullopt; });
}

/// What is out of range is poison; it saturates here.
static Done evaluateConversion(Evaluator &evaluator, Operation *op) {
  Type from = getElementTypeOrSelf(op->getOperand(0));
  Type to = getElementTypeOrSelf(op->getResult(0));
  if (isa<arith::SIToFPOp>(op))
    return mapIntegers(evaluator, op, [&](ArrayRef<int64_t> x) {
      // Of 64 bits: rounded once.
      double value =
          to.isF32() ? static_cast<float>(x[0]) : static_cast<double>(x[0]);
      return static_cast<int64_t>(encode(*getElement(to), value));
    });
  if (isa<arith::UIToFPOp>(op))
    return mapBits(evaluator, op, [&](ArrayRef<uint64_t> x) {
      double value =
          to.isF32() ? static_cast<float>(x[0]) : static_cast<double>(x[0]);
      return encode(*getElement(to), value);
    });
  if (isa<arith::FPToSIOp>(op))
    return mapBits(evaluator, op, [&](ArrayRef<uint64_t> x) {
      return encode(*getElement(to), decode(*getElement(from), x[0]),
                    Rounding::towardZero);
    });
  if (isa<arith::FPToUIOp>(op))
    return mapBits(evaluator, op, [&](ArrayRef<uint64_t> x) {
      double limit = std::ldexp(1.0, static_cast<int>(getWidth(to)));
      double value = std::trunc(decode(*getElement(from), x[0]));
      if (!(value > 0.0))
        return uint64_t(0);
      return value >= limit ? ~uint64_t(0) : static_cast<uint64_t>(value);
    });
  return std::nullopt;
}

Done qfuse::evaluateIntegers(Evaluator &evaluator, Operation *op) {
  if (!isa_and_nonnull<arith::ArithDialect>(op->getDialect()) ||
      op->getNumOperands() == 0)
    return std::nullopt;
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return evaluateSelect(evaluator, select);
  if (Done done = evaluateConversion(evaluator, op))
    return done;
  if (Done done = evaluateBits(evaluator, op))
    return done;
  if (Done done = evaluateSigned(evaluator, op))
    return done;
  if (Done done = evaluateDivision(evaluator, op))
    return done;
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
  return std::nullopt;
}
