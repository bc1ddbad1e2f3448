//===- BufferMemory.cpp - MUBUF: buffer resources ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MemoryData.h"
#include "Tables.h"
#include "VectorOperands.h"

namespace mlir::qfuse::emulator {

static u64 getBufferAddress(Wave &wave, const Instruction &inst, int va, int rs,
                            int so, int l, u32 n, bool &ok, u32 part) {
  const Operand &r = inst.operands[rs];
  u64 base = wave.getPair(r.reg) & 0xffffffffffffull;
  u32 w1 = wave.sgprs[r.reg + 1], nrec = wave.sgprs[r.reg + 2];
  u32 stride = (w1 >> 16) & 0x3fff;
  if (w1 >> 31)
    raiseFault(wave, inst, "swizzled buffer resource is not modelled");
  u32 soff = scalar32(wave, inst.operands[so]);
  u32 idx = 0, voff = 0;
  const Operand &v = inst.operands[va];
  if (inst.idxen) {
    idx = wave.vgprs[v.reg][l];
    if (inst.offen)
      voff = wave.vgprs[v.reg + 1][l];
  } else if (inst.offen)
    voff = wave.vgprs[v.reg][l];
  u64 off = (u64)voff + (u32)inst.offset;
  if (stride && inst.idxen)
    ok = idx < nrec;
  else
    ok = off + soff + part * 4 + n <= nrec;
  return base + soff + off + (u64)stride * idx + part * 4;
}
template <int T>
static void bufferLoad(Wave &wave, const Instruction &inst) {
  u64 m = wave.exec();
  if (inst.lds) { // buffer -> LDS; no data operand: op0 getAddress/off, op1
                  // rsrc, op2 soffset
    u32 nb = getByteSize(T), step = nb < 4 ? 4 : nb;
    u32 base =
        wave.sgprs[124] &
        (current->program->ocp ? 0x3ffff
                               : 0xffff); // M0 (18 bits on gfx950: 160 KB of
                                          // LDS) + inst offset (added below)
    std::vector<u8> data(64 * 16, 0);
    FOR_EACH_LANE if ((m >> i) & 1) for (u32 k = 0; k < (nb + 3) / 4; k++) {
      bool ok;
      u32 n = nb < 4 ? nb : 4;
      u64 a = getBufferAddress(wave, inst, 0, 1, 2, i, n, ok, k);
      if (ok) {
        u8 *p = accessMemory(wave, inst, a, n, false, i);
        if (p)
          memcpy(&data[16 * i + 4 * k], p, n);
      }
      if (nb < 4 && T == M_I8) {
        i32 x = (i8)data[16 * i];
        memcpy(&data[16 * i], &x, 4);
      }
      if (nb < 4 && T == M_I16) {
        i16 h;
        memcpy(&h, &data[16 * i], 2);
        i32 x = h;
        memcpy(&data[16 * i], &x, 4);
      }
    }
    base += inst.offset;
    auto commit = [&wave, &inst, data, m, base, step] {
      FOR_EACH_LANE if ((m >> i) & 1) {
        u8 *q =
            accessLds(wave, inst, base + i * step, step, AccessKind::write, i);
        if (q)
          memcpy(q, &data[16 * i], step);
      }
    };
    wave.vectorQueue.back().commit = commit;
    return;
  }
  static thread_local u8 buf[64][16];
  FOR_EACH_LANE if ((m >> i) & 1) {
    u32 nb = getByteSize(T);
    memset(buf[i], 0, 16);
    for (u32 k = 0; k < (nb + 3) / 4; k++) {
      bool ok;
      u32 n = nb < 4 ? nb : 4;
      u64 a = getBufferAddress(wave, inst, 1, 2, 3, i, n, ok, k);
      if (ok) {
        u8 *p = accessMemory(wave, inst, a, n, false, i);
        if (p)
          memcpy(buf[i] + 4 * k, p, n);
      }
    }
  }
  FOR_EACH_LANE if ((m >> i) & 1)
      putLane(wave, inst.operands[0].reg, i, buf[i], T);
}
template <int T>
static void bufferStore(Wave &wave, const Instruction &inst) {
  u64 m = wave.exec();
  FOR_EACH_LANE if ((m >> i) & 1) {
    u32 nb = getByteSize(T);
    u8 t[16];
    getLane(wave, inst.operands[0].reg, i, t, T);
    for (u32 k = 0; k < (nb + 3) / 4; k++) {
      bool ok;
      u32 n = nb < 4 ? nb : 4;
      u64 a = getBufferAddress(wave, inst, 1, 2, 3, i, n, ok, k);
      if (ok) {
        u8 *p = accessMemory(wave, inst, a, n, true, i);
        if (p)
          memcpy(p, t + 4 * k, n);
      }
    }
  }
}
template <int OP, int X2>
static void bufferAtomic(Wave &wave, const Instruction &inst) {
  u64 m = wave.exec();
  FOR_EACH_LANE if ((m >> i) & 1) {
    bool ok;
    u64 a = getBufferAddress(wave, inst, 1, 2, 3, i, X2 ? 8 : 4, ok, 0);
    if (!ok) {
      if (inst.sc0) {
        wave.vgprs[inst.operands[0].reg][i] = 0;
        if (X2)
          wave.vgprs[inst.operands[0].reg + 1][i] = 0;
      }
      continue;
    }
    u8 *p = accessMemory(wave, inst, a, X2 ? 8 : 4, true, i);
    if (p)
      applyAtomic(wave, p, OP, X2, inst.operands[0].reg, i,
                  inst.sc0 ? inst.operands[0].reg : -1);
  }
}
#define BA(nm, OP)                                                             \
  add("buffer_atomic_" nm, bufferAtomic<OP, 0>);                               \
  add("buffer_atomic_" nm "_x2", bufferAtomic<OP, 1>)
void addBufferMemory(const TableBuilder &add) {
  BA("add", A_ADD);
  BA("sub", A_SUB);
  BA("smin", A_SMIN);
  BA("umin", A_UMIN);
  BA("smax", A_SMAX);
  BA("umax", A_UMAX);
  BA("and", A_AND);
  BA("or", A_OR);
  BA("xor", A_XOR);
  BA("inc", A_INC);
  BA("dec", A_DEC);
  BA("swap", A_SWAP);
  BA("cmpswap", A_CMPSWAP);
  add("buffer_atomic_add_f32", bufferAtomic<A_ADDF, 0>);
  add("buffer_atomic_add_f64", bufferAtomic<A_ADDF, 1>);
  add("buffer_atomic_pk_add_f16", bufferAtomic<A_PKADDH, 0>);
  add("buffer_atomic_pk_add_bf16", bufferAtomic<A_PKADDB, 0>);
#define BL(nm, T) add("buffer_load_" nm, bufferLoad<T>)
#define BS(nm, T) add("buffer_store_" nm, bufferStore<T>)
  BL("ubyte", M_U8);
  BL("sbyte", M_I8);
  BL("ushort", M_U16);
  BL("sshort", M_I16);
  BL("dword", M_D1);
  BL("dwordx2", M_D2);
  BL("dwordx3", M_D3);
  BL("dwordx4", M_D4);
  BL("ubyte_d16", M_U8L);
  BL("ubyte_d16_hi", M_U8H);
  BL("sbyte_d16", M_I8L);
  BL("sbyte_d16_hi", M_I8H);
  BL("short_d16", M_B16L);
  BL("short_d16_hi", M_B16H);
  BS("byte", M_U8);
  BS("byte_d16_hi", M_U8H);
  BS("short", M_U16);
  BS("short_d16_hi", M_B16H);
  BS("dword", M_D1);
  BS("dwordx2", M_D2);
  BS("dwordx3", M_D3);
  BS("dwordx4", M_D4);
}

} // namespace mlir::qfuse::emulator
