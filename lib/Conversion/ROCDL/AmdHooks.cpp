//===- AmdHooks.cpp - Target hooks of AMD devices -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AmdHooks.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "qfuse/Target/Target.h"

using namespace mlir;
using namespace mlir::qfuse;

using amdgpu::DPPPerm;

AmdHooks::AmdHooks(TargetAttr target)
    : hasFnuz(getStringFeature(target, "fp8") == "fnuz"),
      hasBf16Conversion(hasFeature(target, "bf16_conversion")),
      hasMaximum3(hasFeature(target, "maximum3")),
      hasScaledConversion(hasFeature(target, "scaled_conversion")),
      matrix(target) {}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Returns `x` of the lanes that `kind` selects; of a lane without a source,
/// `old`.
static Value move(KernelBuilder &b, Value old, Value x, DPPPerm kind,
                  Attribute argument, bool boundControl) {
  return amdgpu::DPPOp::create(b, x.getType(), old, x, kind, argument,
                               /*row_mask=*/0xf, /*bank_mask=*/0xf,
                               boundControl);
}

Value AmdHooks::reduceGroup(KernelBuilder &b, Value x, unsigned lanes,
                            Combine how) const {
  auto quad = [&](ArrayRef<int64_t> order) -> Attribute {
    return b.getI32ArrayAttr(SmallVector<int32_t>(order));
  };
  auto step = [&](DPPPerm kind, Attribute argument) {
    x = combine(b, x, move(b, x, x, kind, argument, /*boundControl=*/true),
                how);
  };
  if (lanes >= 2)
    step(DPPPerm::quad_perm, quad({1, 0, 3, 2}));
  if (lanes >= 4)
    step(DPPPerm::quad_perm, quad({2, 3, 0, 1}));
  if (lanes >= 8)
    step(DPPPerm::row_half_mirror, b.getUnitAttr());
  if (lanes >= 16)
    step(DPPPerm::row_mirror, b.getUnitAttr());
  return x;
}

Value AmdHooks::reduceWave(KernelBuilder &b, Value x, Combine how) const {
  x = reduceGroup(b, x, 16, how);
  // Rows without a source get zero, which changes neither a sum nor a maximum
  // of magnitudes.
  Value zero = b.bitcast(b.f32(0.0f), x.getType());
  for (DPPPerm kind : {DPPPerm::row_bcast_15, DPPPerm::row_bcast_31})
    x = combine(b, x,
                move(b, zero, x, kind, b.getUnitAttr(),
                     /*boundControl=*/false),
                how);
  return x;
}

Value AmdHooks::broadcastResult(KernelBuilder &b, Value x) const {
  StringRef name = x.getType().isF32() ? "llvm.amdgcn.readlane.f32"
                                       : "llvm.amdgcn.readlane.i32";
  return b.intrinsic(x.getType(), name, {x, b.i32(getResultLane())});
}

void AmdHooks::barrier(KernelBuilder &b) const {
  amdgpu::LDSBarrierOp::create(b);
}

//===----------------------------------------------------------------------===//
// Magnitudes
//===----------------------------------------------------------------------===//

// v_max_f32 ignores NaN. Where there is no maximum that propagates it, the
// bits of the magnitudes are compared as integers: those of NaN are largest.

Value AmdHooks::getMagnitude(KernelBuilder &b, Value vector) const {
  Value magnitudes;
  if (hasMaximum3) {
    magnitudes = b.intrinsic(vector.getType(), "llvm.fabs.v8f32", vector);
  } else {
    auto type = b.vec(8, b.i32());
    magnitudes = arith::AndIOp::create(b, b.bitcast(vector, type),
                                       b.splat(b.i32(0x7fffffff)));
  }
  Value largest;
  for (Value element : b.elements(magnitudes))
    largest = largest ? maximum(b, largest, element) : element;
  return largest;
}

Value AmdHooks::fromMagnitude(KernelBuilder &b, Value magnitude) const {
  return b.bitcast(magnitude, b.f32());
}

Value AmdHooks::maximum(KernelBuilder &b, Value x, Value y) const {
  if (hasMaximum3)
    return arith::MaximumFOp::create(b, x, y);
  return arith::MaxUIOp::create(b, x, y);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value AmdHooks::rsqrt(KernelBuilder &b, Value x) const {
  return b.intrinsic(b.f32(), "llvm.amdgcn.rsq.f32", x);
}

Value AmdHooks::reciprocal(KernelBuilder &b, Value x) const {
  return b.intrinsic(b.f32(), "llvm.amdgcn.rcp.f32", x);
}

RoundedVector AmdHooks::roundToBf16(KernelBuilder &b, Value vector,
                                    bool cleanNaNs) const {
  if (hasBf16Conversion)
    return convertToBf16(b, vector);
  VectorType words = b.vec(8, b.i32());
  VectorType bf16 = b.vec(8, b.getBF16Type());
  if (!cleanNaNs) {
    Value packed = arith::TruncFOp::create(b, bf16, vector);
    return {arith::ExtFOp::create(b, b.v8f32(), packed), packed};
  }
  // To nearest even by adding half a unit less an odd bit: a NaN whose low bits
  // are 0 stays one.
  auto constant = [&](int64_t value) { return b.splat(b.i32(value)); };
  Value bits = b.bitcast(vector, words);
  Value upper = arith::ShRUIOp::create(b, bits, constant(16));
  Value odd = arith::AndIOp::create(b, upper, constant(1));
  Value sum = arith::AddIOp::create(b, arith::AddIOp::create(b, bits, odd),
                                    constant(0x7fff));
  Value wide = arith::AndIOp::create(b, sum, constant(0xffff0000));
  Value halves =
      arith::TruncIOp::create(b, b.vec(8, b.getI16Type()),
                              arith::ShRUIOp::create(b, sum, constant(16)));
  return {b.bitcast(wide, b.v8f32()), b.bitcast(halves, bf16)};
}

/// The median is wrong for NaN, which it takes for the lower bound.
Value AmdHooks::clamp(KernelBuilder &b, Value vector, float low,
                      float high) const {
  Value lowest = b.f32(low), highest = b.f32(high);
  SmallVector<Value> clamped;
  for (Value element : b.elements(vector)) {
    Value median = ROCDL::FMed3Op::create(b, b.f32(), element, highest, lowest);
    Value isNaN =
        arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, element, element);
    clamped.push_back(b.select(isNaN, element, median));
  }
  return b.vector(clamped);
}

//===----------------------------------------------------------------------===//
// Codes
//===----------------------------------------------------------------------===//

bool AmdHooks::hasConversionTo(Type type) const {
  if (isa<Float4E2M1FNType>(type))
    return true;
  return hasFnuz ? isa<Float8E4M3FNUZType>(type) : isa<Float8E4M3FNType>(type);
}

Value AmdHooks::convertToFp8(KernelBuilder &b, Value vector, bool turnsSign) {
  SmallVector<Value> elements = b.elements(vector), words;
  for (unsigned first = 0; first < 8; first += 4) {
    // Both halves are written, so nothing has to be there before.
    Value word = LLVM::PoisonOp::create(b, b.i32());
    for (unsigned half : {0, 1})
      word = ROCDL::CvtPkFp8F32Op::create(
          b, b.i32(), elements[first + 2 * half],
          elements[first + 2 * half + 1], word, half == 1);
    words.push_back(turnsSign ? turnSigns(b, word, 0x80808080) : word);
  }
  return b.bitcast(b.vector(words), b.vec(8, b.getI8Type()));
}

/// The instruction divides by the power of two in the exponent of its operand.
Value AmdHooks::convertToFp4(KernelBuilder &b, Value vector, Value power,
                             bool turnsSign) {
  SmallVector<Value> elements = b.elements(vector);
  Value scale = power ? b.bitcast(b.shli(power, 23), b.f32()) : b.f32(1.0f);
  Value word = LLVM::PoisonOp::create(b, b.i32());
  for (unsigned pair = 0; pair < 4; ++pair)
    word = ROCDL::CvtScaleF32PkFp4F32Op::create(
        b, b.i32(), word, elements[2 * pair], elements[2 * pair + 1], scale,
        pair);
  if (turnsSign)
    word = turnSigns(b, word, 0x88888888);
  return b.bitcast(b.vector(word), b.vec(4, b.getI8Type()));
}

Value AmdHooks::convertToCodes(KernelBuilder &b, Value vector, Value power,
                               Type type, bool turnsSign,
                               bool /*isInRange*/) const {
  assert(hasConversionTo(type) && "nothing converts to this type");
  bool isFp4 = isa<Float4E2M1FNType>(type);
  if (isFp4 && hasScaledConversion)
    return convertToFp4(b, vector, power, turnsSign);
  if (power)
    vector = divideByPower(b, vector, power);
  return isFp4 ? emulateFp4(b, vector, turnsSign)
               : convertToFp8(b, vector, turnsSign);
}
