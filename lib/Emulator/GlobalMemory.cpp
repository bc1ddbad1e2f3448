//===- GlobalMemory.cpp - SMEM, FLAT, GLOBAL and SCRATCH -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MemoryData.h"
#include "Tables.h"
#include "VectorOperands.h"

namespace mlir::qfuse::emulator {

// ---------------------------------------------------------------- SMEM
static void scalarLoad(Wave &wave, const Instruction &inst, int nd, bool buf) {
  const Operand &sb = inst.operands[1];
  u64 a;
  u32 lim = 0;
  u64 off = (i64)inst.offset;
  const Operand &so = inst.operands[2];
  if (inst.numOperands > 2) {
    if (so.kind == OperandKind::constant)
      off += (i64)(i32)so.bits32;
    else
      off += scalar32(wave, so);
  }
  if (buf) {
    a = wave.getPair(sb.reg) & 0xffffffffffffull;
    u32 st = (wave.sgprs[sb.reg + 1] >> 16) & 0x3fff;
    lim = wave.sgprs[sb.reg + 2] * (st ? st : 1);
  } else
    a = wave.getPair(sb.reg);
  u32 t[16];
  bool far = buf;
  u64 ea = ((buf ? 0 : a) + off) & ~3ull;
  for (int k = 0; k < nd; k++) {
    if (far) {
      if (ea + 4 * k + 4 > lim) {
        t[k] = 0;
        continue;
      }
    }
    u8 *p = accessMemory(wave, inst, (far ? a : 0) + ea + 4 * k, 4, false, -1);
    t[k] = p ? *(u32 *)p : 0;
  }
  memcpy(&wave.sgprs[inst.operands[0].reg], t, 4 * nd);
}
enum Space { SP_GLOBAL, SP_FLAT, SP_SCRATCH };
static u64 getAddress(Wave &wave, const Instruction &inst, int sp, int ai,
                      int l) { // ai: operand index of the vector address
  const Operand &va = inst.operands[ai];
  const Operand *sa = nullptr;
  for (int k = ai + 1; k < inst.numOperands && sp != SP_FLAT; k++)
    if (inst.operands[k].kind == OperandKind::sgpr ||
        inst.operands[k].kind == OperandKind::off)
      sa = &inst.operands[k];
  if (sp == SP_SCRATCH) {
    u64 o = (i64)inst.offset;
    if (va.kind == OperandKind::vgpr)
      o += wave.vgprs[va.reg][l];
    if (sa && sa->kind == OperandKind::sgpr)
      o += wave.sgprs[sa->reg];
    return (u32)o;
  }
  if (sa && sa->kind == OperandKind::sgpr)
    return wave.getPair(sa->reg) + wave.vgprs[va.reg][l] + (i64)inst.offset;
  return ((u64)wave.vgprs[va.reg][l] | (u64)wave.vgprs[va.reg + 1][l] << 32) +
         (i64)inst.offset;
}
static u8 *accessVector(Wave &wave, const Instruction &inst, int sp, int ai,
                        int l, u32 n, bool wrt) {
  u64 a = getAddress(wave, inst, sp, ai, l);
  return sp == SP_SCRATCH ? accessScratch(wave, inst, a, n, l)
         : sp == SP_FLAT  ? accessFlat(wave, inst, a, n, wrt, l)
                          : accessMemory(wave, inst, a, n, wrt, l);
}
template <int SP, int T>
static void vectorLoad(Wave &wave, const Instruction &inst) {
  u64 m = wave.exec();
  u32 n = getByteSize(T);
  static const u8 z[16] = {0};
  static thread_local u8 buf[64][16];
  FOR_EACH_LANE if ((m >> i) & 1) {
    u8 *p = accessVector(wave, inst, SP, 1, i, n, false);
    memcpy(buf[i], p ? p : z, n);
  } // addresses may overlap the destination
  FOR_EACH_LANE if ((m >> i) & 1)
      putLane(wave, inst.operands[0].reg, i, buf[i], T);
}
template <int SP, int T>
static void vectorStore(Wave &wave, const Instruction &inst) {
  u64 m = wave.exec();
  u32 n = getByteSize(T);
  FOR_EACH_LANE if ((m >> i) & 1) {
    u8 *p = accessVector(wave, inst, SP, 0, i, n, true);
    if (p)
      getLane(wave, inst.operands[1].reg, i, p, T);
  }
}
template <int SP, int OP, int X2>
static void vectorAtomic(Wave &wave, const Instruction &inst) {
  u64 m = wave.exec();
  bool ret = inst.sc0;
  int ai = ret ? 1 : 0;
  FOR_EACH_LANE if ((m >> i) & 1) {
    u8 *p = accessVector(wave, inst, SP, ai, i, X2 ? 8 : 4, true);
    if (p)
      applyAtomic(wave, p, OP, X2, inst.operands[ai + 1].reg, i,
                  ret ? inst.operands[0].reg : -1);
  }
}
// ---- global_load_lds_*: op0 getAddress, op1 saddr/off. LDS address = M0[15:0]
// + inst offset + lane * size
template <int T>
static void globalLoadToLds(Wave &wave, const Instruction &inst) {
  u64 m = wave.exec();
  u32 nb = getByteSize(T), step = nb < 4 ? 4 : nb;
  std::vector<u8> data(64 * 16, 0);
  FOR_EACH_LANE if ((m >> i) & 1) {
    u8 *p = accessVector(wave, inst, SP_GLOBAL, 0, i, nb, false);
    if (p)
      memcpy(&data[16 * i], p, nb);
    if (T == M_I8) {
      i32 x = (i8)data[16 * i];
      memcpy(&data[16 * i], &x, 4);
    }
    if (T == M_I16) {
      i16 h;
      memcpy(&h, &data[16 * i], 2);
      i32 x = h;
      memcpy(&data[16 * i], &x, 4);
    }
  }
  u32 base = (wave.sgprs[124] & 0xffff) + inst.offset;
  if (current->program->ocp)
    base = (wave.sgprs[124] & 0x3ffff) + inst.offset; // gfx950: 160 KB of LDS
  auto commit = [&wave, &inst, data, m, base, step] {
    FOR_EACH_LANE if ((m >> i) & 1) {
      u8 *q =
          accessLds(wave, inst, base + i * step, step, AccessKind::write, i);
      if (q)
        memcpy(q, &data[16 * i], step);
    }
  };
  wave.vectorQueue.back().commit = commit;
}
#define LD(SP, pre, nm, T) add(pre "_load_" nm, vectorLoad<SP, T>)
#define ST(SP, pre, nm, T) add(pre "_store_" nm, vectorStore<SP, T>)
#define VM(SP, pre)                                                            \
  LD(SP, pre, "ubyte", M_U8);                                                  \
  LD(SP, pre, "sbyte", M_I8);                                                  \
  LD(SP, pre, "ushort", M_U16);                                                \
  LD(SP, pre, "sshort", M_I16);                                                \
  LD(SP, pre, "dword", M_D1);                                                  \
  LD(SP, pre, "dwordx2", M_D2);                                                \
  LD(SP, pre, "dwordx3", M_D3);                                                \
  LD(SP, pre, "dwordx4", M_D4);                                                \
  LD(SP, pre, "ubyte_d16", M_U8L);                                             \
  LD(SP, pre, "ubyte_d16_hi", M_U8H);                                          \
  LD(SP, pre, "sbyte_d16", M_I8L);                                             \
  LD(SP, pre, "sbyte_d16_hi", M_I8H);                                          \
  LD(SP, pre, "short_d16", M_B16L);                                            \
  LD(SP, pre, "short_d16_hi", M_B16H);                                         \
  ST(SP, pre, "byte", M_U8);                                                   \
  ST(SP, pre, "byte_d16_hi", M_U8H);                                           \
  ST(SP, pre, "short", M_U16);                                                 \
  ST(SP, pre, "short_d16_hi", M_B16H);                                         \
  ST(SP, pre, "dword", M_D1);                                                  \
  ST(SP, pre, "dwordx2", M_D2);                                                \
  ST(SP, pre, "dwordx3", M_D3);                                                \
  ST(SP, pre, "dwordx4", M_D4)
#define AT(SP, pre, nm, OP)                                                    \
  add(pre "_atomic_" nm, vectorAtomic<SP, OP, 0>);                             \
  add(pre "_atomic_" nm "_x2", vectorAtomic<SP, OP, 1>)
void addGlobalMemory(const TableBuilder &add) {
  add("s_load_dword", [](Wave &wave, const Instruction &inst) {
    scalarLoad(wave, inst, 1, false);
  });
  add("s_load_dwordx2", [](Wave &wave, const Instruction &inst) {
    scalarLoad(wave, inst, 2, false);
  });
  add("s_load_dwordx4", [](Wave &wave, const Instruction &inst) {
    scalarLoad(wave, inst, 4, false);
  });
  add("s_load_dwordx8", [](Wave &wave, const Instruction &inst) {
    scalarLoad(wave, inst, 8, false);
  });
  add("s_load_dwordx16", [](Wave &wave, const Instruction &inst) {
    scalarLoad(wave, inst, 16, false);
  });
  add("s_buffer_load_dword", [](Wave &wave, const Instruction &inst) {
    scalarLoad(wave, inst, 1, true);
  });
  add("s_buffer_load_dwordx2", [](Wave &wave, const Instruction &inst) {
    scalarLoad(wave, inst, 2, true);
  });
  add("s_buffer_load_dwordx4", [](Wave &wave, const Instruction &inst) {
    scalarLoad(wave, inst, 4, true);
  });
  add("s_buffer_load_dwordx8", [](Wave &wave, const Instruction &inst) {
    scalarLoad(wave, inst, 8, true);
  });
  add("s_buffer_load_dwordx16", [](Wave &wave, const Instruction &inst) {
    scalarLoad(wave, inst, 16, true);
  });
  add("s_memtime", [](Wave &wave, const Instruction &inst) {
    wave.setPair(inst.operands[0].reg, current->executed);
  });
  add("s_memrealtime", [](Wave &wave, const Instruction &inst) {
    wave.setPair(inst.operands[0].reg, current->executed);
  });
  VM(SP_GLOBAL, "global");
  VM(SP_FLAT, "flat");
  VM(SP_SCRATCH, "scratch");
#define ALLAT(SP, pre)                                                         \
  AT(SP, pre, "add", A_ADD);                                                   \
  AT(SP, pre, "sub", A_SUB);                                                   \
  AT(SP, pre, "smin", A_SMIN);                                                 \
  AT(SP, pre, "umin", A_UMIN);                                                 \
  AT(SP, pre, "smax", A_SMAX);                                                 \
  AT(SP, pre, "umax", A_UMAX);                                                 \
  AT(SP, pre, "and", A_AND);                                                   \
  AT(SP, pre, "or", A_OR);                                                     \
  AT(SP, pre, "xor", A_XOR);                                                   \
  AT(SP, pre, "inc", A_INC);                                                   \
  AT(SP, pre, "dec", A_DEC);                                                   \
  AT(SP, pre, "swap", A_SWAP);                                                 \
  AT(SP, pre, "cmpswap", A_CMPSWAP);                                           \
  add(pre "_atomic_add_f32", vectorAtomic<SP, A_ADDF, 0>);                     \
  add(pre "_atomic_add_f64", vectorAtomic<SP, A_ADDF, 1>);                     \
  add(pre "_atomic_min_f64", vectorAtomic<SP, A_MINF, 1>);                     \
  add(pre "_atomic_max_f64", vectorAtomic<SP, A_MAXF, 1>);                     \
  add(pre "_atomic_pk_add_f16", vectorAtomic<SP, A_PKADDH, 0>);                \
  add(pre "_atomic_pk_add_bf16", vectorAtomic<SP, A_PKADDB, 0>)
  ALLAT(SP_GLOBAL, "global");
  ALLAT(SP_FLAT, "flat");
  add("global_load_lds_dword", globalLoadToLds<M_D1>);
  add("global_load_lds_dwordx3", globalLoadToLds<M_D3>);
  add("global_load_lds_dwordx4", globalLoadToLds<M_D4>);
  add("global_load_lds_ubyte", globalLoadToLds<M_U8>);
  add("global_load_lds_sbyte", globalLoadToLds<M_I8>);
  add("global_load_lds_ushort", globalLoadToLds<M_U16>);
  add("global_load_lds_sshort", globalLoadToLds<M_I16>);
}

} // namespace mlir::qfuse::emulator
