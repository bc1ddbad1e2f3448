//===- VectorTernary.cpp - VOP3: three sources ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VectorShapes.h"

namespace mlir::qfuse::emulator {

static u32 permuteByte(u32 s0, u32 s1, u32 k) {
  u64 d = ((u64)s0 << 32) | s1;
  if (k >= 13)
    return 0xff;
  if (k == 12)
    return 0;
  if (k >= 8) {
    int bit = k == 8 ? 15 : k == 9 ? 31 : k == 10 ? 47 : 63;
    return (d >> bit) & 1 ? 0xff : 0;
  }
  return (d >> (8 * k)) & 0xff;
}
static u32 bitop3(u32 a, u32 b, u32 c, u32 t) {
  u32 r = 0;
  for (int k = 0; k < 8; k++)
    if ((t >> k) & 1)
      r |= ((k & 4) ? a : ~a) & ((k & 2) ? b : ~b) & ((k & 1) ? c : ~c);
  return r;
}
static float divScale32(float s0, float s1, float s2,
                        bool &v) { // s1 denominator, s2 numerator
  v = false;
  if (s2 == 0 || s1 == 0)
    return NAN;
  if (exponentBits(s2) - exponentBits(s1) >= 96) {
    v = true;
    return b32(s0) == b32(s1) ? ldexpf(s0, 64) : s0;
  }
  if (isDenormal(s1))
    return ldexpf(s0, 64);
  bool rd_ = fabs(1.0 / (double)s1) < 0x1p-126 && !std::isinf(s1),
       qd = fabs((double)s2 / (double)s1) < 0x1p-126 &&
            !std::isinf(
                s1); // below the normal range, also when it would round to 0
  if (rd_ && qd) {
    v = true;
    return b32(s0) == b32(s1) ? ldexpf(s0, -64) : s0;
  } // the ISA text says +64, which overflows; -64 is what makes 1/MAX work
  if (rd_)
    return ldexpf(s0, -64);
  if (qd) {
    v = true;
    return b32(s0) == b32(s2) ? ldexpf(s0, 64) : s0;
  }
  if (exponentBits(s2) <= 23)
    return ldexpf(s0, 64);
  return s0;
}
static int exponentBits(double x) { return (b64(x) >> 52) & 0x7ff; }
static bool isDenormal(double x) { return std::fpclassify(x) == FP_SUBNORMAL; }
static double divScale64(double s0, double s1, double s2, bool &v) {
  v = false;
  if (s2 == 0 || s1 == 0)
    return NAN;
  if (exponentBits(s2) - exponentBits(s1) >= 768) {
    v = true;
    return b64(s0) == b64(s1) ? ldexp(s0, 128) : s0;
  }
  if (isDenormal(s1))
    return ldexp(s0, 128);
  bool rd_ = fabsl(1.0L / (long double)s1) < 0x1p-1022L && !std::isinf(s1),
       qd = fabsl((long double)s2 / (long double)s1) < 0x1p-1022L &&
            !std::isinf(s1);
  if (rd_ && qd) {
    v = true;
    return b64(s0) == b64(s1) ? ldexp(s0, -128) : s0;
  }
  if (rd_)
    return ldexp(s0, -128);
  if (qd) {
    v = true;
    return b64(s0) == b64(s2) ? ldexp(s0, 128) : s0;
  }
  if (exponentBits(s2) <= 53)
    return ldexp(s0, 128);
  return s0;
}
template <class T>
static T divFixup(T q, T d, T n,
                  T qnan) { // S0 quotient, S1 denominator, S2 numerator
  bool sg = std::signbit(d) != std::signbit(n);
  T inf = std::numeric_limits<T>::infinity();
  if (std::isnan(n))
    return n + n;
  if (std::isnan(d))
    return d + d;
  if (n == 0 && d == 0)
    return qnan;
  if (std::isinf(n) && std::isinf(d))
    return qnan;
  if (d == 0 || std::isinf(n))
    return sg ? -inf : inf;
  if (std::isinf(d) || n == 0)
    return sg ? -(T)0 : (T)0;
  if (std::isnan(q))
    return sg ? -inf : inf;
  return sg ? -std::fabs(q) : std::fabs(q);
}

void addVop3(const TableBuilder &add) {
  TERNARY_F32("v_fma_f32", fmaf(a, b, c));
  TERNARY_F32("v_mad_f32", a * b + c);
  TERNARY_F32("v_min3_f32", minF32(minF32(a, b), c));
  TERNARY_F32("v_max3_f32", maxF32(maxF32(a, b), c));
  TERNARY_F32("v_med3_f32", median3F32(a, b, c));
  TERNARY_F32("v_minimum3_f32", minimumF32(minimumF32(a, b), c));
  TERNARY_F32("v_maximum3_f32", maximumF32(maximumF32(a, b), c));
  TERNARY_F16("v_fma_f16", (float)((double)a * b + c));
  TERNARY_F16("v_mad_f16", a * b + c);
  TERNARY_F16("v_min3_f16", minF32(minF32(a, b), c));
  TERNARY_F16("v_max3_f16", maxF32(maxF32(a, b), c));
  TERNARY_F16("v_med3_f16", median3F32(a, b, c));
  add("v_fmac_f16", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    readHalf(wave, inst, 1, 0, a);
    readHalf(wave, inst, 2, 1, b);
    const u32 *d = wave.vgprs[inst.operands[0].reg];
    FOR_EACH_LANE r.v[i] =
        f2h((float)((double)h2f(a.v[i]) * h2f(b.v[i]) + h2f(d[i] & 0xffff)));
    writeHalf(wave, inst, r.v, true);
  });
  TERNARY_F64("v_fma_f64", fma(a, b, c));
  BINARY_F64("v_add_f64", a + b);
  BINARY_F64("v_mul_f64", a * b);
  BINARY_F64("v_min_f64", minF64(a, b));
  BINARY_F64("v_max_f64", maxF64(a, b));
  add("v_ldexp_f64", [](Wave &wave, const Instruction &inst) {
    Lanes64 a, r;
    Lanes32 b;
    read64(wave, inst, 1, a, 0);
    auto y = readBits(wave, inst, 2, 1, b);
    FOR_EACH_LANE r.v[i] = b64(ldexp(f64(a.v[i]), (i32)y[i]));
    writeF64(wave, inst, r);
  });
  add("v_ldexp_f32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    auto x = readF32(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b);
    FOR_EACH_LANE r.v[i] = b32(ldexpf(f32(x[i]), (i32)y[i]));
    writeF32(wave, inst, r.v);
  });
#define MAD24(nm, T, X, LO, HI)                                                \
  DEFINE(nm, {                                                                 \
    Lanes32 a, b, c, r;                                                        \
    auto x = readBits(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b), \
         z = readBits(wave, inst, 3, 2, c);                                    \
    FOR_EACH_LANE {                                                            \
      i64 t = (i64)X(x[i]) * X(y[i]) + (T)z[i];                                \
      r.v[i] = inst.clamp ? (u32)(t < LO ? LO : t > HI ? HI : t) : (u32)t;     \
    }                                                                          \
    writeBits(wave, inst, r.v);                                                \
  })
#define SX24(v) ((i32)((v) << 8) >> 8)
#define ZX24(v) ((v) & 0xffffff)
  MAD24("v_mad_i32_i24", i32, SX24, (i64)INT32_MIN, (i64)INT32_MAX);
  MAD24("v_mad_u32_u24", u32, ZX24, (i64)0, (i64)UINT32_MAX);
  TERNARY_BITS("v_bfe_u32",
               ((c & 31) == 0) ? 0 : (a >> (b & 31)) & ((1u << (c & 31)) - 1));
  TERNARY_BITS("v_bfe_i32", ({
                 u32 n = c & 31;
                 n == 0 ? 0u
                        : (u32)((i32)((u32)((i32)a >> (b & 31)) << (32 - n)) >>
                                (32 - n));
               })); // arithmetic shift, as in the ISA text
  TERNARY_BITS("v_bfi_b32", (a & b) | (~a & c));
  BINARY_BITS("v_bfm_b32", ((1u << (a & 31)) - 1) << (b & 31));
  TERNARY_BITS("v_alignbit_b32", (u32)((((u64)a << 32) | b) >> (c & 31)));
  TERNARY_BITS("v_alignbyte_b32", (u32)((((u64)a << 32) | b) >> (8 * (c & 3))));
  TERNARY_BITS("v_min3_i32", std::min(std::min((i32)a, (i32)b), (i32)c));
  TERNARY_BITS("v_max3_i32", std::max(std::max((i32)a, (i32)b), (i32)c));
  TERNARY_BITS("v_med3_i32", median3((i32)a, (i32)b, (i32)c));
  TERNARY_BITS("v_min3_u32", std::min(std::min(a, b), c));
  TERNARY_BITS("v_max3_u32", std::max(std::max(a, b), c));
  TERNARY_BITS("v_med3_u32", median3(a, b, c));
  TERNARY_I16("v_mad_u16", a * b + c);
  TERNARY_I16("v_mad_i16", a * b + c);
  TERNARY_I16("v_min3_u16", std::min(std::min(a, b), c));
  TERNARY_I16("v_max3_u16", std::max(std::max(a, b), c));
  TERNARY_I16("v_med3_u16", median3(a, b, c));
  TERNARY_I16("v_min3_i16", std::min(std::min((i16)a, (i16)b), (i16)c));
  TERNARY_I16("v_max3_i16", std::max(std::max((i16)a, (i16)b), (i16)c));
  TERNARY_I16("v_med3_i16", median3((i16)a, (i16)b, (i16)c));
  TERNARY_BITS("v_perm_b32", permuteByte(a, b, c & 0xff) |
                                 permuteByte(a, b, (c >> 8) & 0xff) << 8 |
                                 permuteByte(a, b, (c >> 16) & 0xff) << 16 |
                                 permuteByte(a, b, c >> 24) << 24);
  TERNARY_BITS("v_xad_u32", (a ^ b) + c);
  TERNARY_BITS("v_lshl_add_u32", (a << (b & 31)) + c);
  TERNARY_BITS("v_add_lshl_u32", (a + b) << (c & 31));
  TERNARY_BITS("v_add3_u32", a + b + c);
  TERNARY_BITS("v_lshl_or_b32", (a << (b & 31)) | c);
  TERNARY_BITS("v_and_or_b32", (a & b) | c);
  TERNARY_BITS("v_or3_b32", a | b | c);
  add("v_mad_u32_u16", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, c, r;
    readHalf(wave, inst, 1, 0, a);
    readHalf(wave, inst, 2, 1, b);
    auto z = readBits(wave, inst, 3, 2, c);
    FOR_EACH_LANE r.v[i] = a.v[i] * b.v[i] + z[i];
    writeBits(wave, inst, r.v);
  });
  add("v_mad_i32_i16", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, c, r;
    readHalf(wave, inst, 1, 0, a);
    readHalf(wave, inst, 2, 1, b);
    auto z = readBits(wave, inst, 3, 2, c);
    FOR_EACH_LANE r.v[i] = (i32)(i16)a.v[i] * (i16)b.v[i] + z[i];
    writeBits(wave, inst, r.v);
  });
  add("v_lshl_add_u64", [](Wave &wave, const Instruction &inst) {
    Lanes64 a, c, r;
    Lanes32 b;
    read64(wave, inst, 1, a, 1);
    auto y = readBits(wave, inst, 2, 1, b);
    read64(wave, inst, 3, c, 1);
    FOR_EACH_LANE r.v[i] = (a.v[i] << (y[i] & 7)) + c.v[i];
    write64(wave, inst, r.v);
  });
  BINARY_BITS("v_mul_lo_u32", a * b);
  BINARY_BITS("v_mul_hi_u32", (u32)(((u64)a * b) >> 32));
  BINARY_BITS("v_mul_hi_i32", (u32)(((i64)(i32)a * (i32)b) >> 32));
  BINARY_BITS("v_bcnt_u32_b32", (u32)__builtin_popcount(a) + b);
  add("v_mbcnt_lo_u32_b32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    auto x = readBits(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b);
    FOR_EACH_LANE {
      u32 m = i >= 32 ? ~0u : (1u << i) - 1;
      r.v[i] = __builtin_popcount(x[i] & m) + y[i];
    }
    writeBits(wave, inst, r.v);
  });
  add("v_mbcnt_hi_u32_b32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    auto x = readBits(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b);
    FOR_EACH_LANE {
      u32 m = i < 32 ? 0 : (1u << (i - 32)) - 1;
      r.v[i] = __builtin_popcount(x[i] & m) + y[i];
    }
    writeBits(wave, inst, r.v);
  });
#define SH64(nm, e)                                                            \
  DEFINE(nm, {                                                                 \
    Lanes64 b, r;                                                              \
    Lanes32 a;                                                                 \
    auto x = readBits(wave, inst, 1, 0, a);                                    \
    read64(wave, inst, 2, b, 1);                                               \
    FOR_EACH_LANE {                                                            \
      u64 v = b.v[i];                                                          \
      u32 s = x[i] & 63;                                                       \
      r.v[i] = e;                                                              \
    }                                                                          \
    write64(wave, inst, r.v);                                                  \
  })
  SH64("v_lshlrev_b64", v << s);
  SH64("v_lshrrev_b64", v >> s);
  SH64("v_ashrrev_i64", (u64)((i64)v >> s));
  add("v_readlane_b32", [](Wave &wave, const Instruction &inst) {
    u32 l = scalar32(wave, inst.operands[2]) & 63;
    wave.sgprs[inst.operands[0].reg] = wave.vgprs[inst.operands[1].reg][l];
  });
  add("v_writelane_b32", [](Wave &wave, const Instruction &inst) {
    u32 l = scalar32(wave, inst.operands[2]) & 63;
    wave.vgprs[inst.operands[0].reg][l] = scalar32(wave, inst.operands[1]);
  });
#define MAD64(nm, e)                                                           \
  DEFINE(nm, {                                                                 \
    Lanes32 a, b;                                                              \
    Lanes64 c, r;                                                              \
    auto x = readBits(wave, inst, 2, 0, a), y = readBits(wave, inst, 3, 1, b); \
    read64(wave, inst, 4, c, 1);                                               \
    u64 co = 0;                                                                \
    FOR_EACH_LANE {                                                            \
      u64 t;                                                                   \
      unsigned char ov = e;                                                    \
      r.v[i] = t;                                                              \
      co |= (u64)(ov & 1) << i;                                                \
    }                                                                          \
    write64(wave, inst, r.v);                                                  \
    if (inst.operands[1].kind == OperandKind::sgpr)                            \
      setMask(wave, inst.operands[1].reg, co & wave.exec());                   \
  })
  MAD64("v_mad_u64_u32", __builtin_add_overflow((u64)x[i] * y[i], c.v[i], &t));
  MAD64("v_mad_i64_i32", ({
          i64 s;
          bool o = __builtin_add_overflow((i64)(i32)x[i] * (i32)y[i],
                                          (i64)c.v[i], &s);
          t = (u64)s;
          o;
        }));
  add("v_div_scale_f32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, c, r;
    auto x = readF32(wave, inst, 2, 0, a), y = readF32(wave, inst, 3, 1, b),
         z = readF32(wave, inst, 4, 2, c);
    u64 m = 0;
    FOR_EACH_LANE {
      bool v;
      r.v[i] = b32(divScale32(f32(x[i]), f32(y[i]), f32(z[i]), v));
      m |= (u64)v << i;
    }
    writeBits(wave, inst, r.v);
    setMask(wave, inst.operands[1].reg, m & wave.exec());
  });
  add("v_div_scale_f64", [](Wave &wave, const Instruction &inst) {
    Lanes64 a, b, c, r;
    read64(wave, inst, 2, a, 0);
    read64(wave, inst, 3, b, 0);
    read64(wave, inst, 4, c, 0);
    u64 m = 0;
    FOR_EACH_LANE {
      bool v;
      r.v[i] = b64(divScale64(f64(a.v[i]), f64(b.v[i]), f64(c.v[i]), v));
      m |= (u64)v << i;
    }
    write64(wave, inst, r.v);
    setMask(wave, inst.operands[1].reg, m & wave.exec());
  });
  add("v_div_fmas_f32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, c, r;
    auto x = readF32(wave, inst, 1, 0, a), y = readF32(wave, inst, 2, 1, b),
         z = readF32(wave, inst, 3, 2, c);
    u64 m = wave.vcc();
    FOR_EACH_LANE {
      float f = fmaf(f32(x[i]), f32(y[i]), f32(z[i]));
      if ((m >> i) & 1)
        f = (float)ldexp(
            fma((double)f32(x[i]), (double)f32(y[i]), (double)f32(z[i])),
            exponentBits(f32(z[i])) > 127 ? 64 : -64);
      r.v[i] = b32(f);
    }
    writeF32(wave, inst, r.v);
  });
  add("v_div_fmas_f64", [](Wave &wave, const Instruction &inst) {
    Lanes64 a, b, c, r;
    read64(wave, inst, 1, a, 0);
    read64(wave, inst, 2, b, 0);
    read64(wave, inst, 3, c, 0);
    u64 m = wave.vcc();
    FOR_EACH_LANE {
      double f = fma(f64(a.v[i]), f64(b.v[i]), f64(c.v[i]));
      if ((m >> i) & 1) {
        __float128 q = (__float128)f64(a.v[i]) * f64(b.v[i]) + f64(c.v[i]);
        f = (double)(q * (exponentBits(f64(c.v[i])) > 1023
                              ? (__float128)0x1p128
                              : (__float128)0x1p-128));
      }
      r.v[i] = b64(f); /* one rounding */
    }
    writeF64(wave, inst, r);
  });
  TERNARY_F32("v_div_fixup_f32", divFixup<float>(a, b, c, f32(0xffc00000)));
  TERNARY_F64("v_div_fixup_f64",
              divFixup<double>(a, b, c, f64(0xfff8000000000000ull)));
  TERNARY_F16("v_div_fixup_f16", divFixup<float>(a, b, c, f32(0xffc00000)));
  add("v_cvt_pkrtz_f16_f32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    auto x = readF32(wave, inst, 1, 0, a), y = readF32(wave, inst, 2, 1, b);
    FOR_EACH_LANE r.v[i] = (u32)(u16)_cvtss_sh(f32(x[i]), _MM_FROUND_TO_ZERO) |
                           (u32)(u16)_cvtss_sh(f32(y[i]), _MM_FROUND_TO_ZERO)
                               << 16;
    writeBits(wave, inst, r.v);
  });
  BINARY_BITS("v_cvt_pk_u16_u32", std::min(a, 65535u) | std::min(b, 65535u)
                                                            << 16);
  BINARY_BITS("v_cvt_pk_i16_i32",
              (u16)std::max(-32768, std::min(32767, (i32)a)) |
                  (u32)(u16)std::max(-32768, std::min(32767, (i32)b)) << 16);
  add("v_cvt_pknorm_i16_f32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    auto x = readF32(wave, inst, 1, 0, a), y = readF32(wave, inst, 2, 1, b);
    auto c = [](float f) -> u32 {
      if (std::isnan(f))
        return 0;
      f = f < -1 ? -1 : f > 1 ? 1 : f;
      return (u16)(i16)nearbyintf(f * 32767.f);
    };
    FOR_EACH_LANE r.v[i] = c(f32(x[i])) | c(f32(y[i])) << 16;
    writeBits(wave, inst, r.v);
  });
  add("v_cvt_pk_u8_f32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, c, r;
    auto x = readF32(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b),
         z = readBits(wave, inst, 3, 2, c);
    FOR_EACH_LANE {
      float f = f32(x[i]);
      u32 v = std::isnan(f) || f <= 0 ? 0 : f >= 255 ? 255 : (u32)nearbyintf(f);
      int sh = 8 * (y[i] & 3);
      r.v[i] = (z[i] & ~(0xffu << sh)) | v << sh;
    }
    writeBits(wave, inst, r.v);
  });
  add("v_pack_b32_f16", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    readHalf(wave, inst, 1, 0, a);
    readHalf(wave, inst, 2, 1, b);
    FOR_EACH_LANE r.v[i] = a.v[i] | b.v[i] << 16;
    writeBits(wave, inst, r.v);
  });
  add("v_bitop3_b32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, c, r;
    auto x = readBits(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b),
         z = readBits(wave, inst, 3, 2, c);
    FOR_EACH_LANE r.v[i] = bitop3(x[i], y[i], z[i], inst.bitop3);
    writeBits(wave, inst, r.v);
  });
  add("v_bitop3_b16", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, c, r;
    readHalf(wave, inst, 1, 0, a);
    readHalf(wave, inst, 2, 1, b);
    readHalf(wave, inst, 3, 2, c);
    FOR_EACH_LANE r.v[i] = bitop3(a.v[i], b.v[i], c.v[i], inst.bitop3) & 0xffff;
    writeHalf(wave, inst, r.v, false, true);
  });
  add("v_ashr_pk_i8_i32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, c, r;
    auto x = readBits(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b),
         z = readBits(wave, inst, 3, 2, c);
    auto s = [](i32 v) -> u32 {
      return (u8)(i8)std::max(-128, std::min(127, v));
    };
    FOR_EACH_LANE r.v[i] =
        s((i32)x[i] >> (z[i] & 31)) | s((i32)y[i] >> (z[i] & 31)) << 8;
    writeHalf(wave, inst, r.v, false, true);
  });
  add("v_ashr_pk_u8_i32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, c, r;
    auto x = readBits(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b),
         z = readBits(wave, inst, 3, 2, c);
    auto s = [](i32 v) -> u32 { return (u8)std::max(0, std::min(255, v)); };
    FOR_EACH_LANE r.v[i] =
        s((i32)x[i] >> (z[i] & 31)) | s((i32)y[i] >> (z[i] & 31)) << 8;
    writeHalf(wave, inst, r.v, false, true);
  });
  TERNARY_BITS("v_sad_u32", (a > b ? a - b : b - a) + c);
  TERNARY_BITS("v_sad_u8", ({
                 u32 s = c;
                 for (int k = 0; k < 4; k++) {
                   int p = (a >> 8 * k) & 255, q = (b >> 8 * k) & 255;
                   s += p > q ? p - q : q - p;
                 }
                 s;
               }));
}

} // namespace mlir::qfuse::emulator
