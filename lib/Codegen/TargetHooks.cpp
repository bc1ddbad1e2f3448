//===- TargetHooks.cpp - What several targets do alike --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Codegen/TargetHooks.h"

using namespace mlir;
using namespace mlir::qfuse;

TargetHooks::~TargetHooks() = default;

Value TargetHooks::combine(KernelBuilder &b, Value x, Value y,
                           Combine how) const {
  return how == Combine::sum ? b.addf(x, y) : maximum(b, x, y);
}

/// Returns 2^-E as f32 for the byte E + 127; NaN for the byte of NaN. 2^-127,
/// which is subnormal, would be for a byte that no finite f32 gives.
static Value invertPower(KernelBuilder &b, Value power) {
  Value bits = arith::SubIOp::create(b, b.i32(254 << 23), b.shli(power, 23));
  Value isNaN = b.equals(power, b.i32(255));
  return b.bitcast(b.select(isNaN, b.i32(0x7fc00000), bits), b.f32());
}

Value TargetHooks::divideByPower(KernelBuilder &b, Value vector, Value power) {
  return b.mulf(vector, b.splat(invertPower(b, power)));
}

/// By pairs: LLVM makes scalars of what feeds a longer truncation. The wide
/// form comes from the words, one op an element.
RoundedVector TargetHooks::convertToBf16(KernelBuilder &b, Value vector) {
  SmallVector<Value> words, wide;
  for (int64_t first = 0; first < 8; first += 2) {
    Value pair = arith::TruncFOp::create(b, b.vec(2, b.getBF16Type()),
                                         b.pair(vector, first));
    words.push_back(b.element(b.bitcast(pair, b.vec(1, b.i32())), 0));
    wide.push_back(b.bitcast(b.shli(words.back(), 16), b.f32()));
    wide.push_back(b.bitcast(b.andi(words.back(), 0xffff0000), b.f32()));
  }
  return {b.vector(wide),
          b.bitcast(b.vector(words), b.vec(8, b.getBF16Type()))};
}

//===----------------------------------------------------------------------===//
// Codes
//===----------------------------------------------------------------------===//

Value TargetHooks::turnSigns(KernelBuilder &b, Value word, uint32_t signs) {
  return arith::XOrIOp::create(b, word, b.i32(signs));
}

/// The smaller of two f32, or the one that is no NaN. As an intrinsic, since
/// arith.minnumf becomes a call of a vendor's library on some targets.
static Value minimum(KernelBuilder &b, Value x, Value y) {
  return b.intrinsic(b.f32(), "llvm.minnum.f32", {x, y});
}

/// Returns the code of the magnitude of each element: for a >= 0 it is the
/// integer nearest to min(2a, a + 2, a/2 + 4, 7), as the spacing of the numbers
/// doubles at 2 and at 4. Adding 2^23 rounds, once, to nearest even, and leaves
/// the integer in the low bits. NaN compares with nothing and gives 7.
static SmallVector<Value> getFp4Magnitudes(KernelBuilder &b, Value magnitudes) {
  SmallVector<Value> smallest;
  for (auto [factor, offset] :
       {std::pair(2.0f, 0.0f), std::pair(1.0f, 2.0f), std::pair(0.5f, 4.0f)}) {
    Value sum = b.fma(magnitudes, b.splat(b.f32(factor)),
                      b.splat(b.f32(0x1p23f + offset)));
    for (auto [position, element] : llvm::enumerate(b.elements(sum))) {
      if (smallest.size() <= position)
        smallest.push_back(element);
      else
        smallest[position] = minimum(b, smallest[position], element);
    }
  }
  for (Value &element : smallest)
    element = b.andi(
        b.bitcast(minimum(b, element, b.f32(0x1p23f + 7)), b.i32()), 0xf);
  return smallest;
}

Value TargetHooks::emulateFp4(KernelBuilder &b, Value vector, bool turnsSign) {
  Value magnitudes = b.intrinsic(vector.getType(), "llvm.fabs.v8f32", vector);
  SmallVector<Value> codes = getFp4Magnitudes(b, magnitudes);
  Value word;
  for (auto [position, element] : llvm::enumerate(b.elements(vector))) {
    Value sign = b.andi(b.shrui(b.bitcast(element, b.i32()), 28), 8);
    Value code =
        b.shli(arith::OrIOp::create(b, codes[position], sign), 4 * position);
    word = word ? arith::OrIOp::create(b, word, code).getResult() : code;
  }
  if (turnsSign)
    word = turnSigns(b, word, 0x88888888);
  return b.bitcast(b.vector(word), b.vec(4, b.getI8Type()));
}
