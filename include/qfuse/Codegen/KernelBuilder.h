//===- KernelBuilder.h - Ops of a device kernel -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_CODEGEN_KERNELBUILDER_H
#define QFUSE_CODEGEN_KERNELBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::qfuse {

/// Builds the ops that kernels are made of: short names for what emitters and
/// target hooks write in each line. `v8` is a vector of eight elements, what a
/// lane owns of a chunk.
class KernelBuilder : public ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  Type f32() { return getF32Type(); }
  Type i32() { return getI32Type(); }
  VectorType vec(int64_t size, Type element) {
    return VectorType::get(size, element);
  }
  VectorType v8f32() { return vec(8, f32()); }

  /// Constants. Equal ones are merged by the canonicalizer.
  Value f32(float value);
  Value i32(int64_t value);
  Value index(int64_t value);

  /// Float arithmetic on scalars or vectors; never contracted.
  Value addf(Value a, Value b) { return arith::AddFOp::create(*this, a, b); }
  Value mulf(Value a, Value b) { return arith::MulFOp::create(*this, a, b); }
  Value negf(Value a) { return arith::NegFOp::create(*this, a); }
  /// One rounding.
  Value fma(Value a, Value b, Value c);

  /// Integer arithmetic; neither signed nor unsigned overflow.
  Value addi(Value a, Value b);
  Value muli(Value a, Value b);
  Value andi(Value a, int64_t mask);
  Value shli(Value a, int64_t bits);
  Value shrui(Value a, int64_t bits);
  Value lessThan(Value a, Value b);
  Value equals(Value a, Value b);
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(*this, condition, a, b);
  }

  /// Returns the i32 `value`, which is not negative, as index; and back.
  Value toIndex(Value value);
  Value toI32(Value value);

  /// Returns `value` as a scalar or vector of the same size.
  Value bitcast(Value value, Type type);

  Value splat(Value scalar, int64_t size = 8);
  Value element(Value vector, int64_t position);
  SmallVector<Value> elements(Value vector);
  /// Returns elements `first` and `first + 1` as a vector of two.
  Value pair(Value vector, int64_t first);
  Value vector(ValueRange elements);

  /// Returns the result of the LLVM intrinsic `name`.
  Value intrinsic(Type result, StringRef name, ValueRange operands);
};

} // namespace mlir::qfuse

#endif // QFUSE_CODEGEN_KERNELBUILDER_H
