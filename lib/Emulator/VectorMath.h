//===- VectorMath.h - Arithmetic of one lane -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_EMULATOR_VECTORMATH_H
#define QFUSE_LIB_EMULATOR_VECTORMATH_H

#include "Bits.h"
#include <algorithm>
#include <limits>

namespace mlir::qfuse::emulator {

// MODE.IEEE: the minimum or maximum of a signalling NaN is that NaN, quieted;
// else a NaN gives way to the other source
inline thread_local bool ieeeMode;
inline bool isSignalingNan(float x) {
  u32 u = b32(x);
  return (u & 0x7fffffff) > 0x7f800000 && !((u >> 22) & 1);
}
inline bool isSignalingNan(double x) {
  u64 u = b64(x);
  return std::isnan(x) && !((u >> 51) & 1);
}
inline float quietNan(float x) { return f32(b32(x) | 0x400000); }
inline double quietNan(double x) { return f64(b64(x) | 1ull << 51); }
#define QUIET_SNAN(a, b)                                                       \
  if (ieeeMode) {                                                              \
    if (isSignalingNan(a))                                                     \
      return quietNan(a);                                                      \
    if (isSignalingNan(b))                                                     \
      return quietNan(b);                                                      \
  }
inline float flushDenormal(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? copysignf(0.f, x) : x;
}
inline float minF32(float a, float b) {
  QUIET_SNAN(a, b) if (std::isnan(a)) return b;
  if (std::isnan(b))
    return a;
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
inline float maxF32(float a, float b) {
  QUIET_SNAN(a, b) if (std::isnan(a)) return b;
  if (std::isnan(b))
    return a;
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
inline double minF64(double a, double b) {
  QUIET_SNAN(a, b) if (std::isnan(a)) return b;
  if (std::isnan(b))
    return a;
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
inline double maxF64(double a, double b) {
  QUIET_SNAN(a, b) if (std::isnan(a)) return b;
  if (std::isnan(b))
    return a;
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
inline float minimumF32(float a, float b) {
  if (std::isnan(a))
    return quietNan(a);
  if (std::isnan(b))
    return quietNan(b);
  return minF32(a, b);
}
inline float maximumF32(float a, float b) {
  if (std::isnan(a))
    return quietNan(a);
  if (std::isnan(b))
    return quietNan(b);
  return maxF32(a, b);
}
inline float median3F32(float a, float b, float c) {
  if (std::isnan(a) || std::isnan(b) || std::isnan(c))
    return minF32(minF32(a, b), c);
  float m = maxF32(maxF32(a, b), c);
  if (m == a)
    return maxF32(b, c);
  if (m == b)
    return maxF32(a, c);
  return maxF32(a, b);
}
template <class T>
inline T median3(T a, T b, T c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}
inline i32 toI32(double x) {
  if (std::isnan(x))
    return 0;
  if (x <= -2147483648.0)
    return INT32_MIN;
  if (x >= 2147483647.0)
    return INT32_MAX;
  return (i32)x;
}
inline u32 toU32(double x) {
  if (std::isnan(x))
    return 0;
  if (x <= 0)
    return 0;
  if (x >= 4294967295.0)
    return UINT32_MAX;
  return (u32)x;
}
inline float reciprocal(float x) {
  return flushDenormal(1.0f / flushDenormal(x));
}
inline float reciprocalSqrt(float x) {
  x = flushDenormal(x);
  return flushDenormal((float)(1.0 / sqrt((double)x)));
}
inline float squareRoot(float x) { return sqrtf(flushDenormal(x)); }
inline float exp2Flushed(float x) {
  return flushDenormal((float)exp2((double)flushDenormal(x)));
}
inline float log2Flushed(float x) {
  return (float)log2((double)flushDenormal(x));
}
inline float sinTurns(float x) {
  if (std::isinf(x))
    return NAN;
  double r = x - nearbyint((double)x);
  if (r == 0.5 || r == -0.5)
    return 0.f;
  return (float)sin(r * 6.283185307179586476925);
}
inline float cosTurns(float x) {
  if (std::isinf(x))
    return NAN;
  double r = x - nearbyint((double)x);
  if (r == 0.25 || r == -0.25)
    return 0.f;
  return (float)cos(r * 6.283185307179586476925);
}
inline float fraction(float x) {
  float r = x - floorf(x);
  return r >= 1.0f ? f32(0x3f7fffff) : r;
}
inline int exponentBits(float x) { return (b32(x) >> 23) & 0xff; }
inline i32 frexpExponent(double x) {
  if (x == 0 || std::isnan(x) || std::isinf(x))
    return 0;
  int e;
  frexp(x, &e);
  return e;
}
inline double frexpMantissa(double x) {
  if (x == 0 || std::isnan(x) || std::isinf(x))
    return x;
  int e;
  return frexp(x, &e);
}
inline bool isDenormal(float x) { return std::fpclassify(x) == FP_SUBNORMAL; }
inline u32 classifyF32(float x, u32 m) {
  u32 b = b32(x);
  int k;
  switch (std::fpclassify(x)) {
  case FP_NAN:
    k = (b >> 22) & 1;
    break;
  case FP_INFINITE:
    k = (b >> 31) ? 2 : 9;
    break;
  case FP_NORMAL:
    k = (b >> 31) ? 3 : 8;
    break;
  case FP_SUBNORMAL:
    k = (b >> 31) ? 4 : 7;
    break;
  default:
    k = (b >> 31) ? 5 : 6;
  }
  return (m >> k) & 1;
}
inline u32 classifyF64(double x, u32 m) {
  u64 b = b64(x);
  int k;
  int s = b >> 63;
  switch (std::fpclassify(x)) {
  case FP_NAN:
    k = (b >> 51) & 1;
    break;
  case FP_INFINITE:
    k = s ? 2 : 9;
    break;
  case FP_NORMAL:
    k = s ? 3 : 8;
    break;
  case FP_SUBNORMAL:
    k = s ? 4 : 7;
    break;
  default:
    k = s ? 5 : 6;
  }
  return (m >> k) & 1;
}
inline u32 classifyF16(u32 h, u32 m) {
  int e = (h >> 10) & 31, f = h & 0x3ff, s = (h >> 15) & 1, k;
  if (e == 31)
    k = f ? (f >> 9) & 1 : s ? 2 : 9;
  else if (e)
    k = s ? 3 : 8;
  else if (f)
    k = s ? 4 : 7;
  else
    k = s ? 5 : 6;
  return (m >> k) & 1;
}

#undef QUIET_SNAN

} // namespace mlir::qfuse::emulator

#endif // QFUSE_LIB_EMULATOR_VECTORMATH_H
