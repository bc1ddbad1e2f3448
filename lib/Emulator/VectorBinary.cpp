//===- VectorBinary.cpp - VOP2: two sources ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VectorShapes.h"

namespace mlir::qfuse::emulator {

// carry ops: op0 dst, op1 sdst, op2, op3, [op4 carry in]
template <class F>
static void carryOp(Wave &wave, const Instruction &inst, F f, bool cin) {
  Lanes32 a, b, r;
  auto x = readBits(wave, inst, 2, 0, a), y = readBits(wave, inst, 3, 1, b);
  u64 ci = cin ? scalar64(wave, inst.operands[4]) : 0, co = 0;
  FOR_EACH_LANE {
    u64 t = f(x[i], y[i], (u32)(ci >> i) & 1);
    r.v[i] = (u32)t;
    co |= (u64)((t >> 32) & 1) << i;
  }
  u64 m = wave.exec();
  if (inst.clamp) {
    FOR_EACH_LANE if ((co >> i) & 1) r.v[i] =
        inst.mnemonic.find("sub") != std::string::npos ? 0 : ~0u;
  }
  writeBits(wave, inst, r.v);
  setMask(wave, inst.operands[1].reg, co & m);
}

void addVop2(const TableBuilder &add) {
  add("v_cndmask_b32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    auto x = readF32(wave, inst, 1, 0, a), y = readF32(wave, inst, 2, 1, b);
    u64 m =
        inst.numOperands > 3 ? scalar64(wave, inst.operands[3]) : wave.vcc();
    FOR_EACH_LANE r.v[i] = (m >> i) & 1 ? y[i] : x[i];
    writeBits(wave, inst, r.v);
  });
  BINARY_F32("v_add_f32", a + b);
  BINARY_F32("v_sub_f32", a - b);
  BINARY_F32("v_subrev_f32", b - a);
  BINARY_F32("v_mul_f32", a * b);
  BINARY_F32("v_min_f32", minF32(a, b));
  BINARY_F32("v_max_f32", maxF32(a, b));
  BINARY_F32("v_mul_legacy_f32", a == 0 || b == 0 ? 0.f : a * b);
  add("v_fmac_f32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    auto x = readF32(wave, inst, 1, 0, a), y = readF32(wave, inst, 2, 1, b);
    const u32 *d = wave.vgprs[inst.operands[0].reg];
    FOR_EACH_LANE r.v[i] = b32(fmaf(f32(x[i]), f32(y[i]), f32(d[i])));
    writeF32(wave, inst, r.v);
  });
  add("v_mac_f32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    auto x = readF32(wave, inst, 1, 0, a), y = readF32(wave, inst, 2, 1, b);
    const u32 *d = wave.vgprs[inst.operands[0].reg];
    FOR_EACH_LANE r.v[i] = b32(f32(x[i]) * f32(y[i]) + f32(d[i]));
    writeF32(wave, inst, r.v);
  });
  add("v_fmac_f64", [](Wave &wave, const Instruction &inst) {
    Lanes64 a, b, d, r;
    read64(wave, inst, 1, a, 0);
    read64(wave, inst, 2, b, 0);
    FOR_EACH_LANE d.v[i] = (u64)wave.vgprs[inst.operands[0].reg][i] |
                           (u64)wave.vgprs[inst.operands[0].reg + 1][i] << 32;
    FOR_EACH_LANE r.v[i] = b64(fma(f64(a.v[i]), f64(b.v[i]), f64(d.v[i])));
    writeF64(wave, inst, r);
  });
  TERNARY_F32("v_fmaak_f32", fmaf(a, b, c));
  TERNARY_F32(
      "v_fmamk_f32",
      fmaf(a, b,
           c)); // operand order in the text is already src0, K/src1, src1/K
  TERNARY_F32("v_madak_f32", a * b + c);
  TERNARY_F32("v_madmk_f32", a * b + c);
  BINARY_BITS("v_mul_i32_i24",
              (u32)((i64)((i32)(a << 8) >> 8) * ((i32)(b << 8) >> 8)));
  BINARY_BITS("v_mul_hi_i32_i24",
              (u32)(((i64)((i32)(a << 8) >> 8) * ((i32)(b << 8) >> 8)) >> 32));
  BINARY_BITS("v_mul_u32_u24", (u32)((u64)(a & 0xffffff) * (b & 0xffffff)));
  BINARY_BITS("v_mul_hi_u32_u24",
              (u32)(((u64)(a & 0xffffff) * (b & 0xffffff)) >> 32));
  BINARY_BITS("v_min_i32", (i32)a < (i32)b ? a : b);
  BINARY_BITS("v_max_i32", (i32)a > (i32)b ? a : b);
  BINARY_BITS("v_min_u32", a < b ? a : b);
  BINARY_BITS("v_max_u32", a > b ? a : b);
  BINARY_BITS("v_lshrrev_b32", b >> (a & 31));
  BINARY_BITS("v_ashrrev_i32", (u32)((i32)b >> (a & 31)));
  BINARY_BITS("v_lshlrev_b32", b << (a & 31));
  BINARY_BITS("v_lshr_b32", a >> (b & 31));
  BINARY_BITS("v_lshl_b32", a << (b & 31));
  BINARY_BITS("v_and_b32", a & b);
  BINARY_BITS("v_or_b32", a | b);
  BINARY_BITS("v_xor_b32", a ^ b);
  BINARY_BITS("v_xnor_b32", ~(a ^ b));
  add("v_add_u32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    auto x = readBits(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b);
    bool c = inst.clamp;
    FOR_EACH_LANE {
      u32 t = x[i] + y[i];
      r.v[i] = c && t < x[i] ? ~0u : t;
    }
    writeBits(wave, inst, r.v);
  });
  add("v_sub_u32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    auto x = readBits(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b);
    bool c = inst.clamp;
    FOR_EACH_LANE {
      u32 t = x[i] - y[i];
      r.v[i] = c && x[i] < y[i] ? 0u : t;
    }
    writeBits(wave, inst, r.v);
  });
  add("v_subrev_u32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    auto x = readBits(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b);
    bool c = inst.clamp;
    FOR_EACH_LANE {
      u32 t = y[i] - x[i];
      r.v[i] = c && y[i] < x[i] ? 0u : t;
    }
    writeBits(wave, inst, r.v);
  });
  auto sat = [](i64 x) -> u32 {
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? (u32)INT32_MIN : (u32)x;
  };
  (void)sat;
  add("v_add_i32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    auto x = readBits(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b);
    FOR_EACH_LANE {
      i64 t = (i64)(i32)x[i] + (i32)y[i];
      r.v[i] = inst.clamp ? (t > INT32_MAX   ? INT32_MAX
                             : t < INT32_MIN ? (u32)INT32_MIN
                                             : (u32)t)
                          : (u32)t;
    }
    writeBits(wave, inst, r.v);
  });
  add("v_sub_i32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    auto x = readBits(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b);
    FOR_EACH_LANE {
      i64 t = (i64)(i32)x[i] - (i32)y[i];
      r.v[i] = inst.clamp ? (t > INT32_MAX   ? INT32_MAX
                             : t < INT32_MIN ? (u32)INT32_MIN
                                             : (u32)t)
                          : (u32)t;
    }
    writeBits(wave, inst, r.v);
  });
  add("v_add_co_u32", [](Wave &wave, const Instruction &inst) {
    carryOp(
        wave, inst, [](u32 a, u32 b, u32) -> u64 { return (u64)a + b; }, false);
  });
  add("v_sub_co_u32", [](Wave &wave, const Instruction &inst) {
    carryOp(
        wave, inst, [](u32 a, u32 b, u32) -> u64 { return (u64)a - b; }, false);
  });
  add("v_subrev_co_u32", [](Wave &wave, const Instruction &inst) {
    carryOp(
        wave, inst, [](u32 a, u32 b, u32) -> u64 { return (u64)b - a; }, false);
  });
  add("v_addc_co_u32", [](Wave &wave, const Instruction &inst) {
    carryOp(
        wave, inst, [](u32 a, u32 b, u32 c) -> u64 { return (u64)a + b + c; },
        true);
  });
  add("v_subb_co_u32", [](Wave &wave, const Instruction &inst) {
    carryOp(
        wave, inst, [](u32 a, u32 b, u32 c) -> u64 { return (u64)a - b - c; },
        true);
  });
  add("v_subbrev_co_u32", [](Wave &wave, const Instruction &inst) {
    carryOp(
        wave, inst, [](u32 a, u32 b, u32 c) -> u64 { return (u64)b - a - c; },
        true);
  });
  BINARY_F16("v_add_f16", a + b);
  BINARY_F16("v_sub_f16", a - b);
  BINARY_F16("v_subrev_f16", b - a);
  BINARY_F16("v_mul_f16", a * b);
  BINARY_F16("v_min_f16", minF32(a, b));
  BINARY_F16("v_max_f16", maxF32(a, b));
  add("v_ldexp_f16", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    readHalf(wave, inst, 1, 0, a);
    readHalf(wave, inst, 2, 1, b);
    FOR_EACH_LANE r.v[i] = f2h(ldexpf(h2f(a.v[i]), (i16)b.v[i]));
    writeHalf(wave, inst, r.v, true);
  });
  BINARY_I16("v_add_u16", a + b);
  BINARY_I16("v_sub_u16", a - b);
  BINARY_I16("v_subrev_u16", b - a);
  BINARY_I16("v_mul_lo_u16", a * b);
  BINARY_I16("v_lshlrev_b16", b << (a & 15));
  BINARY_I16("v_lshrrev_b16", b >> (a & 15));
  BINARY_I16("v_ashrrev_i16", (i16)b >> (a & 15));
  BINARY_I16("v_max_u16", a > b ? a : b);
  BINARY_I16("v_min_u16", a < b ? a : b);
  BINARY_I16("v_max_i16", (i16)a > (i16)b ? a : b);
  BINARY_I16("v_min_i16", (i16)a < (i16)b ? a : b);
  BINARY_I16("v_add_i16", a + b);
  BINARY_I16("v_sub_i16", a - b);
  add("v_dot2c_f32_f16", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    auto x = readBits(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b);
    const u32 *d = wave.vgprs[inst.operands[0].reg];
    FOR_EACH_LANE r.v[i] =
        b32((float)((double)h2f(x[i] & 0xffff) * h2f(y[i] & 0xffff) +
                    (double)h2f(x[i] >> 16) * h2f(y[i] >> 16) + f32(d[i])));
    writeBits(wave, inst, r.v);
  });
  add("v_dot2c_f32_bf16", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    auto x = readBits(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b);
    const u32 *d = wave.vgprs[inst.operands[0].reg];
    FOR_EACH_LANE r.v[i] =
        b32((float)((double)bf2f(x[i] & 0xffff) * bf2f(y[i] & 0xffff) +
                    (double)bf2f(x[i] >> 16) * bf2f(y[i] >> 16) + f32(d[i])));
    writeBits(wave, inst, r.v);
  });
  add("v_dot4c_i32_i8", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    auto x = readBits(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b);
    const u32 *d = wave.vgprs[inst.operands[0].reg];
    FOR_EACH_LANE {
      i32 s = (i32)d[i];
      for (int k = 0; k < 4; k++)
        s += (i32)(i8)(x[i] >> 8 * k) * (i8)(y[i] >> 8 * k);
      r.v[i] = s;
    }
    writeBits(wave, inst, r.v);
  });
  add("v_pk_fmac_f16", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, r;
    auto x = readBits(wave, inst, 1, 0, a), y = readBits(wave, inst, 2, 1, b);
    const u32 *d = wave.vgprs[inst.operands[0].reg];
    FOR_EACH_LANE r.v[i] =
        f2h((float)((double)h2f(x[i] & 0xffff) * h2f(y[i] & 0xffff) +
                    h2f(d[i] & 0xffff))) |
        (u32)f2h((float)((double)h2f(x[i] >> 16) * h2f(y[i] >> 16) +
                         h2f(d[i] >> 16)))
            << 16;
    writeBits(wave, inst, r.v);
  });
}

} // namespace mlir::qfuse::emulator
