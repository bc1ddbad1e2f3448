//===- LdsMemory.cpp - DS: local data share ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MemoryData.h"
#include "Tables.h"
#include "VectorOperands.h"

namespace mlir::qfuse::emulator {

template <int T>
static void ldsRead(Wave &wave, const Instruction &inst) {
  u64 m = wave.exec();
  u32 n = getByteSize(T);
  static const u8 z[16] = {0};
  static thread_local u8 buf[64][16];
  FOR_EACH_LANE if ((m >> i) & 1) {
    u8 *p = accessLds(wave, inst,
                      wave.vgprs[inst.operands[1].reg][i] +
                          (inst.words[0] & 0xffff),
                      n, AccessKind::read, i);
    memcpy(buf[i], p ? p : z, n);
  }
  FOR_EACH_LANE if ((m >> i) & 1)
      putLane(wave, inst.operands[0].reg, i, buf[i], T);
}
template <int T>
static void ldsWrite(Wave &wave, const Instruction &inst) {
  u64 m = wave.exec();
  u32 n = getByteSize(T);
  FOR_EACH_LANE if ((m >> i) & 1) {
    u8 *p = accessLds(wave, inst,
                      wave.vgprs[inst.operands[0].reg][i] +
                          (inst.words[0] & 0xffff),
                      n, AccessKind::write, i);
    if (p)
      getLane(wave, inst.operands[1].reg, i, p, T);
  }
}
template <int ND, int ST>
static void ldsRead2(Wave &wave, const Instruction &inst) {
  u64 m = wave.exec();
  u32 o0 = (inst.words[0] & 0xff) * ND * 4 * ST,
      o1 = ((inst.words[0] >> 8) & 0xff) * ND * 4 * ST;
  static const u8 z[16] = {0};
  static thread_local u8 buf[64][16];
  FOR_EACH_LANE if ((m >> i) & 1) {
    u32 a = wave.vgprs[inst.operands[1].reg][i];
    u8 *p = accessLds(wave, inst, a + o0, ND * 4, AccessKind::read, i);
    memcpy(buf[i], p ? p : z, ND * 4);
    p = accessLds(wave, inst, a + o1, ND * 4, AccessKind::read, i);
    memcpy(buf[i] + ND * 4, p ? p : z, ND * 4);
  }
  FOR_EACH_LANE if ((m >> i) & 1)
      putLane(wave, inst.operands[0].reg, i, buf[i], M_D1 + 2 * ND - 1);
}
template <int ND, int ST>
static void ldsWrite2(Wave &wave, const Instruction &inst) {
  u64 m = wave.exec();
  u32 o0 = (inst.words[0] & 0xff) * ND * 4 * ST,
      o1 = ((inst.words[0] >> 8) & 0xff) * ND * 4 * ST;
  FOR_EACH_LANE if ((m >> i) & 1) {
    u32 a = wave.vgprs[inst.operands[0].reg][i];
    u8 *p = accessLds(wave, inst, a + o0, ND * 4, AccessKind::write, i);
    if (p)
      getLane(wave, inst.operands[1].reg, i, p, M_D1 + ND - 1);
    p = accessLds(wave, inst, a + o1, ND * 4, AccessKind::write, i);
    if (p)
      getLane(wave, inst.operands[2].reg, i, p, M_D1 + ND - 1);
  }
}
// ds atomics: no return: op0 addr, op1 data; return: op0 dst, op1 addr, op2
// data (cmpst: op2 cmp, op3 new)
template <int OP, int X2, int RET>
static void ldsAtomic(Wave &wave, const Instruction &inst) {
  u64 m = wave.exec();
  int ai = RET ? 1 : 0;
  FOR_EACH_LANE if ((m >> i) & 1) {
    u8 *p = accessLds(wave, inst,
                      wave.vgprs[inst.operands[ai].reg][i] +
                          (inst.words[0] & 0xffff),
                      X2 ? 8 : 4, AccessKind::atomic, i);
    if (!p)
      continue;
    if (OP == A_CMPSWAP) {
      if (!X2) {
        u32 mm;
        memcpy(&mm, p, 4);
        u32 c = wave.vgprs[inst.operands[ai + 1].reg][i],
            d = wave.vgprs[inst.operands[ai + 2].reg][i];
        if (mm == c)
          memcpy(p, &d, 4);
        if (RET)
          wave.vgprs[inst.operands[0].reg][i] = mm;
      } else {
        u64 mm;
        memcpy(&mm, p, 8);
        auto q = [&](int r) {
          return wave.vgprs[r][i] | (u64)wave.vgprs[r + 1][i] << 32;
        };
        u64 c = q(inst.operands[ai + 1].reg), d = q(inst.operands[ai + 2].reg);
        if (mm == c)
          memcpy(p, &d, 8);
        if (RET) {
          wave.vgprs[inst.operands[0].reg][i] = (u32)mm;
          wave.vgprs[inst.operands[0].reg + 1][i] = (u32)(mm >> 32);
        }
      }
    } else
      applyAtomic(wave, p, OP, X2, inst.operands[ai + 1].reg, i,
                  RET ? inst.operands[0].reg : -1);
  }
}
static void ldsSwizzle(Wave &wave, const Instruction &inst) {
  u32 o = inst.words[0] & 0xffff;
  u64 ex = wave.exec();
  u32 t[64];
  const u32 *s = wave.vgprs[inst.operands[1].reg];
  FOR_EACH_LANE {
    int src;
    if (o >= 0xe000) {
      raiseFault(wave, inst, "ds_swizzle FFT mode is not modelled");
    } else if (o >= 0xc000) {
      int dir = (o >> 10) & 1, n = (o >> 5) & 31;
      int g = i & 32, l = i & 31;
      int mk = o & 31;
      int rot = dir ? (l - n) & 31 : (l + n) & 31;
      src = g + ((l & mk) | (rot & ~mk & 31));
    } // rotate mode
    else if (o & 0x8000)
      src = (i & ~3) + ((o >> (2 * (i & 3))) & 3);
    else {
      int a = o & 31, r = (o >> 5) & 31, x = (o >> 10) & 31;
      src = (i & 32) + (((i & a) | r) ^ x);
    }
    t[i] = (ex >> src) & 1 ? s[src] : 0;
  }
  u32 *d = wave.vgprs[inst.operands[0].reg];
  FOR_EACH_LANE if ((ex >> i) & 1) d[i] = t[i];
}
static void ldsBackwardPermute(Wave &wave, const Instruction &inst) {
  u64 ex = wave.exec();
  u32 t[64];
  const u32 *a = wave.vgprs[inst.operands[1].reg],
            *s = wave.vgprs[inst.operands[2].reg];
  u32 off = inst.words[0] & 0xffff;
  FOR_EACH_LANE {
    u32 l = ((a[i] + off) / 4) & 63;
    t[i] = (ex >> l) & 1 ? s[l] : 0;
  }
  u32 *d = wave.vgprs[inst.operands[0].reg];
  FOR_EACH_LANE if ((ex >> i) & 1) d[i] = t[i];
}
static void ldsPermute(Wave &wave, const Instruction &inst) {
  u64 ex = wave.exec();
  u32 t[64] = {0};
  const u32 *a = wave.vgprs[inst.operands[1].reg],
            *s = wave.vgprs[inst.operands[2].reg];
  u32 off = inst.words[0] & 0xffff;
  FOR_EACH_LANE if ((ex >> i) & 1) {
    u32 l = ((a[i] + off) / 4) & 63;
    t[l] = s[i];
  }
  u32 *d = wave.vgprs[inst.operands[0].reg];
  FOR_EACH_LANE if ((ex >> i) & 1) d[i] = t[i];
}
// gfx950 ds_read_b64_tr_b{16,8,4} and b96_tr_b6: a group of 16 lanes reads a
// tile of 64 (96) bits a lane and transposes it. With n elements a lane,
// element j of lane l becomes element l % n of lane j * 16 / n + l / n.
template <int BITS>
static void ldsReadTransposed(Wave &wave, const Instruction &inst) {
  u64 m = wave.exec();
  const u32 nb = BITS == 6 ? 12 : 8;
  const int n = BITS == 6 ? 16 : 64 / BITS;
  static const u8 z[16] = {0};
  static thread_local u8 buf[64][16];
  static thread_local u32 out[3][64];
  if (m != ~0ull)
    raiseFault(wave, inst, "transposing LDS read with EXEC not all ones");
  FOR_EACH_LANE if ((m >> i) & 1) {
    u8 *p = accessLds(wave, inst,
                      wave.vgprs[inst.operands[1].reg][i] +
                          (inst.words[0] & 0xffff),
                      nb, AccessKind::read, i);
    memset(buf[i], 0, 16);
    memcpy(buf[i], p ? p : z, nb);
  }
  auto elem = [&](int lane, int e) -> u32 {
    u64 x;
    int bit = e * BITS;
    memcpy(&x, buf[lane] + bit / 8, 8 > 16 - bit / 8 ? 16 - bit / 8 : 8);
    return (u32)(x >> (bit % 8)) & ((1u << BITS) - 1);
  };
  memset(out, 0, sizeof out);
  FOR_EACH_LANE {
    int g = i & ~15, l = i & 15;
    for (int j = 0; j < n; j++) {
      int s = n <= 16 ? j * 16 / n + l / n : j, e = l % n;
      u32 v = elem(g + s, e);
      int bit = j * BITS;
      for (int k = 0; k < BITS; k++)
        if ((v >> k) & 1)
          out[(bit + k) / 32][i] |= 1u << ((bit + k) & 31);
    }
  }
  for (u32 k = 0; k < nb / 4; k++)
    FOR_EACH_LANE if ((m >> i) & 1) wave.vgprs[inst.operands[0].reg + k][i] =
        out[k][i];
}

void addLds(const TableBuilder &add) {
  add("ds_read_u8", ldsRead<M_U8>);
  add("ds_read_i8", ldsRead<M_I8>);
  add("ds_read_u16", ldsRead<M_U16>);
  add("ds_read_i16", ldsRead<M_I16>);
  add("ds_read_b32", ldsRead<M_D1>);
  add("ds_read_b64", ldsRead<M_D2>);
  add("ds_read_b96", ldsRead<M_D3>);
  add("ds_read_b128", ldsRead<M_D4>);
  add("ds_read_u8_d16", ldsRead<M_U8L>);
  add("ds_read_u8_d16_hi", ldsRead<M_U8H>);
  add("ds_read_i8_d16", ldsRead<M_I8L>);
  add("ds_read_i8_d16_hi", ldsRead<M_I8H>);
  add("ds_read_u16_d16", ldsRead<M_B16L>);
  add("ds_read_u16_d16_hi", ldsRead<M_B16H>);
  add("ds_write_b8", ldsWrite<M_U8>);
  add("ds_write_b8_d16_hi", ldsWrite<M_U8H>);
  add("ds_write_b16", ldsWrite<M_U16>);
  add("ds_write_b16_d16_hi", ldsWrite<M_B16H>);
  add("ds_write_b32", ldsWrite<M_D1>);
  add("ds_write_b64", ldsWrite<M_D2>);
  add("ds_write_b96", ldsWrite<M_D3>);
  add("ds_write_b128", ldsWrite<M_D4>);
  add("ds_read2_b32", ldsRead2<1, 1>);
  add("ds_read2_b64", ldsRead2<2, 1>);
  add("ds_read2st64_b32", ldsRead2<1, 64>);
  add("ds_read2st64_b64", ldsRead2<2, 64>);
  add("ds_write2_b32", ldsWrite2<1, 1>);
  add("ds_write2_b64", ldsWrite2<2, 1>);
  add("ds_write2st64_b32", ldsWrite2<1, 64>);
  add("ds_write2st64_b64", ldsWrite2<2, 64>);
#define DSA(nm, OP)                                                            \
  add("ds_" nm "_u32", ldsAtomic<OP, 0, 0>);                                   \
  add("ds_" nm "_rtn_u32", ldsAtomic<OP, 0, 1>);                               \
  add("ds_" nm "_u64", ldsAtomic<OP, 1, 0>);                                   \
  add("ds_" nm "_rtn_u64", ldsAtomic<OP, 1, 1>)
#define DSB(nm, s, OP)                                                         \
  add("ds_" nm "_" s "32", ldsAtomic<OP, 0, 0>);                               \
  add("ds_" nm "_rtn_" s "32", ldsAtomic<OP, 0, 1>);                           \
  add("ds_" nm "_" s "64", ldsAtomic<OP, 1, 0>);                               \
  add("ds_" nm "_rtn_" s "64", ldsAtomic<OP, 1, 1>)
  DSA("add", A_ADD);
  DSA("sub", A_SUB);
  DSA("rsub", A_RSUB);
  DSA("inc", A_INC);
  DSA("dec", A_DEC);
  DSA("min", A_UMIN);
  DSA("max", A_UMAX);
  DSB("min", "i", A_SMIN);
  DSB("max", "i", A_SMAX);
  DSB("and", "b", A_AND);
  DSB("or", "b", A_OR);
  DSB("xor", "b", A_XOR);
  DSB("cmpst", "b", A_CMPSWAP);
  DSB("add", "f", A_ADDF);
  DSB("min", "f", A_MINF);
  DSB("max", "f", A_MAXF);
  add("ds_wrxchg_rtn_b32", ldsAtomic<A_SWAP, 0, 1>);
  add("ds_wrxchg_rtn_b64", ldsAtomic<A_SWAP, 1, 1>);
  add("ds_pk_add_f16", ldsAtomic<A_PKADDH, 0, 0>);
  add("ds_pk_add_rtn_f16", ldsAtomic<A_PKADDH, 0, 1>);
  add("ds_pk_add_bf16", ldsAtomic<A_PKADDB, 0, 0>);
  add("ds_pk_add_rtn_bf16", ldsAtomic<A_PKADDB, 0, 1>);
  add("ds_swizzle_b32", ldsSwizzle);
  add("ds_bpermute_b32", ldsBackwardPermute);
  add("ds_permute_b32", ldsPermute);
  add("ds_nop", [](Wave &wave, const Instruction &inst) {});
  add("ds_read_b64_tr_b16", ldsReadTransposed<16>);
  add("ds_read_b64_tr_b8", ldsReadTransposed<8>);
  add("ds_read_b64_tr_b4", ldsReadTransposed<4>);
  add("ds_read_b96_tr_b6", ldsReadTransposed<6>);
}

} // namespace mlir::qfuse::emulator
