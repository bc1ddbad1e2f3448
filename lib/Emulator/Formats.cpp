//===- Formats.cpp - 8-, 6- and 4-bit floats -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Formats.h"

namespace mlir::qfuse::emulator {

// Generic small float: 1 sign, E exponent bits, M mantissa bits, bias B.
static double dec(u32 x, int E, int M, int B) {
  int s = (x >> (E + M)) & 1;
  int e = (x >> M) & ((1 << E) - 1);
  int m = x & ((1 << M) - 1);
  double v = e == 0 ? ldexp((double)m, 1 - B - M)
                    : ldexp(1.0 + (double)m / (1 << M), e - B);
  return s ? -v : v;
}
float decodeFp8(u32 x, bool bf8, bool ocp) {
  x &= 0xff;
  if (!ocp) { // FNUZ (gfx942): 0x80 is NaN, no inf, no -0
    if (x == 0x80)
      return NAN;
    return bf8 ? (float)dec(x, 5, 2, 16) : (float)dec(x, 4, 3, 8);
  }
  if (bf8) {
    if ((x & 0x7c) == 0x7c)
      return (x & 3) ? NAN : (x & 0x80) ? -INFINITY : INFINITY;
    return (float)dec(x, 5, 2, 15);
  }
  if ((x & 0x7f) == 0x7f)
    return NAN;
  return (float)dec(x, 4, 3, 7);
}
// Round |f| to M mantissa bits with exponent floor, RNE; returns the code of
// the magnitude or -1 on overflow.
static int enc_mag(double a, int E, int M, int B, int maxcode) {
  if (a == 0)
    return 0;
  int ex;
  frexp(a, &ex);
  ex -= 1; // a = 1.x * 2^ex
  if (ex < 1 - B)
    ex = 1 - B; // subnormal quantum
  double q = ldexp(1.0, ex - M);
  double n = nearbyint(a / q); // RNE
  long code;
  long in = (long)n;
  if (ex == 1 - B && in < (1 << M))
    code = in; // subnormal (or zero)
  else
    code = ((long)(ex + B - 1) << M) +
           in; // in in [2^M, 2^(M+1)]; carry handled by the addition
  if (code > maxcode)
    return -1;
  return (int)code;
}
u8 encodeFp8(float f, bool bf8, bool ocp, bool sat) {
  int E = bf8 ? 5 : 4, M = bf8 ? 2 : 3, B = (bf8 ? 15 : 7) + (ocp ? 0 : 1);
  u32 sgn = (b32(f) >> 31) << 7;
  int maxcode = !ocp ? 0x7f : bf8 ? 0x7b : 0x7e;
  if (std::isnan(f))
    return !ocp ? 0x80 : (u8)(sgn | (bf8 ? 0x7f : 0x7f));
  if (std::isinf(f)) {
    if (sat)
      return (u8)(sgn | maxcode);
    return !ocp ? 0x80 : (u8)(sgn | (bf8 ? 0x7c : 0x7f));
  }
  int c = enc_mag(fabs((double)f), E, M, B, maxcode);
  if (c < 0) {
    if (sat)
      return (u8)(sgn | maxcode);
    return !ocp ? 0x80 : (u8)(sgn | (bf8 ? 0x7c : 0x7f));
  }
  if (!ocp && c == 0)
    return 0;
  return (u8)(sgn | c);
}
u8 encodeFp8Stochastic(float f, u32 rnd, bool bf8, bool ocp, bool sat) {
  // ISA: add S1[31:12] (fp8) / S1[31:11] (bf8) to the 23-bit mantissa, then
  // truncate.
  if (std::isnan(f) || std::isinf(f))
    return encodeFp8(f, bf8, ocp, sat);
  int M = bf8 ? 2 : 3, B = (bf8 ? 15 : 7) + (ocp ? 0 : 1);
  double a = fabs((double)f);
  u32 sgn = (b32(f) >> 31) << 7;
  if (a == 0)
    return ocp ? (u8)sgn : 0;
  int ex;
  frexp(a, &ex);
  ex -= 1;
  if (ex < 1 - B)
    ex = 1 - B;
  double q = ldexp(1.0, ex - M);
  double r = a / q +
             (double)(rnd >> (bf8 ? 11 : 12)) / (double)(1u << (bf8 ? 21 : 20));
  double t = floor(r) * q;
  return encodeFp8((float)(sgn ? -t : t), bf8, ocp, sat);
}
float decodeSubByte(u32 x, SmallFormat::Kind f) {
  switch (f) {
  case SmallFormat::FP4:
    return (float)dec(x & 0xf, 2, 1, 1);
  case SmallFormat::FP6:
    return (float)dec(x & 0x3f, 2, 3, 1);
  case SmallFormat::BF6:
    return (float)dec(x & 0x3f, 3, 2, 3);
  default:
    return NAN;
  }
}
u8 encodeSubByte(float f, SmallFormat::Kind fm) {
  int E, M, B;
  if (fm == SmallFormat::FP4)
    E = 2, M = 1, B = 1;
  else if (fm == SmallFormat::FP6)
    E = 2, M = 3, B = 1;
  else
    E = 3, M = 2, B = 3;
  int maxcode = (1 << (E + M)) - 1;
  u32 sgn = (b32(f) >> 31) << (E + M);
  if (std::isnan(f))
    return (u8)maxcode; // no NaN encoding; the ISA text does not define it
  int c = std::isinf(f) ? maxcode : enc_mag(fabs((double)f), E, M, B, maxcode);
  if (c < 0)
    c = maxcode;
  return (u8)(sgn | c);
}

} // namespace mlir::qfuse::emulator
