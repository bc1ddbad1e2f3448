//===- Interpreter.h - The executable meaning of a function -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each op has the roundings that it states and no others. A sum, a square root
// and a function of math, whose results depend on order or approximation, are
// computed in f64 and rounded to f32 once; for them there is an interval too,
// which every legal computation in f32 lies in.

#ifndef QFUSE_INTERPRETER_INTERPRETER_H
#define QFUSE_INTERPRETER_INTERPRETER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "qfuse/IR/QFuse.h"
#include "qfuse/Support/Tensor.h"
#include <functional>

namespace mlir::qfuse {

/// What an SSA value stands for. Of a packed value, `tensor` is the physical
/// one, of rank 1 and with its padding; of any other, `tensor.shape` is
/// `shape`. A scalar has rank 0. An i1 is an i8 of 0 or 1.
struct HostValue {
  Tensor tensor;
  /// Logical extents.
  std::vector<int64_t> shape;

  HostValue() = default;
  HostValue(Tensor plain) : tensor(std::move(plain)), shape(tensor.shape) {}
  HostValue(Tensor physical, std::vector<int64_t> shape)
      : tensor(std::move(physical)), shape(std::move(shape)) {}
};

/// The ends, both included, between which each element of a result may lie.
/// Of the element type and logical shape of the result; never packed.
struct Interval {
  Tensor low, high;
};

/// Sees each result as it is computed, and may replace it.
class Observer {
public:
  virtual ~Observer();

  /// Called once for each result of each op, in the order of execution, those
  /// in bodies included. `interval` is null for an op that is free of order.
  virtual void observe(OpResult result, const HostValue &value,
                       const Interval *interval);

  /// Returns what takes the place of `result` from here on, of the element
  /// type and physical shape of what was observed; nothing leaves it.
  virtual std::optional<Tensor> substitute(OpResult result);
};

struct InterpreterOptions {
  /// Of the results of functions without a body.
  uint64_t seed = 1;
  /// May be null.
  Observer *observer = nullptr;
  /// Whether the observer is given intervals; they cost time.
  bool computeIntervals = false;
  /// Returns the largest number of roundings between a term and the sum of
  /// `terms` terms. By default `terms`, which holds for every order.
  std::function<int64_t(int64_t terms)> getSumDepth;
};

/// What one of several ranks gives to a function.
struct RankCall {
  std::vector<HostValue> arguments;
  /// May be null.
  Observer *observer = nullptr;
};

/// Executes `function` on `arguments`, which are of its argument types. A call
/// of a function without a body gives values that depend on seed, callee, count
/// of the call and shape alone; a dynamic extent of its result is that of the
/// same dimension of the first operand in which it is dynamic too. Emits an
/// error for an op that it does not know, and for extents that do not fit.
FailureOr<std::vector<HostValue>>
interpret(func::FuncOp function, ArrayRef<HostValue> arguments,
          const InterpreterOptions &options = {});

/// The same for ranks that execute `function` together, each with arguments and
/// results of its own; collectives need as many as `getNumRanks` says. The
/// observer of `options` is not used. An opaque call gives the same values on
/// all ranks. Emits an error, too, for an argument that is not equal where
/// `qfuse.uniform` says so, and for a collective that only some ranks of its
/// group reach.
FailureOr<std::vector<std::vector<HostValue>>>
interpretRanks(func::FuncOp function, ArrayRef<RankCall> ranks,
               const InterpreterOptions &options = {});

/// Returns the element type that stands for `type`, or nothing if none does.
std::optional<Element> getElement(Type type);

/// Returns the physical elements of `logical` in the order of `layout`, with
/// its padding. Padding that is undefined is made of bytes 0xaa.
Tensor packTensor(const Tensor &logical, LayoutAttr layout);

/// Returns the logical elements, of extents `shape`, of the physical ones.
Tensor unpackTensor(const Tensor &physical, LayoutAttr layout,
                    ArrayRef<int64_t> shape);

} // namespace mlir::qfuse

#endif // QFUSE_INTERPRETER_INTERPRETER_H
