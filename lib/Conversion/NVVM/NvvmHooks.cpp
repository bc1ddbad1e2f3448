//===- NvvmHooks.cpp - Target hooks of NVIDIA devices ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NvvmHooks.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "qfuse/Target/Target.h"

using namespace mlir;
using namespace mlir::qfuse;

NvvmHooks::NvvmHooks(TargetAttr target)
    : hasFp8Conversion(getStringFeature(target, "fp8") == "ocp"),
      hasBf16Conversion(hasFeature(target, "bf16_conversion")) {}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Returns `x` of the lane whose number differs in the bit `distance`.
static Value exchange(KernelBuilder &b, Value x, unsigned distance) {
  StringRef name = x.getType().isF32() ? "llvm.nvvm.shfl.sync.bfly.f32"
                                       : "llvm.nvvm.shfl.sync.bfly.i32";
  // All lanes take part; the last operand is the lane mask of a whole warp.
  return b.intrinsic(x.getType(), name,
                     {b.i32(-1), x, b.i32(distance), b.i32(31)});
}

/// Lanes that exchange add the same two numbers, so that all of them get the
/// same sum, whose order depends on `lanes` alone.
Value NvvmHooks::reduceGroup(KernelBuilder &b, Value x, unsigned lanes,
                             Combine how) const {
  for (unsigned distance = 1; distance < lanes; distance *= 2)
    x = combine(b, x, exchange(b, x, distance), how);
  return x;
}

Value NvvmHooks::reduceWave(KernelBuilder &b, Value x, Combine how) const {
  if (how == Combine::maximum)
    return b.intrinsic(b.i32(), "llvm.nvvm.redux.sync.umax", {x, b.i32(-1)});
  return reduceGroup(b, x, getLanes(), how);
}

void NvvmHooks::barrier(KernelBuilder &b) const { gpu::BarrierOp::create(b); }

//===----------------------------------------------------------------------===//
// Magnitudes
//===----------------------------------------------------------------------===//

Value NvvmHooks::getMagnitude(KernelBuilder &b, Value vector) const {
  Value magnitudes = b.intrinsic(vector.getType(), "llvm.fabs.v8f32", vector);
  Value largest;
  for (Value element : b.elements(magnitudes))
    largest = largest
                  ? b.intrinsic(b.f32(), "llvm.maximum.f32", {largest, element})
                  : element;
  return b.bitcast(largest, b.i32());
}

Value NvvmHooks::fromMagnitude(KernelBuilder &b, Value magnitude) const {
  return b.bitcast(magnitude, b.f32());
}

Value NvvmHooks::maximum(KernelBuilder &b, Value x, Value y) const {
  return arith::MaxUIOp::create(b, x, y);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// PTX ISA, rsqrt: the relative error is at most 2^-22.9, which is below 2
/// ulps.
Value NvvmHooks::rsqrt(KernelBuilder &b, Value x) const {
  return b.intrinsic(b.f32(), "llvm.nvvm.rsqrt.approx.f", x);
}

/// PTX ISA, rcp: 1 ulp. Subnormal numbers are taken for zero.
Value NvvmHooks::reciprocal(KernelBuilder &b, Value x) const {
  return b.intrinsic(b.f32(), "llvm.nvvm.rcp.approx.ftz.f", x);
}

RoundedVector NvvmHooks::roundToBf16(KernelBuilder &b, Value vector,
                                     bool /*cleanNaNs*/) const {
  if (hasBf16Conversion)
    return convertToBf16(b, vector);
  Value packed = arith::TruncFOp::create(b, b.vec(8, b.getBF16Type()), vector);
  return {arith::ExtFOp::create(b, b.v8f32(), packed), packed};
}

Value NvvmHooks::clamp(KernelBuilder &b, Value vector, float low,
                       float high) const {
  SmallVector<Value> clamped;
  for (Value element : b.elements(vector)) {
    Value raised =
        b.intrinsic(b.f32(), "llvm.maximum.f32", {element, b.f32(low)});
    clamped.push_back(
        b.intrinsic(b.f32(), "llvm.minimum.f32", {raised, b.f32(high)}));
  }
  return b.vector(clamped);
}

//===----------------------------------------------------------------------===//
// Codes
//===----------------------------------------------------------------------===//

bool NvvmHooks::hasConversionTo(Type type) const {
  return isa<Float4E2M1FNType>(type) ||
         (hasFp8Conversion && isa<Float8E4M3FNType>(type));
}

/// Returns `element`, or NaN where it is rounded to a number beyond 448: there
/// is no conversion to f8E4M3FN but the one that saturates. The tie of 448 and
/// 480, which is no number of the type, goes to 448.
static Value spoilOutOfRange(KernelBuilder &b, Value element) {
  Value magnitude = b.intrinsic(b.f32(), "llvm.fabs.f32", element);
  Value isBeyond = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT,
                                         magnitude, b.f32(464.0f));
  return b.select(isBeyond, b.bitcast(b.i32(0x7fc00000), b.f32()), element);
}

Value NvvmHooks::convertToCodes(KernelBuilder &b, Value vector, Value power,
                                Type type, bool turnsSign,
                                bool isInRange) const {
  assert(hasConversionTo(type) && "nothing converts to this type");
  if (power)
    vector = divideByPower(b, vector, power);
  if (isa<Float4E2M1FNType>(type))
    return emulateFp4(b, vector, turnsSign);

  SmallVector<Value> elements = b.elements(vector), halves;
  if (!isInRange)
    for (Value &element : elements)
      element = spoilOutOfRange(b, element);
  // The first operand becomes the upper byte.
  for (unsigned first = 0; first < 8; first += 2)
    halves.push_back(b.intrinsic(b.getI16Type(), "llvm.nvvm.ff.to.e4m3x2.rn",
                                 {elements[first + 1], elements[first]}));
  Value words = b.bitcast(b.vector(halves), b.vec(2, b.i32()));
  if (turnsSign) {
    SmallVector<Value> turned;
    for (Value word : b.elements(words))
      turned.push_back(turnSigns(b, word, 0x80808080));
    words = b.vector(turned);
  }
  return b.bitcast(words, b.vec(8, b.getI8Type()));
}
