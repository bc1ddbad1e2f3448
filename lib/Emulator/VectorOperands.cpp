//===- VectorOperands.cpp - Reads sources, writes results ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VectorOperands.h"

namespace mlir::qfuse::emulator {

static u32 special32(const Wave &wave, const Operand &o) {
  switch (o.reg) {
  case 5:
    return wave.vcc() == 0;
  case 6:
    return wave.exec() == 0;
  case 7:
    return wave.scc;
  default:
    return 0;
  }
}
static u64 special64(const Wave &wave, const Operand &o) {
  switch (o.reg) {
  case 0:
    return 0x0001000000000000ull;
  case 1:
    return 0x00010000ffffffffull;
  case 2:
    return 0x0002000000000000ull;
  case 3:
    return 0x00020000ffffffffull;
  default:
    return special32(wave, o);
  }
}
u32 scalar32(const Wave &wave, const Operand &o) {
  if (o.kind == OperandKind::sgpr)
    return wave.sgprs[o.reg];
  if (o.kind == OperandKind::constant)
    return o.bits32;
  if (o.kind == OperandKind::special)
    return o.reg < 4 ? (u32)(special64(wave, o) >> 32) : special32(wave, o);
  return 0;
}
u64 scalar64(const Wave &wave, const Operand &o) {
  if (o.kind == OperandKind::sgpr)
    return wave.getPair(o.reg);
  if (o.kind == OperandKind::constant)
    return o.asB64;
  return special64(wave, o);
}
// ---- DPP
static void getDppSources(const Wave &wave, const Instruction &inst, int *src,
                          u64 &valid) {
  valid = 0;
  u64 ex = wave.exec();
  FOR_EACH_LANE {
    int row = i & ~15, l = i & 15, s = i;
    bool ok = true;
    int n = inst.dppArgument;
    switch (inst.dppControl) {
    case 0:
      s = (i & ~3) + ((n >> (2 * (i & 3))) & 3);
      break;
    case 1:
      s = i + n;
      ok = l + n < 16;
      break;
    case 2:
      s = i - n;
      ok = l >= n;
      break;
    case 3:
      s = row + ((l - n) & 15);
      break;
    case 4:
      s = i + 1;
      ok = i < 63;
      break;
    case 5:
      s = (i + 1) & 63;
      break;
    case 6:
      s = i - 1;
      ok = i > 0;
      break;
    case 7:
      s = (i - 1) & 63;
      break;
    case 8:
      s = row + 15 - l;
      break;
    case 9:
      s = (i & ~7) + 7 - (i & 7);
      break;
    case 10:
      if (n == 15) {
        s = row - 1;
        ok = row >= 16;
      } else {
        s = 31;
        ok = i >= 32;
      }
      break;
    case 11:
      s = row + n;
      break;
    }
    if (!ok)
      s = i;
    else if (!((ex >> s) & 1))
      ok = false; // reading a disabled lane counts as invalid (no
                  // fetch-inactive on GFX9)
    src[i] = s;
    if (ok)
      valid |= 1ull << i;
  }
}
static u64 getDppMask(const Wave &wave, const Instruction &inst) {
  int src[64];
  u64 valid;
  getDppSources(wave, inst, src, valid);
  u64 m = 0;
  FOR_EACH_LANE if (((inst.rowMask >> (i >> 4)) & 1) &&
                    ((inst.bankMask >> ((i & 15) >> 2)) & 1)) m |= 1ull << i;
  return inst.boundControl ? m : m & valid;
}
static u32 selectSdwa(u32 x, int sel, bool sext) {
  switch (sel) {
  case 0:
  case 1:
  case 2:
  case 3:
    x = (x >> (8 * sel)) & 0xff;
    return sext ? (u32)(i32)(i8)x : x;
  case 4:
  case 5:
    x = (x >> (16 * (sel - 4))) & 0xffff;
    return sext ? (u32)(i32)(i16)x : x;
  default:
    return x;
  }
}
// raw 32-bit source fetch, k = operand index, sn = source number (0..2)
const u32 *readBits(Wave &wave, const Instruction &inst, int k, int sn,
                    Lanes32 &b, bool half) {
  const Operand &o = inst.operands[k];
  if (o.kind == OperandKind::vgpr) {
    int reg = o.reg;
    const u32 *r = wave.vgprs[reg];
    if (inst.dpp && sn == 0) {
      int src[64];
      u64 valid;
      getDppSources(wave, inst, src, valid);
      FOR_EACH_LANE b.v[i] = (valid >> i) & 1 ? r[src[i]] : 0;
      r = b.v;
    }
    if (inst.sdwa && sn < 2) {
      int sel = sn == 0 ? inst.src0Sel : inst.src1Sel;
      if (sel != 6 || o.sext) {
        Lanes32 t;
        FOR_EACH_LANE t.v[i] = selectSdwa(r[i], sel, o.sext);
        b = t;
        return b.v;
      }
    }
    return r;
  }
  u32 x = o.kind == OperandKind::constant ? (half ? o.bits16 : o.bits32)
                                          : scalar32(wave, o);
  if (inst.sdwa && sn < 2 && o.kind == OperandKind::sgpr)
    x = selectSdwa(x, sn == 0 ? inst.src0Sel : inst.src1Sel, o.sext);
  FOR_EACH_LANE b.v[i] = x;
  return b.v;
}
const u32 *readF32(Wave &wave, const Instruction &inst, int k, int sn,
                   Lanes32 &b) { // f32 with abs/neg
  const Operand &o = inst.operands[k];
  const u32 *r = readBits(wave, inst, k, sn, b);
  if (o.neg || o.abs) {
    u32 am = o.abs ? 0x7fffffff : 0xffffffff, nm = o.neg ? 0x80000000 : 0;
    FOR_EACH_LANE b.v[i] = (r[i] & am) ^ nm;
    return b.v;
  }
  return r;
}
void readHalf(Wave &wave, const Instruction &inst, int k, int sn,
              Lanes32 &b) { // 16-bit source in the low half, abs/neg at bit 15
  const Operand &o = inst.operands[k];
  Lanes32 t;
  const u32 *r = readBits(wave, inst, k, sn, t, true);
  int sh = (isVop3(inst) && o.kind != OperandKind::constant &&
            ((inst.opSel >> sn) & 1))
               ? 16
               : 0;
  u32 am = o.abs ? 0x7fff : 0xffff, nm = o.neg ? 0x8000 : 0;
  FOR_EACH_LANE b.v[i] = ((r[i] >> sh) & am) ^ nm;
}
void read64(Wave &wave, const Instruction &inst, int k, Lanes64 &b,
            int type) { // type 0 f64, 1 b64/u64, 2 i64
  const Operand &o = inst.operands[k];
  if (o.kind == OperandKind::vgpr) {
    const u32 *lo = wave.vgprs[o.reg], *hi = wave.vgprs[o.reg + 1];
    if (inst.dpp && k == 1) {
      int src[64];
      u64 valid;
      getDppSources(wave, inst, src, valid);
      FOR_EACH_LANE b.v[i] =
          (valid >> i) & 1 ? (u64)lo[src[i]] | ((u64)hi[src[i]] << 32) : 0;
    } else
      FOR_EACH_LANE b.v[i] = (u64)lo[i] | ((u64)hi[i] << 32);
  } else {
    u64 x = o.kind == OperandKind::constant ? (type == 0   ? o.asF64
                                               : type == 1 ? o.asB64
                                                           : o.asI64)
                                            : scalar64(wave, o);
    FOR_EACH_LANE b.v[i] = x;
  }
  if (type == 0 && (o.abs || o.neg))
    FOR_EACH_LANE {
      if (o.abs)
        b.v[i] &= ~(1ull << 63);
      if (o.neg)
        b.v[i] ^= 1ull << 63;
    }
}
static inline u64 getWriteMask(const Wave &wave, const Instruction &inst) {
  return inst.dpp ? wave.exec() & getDppMask(wave, inst) : wave.exec();
}
void writeLanes(u32 *d, const u32 *r, u64 m) {
  if (m == ~0ull) {
    memcpy(d, r, 256);
    return;
  }
  FOR_EACH_LANE if ((m >> i) & 1) d[i] = r[i];
}
void writeBits(Wave &wave, const Instruction &inst, const u32 *r) {
  u32 *d = wave.vgprs[inst.operands[0].reg];
  u64 m = getWriteMask(wave, inst);
  if (inst.sdwa && inst.dstSel != 6) {
    Lanes32 t;
    int s = inst.dstSel;
    u32 msk = s < 4 ? 0xffu : 0xffffu;
    int sh = s < 4 ? 8 * s : 16 * (s - 4);
    FOR_EACH_LANE {
      u32 x = (r[i] & msk) << sh;
      if (inst.dstUnused == 2)
        x |= d[i] & ~(msk << sh);
      else if (inst.dstUnused == 1) {
        bool sg = (r[i] >> (s < 4 ? 7 : 15)) & 1;
        int top = sh + (s < 4 ? 8 : 16);
        if (sg && top < 32)
          x |= ~0u << top;
      }
      t.v[i] = x;
    }
    writeLanes(d, t.v, m);
    return;
  }
  writeLanes(d, r, m);
}
void write64(Wave &wave, const Instruction &inst, const u64 *r) {
  u64 m = getWriteMask(wave, inst);
  u32 *lo = wave.vgprs[inst.operands[0].reg],
      *hi = wave.vgprs[inst.operands[0].reg + 1];
  FOR_EACH_LANE if ((m >> i) & 1) {
    lo[i] = (u32)r[i];
    hi[i] = (u32)(r[i] >> 32);
  }
}
// The output modifier acts only with MODE.IEEE 0 and output denormals off (dn:
// that bit of MODE), and makes a zero positive.
static inline int getOutputModifier(const Wave &wave, const Instruction &inst,
                                    int dn) {
  return ((wave.mode >> 9) | (wave.mode >> dn)) & 1 ? 0 : inst.omod;
}
static inline double applyOutputModifier(double x, int om) {
  x = om == 1 ? x * 2 : om == 2 ? x * 4 : x / 2;
  return x == 0 ? 0. : x;
}
void writeF32(Wave &wave, const Instruction &inst, u32 *r) {
  if (int om = getOutputModifier(wave, inst, 5))
    FOR_EACH_LANE r[i] = b32((float)applyOutputModifier(f32(r[i]), om));
  if (inst.clamp)
    FOR_EACH_LANE r[i] = b32(clampToUnit(f32(r[i])));
  writeBits(wave, inst, r);
}
// 16-bit result. pres: the other half is preserved (GFX9 op_sel instructions);
// otherwise the high half is zeroed.
void writeHalf(Wave &wave, const Instruction &inst, u32 *r, bool isf,
               bool pres) {
  if (int om = isf ? getOutputModifier(wave, inst, 7) : 0)
    FOR_EACH_LANE r[i] = f2h((float)applyOutputModifier(h2f(r[i]), om));
  if (isf && inst.clamp)
    FOR_EACH_LANE r[i] = f2h(clampToUnit(h2f(r[i])));
  bool hi = isVop3(inst) && ((inst.opSel >> 3) & 1);
  if (inst.sdwa) {
    writeBits(wave, inst, r);
    return;
  }
  u32 *d = wave.vgprs[inst.operands[0].reg];
  u64 m = getWriteMask(wave, inst);
  FOR_EACH_LANE if ((m >> i) & 1) {
    if (hi)
      d[i] = (d[i] & 0xffff) | (r[i] << 16);
    else if (pres)
      d[i] = (d[i] & 0xffff0000) | (r[i] & 0xffff);
    else
      d[i] = r[i] & 0xffff;
  }
}
void setMask(Wave &wave, int reg, u64 x) {
  wave.sgprs[reg] = (u32)x;
  wave.sgprs[reg + 1] = (u32)(x >> 32);
}
void writeF64(Wave &wave, const Instruction &inst, Lanes64 &r) {
  if (int om = getOutputModifier(wave, inst, 7))
    FOR_EACH_LANE r.v[i] = b64(applyOutputModifier(f64(r.v[i]), om));
  if (inst.clamp)
    FOR_EACH_LANE r.v[i] = b64(clampToUnit(f64(r.v[i])));
  write64(wave, inst, r.v);
}

} // namespace mlir::qfuse::emulator
