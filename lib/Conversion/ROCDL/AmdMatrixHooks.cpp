//===- AmdMatrixHooks.cpp - MFMA and raw buffers --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AmdMatrixHooks.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "qfuse/Target/Target.h"

using namespace mlir;
using namespace mlir::qfuse;

AmdMatrixHooks::AmdMatrixHooks(TargetAttr target)
    : hasFnuz(getStringFeature(target, "fp8") == "fnuz"),
      form(hasFeature(target, "scaled_mma") ? MfmaForm{128, 32}
                                            : MfmaForm{32, 8}) {}

bool AmdMatrixHooks::takes(Type type) const {
  return hasFnuz ? isa<Float8E4M3FNUZType>(type) : isa<Float8E4M3FNType>(type);
}

/// Returns the instruction operands that two neighbouring pieces hold, in the
/// order of K. An instruction takes both, or half of one: then both operands
/// are split alike, and the order of K within a piece is free.
static SmallVector<Value> getOperands(KernelBuilder &b, ValueRange pieces,
                                      const MfmaForm &form, Type type) {
  VectorType operand = b.vec(form.laneBytes, type);
  SmallVector<Value> operands;
  if (form.laneBytes == 2 * MatrixHooks::laneBytes) {
    Value both = vector::ShuffleOp::create(
        b, pieces[0], pieces[1], ArrayRef<int64_t>{0, 1, 2, 3, 4, 5, 6, 7});
    operands.push_back(b.bitcast(both, operand));
    return operands;
  }
  for (Value piece : pieces)
    for (int64_t first : {0, 2})
      operands.push_back(b.bitcast(b.pair(piece, first), operand));
  return operands;
}

Value AmdMatrixHooks::multiply(KernelBuilder &b, ValueRange first,
                               ValueRange second, Value accumulator,
                               Type type) const {
  for (auto [x, y] : llvm::zip_equal(getOperands(b, first, form, type),
                                     getOperands(b, second, form, type)))
    accumulator =
        amdgpu::MFMAOp::create(b, accumulator.getType(), tile, tile, form.k,
                               /*blocks=*/1u, x, y, accumulator);
  return accumulator;
}

Value AmdMatrixHooks::getUniform(KernelBuilder &b, Value x) const {
  return ROCDL::ReadfirstlaneOp::create(b, x.getType(), x);
}

Value AmdMatrixHooks::describeBuffer(KernelBuilder &b, Value pointer,
                                     Value bytes) const {
  // What amdgpu.fat_raw_buffer_cast makes: 32-bit data, no swizzle.
  Value flags = b.i32(0x27000);
  Value stride = arith::ConstantOp::create(b, b.getI16IntegerAttr(0));
  auto type = LLVM::LLVMPointerType::get(b.getContext(), /*addressSpace=*/8);
  Value records = arith::ExtUIOp::create(b, b.getI64Type(), bytes);
  return ROCDL::MakeBufferRsrcOp::create(b, type, pointer, stride, records,
                                         flags);
}

Value AmdMatrixHooks::loadBuffer(KernelBuilder &b, Type type, Value buffer,
                                 Value offset) const {
  Value zero = b.i32(0);
  return ROCDL::RawPtrBufferLoadOp::create(
      b, type, buffer, offset, /*soffset=*/zero, /*aux=*/zero,
      /*alias_scopes=*/ArrayAttr(), /*noalias_scopes=*/ArrayAttr(),
      /*tbaa=*/ArrayAttr());
}

void AmdMatrixHooks::storeBuffer(KernelBuilder &b, Value value, Value buffer,
                                 Value offset) const {
  Value zero = b.i32(0);
  ROCDL::RawPtrBufferStoreOp::create(
      b, value, buffer, offset, /*soffset=*/zero, /*aux=*/zero,
      /*alias_scopes=*/ArrayAttr(), /*noalias_scopes=*/ArrayAttr(),
      /*tbaa=*/ArrayAttr());
}

void AmdMatrixHooks::schedulingBarrier(KernelBuilder &b) const {
  amdgpu::SchedBarrierOp::create(b, amdgpu::sched_barrier_opt_enum::none);
}
