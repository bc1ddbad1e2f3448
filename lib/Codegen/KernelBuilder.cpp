//===- KernelBuilder.cpp - Ops of a device kernel -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Codegen/KernelBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::qfuse;

Value KernelBuilder::f32(float value) {
  return arith::ConstantOp::create(*this, getF32FloatAttr(value));
}

Value KernelBuilder::i32(int64_t value) {
  return arith::ConstantOp::create(
      *this, getI32IntegerAttr(static_cast<int32_t>(value)));
}

Value KernelBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(*this, value);
}

Value KernelBuilder::fma(Value a, Value b, Value c) {
  // vector.fma would become fmuladd, which may round twice.
  std::string name = "llvm.fma.f32";
  if (auto type = dyn_cast<VectorType>(a.getType()))
    name = "llvm.fma.v" + std::to_string(type.getNumElements()) + "f32";
  return intrinsic(a.getType(), name, {a, b, c});
}

/// No wrap, so that address arithmetic stays in 32 bits and scalar registers.
static constexpr arith::IntegerOverflowFlags noWrap =
    arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;

Value KernelBuilder::addi(Value a, Value b) {
  return arith::AddIOp::create(*this, a, b, noWrap);
}

Value KernelBuilder::muli(Value a, Value b) {
  return arith::MulIOp::create(*this, a, b, noWrap);
}

Value KernelBuilder::andi(Value a, int64_t mask) {
  return arith::AndIOp::create(*this, a, i32(mask));
}

Value KernelBuilder::shli(Value a, int64_t bits) {
  return arith::ShLIOp::create(*this, a, i32(bits));
}

Value KernelBuilder::shrui(Value a, int64_t bits) {
  return arith::ShRUIOp::create(*this, a, i32(bits));
}

Value KernelBuilder::lessThan(Value a, Value b) {
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::ult, a, b);
}

Value KernelBuilder::equals(Value a, Value b) {
  return arith::CmpIOp::create(*this, arith::CmpIPredicate::eq, a, b);
}

Value KernelBuilder::toIndex(Value value) {
  return arith::IndexCastUIOp::create(*this, getIndexType(), value);
}

Value KernelBuilder::toI32(Value value) {
  return arith::IndexCastUIOp::create(*this, i32(), value);
}

Value KernelBuilder::bitcast(Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<VectorType>(type))
    return vector::BitCastOp::create(*this, cast<VectorType>(type), value);
  return arith::BitcastOp::create(*this, type, value);
}

Value KernelBuilder::splat(Value scalar, int64_t size) {
  return vector::BroadcastOp::create(*this, vec(size, scalar.getType()),
                                     scalar);
}

Value KernelBuilder::element(Value vector, int64_t position) {
  return vector::ExtractOp::create(*this, vector, position);
}

SmallVector<Value> KernelBuilder::elements(Value vector) {
  int64_t size = cast<VectorType>(vector.getType()).getNumElements();
  SmallVector<Value> elements;
  for (int64_t position = 0; position < size; ++position)
    elements.push_back(element(vector, position));
  return elements;
}

Value KernelBuilder::pair(Value vector, int64_t first) {
  return vector::ShuffleOp::create(*this, vector, vector,
                                   ArrayRef<int64_t>{first, first + 1});
}

Value KernelBuilder::vector(ValueRange elements) {
  return vector::FromElementsOp::create(
      *this, vec(elements.size(), elements.front().getType()), elements);
}

Value KernelBuilder::intrinsic(Type result, StringRef name,
                               ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(*this, result, getStringAttr(name),
                                       operands)
      .getResult(0);
}
