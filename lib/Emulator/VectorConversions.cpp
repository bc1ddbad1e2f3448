//===- VectorConversions.cpp - Conversions of 8-, 6- and 4-bit floats ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Formats.h"
#include "VectorShapes.h"

namespace mlir::qfuse::emulator {

static inline float decodeScale(u32 s) {
  int e = (s >> 23) & 0xff;
  return e == 255 ? NAN : ldexpf(1.0f, e - 127);
}
static inline bool saturatesOverflow(const Wave &wave) {
  return (wave.mode >> 23) & 1;
}
static inline bool usesOcpFormats() { return current->program->ocp; }
static inline u32 encodeSmall(const Wave &wave, float x, SmallFormat::Kind f) {
  return f == SmallFormat::FP8
             ? encodeFp8(x, false, usesOcpFormats(), saturatesOverflow(wave))
         : f == SmallFormat::BF8
             ? encodeFp8(x, true, usesOcpFormats(), saturatesOverflow(wave))
             : encodeSubByte(x, f);
}
static inline float decodeSmall(u32 x, SmallFormat::Kind f) {
  return f == SmallFormat::FP8   ? decodeFp8(x, false, usesOcpFormats())
         : f == SmallFormat::BF8 ? decodeFp8(x, true, usesOcpFormats())
                                 : decodeSubByte(x, f);
}
static inline float divideByScale(float x, float sc) {
  return (float)((double)x / (double)sc);
}
enum SrcT { S_F32, S_F16, S_BF16 };
static inline float halfToF32(u32 x, int hi, SrcT t) {
  u32 h = (x >> (16 * hi)) & 0xffff;
  return t == S_F16 ? h2f(h) : bf2f(h);
}
static inline u32 f32ToHalf(float f, SrcT t) {
  return t == S_F16 ? f2h(f) : f2bf(f);
}
// cvt_scalef32_pk_{fp8,bf8,fp4}_{f32,f16,bf16}
template <int FM, int ST>
static void convertPairToSmall(Wave &wave, const Instruction &inst) {
  Lanes32 a, b, c;
  const u32 *x = readF32(wave, inst, 1, 0, a), *y, *sc;
  if (ST == S_F32) {
    y = readF32(wave, inst, 2, 1, b);
    sc = readBits(wave, inst, 3, 2, c);
  } else {
    y = x;
    sc = readBits(wave, inst, 2, 1, c);
  }
  u32 *d = wave.vgprs[inst.operands[0].reg];
  u64 m = wave.exec();
  u32 os = (inst.words[0] >> 11) & 0xf;
  FOR_EACH_LANE if ((m >> i) & 1) {
    float s = decodeScale(sc[i]), p, q;
    if (ST == S_F32) {
      p = f32(x[i]);
      q = f32(y[i]);
    } else {
      p = halfToF32(x[i], 0, (SrcT)ST);
      q = halfToF32(x[i], 1, (SrcT)ST);
    }
    u32 e0 = encodeSmall(wave, divideByScale(p, s), (SmallFormat::Kind)FM),
        e1 = encodeSmall(wave, divideByScale(q, s), (SmallFormat::Kind)FM);
    if (FM == SmallFormat::FP4) {
      int sh = 8 * ((os >> 2) & 3);
      d[i] = (d[i] & ~(0xffu << sh)) | ((e0 | e1 << 4) << sh);
    } else {
      int sh = (os >> 3) & 1 ? 16 : 0;
      d[i] = (d[i] & ~(0xffffu << sh)) | ((e0 | e1 << 8) << sh);
    }
  }
}
// cvt_scalef32_pk_{f32,f16,bf16}_{fp8,bf8,fp4}
template <int FM, int ST>
static void convertPairFromSmall(Wave &wave, const Instruction &inst) {
  Lanes32 a, c;
  const u32 *x = readBits(wave, inst, 1, 0, a),
            *sc = readBits(wave, inst, 2, 1, c);
  u32 os = (inst.words[0] >> 11) & 0xf;
  Lanes32 r0, r1;
  FOR_EACH_LANE {
    float s = decodeScale(sc[i]), p, q;
    if (FM == SmallFormat::FP4) {
      u32 b = (x[i] >> (8 * (os & 3))) & 0xff;
      p = decodeSmall(b & 15, SmallFormat::FP4);
      q = decodeSmall(b >> 4, SmallFormat::FP4);
    } else {
      u32 h = (x[i] >> ((os & 1) ? 16 : 0)) & 0xffff;
      p = decodeSmall(h & 0xff, (SmallFormat::Kind)FM);
      q = decodeSmall(h >> 8, (SmallFormat::Kind)FM);
    }
    p *= s;
    q *= s;
    if (ST == S_F32) {
      r0.v[i] = b32(p);
      r1.v[i] = b32(q);
    } else
      r0.v[i] = f32ToHalf(p, (SrcT)ST) | f32ToHalf(q, (SrcT)ST) << 16;
  }
  writeLanes(wave.vgprs[inst.operands[0].reg], r0.v, wave.exec());
  if (ST == S_F32)
    writeLanes(wave.vgprs[inst.operands[0].reg + 1], r1.v, wave.exec());
}
template <int FM, int ST>
static void convertOneFromSmall(Wave &wave, const Instruction &inst) {
  Lanes32 a, c, r;
  const u32 *x = readBits(wave, inst, 1, 0, a),
            *sc = readBits(wave, inst, 2, 1, c);
  u32 os = (inst.words[0] >> 11) & 0xf;
  FOR_EACH_LANE {
    float p =
        decodeSmall((x[i] >> (8 * (os & 3))) & 0xff, (SmallFormat::Kind)FM) *
        decodeScale(sc[i]);
    r.v[i] = ST == S_F32 ? b32(p) : f2h(p);
  }
  if (ST == S_F32)
    writeBits(wave, inst, r.v);
  else {
    u32 *d = wave.vgprs[inst.operands[0].reg];
    u64 m = wave.exec();
    bool hi = (os >> 3) & 1;
    FOR_EACH_LANE if ((m >> i) & 1) d[i] =
        hi ? (d[i] & 0xffff) | r.v[i] << 16 : (d[i] & 0xffff0000) | r.v[i];
  }
}
static u32 getBits(const u32 *p, int bit, int n) {
  u64 x = p[bit >> 5] |
          ((u64)(((bit & 31) + n > 32) ? p[(bit >> 5) + 1] : 0) << 32);
  return (u32)(x >> (bit & 31)) & ((1u << n) - 1);
}
static void putBits(u32 *p, int bit, int n, u32 v) {
  for (int k = 0; k < n; k++) {
    int b = bit + k;
    if ((v >> k) & 1)
      p[b >> 5] |= 1u << (b & 31);
  }
}
template <int FM, int ST>
static void convert32ToSixBits(
    Wave &wave,
    const Instruction &inst) { // pk32_{fp6,bf6}_{f16,bf16}; 2xpk16 for f32
  int so = ST == S_F32 ? 3 : 2;
  Lanes32 c;
  const u32 *sc = readBits(wave, inst, so, 2, c);
  u64 m = wave.exec();
  static thread_local u32 out[6][64];
  FOR_EACH_LANE {
    u32 t[6] = {0, 0, 0, 0, 0, 0};
    float s = decodeScale(sc[i]);
    for (int k = 0; k < 32; k++) {
      float x = ST == S_F32
                    ? f32(wave.vgprs[inst.operands[1 + (k & 1)].reg + k / 2][i])
                    : halfToF32(wave.vgprs[inst.operands[1].reg + k / 2][i],
                                k & 1, (SrcT)ST);
      putBits(t, 6 * k, 6,
              encodeSubByte(divideByScale(x, s), (SmallFormat::Kind)FM));
    }
    for (int k = 0; k < 6; k++)
      out[k][i] = t[k];
  }
  for (int k = 0; k < 6; k++)
    writeLanes(wave.vgprs[inst.operands[0].reg + k], out[k], m);
}
template <int FM, int ST>
static void convert32FromSixBits(Wave &wave, const Instruction &inst) {
  Lanes32 c;
  const u32 *sc = readBits(wave, inst, 2, 1, c);
  u64 m = wave.exec();
  static thread_local u32 out[32][64];
  FOR_EACH_LANE {
    u32 t[6];
    for (int k = 0; k < 6; k++)
      t[k] = wave.vgprs[inst.operands[1].reg + k][i];
    float s = decodeScale(sc[i]);
    for (int k = 0; k < 32; k++) {
      float x = decodeSubByte(getBits(t, 6 * k, 6), (SmallFormat::Kind)FM) * s;
      if (ST == S_F32)
        out[k][i] = b32(x);
      else if (k & 1)
        out[k / 2][i] |= f32ToHalf(x, (SrcT)ST) << 16;
      else
        out[k / 2][i] = f32ToHalf(x, (SrcT)ST);
    }
  }
  for (int k = 0; k < (ST == S_F32 ? 32 : 16); k++)
    writeLanes(wave.vgprs[inst.operands[0].reg + k], out[k], m);
}

void addConversions(const TableBuilder &add) {
  // fp8 -> f32; SDWA (src0_sel) on VOP1, op_sel on VOP3
#define UNPACK_FP8(nm, BF)                                                     \
  DEFINE(nm, {                                                                 \
    Lanes32 a, r;                                                              \
    const u32 *x;                                                              \
    int sh = 0;                                                                \
    if (inst.sdwa) {                                                           \
      x = readBits(wave, inst, 1, 3, a);                                       \
      sh = inst.src0Sel < 4 ? 8 * inst.src0Sel : inst.src0Sel == 5 ? 16 : 0;   \
    } else {                                                                   \
      x = readBits(wave, inst, 1, 0, a);                                       \
      if (isVop3(inst))                                                        \
        sh = 8 * ((inst.opSel & 1) << 1 | ((inst.opSel >> 1) & 1));            \
    }                                                                          \
    FOR_EACH_LANE r.v[i] = b32(decodeFp8(x[i] >> sh, BF, usesOcpFormats()));   \
    writeF32(wave, inst, r.v);                                                 \
  })
  UNPACK_FP8("v_cvt_f32_fp8", false);
  UNPACK_FP8("v_cvt_f32_bf8", true);
#define UNPACK_FP8_PAIR(nm, BF)                                                \
  DEFINE(nm, {                                                                 \
    Lanes32 a, r0, r1;                                                         \
    const u32 *x = readBits(wave, inst, 1, 3, a);                              \
    int sh =                                                                   \
        (inst.sdwa && inst.src0Sel == 5) || (isVop3(inst) && (inst.opSel & 1)) \
            ? 16                                                               \
            : 0;                                                               \
    FOR_EACH_LANE {                                                            \
      u32 h = x[i] >> sh;                                                      \
      r0.v[i] = b32(decodeFp8(h, BF, usesOcpFormats()));                       \
      r1.v[i] = b32(decodeFp8(h >> 8, BF, usesOcpFormats()));                  \
    }                                                                          \
    writeLanes(wave.vgprs[inst.operands[0].reg], r0.v, wave.exec());           \
    writeLanes(wave.vgprs[inst.operands[0].reg + 1], r1.v, wave.exec());       \
  })
  UNPACK_FP8_PAIR("v_cvt_pk_f32_fp8", false);
  UNPACK_FP8_PAIR("v_cvt_pk_f32_bf8", true);
#define PACK_FP8_PAIR(nm, BF)                                                  \
  DEFINE(nm, {                                                                 \
    Lanes32 a, b;                                                              \
    auto x = readF32(wave, inst, 1, 0, a), y = readF32(wave, inst, 2, 1, b);   \
    u32 *d = wave.vgprs[inst.operands[0].reg];                                 \
    u64 m = wave.exec();                                                       \
    int sh = (inst.opSel >> 3) & 1 ? 16 : 0;                                   \
    FOR_EACH_LANE if ((m >> i) & 1) {                                          \
      u32 p = encodeFp8(f32(x[i]), BF, usesOcpFormats(),                       \
                        saturatesOverflow(wave)) |                             \
              (u32)encodeFp8(f32(y[i]), BF, usesOcpFormats(),                  \
                             saturatesOverflow(wave))                          \
                  << 8;                                                        \
      d[i] = (d[i] & ~(0xffffu << sh)) | p << sh;                              \
    }                                                                          \
  })
  PACK_FP8_PAIR("v_cvt_pk_fp8_f32", false);
  PACK_FP8_PAIR("v_cvt_pk_bf8_f32", true);
#define PACK_FP8_STOCHASTIC(nm, BF)                                            \
  DEFINE(nm, {                                                                 \
    Lanes32 a, b;                                                              \
    auto x = readF32(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b);  \
    u32 *d = wave.vgprs[inst.operands[0].reg];                                 \
    u64 m = wave.exec();                                                       \
    int sh = 8 * ((inst.opSel >> 2) & 3);                                      \
    FOR_EACH_LANE if ((m >> i) & 1) d[i] =                                     \
        (d[i] & ~(0xffu << sh)) |                                              \
        (u32)encodeFp8Stochastic(f32(x[i]), y[i], BF, usesOcpFormats(),        \
                                 saturatesOverflow(wave))                      \
            << sh;                                                             \
  })
  PACK_FP8_STOCHASTIC("v_cvt_sr_fp8_f32", false);
  PACK_FP8_STOCHASTIC("v_cvt_sr_bf8_f32", true);
  add("v_cvt_pk_bf16_f32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    auto x = readF32(wave, inst, 1, 0, a), y = readF32(wave, inst, 2, 1, b);
    FOR_EACH_LANE r.v[i] = f2bf(f32(x[i])) | (u32)f2bf(f32(y[i])) << 16;
    writeBits(wave, inst, r.v);
  });
  add("v_cvt_pk_f16_f32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    auto x = readF32(wave, inst, 1, 0, a), y = readF32(wave, inst, 2, 1, b);
    FOR_EACH_LANE r.v[i] = f2h(f32(x[i])) | (u32)f2h(f32(y[i])) << 16;
    writeBits(wave, inst, r.v);
  });
#define SCALED_CONVERSIONS(F, FM)                                              \
  add("v_cvt_scalef32_pk_" F "_f32", convertPairToSmall<FM, S_F32>);           \
  add("v_cvt_scalef32_pk_" F "_f16", convertPairToSmall<FM, S_F16>);           \
  add("v_cvt_scalef32_pk_" F "_bf16", convertPairToSmall<FM, S_BF16>);         \
  add("v_cvt_scalef32_pk_f32_" F, convertPairFromSmall<FM, S_F32>);            \
  add("v_cvt_scalef32_pk_f16_" F, convertPairFromSmall<FM, S_F16>);            \
  add("v_cvt_scalef32_pk_bf16_" F, convertPairFromSmall<FM, S_BF16>)
  SCALED_CONVERSIONS("fp8", SmallFormat::FP8);
  SCALED_CONVERSIONS("bf8", SmallFormat::BF8);
  SCALED_CONVERSIONS("fp4", SmallFormat::FP4);
  add("v_cvt_scalef32_f32_fp8", convertOneFromSmall<SmallFormat::FP8, S_F32>);
  add("v_cvt_scalef32_f32_bf8", convertOneFromSmall<SmallFormat::BF8, S_F32>);
  add("v_cvt_scalef32_f16_fp8", convertOneFromSmall<SmallFormat::FP8, S_F16>);
  add("v_cvt_scalef32_f16_bf8", convertOneFromSmall<SmallFormat::BF8, S_F16>);
  add("v_cvt_scalef32_2xpk16_fp6_f32",
      convert32ToSixBits<SmallFormat::FP6, S_F32>);
  add("v_cvt_scalef32_2xpk16_bf6_f32",
      convert32ToSixBits<SmallFormat::BF6, S_F32>);
  add("v_cvt_scalef32_pk32_fp6_f16",
      convert32ToSixBits<SmallFormat::FP6, S_F16>);
  add("v_cvt_scalef32_pk32_bf6_f16",
      convert32ToSixBits<SmallFormat::BF6, S_F16>);
  add("v_cvt_scalef32_pk32_fp6_bf16",
      convert32ToSixBits<SmallFormat::FP6, S_BF16>);
  add("v_cvt_scalef32_pk32_bf6_bf16",
      convert32ToSixBits<SmallFormat::BF6, S_BF16>);
  add("v_cvt_scalef32_pk32_f32_fp6",
      convert32FromSixBits<SmallFormat::FP6, S_F32>);
  add("v_cvt_scalef32_pk32_f32_bf6",
      convert32FromSixBits<SmallFormat::BF6, S_F32>);
  add("v_cvt_scalef32_pk32_f16_fp6",
      convert32FromSixBits<SmallFormat::FP6, S_F16>);
  add("v_cvt_scalef32_pk32_f16_bf6",
      convert32FromSixBits<SmallFormat::BF6, S_F16>);
  add("v_cvt_scalef32_pk32_bf16_fp6",
      convert32FromSixBits<SmallFormat::FP6, S_BF16>);
  add("v_cvt_scalef32_pk32_bf16_bf6",
      convert32FromSixBits<SmallFormat::BF6, S_BF16>);
}

} // namespace mlir::qfuse::emulator
