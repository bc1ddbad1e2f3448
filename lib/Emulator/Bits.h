//===- Bits.h - Short names for integers and bit casts ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_EMULATOR_BITS_H
#define QFUSE_LIB_EMULATOR_BITS_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <immintrin.h>

namespace mlir::qfuse::emulator {

using u8 = uint8_t;
using i8 = int8_t;
using u16 = uint16_t;
using i16 = int16_t;
using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

template <typename To, typename From>
inline To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

inline float f32(u32 x) { return bitCast<float>(x); }
inline u32 b32(float x) { return bitCast<u32>(x); }
inline double f64(u64 x) { return bitCast<double>(x); }
inline u64 b64(double x) { return bitCast<u64>(x); }

/// Half (f16) and bf16 to f32, and back with rounding to nearest even.
inline float h2f(u32 h) { return _cvtsh_ss((u16)h); }
inline u16 f2h(float f) { return _cvtss_sh(f, _MM_FROUND_TO_NEAREST_INT); }
inline float bf2f(u32 h) { return f32(h << 16); }
inline u16 f2bf(float f) {
  u32 u = b32(f);
  if (std::isnan(f))
    return (u16)((u >> 16) | 0x40);
  return (u16)((u + 0x7fff + ((u >> 16) & 1)) >> 16);
}

} // namespace mlir::qfuse::emulator

#endif // QFUSE_LIB_EMULATOR_BITS_H
