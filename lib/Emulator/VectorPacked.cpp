//===- VectorPacked.cpp - VOP3P: packed and mixed precision --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VectorShapes.h"

namespace mlir::qfuse::emulator {

// packed halves of a VOP3P source: lo/hi after op_sel; 16-bit
static void unpackHalves(Wave &wave, const Instruction &inst, int k, int sn,
                         Lanes32 &lo, Lanes32 &hi, bool isf) {
  const Operand &o = inst.operands[k];
  Lanes32 t;
  const u32 *r;
  if (o.kind == OperandKind::constant) {
    u32 x = isf ? (o.lit ? o.bits32 : (u32)o.bits16) : o.bits32;
    FOR_EACH_LANE t.v[i] = x;
    r = t.v;
  } else
    r = readBits(wave, inst, k, 3, t);
  int sl = (inst.opSel >> sn) & 1 ? 16 : 0,
      sh = (inst.opSelHi >> sn) & 1 ? 16 : 0;
  u32 nl = isf && ((inst.negLo >> sn) & 1) ? 0x8000 : 0,
      nh = isf && ((inst.negHi >> sn) & 1) ? 0x8000 : 0;
  FOR_EACH_LANE {
    lo.v[i] = ((r[i] >> sl) & 0xffff) ^ nl;
    hi.v[i] = ((r[i] >> sh) & 0xffff) ^ nh;
  }
}
template <class F>
static void packedF16(Wave &wave, const Instruction &inst, int ns, F f) {
  Lanes32 l[3], h[3], r;
  for (int s = 0; s < ns; s++)
    unpackHalves(wave, inst, 1 + s, s, l[s], h[s], true);
  FOR_EACH_LANE {
    float lo = f(h2f(l[0].v[i]), ns > 1 ? h2f(l[1].v[i]) : 0.f,
                 ns > 2 ? h2f(l[2].v[i]) : 0.f),
          hi = f(h2f(h[0].v[i]), ns > 1 ? h2f(h[1].v[i]) : 0.f,
                 ns > 2 ? h2f(h[2].v[i]) : 0.f);
    if (inst.clamp) {
      lo = clampToUnit(lo);
      hi = clampToUnit(hi);
    }
    r.v[i] = f2h(lo) | ((u32)f2h(hi) << 16);
  }
  writeBits(wave, inst, r.v);
}
template <class F>
static void packedI16(Wave &wave, const Instruction &inst, int ns, F f) {
  Lanes32 l[3], h[3], r;
  for (int s = 0; s < ns; s++)
    unpackHalves(wave, inst, 1 + s, s, l[s], h[s], false);
  FOR_EACH_LANE r.v[i] =
      (u16)f((u16)l[0].v[i], ns > 1 ? (u16)l[1].v[i] : 0,
             ns > 2 ? (u16)l[2].v[i] : 0) |
      ((u32)(u16)f((u16)h[0].v[i], ns > 1 ? (u16)h[1].v[i] : 0,
                   ns > 2 ? (u16)h[2].v[i] : 0)
       << 16);
  writeBits(wave, inst, r.v);
}
static void unpackPair(Wave &wave, const Instruction &inst, int k, int sn,
                       Lanes32 &lo, Lanes32 &hi, bool mods) {
  const Operand &o = inst.operands[k];
  u32 sl = (inst.opSel >> sn) & 1, sh = (inst.opSelHi >> sn) & 1;
  if (o.kind == OperandKind::vgpr) {
    FOR_EACH_LANE {
      lo.v[i] = wave.vgprs[o.reg + sl][i];
      hi.v[i] = wave.vgprs[o.reg + sh][i];
    }
  } else if (o.kind == OperandKind::sgpr) {
    FOR_EACH_LANE {
      lo.v[i] = wave.sgprs[o.reg + sl];
      hi.v[i] = wave.sgprs[o.reg + sh];
    }
  } else {
    u32 x = o.kind == OperandKind::constant ? o.bits32 : scalar32(wave, o);
    FOR_EACH_LANE {
      lo.v[i] = x;
      hi.v[i] = x;
    }
  }
  if (mods) {
    u32 nl = (inst.negLo >> sn) & 1 ? 0x80000000u : 0,
        nh = (inst.negHi >> sn) & 1 ? 0x80000000u : 0;
    FOR_EACH_LANE {
      lo.v[i] ^= nl;
      hi.v[i] ^= nh;
    }
  }
}
template <class F>
static void packedF32(Wave &wave, const Instruction &inst, int ns, F f) {
  Lanes32 l[3], h[3], a, b;
  for (int s = 0; s < ns; s++)
    unpackPair(wave, inst, 1 + s, s, l[s], h[s], true);
  FOR_EACH_LANE {
    float x = f(f32(l[0].v[i]), f32(l[1].v[i]), ns > 2 ? f32(l[2].v[i]) : 0.f),
          y = f(f32(h[0].v[i]), f32(h[1].v[i]), ns > 2 ? f32(h[2].v[i]) : 0.f);
    if (inst.clamp) {
      x = clampToUnit(x);
      y = clampToUnit(y);
    }
    a.v[i] = b32(x);
    b.v[i] = b32(y);
  }
  writeLanes(wave.vgprs[inst.operands[0].reg], a.v, wave.exec());
  writeLanes(wave.vgprs[inst.operands[0].reg + 1], b.v, wave.exec());
}
static void readMixed(Wave &wave, const Instruction &inst, int k, int sn,
                      Lanes32 &out) {
  const Operand &o = inst.operands[k];
  Lanes32 t;
  bool h = (inst.opSelHi >> sn) & 1;
  const u32 *r;
  if (o.kind == OperandKind::constant && h) {
    FOR_EACH_LANE t.v[i] = o.lit ? o.bits32 : o.bits16;
    r = t.v;
  } else
    r = readBits(wave, inst, k, 3, t);
  bool ab = (inst.negHi >> sn) & 1, ng = (inst.negLo >> sn) & 1;
  FOR_EACH_LANE {
    float f = h ? h2f((r[i] >> (((inst.opSel >> sn) & 1) ? 16 : 0)) & 0xffff)
                : f32(r[i]);
    if (ab)
      f = fabsf(f);
    if (ng)
      f = -f;
    out.v[i] = b32(f);
  }
}

void addVop3p(const TableBuilder &add) {
#define PACKED_F16(nm, ns, e)                                                  \
  DEFINE(nm,                                                                   \
         packedF16(wave, inst, ns, [](float a, float b, float c) -> float {    \
           (void)c;                                                            \
           return e;                                                           \
         }))
  PACKED_F16("v_pk_add_f16", 2, a + b);
  PACKED_F16("v_pk_mul_f16", 2, a * b);
  PACKED_F16("v_pk_min_f16", 2, minF32(a, b));
  PACKED_F16("v_pk_max_f16", 2, maxF32(a, b));
  PACKED_F16("v_pk_fma_f16", 3, (float)((double)a * b + c));
  PACKED_F16("v_pk_minimum3_f16", 3, minimumF32(minimumF32(a, b), c));
  PACKED_F16("v_pk_maximum3_f16", 3, maximumF32(maximumF32(a, b), c));
#define PACKED_I16(nm, ns, e)                                                  \
  DEFINE(nm, packedI16(wave, inst, ns, [](u16 a, u16 b, u16 c) -> u16 {        \
           (void)c;                                                            \
           return (u16)(e);                                                    \
         }))
  PACKED_I16("v_pk_add_u16", 2, a + b);
  PACKED_I16("v_pk_add_i16", 2, a + b);
  PACKED_I16("v_pk_sub_u16", 2, a - b);
  PACKED_I16("v_pk_sub_i16", 2, a - b);
  PACKED_I16("v_pk_mul_lo_u16", 2, a * b);
  PACKED_I16("v_pk_mad_u16", 3, a * b + c);
  PACKED_I16("v_pk_mad_i16", 3, a * b + c);
  PACKED_I16("v_pk_lshlrev_b16", 2, b << (a & 15));
  PACKED_I16("v_pk_lshrrev_b16", 2, b >> (a & 15));
  PACKED_I16("v_pk_ashrrev_i16", 2, (i16)b >> (a & 15));
  PACKED_I16("v_pk_max_i16", 2, (i16)a > (i16)b ? a : b);
  PACKED_I16("v_pk_min_i16", 2, (i16)a < (i16)b ? a : b);
  PACKED_I16("v_pk_max_u16", 2, a > b ? a : b);
  PACKED_I16("v_pk_min_u16", 2, a < b ? a : b);
  add("v_pk_add_f32", [](Wave &wave, const Instruction &inst) {
    packedF32(wave, inst, 2, [](float a, float b, float) { return a + b; });
  });
  add("v_pk_mul_f32", [](Wave &wave, const Instruction &inst) {
    packedF32(wave, inst, 2, [](float a, float b, float) { return a * b; });
  });
  add("v_pk_fma_f32", [](Wave &wave, const Instruction &inst) {
    packedF32(wave, inst, 3,
              [](float a, float b, float c) { return fmaf(a, b, c); });
  });
  add("v_pk_mov_b32", [](Wave &wave, const Instruction &inst) {
    Lanes32 l0, h0, l1, h1;
    unpackPair(wave, inst, 1, 0, l0, h0, false);
    unpackPair(wave, inst, 2, 1, l1, h1, false);
    writeLanes(wave.vgprs[inst.operands[0].reg], l0.v, wave.exec());
    writeLanes(wave.vgprs[inst.operands[0].reg + 1], l1.v, wave.exec());
  }); // D.lo = S0[op_sel0], D.hi = S1[op_sel1]
  add("v_fma_mix_f32", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, c, r;
    readMixed(wave, inst, 1, 0, a);
    readMixed(wave, inst, 2, 1, b);
    readMixed(wave, inst, 3, 2, c);
    FOR_EACH_LANE r.v[i] = b32(fmaf(f32(a.v[i]), f32(b.v[i]), f32(c.v[i])));
    writeF32(wave, inst, r.v);
  });
#define MIXED_F16(nm, HI)                                                      \
  DEFINE(nm, {                                                                 \
    Lanes32 a, b, c;                                                           \
    readMixed(wave, inst, 1, 0, a);                                            \
    readMixed(wave, inst, 2, 1, b);                                            \
    readMixed(wave, inst, 3, 2, c);                                            \
    u32 *d = wave.vgprs[inst.operands[0].reg];                                 \
    u64 m = wave.exec();                                                       \
    FOR_EACH_LANE if ((m >> i) & 1) {                                          \
      float f = fmaf(f32(a.v[i]), f32(b.v[i]), f32(c.v[i]));                   \
      if (inst.clamp)                                                          \
        f = clampToUnit(f);                                                    \
      u32 h = f2h(f);                                                          \
      d[i] = HI ? (d[i] & 0xffff) | h << 16 : (d[i] & 0xffff0000) | h;         \
    }                                                                          \
  })
  MIXED_F16("v_fma_mixlo_f16", 0);
  MIXED_F16("v_fma_mixhi_f16", 1);
  add("v_dot2_f32_f16", [](Wave &wave, const Instruction &inst) {
    Lanes32 l0, h0, l1, h1, c, r;
    unpackHalves(wave, inst, 1, 0, l0, h0, true);
    unpackHalves(wave, inst, 2, 1, l1, h1, true);
    auto z = readBits(wave, inst, 3, 3, c);
    u32 n = (inst.negLo >> 2) & 1 ? 0x80000000u : 0;
    FOR_EACH_LANE r.v[i] =
        b32((float)((double)h2f(l0.v[i]) * h2f(l1.v[i]) +
                    (double)h2f(h0.v[i]) * h2f(h1.v[i]) + f32(z[i] ^ n)));
    writeF32(wave, inst, r.v);
  });
  add("v_dot2_f32_bf16", [](Wave &wave, const Instruction &inst) {
    Lanes32 l0, h0, l1, h1, c, r;
    unpackHalves(wave, inst, 1, 0, l0, h0, true);
    unpackHalves(wave, inst, 2, 1, l1, h1, true);
    auto z = readBits(wave, inst, 3, 3, c);
    u32 n = (inst.negLo >> 2) & 1 ? 0x80000000u : 0;
    FOR_EACH_LANE r.v[i] =
        b32((float)((double)bf2f(l0.v[i]) * bf2f(l1.v[i]) +
                    (double)bf2f(h0.v[i]) * bf2f(h1.v[i]) + f32(z[i] ^ n)));
    writeF32(wave, inst, r.v);
  });
  add("v_dot2_i32_i16", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, c, r;
    auto x = readBits(wave, inst, 1, 3, a), y = readBits(wave, inst, 2, 3, b),
         z = readBits(wave, inst, 3, 3, c);
    FOR_EACH_LANE r.v[i] = (i32)(i16)x[i] * (i16)y[i] +
                           (i32)(i16)(x[i] >> 16) * (i16)(y[i] >> 16) +
                           (i32)z[i];
    writeBits(wave, inst, r.v);
  });
  add("v_dot4_i32_i8", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, c, r;
    auto x = readBits(wave, inst, 1, 3, a), y = readBits(wave, inst, 2, 3, b),
         z = readBits(wave, inst, 3, 3, c);
    FOR_EACH_LANE {
      i32 s = (i32)z[i];
      for (int k = 0; k < 4; k++)
        s += (i32)(i8)(x[i] >> 8 * k) * (i8)(y[i] >> 8 * k);
      r.v[i] = s;
    }
    writeBits(wave, inst, r.v);
  });
  add("v_dot4_u32_u8", [](Wave &wave, const Instruction &inst) {
    Lanes32 a, b, c, r;
    auto x = readBits(wave, inst, 1, 3, a), y = readBits(wave, inst, 2, 3, b),
         z = readBits(wave, inst, 3, 3, c);
    FOR_EACH_LANE {
      u32 s = z[i];
      for (int k = 0; k < 4; k++)
        s += ((x[i] >> 8 * k) & 255) * ((y[i] >> 8 * k) & 255);
      r.v[i] = s;
    }
    writeBits(wave, inst, r.v);
  });
}

} // namespace mlir::qfuse::emulator
