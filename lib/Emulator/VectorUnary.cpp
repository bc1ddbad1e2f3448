//===- VectorUnary.cpp - VOP1: one source --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VectorShapes.h"

namespace mlir::qfuse::emulator {

void addVop1(const TableBuilder &add) {
  add("v_nop", [](Wave &wave, const Instruction &inst) {});
  add("v_clrexcp", [](Wave &wave, const Instruction &inst) {});
  add("v_mov_b32", [](Wave &wave, const Instruction &inst) {
    if (wave.gprIndexing) {
      Lanes32 r;
      int si = (wave.gprIndexMode & 1) ? (wave.sgprs[124] & 0xff) : 0,
          di = (wave.gprIndexMode & 8) ? (wave.sgprs[124] & 0xff) : 0;
      const Operand &o = inst.operands[1];
      if (o.kind == OperandKind::vgpr)
        memcpy(r.v, wave.vgprs[o.reg + si], 256);
      else {
        u32 x = scalar32(wave, o);
        FOR_EACH_LANE r.v[i] = x;
      }
      writeLanes(wave.vgprs[inst.operands[0].reg + di], r.v, wave.exec());
    } else
      unaryBits(wave, inst, [](u32 a) -> u32 { return a; });
  });
  add("v_mov_b64", [](Wave &wave, const Instruction &inst) {
    Lanes64 a;
    read64(wave, inst, 1, a, 1);
    write64(wave, inst, a.v);
  });
  add("v_readfirstlane_b32", [](Wave &wave, const Instruction &inst) {
    u64 e = wave.exec();
    int l = e ? __builtin_ctzll(e) : 0;
    const Operand &o = inst.operands[1];
    wave.sgprs[inst.operands[0].reg] =
        o.kind == OperandKind::vgpr ? wave.vgprs[o.reg][l] : scalar32(wave, o);
  });
  UNARY_BITS("v_not_b32", ~a);
  UNARY_BITS("v_bfrev_b32", ({
               u32 x = a;
               x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
               x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
               x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
               __builtin_bswap32(x);
             }));
  UNARY_BITS("v_ffbh_u32", a ? __builtin_clz(a) : ~0u);
  UNARY_BITS("v_ffbl_b32", a ? __builtin_ctz(a) : ~0u);
  UNARY_BITS("v_ffbh_i32", ({
               u32 x = (i32)a < 0 ? ~a : a;
               x ? (u32)__builtin_clz(x) : ~0u;
             }));
  UNARY_BITS("v_cvt_f32_ubyte0", b32((float)(a & 0xff)));
  UNARY_BITS("v_cvt_f32_ubyte1", b32((float)((a >> 8) & 0xff)));
  UNARY_BITS("v_cvt_f32_ubyte2", b32((float)((a >> 16) & 0xff)));
  UNARY_BITS("v_cvt_f32_ubyte3", b32((float)(a >> 24)));
  add("v_cvt_f32_i32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, r;
    auto x = readBits(wave, inst, 1, 0, a);
    FOR_EACH_LANE r.v[i] = b32((float)(i32)x[i]);
    writeF32(wave, inst, r.v);
  });
  add("v_cvt_f32_u32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, r;
    auto x = readBits(wave, inst, 1, 0, a);
    FOR_EACH_LANE r.v[i] = b32((float)x[i]);
    writeF32(wave, inst, r.v);
  });
  add("v_cvt_u32_f32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, r;
    auto x = readF32(wave, inst, 1, 0, a);
    FOR_EACH_LANE r.v[i] = toU32(f32(x[i]));
    writeBits(wave, inst, r.v);
  });
  add("v_cvt_i32_f32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, r;
    auto x = readF32(wave, inst, 1, 0, a);
    FOR_EACH_LANE r.v[i] = toI32(f32(x[i]));
    writeBits(wave, inst, r.v);
  });
  add("v_cvt_rpi_i32_f32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, r;
    auto x = readF32(wave, inst, 1, 0, a);
    FOR_EACH_LANE r.v[i] = toI32(floor(f32(x[i]) + 0.5));
    writeBits(wave, inst, r.v);
  });
  add("v_cvt_flr_i32_f32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, r;
    auto x = readF32(wave, inst, 1, 0, a);
    FOR_EACH_LANE r.v[i] = toI32(floor(f32(x[i])));
    writeBits(wave, inst, r.v);
  });
  add("v_cvt_f16_f32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, r;
    auto x = readF32(wave, inst, 1, 0, a);
    FOR_EACH_LANE r.v[i] = f2h(f32(x[i]));
    writeHalf(wave, inst, r.v, true);
  });
  add("v_cvt_f32_f16", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, r;
    readHalf(wave, inst, 1, 0, a);
    FOR_EACH_LANE r.v[i] = b32(h2f(a.v[i]));
    writeF32(wave, inst, r.v);
  });
  add("v_cvt_f32_bf16", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, r;
    readHalf(wave, inst, 1, 0, a);
    FOR_EACH_LANE r.v[i] = a.v[i] << 16;
    writeBits(wave, inst, r.v);
  });
  add("v_cvt_f16_u16", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, r;
    readHalf(wave, inst, 1, 0, a);
    FOR_EACH_LANE r.v[i] = f2h((float)(u16)a.v[i]);
    writeHalf(wave, inst, r.v, true);
  });
  add("v_cvt_f16_i16", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, r;
    readHalf(wave, inst, 1, 0, a);
    FOR_EACH_LANE r.v[i] = f2h((float)(i16)a.v[i]);
    writeHalf(wave, inst, r.v, true);
  });
  add("v_cvt_u16_f16", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, r;
    readHalf(wave, inst, 1, 0, a);
    FOR_EACH_LANE {
      float f = h2f(a.v[i]);
      r.v[i] = std::isnan(f) || f <= 0 ? 0 : f >= 65535.f ? 65535 : (u16)f;
    }
    writeHalf(wave, inst, r.v, false);
  });
  add("v_cvt_i16_f16", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, r;
    readHalf(wave, inst, 1, 0, a);
    FOR_EACH_LANE {
      float f = h2f(a.v[i]);
      r.v[i] = (u16)(std::isnan(f)   ? 0
                     : f <= -32768.f ? -32768
                     : f >= 32767.f  ? 32767
                                     : (i16)f);
    }
    writeHalf(wave, inst, r.v, false);
  });
  add("v_cvt_f64_i32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a;
    Lanes64 r;
    auto x = readBits(wave, inst, 1, 0, a);
    FOR_EACH_LANE r.v[i] = b64((double)(i32)x[i]);
    writeF64(wave, inst, r);
  });
  add("v_cvt_f64_u32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a;
    Lanes64 r;
    auto x = readBits(wave, inst, 1, 0, a);
    FOR_EACH_LANE r.v[i] = b64((double)x[i]);
    writeF64(wave, inst, r);
  });
  add("v_cvt_f64_f32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a;
    Lanes64 r;
    auto x = readF32(wave, inst, 1, 0, a);
    FOR_EACH_LANE r.v[i] = b64((double)f32(x[i]));
    writeF64(wave, inst, r);
  });
  add("v_cvt_f32_f64", [](Wave &wave, const Instruction &inst) {
    Lanes64 a;
    Lanes32 r;
    read64(wave, inst, 1, a, 0);
    FOR_EACH_LANE r.v[i] = b32((float)f64(a.v[i]));
    writeF32(wave, inst, r.v);
  });
  add("v_cvt_i32_f64", [](Wave &wave, const Instruction &inst) {
    Lanes64 a;
    Lanes32 r;
    read64(wave, inst, 1, a, 0);
    FOR_EACH_LANE r.v[i] = toI32(f64(a.v[i]));
    writeBits(wave, inst, r.v);
  });
  add("v_cvt_u32_f64", [](Wave &wave, const Instruction &inst) {
    Lanes64 a;
    Lanes32 r;
    read64(wave, inst, 1, a, 0);
    FOR_EACH_LANE r.v[i] = toU32(f64(a.v[i]));
    writeBits(wave, inst, r.v);
  });
  UNARY_F32("v_trunc_f32", truncf(a));
  UNARY_F32("v_ceil_f32", ceilf(a));
  UNARY_F32("v_rndne_f32", nearbyintf(a));
  UNARY_F32("v_floor_f32", floorf(a));
  UNARY_F32("v_fract_f32", fraction(a));
  UNARY_F32("v_exp_f32", exp2Flushed(a));
  UNARY_F32("v_log_f32", log2Flushed(a));
  UNARY_F32("v_rcp_f32", reciprocal(a));
  UNARY_F32("v_rcp_iflag_f32", reciprocal(a));
  UNARY_F32("v_rsq_f32", reciprocalSqrt(a));
  UNARY_F32("v_sqrt_f32", squareRoot(a));
  UNARY_F32("v_sin_f32", sinTurns(a));
  UNARY_F32("v_cos_f32", cosTurns(a));
  UNARY_F32("v_exp_legacy_f32", exp2Flushed(a));
  UNARY_F32("v_log_legacy_f32", log2Flushed(a));
  UNARY_F16("v_trunc_f16", truncf(a));
  UNARY_F16("v_ceil_f16", ceilf(a));
  UNARY_F16("v_rndne_f16", nearbyintf(a));
  UNARY_F16("v_floor_f16", floorf(a));
  UNARY_F16("v_fract_f16", a - floorf(a));
  UNARY_F16("v_exp_f16", (float)exp2((double)a));
  UNARY_F16("v_log_f16", (float)log2((double)a));
  UNARY_F16("v_rcp_f16", 1.f / a);
  UNARY_F16("v_rsq_f16", (float)(1.0 / sqrt((double)a)));
  UNARY_F16("v_sqrt_f16", sqrtf(a));
  UNARY_F16("v_sin_f16", sinTurns(a));
  UNARY_F16("v_cos_f16", cosTurns(a));
  UNARY_F16("v_frexp_mant_f16", (float)frexpMantissa(a));
  add("v_frexp_exp_i16_f16", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, r;
    readHalf(wave, inst, 1, 0, a);
    FOR_EACH_LANE r.v[i] = (u16)frexpExponent(h2f(a.v[i]));
    writeHalf(wave, inst, r.v, false);
  });
  UNARY_F64("v_trunc_f64", trunc(a));
  UNARY_F64("v_ceil_f64", ceil(a));
  UNARY_F64("v_rndne_f64", nearbyint(a));
  UNARY_F64("v_floor_f64", floor(a));
  UNARY_F64("v_fract_f64", ({
              double r = a - floor(a);
              r >= 1 ? f64(0x3fefffffffffffffull) : r;
            }));
  UNARY_F64("v_rcp_f64", 1.0 / a);
  UNARY_F64("v_rsq_f64", 1.0 / sqrt(a));
  UNARY_F64("v_sqrt_f64", sqrt(a));
  UNARY_F64("v_frexp_mant_f64", frexpMantissa(a));
  add("v_frexp_exp_i32_f64", [](Wave &wave, const Instruction &inst) {
    Lanes64 a;
    Lanes32 r;
    read64(wave, inst, 1, a, 0);
    FOR_EACH_LANE r.v[i] = frexpExponent(f64(a.v[i]));
    writeBits(wave, inst, r.v);
  });
  UNARY_F32("v_frexp_mant_f32", (float)frexpMantissa(a));
  add("v_frexp_exp_i32_f32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, r;
    auto x = readF32(wave, inst, 1, 0, a);
    FOR_EACH_LANE r.v[i] = frexpExponent(f32(x[i]));
    writeBits(wave, inst, r.v);
  });
  add("v_swap_b32", [](Wave &wave, const Instruction &inst) {
    u32 *a = wave.vgprs[inst.operands[0].reg],
        *b = wave.vgprs[inst.operands[1].reg];
    u64 m = wave.exec();
    FOR_EACH_LANE if ((m >> i) & 1) std::swap(a[i], b[i]);
  });
  add("v_accvgpr_mov_b32", [](Wave &wave, const Instruction &inst) {
    unaryBits(wave, inst, [](u32 a) -> u32 { return a; });
  });
  add("v_accvgpr_read_b32", [](Wave &wave, const Instruction &inst) {
    unaryBits(wave, inst, [](u32 a) -> u32 { return a; });
  });
  add("v_accvgpr_write_b32", [](Wave &wave, const Instruction &inst) {
    unaryBits(wave, inst, [](u32 a) -> u32 { return a; });
  });
  UNARY_BITS("v_prng_b32", (a << 1) ^ ((a >> 31) ? 197u : 0u));
  add("v_sat_pk_u8_i16", [](Wave &wave, const Instruction &inst) {
    unaryBits(wave, inst, [](u32 a) -> u32 {
      auto s = [](i16 x) -> u32 { return x < 0 ? 0 : x > 255 ? 255 : x; };
      return s((i16)a) | s((i16)(a >> 16)) << 8;
    });
  });
  add("v_permlane32_swap_b32", [](Wave &wave, const Instruction &inst) {
    u32 *d = wave.vgprs[inst.operands[0].reg],
        *s = wave.vgprs[inst.operands[1].reg];
    for (int l = 0; l < 32; l++)
      std::swap(s[l], d[l + 32]);
  });
  add("v_permlane16_swap_b32", [](Wave &wave, const Instruction &inst) {
    u32 *d = wave.vgprs[inst.operands[0].reg],
        *s = wave.vgprs[inst.operands[1].reg];
    for (int p = 0; p < 2; p++)
      for (int l = 0; l < 16; l++)
        std::swap(s[p * 32 + l], d[p * 32 + l + 16]);
  });
}

} // namespace mlir::qfuse::emulator
