//===- ScalarAlu.cpp - SOP1, SOP2 and SOPK: scalar arithmetic ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tables.h"
#include "VectorOperands.h"

namespace mlir::qfuse::emulator {

#define S0 scalar32(wave, inst.operands[1])
#define S1 scalar32(wave, inst.operands[2])
#define S0_64 scalar64(wave, inst.operands[1])
#define S1_64 scalar64(wave, inst.operands[2])
static inline void setScalar(Wave &wave, const Instruction &inst, u32 x) {
  wave.sgprs[inst.operands[0].reg] = x;
}
static inline void setScalar64(Wave &wave, const Instruction &inst, u64 x) {
  wave.setPair(inst.operands[0].reg, x);
}
static inline i64 scalar64Signed(Wave &wave, const Operand &o) {
  return o.kind == OperandKind::constant ? (i64)o.asI64
                                         : (i64)scalar64(wave, o);
}
static void addWithCarryOut(Wave &wave, const Instruction &inst, u64 r) {
  wave.scc = (r >> 32) & 1;
  setScalar(wave, inst, (u32)r);
}

void addScalarAlu(const TableBuilder &add) {
  add("s_mov_b32",
      [](Wave &wave, const Instruction &inst) { setScalar(wave, inst, S0); });
  add("s_mov_b64", [](Wave &wave, const Instruction &inst) {
    setScalar64(wave, inst, S0_64);
  });
  add("s_movk_i32", [](Wave &wave, const Instruction &inst) {
    setScalar(wave, inst, (u32)(i32)(i16)(inst.words[0] & 0xffff));
  });
  add("s_cmov_b32", [](Wave &wave, const Instruction &inst) {
    if (wave.scc)
      setScalar(wave, inst, S0);
  });
  add("s_cmov_b64", [](Wave &wave, const Instruction &inst) {
    if (wave.scc)
      setScalar64(wave, inst, S0_64);
  });
  add("s_cmovk_i32", [](Wave &wave, const Instruction &inst) {
    if (wave.scc)
      setScalar(wave, inst, (u32)(i32)(i16)(inst.words[0] & 0xffff));
  });
  add("s_add_u32", [](Wave &wave, const Instruction &inst) {
    addWithCarryOut(wave, inst, (u64)S0 + S1);
  });
  add("s_addc_u32", [](Wave &wave, const Instruction &inst) {
    addWithCarryOut(wave, inst, (u64)S0 + S1 + wave.scc);
  });
  add("s_sub_u32", [](Wave &wave, const Instruction &inst) {
    addWithCarryOut(wave, inst, (u64)S0 - S1);
  });
  add("s_subb_u32", [](Wave &wave, const Instruction &inst) {
    addWithCarryOut(wave, inst, (u64)S0 - S1 - wave.scc);
  });
  add("s_add_i32", [](Wave &wave, const Instruction &inst) {
    i32 r;
    wave.scc = __builtin_add_overflow((i32)S0, (i32)S1, &r);
    setScalar(wave, inst, r);
  });
  add("s_sub_i32", [](Wave &wave, const Instruction &inst) {
    i32 r;
    wave.scc = __builtin_sub_overflow((i32)S0, (i32)S1, &r);
    setScalar(wave, inst, r);
  });
  add("s_addk_i32", [](Wave &wave, const Instruction &inst) {
    i32 r;
    wave.scc = __builtin_add_overflow((i32)wave.sgprs[inst.operands[0].reg],
                                      (i32)(i16)(inst.words[0] & 0xffff), &r);
    setScalar(wave, inst, r);
  });
  add("s_mulk_i32", [](Wave &wave, const Instruction &inst) {
    setScalar(wave, inst,
              wave.sgprs[inst.operands[0].reg] *
                  (u32)(i32)(i16)(inst.words[0] & 0xffff));
  });
  add("s_min_i32", [](Wave &wave, const Instruction &inst) {
    bool c = (i32)S0 < (i32)S1;
    u32 r = c ? S0 : S1;
    wave.scc = c;
    setScalar(wave, inst, r);
  });
  add("s_max_i32", [](Wave &wave, const Instruction &inst) {
    bool c = (i32)S0 > (i32)S1;
    u32 r = c ? S0 : S1;
    wave.scc = c;
    setScalar(wave, inst, r);
  });
  add("s_min_u32", [](Wave &wave, const Instruction &inst) {
    bool c = S0 < S1;
    u32 r = c ? S0 : S1;
    wave.scc = c;
    setScalar(wave, inst, r);
  });
  add("s_max_u32", [](Wave &wave, const Instruction &inst) {
    bool c = S0 > S1;
    u32 r = c ? S0 : S1;
    wave.scc = c;
    setScalar(wave, inst, r);
  });
  add("s_cselect_b32", [](Wave &wave, const Instruction &inst) {
    setScalar(wave, inst, wave.scc ? S0 : S1);
  });
  add("s_cselect_b64", [](Wave &wave, const Instruction &inst) {
    setScalar64(wave, inst, wave.scc ? S0_64 : S1_64);
  });
#define BIT2(n, e32, e64)                                                      \
  DEFINE("s_" n "_b32", {                                                      \
    u32 a = S0, b = S1, r = e32;                                               \
    wave.scc = r != 0;                                                         \
    setScalar(wave, inst, r);                                                  \
  });                                                                          \
  DEFINE("s_" n "_b64", {                                                      \
    u64 a = S0_64, b = S1_64, r = e64;                                         \
    wave.scc = r != 0;                                                         \
    setScalar64(wave, inst, r);                                                \
  })
  BIT2("and", a & b, a & b);
  BIT2("or", a | b, a | b);
  BIT2("xor", a ^ b, a ^ b);
  BIT2("andn2", a & ~b, a & ~b);
  BIT2("orn2", a | ~b, a | ~b);
  BIT2("nand", ~(a & b), ~(a & b));
  BIT2("nor", ~(a | b), ~(a | b));
  BIT2("xnor", ~(a ^ b), ~(a ^ b));
#define SHF(n, T, e)                                                           \
  DEFINE(n, {                                                                  \
    T r = e;                                                                   \
    wave.scc = r != 0;                                                         \
    if (sizeof(T) == 4)                                                        \
      setScalar(wave, inst, (u32)r);                                           \
    else                                                                       \
      setScalar64(wave, inst, (u64)r);                                         \
  })
  SHF("s_lshl_b32", u32, S0 << (S1 & 31));
  SHF("s_lshr_b32", u32, S0 >> (S1 & 31));
  SHF("s_ashr_i32", i32, (i32)S0 >> (S1 & 31));
  SHF("s_lshl_b64", u64, S0_64 << (S1 & 63));
  SHF("s_lshr_b64", u64, S0_64 >> (S1 & 63));
  SHF("s_ashr_i64", i64, scalar64Signed(wave, inst.operands[1]) >> (S1 & 63));
  add("s_bfm_b32", [](Wave &wave, const Instruction &inst) {
    setScalar(wave, inst, ((1u << (S0 & 31)) - 1) << (S1 & 31));
  });
  add("s_bfm_b64", [](Wave &wave, const Instruction &inst) {
    setScalar64(wave, inst, ((1ull << (S0 & 63)) - 1) << (S1 & 63));
  });
  add("s_mul_i32", [](Wave &wave, const Instruction &inst) {
    setScalar(wave, inst, S0 * S1);
  });
  add("s_mul_hi_u32", [](Wave &wave, const Instruction &inst) {
    setScalar(wave, inst, (u32)(((u64)S0 * S1) >> 32));
  });
  add("s_mul_hi_i32", [](Wave &wave, const Instruction &inst) {
    setScalar(wave, inst, (u32)(((i64)(i32)S0 * (i32)S1) >> 32));
  });
  add("s_bfe_u32", [](Wave &wave, const Instruction &inst) {
    u32 o = S1 & 31, n = (S1 >> 16) & 0x7f;
    u32 r = n == 0 ? 0 : (S0 >> o) & (n >= 32 ? ~0u : (1u << n) - 1);
    wave.scc = r != 0;
    setScalar(wave, inst, r);
  });
  add("s_bfe_i32", [](Wave &wave, const Instruction &inst) {
    u32 o = S1 & 31, n = (S1 >> 16) & 0x7f;
    i32 r = 0;
    if (n) {
      u32 x = (u32)((i32)S0 >> o);
      r = n >= 32 ? (i32)S0 >> o : (i32)(x << (32 - n)) >> (32 - n);
    }
    wave.scc = r != 0;
    setScalar(wave, inst, r);
  });
  add("s_bfe_u64", [](Wave &wave, const Instruction &inst) {
    u32 o = S1 & 63, n = (S1 >> 16) & 0x7f;
    u64 r = n == 0 ? 0 : (S0_64 >> o) & (n >= 64 ? ~0ull : (1ull << n) - 1);
    wave.scc = r != 0;
    setScalar64(wave, inst, r);
  });
  add("s_bfe_i64", [](Wave &wave, const Instruction &inst) {
    u32 o = S1 & 63, n = (S1 >> 16) & 0x7f;
    i64 r = 0;
    if (n) {
      u64 x = (u64)((i64)S0_64 >> o);
      r = n >= 64 ? (i64)S0_64 >> o : (i64)(x << (64 - n)) >> (64 - n);
    }
    wave.scc = r != 0;
    setScalar64(wave, inst, r);
  });
  add("s_absdiff_i32", [](Wave &wave, const Instruction &inst) {
    i32 r = (i32)(S0 - S1);
    r = r < 0 ? -r : r;
    wave.scc = r != 0;
    setScalar(wave, inst, r);
  });
#define LSA(n, k)                                                              \
  DEFINE(n, {                                                                  \
    u64 r = ((u64)S0 << k) + S1;                                               \
    wave.scc = r >> 32 ? 1 : 0;                                                \
    setScalar(wave, inst, (u32)r);                                             \
  })
  LSA("s_lshl1_add_u32", 1);
  LSA("s_lshl2_add_u32", 2);
  LSA("s_lshl3_add_u32", 3);
  LSA("s_lshl4_add_u32", 4);
  add("s_pack_ll_b32_b16", [](Wave &wave, const Instruction &inst) {
    setScalar(wave, inst, (S0 & 0xffff) | S1 << 16);
  });
  add("s_pack_lh_b32_b16", [](Wave &wave, const Instruction &inst) {
    setScalar(wave, inst, (S0 & 0xffff) | (S1 & 0xffff0000));
  });
  add("s_pack_hh_b32_b16", [](Wave &wave, const Instruction &inst) {
    setScalar(wave, inst, S0 >> 16 | (S1 & 0xffff0000));
  });
  add("s_not_b32", [](Wave &wave, const Instruction &inst) {
    u32 r = ~S0;
    wave.scc = r != 0;
    setScalar(wave, inst, r);
  });
  add("s_not_b64", [](Wave &wave, const Instruction &inst) {
    u64 r = ~S0_64;
    wave.scc = r != 0;
    setScalar64(wave, inst, r);
  });
  add("s_wqm_b64", [](Wave &wave, const Instruction &inst) {
    u64 a = S0_64, r = 0;
    for (int q = 0; q < 16; q++)
      if ((a >> 4 * q) & 15)
        r |= 15ull << 4 * q;
    wave.scc = r != 0;
    setScalar64(wave, inst, r);
  });
  add("s_brev_b32", [](Wave &wave, const Instruction &inst) {
    u32 x = S0, r = 0;
    for (int k = 0; k < 32; k++)
      if ((x >> k) & 1)
        r |= 1u << (31 - k);
    setScalar(wave, inst, r);
  });
  add("s_brev_b64", [](Wave &wave, const Instruction &inst) {
    u64 x = S0_64, r = 0;
    for (int k = 0; k < 64; k++)
      if ((x >> k) & 1)
        r |= 1ull << (63 - k);
    setScalar64(wave, inst, r);
  });
  add("s_bcnt1_i32_b32", [](Wave &wave, const Instruction &inst) {
    u32 r = __builtin_popcount(S0);
    wave.scc = r != 0;
    setScalar(wave, inst, r);
  });
  add("s_bcnt1_i32_b64", [](Wave &wave, const Instruction &inst) {
    u32 r = __builtin_popcountll(S0_64);
    wave.scc = r != 0;
    setScalar(wave, inst, r);
  });
  add("s_bcnt0_i32_b32", [](Wave &wave, const Instruction &inst) {
    u32 r = 32 - __builtin_popcount(S0);
    wave.scc = r != 0;
    setScalar(wave, inst, r);
  });
  add("s_bcnt0_i32_b64", [](Wave &wave, const Instruction &inst) {
    u32 r = 64 - __builtin_popcountll(S0_64);
    wave.scc = r != 0;
    setScalar(wave, inst, r);
  });
  add("s_ff1_i32_b32", [](Wave &wave, const Instruction &inst) {
    u32 x = S0;
    setScalar(wave, inst, x ? __builtin_ctz(x) : ~0u);
  });
  add("s_ff1_i32_b64", [](Wave &wave, const Instruction &inst) {
    u64 x = S0_64;
    setScalar(wave, inst, x ? __builtin_ctzll(x) : ~0u);
  });
  add("s_ff0_i32_b32", [](Wave &wave, const Instruction &inst) {
    u32 x = ~S0;
    setScalar(wave, inst, x ? __builtin_ctz(x) : ~0u);
  });
  add("s_ff0_i32_b64", [](Wave &wave, const Instruction &inst) {
    u64 x = ~S0_64;
    setScalar(wave, inst, x ? __builtin_ctzll(x) : ~0u);
  });
  add("s_flbit_i32_b32", [](Wave &wave, const Instruction &inst) {
    u32 x = S0;
    setScalar(wave, inst, x ? __builtin_clz(x) : ~0u);
  });
  add("s_flbit_i32_b64", [](Wave &wave, const Instruction &inst) {
    u64 x = S0_64;
    setScalar(wave, inst, x ? __builtin_clzll(x) : ~0u);
  });
  add("s_flbit_i32", [](Wave &wave, const Instruction &inst) {
    u32 x = S0;
    x = (i32)x < 0 ? ~x : x;
    setScalar(wave, inst, x ? __builtin_clz(x) : ~0u);
  });
  add("s_flbit_i32_i64", [](Wave &wave, const Instruction &inst) {
    u64 x = S0_64;
    x = (i64)x < 0 ? ~x : x;
    setScalar(wave, inst, x ? __builtin_clzll(x) : ~0u);
  });
  add("s_sext_i32_i8", [](Wave &wave, const Instruction &inst) {
    setScalar(wave, inst, (u32)(i32)(i8)S0);
  });
  add("s_sext_i32_i16", [](Wave &wave, const Instruction &inst) {
    setScalar(wave, inst, (u32)(i32)(i16)S0);
  });
  add("s_bitset0_b32", [](Wave &wave, const Instruction &inst) {
    setScalar(wave, inst,
              wave.sgprs[inst.operands[0].reg] & ~(1u << (S0 & 31)));
  });
  add("s_bitset1_b32", [](Wave &wave, const Instruction &inst) {
    setScalar(wave, inst, wave.sgprs[inst.operands[0].reg] | 1u << (S0 & 31));
  });
  add("s_bitset0_b64", [](Wave &wave, const Instruction &inst) {
    setScalar64(wave, inst,
                wave.getPair(inst.operands[0].reg) & ~(1ull << (S0 & 63)));
  });
  add("s_bitset1_b64", [](Wave &wave, const Instruction &inst) {
    setScalar64(wave, inst,
                wave.getPair(inst.operands[0].reg) | 1ull << (S0 & 63));
  });
  add("s_abs_i32", [](Wave &wave, const Instruction &inst) {
    i32 x = (i32)S0;
    u32 r = x < 0 ? (u32) - (i64)x : (u32)x;
    wave.scc = r != 0;
    setScalar(wave, inst, r);
  });
  add("s_getpc_b64", [](Wave &wave, const Instruction &inst) {
    setScalar64(wave, inst, current->program->base + inst.address + 4);
  });
  add("s_setpc_b64", [](Wave &wave, const Instruction &inst) {
    wave.pc = scalar64(wave, inst.operands[0]) - current->program->base;
  });
  add("s_swappc_b64", [](Wave &wave, const Instruction &inst) {
    u64 t = scalar64(wave, inst.operands[1]);
    setScalar64(wave, inst, current->program->base + inst.address + 4);
    wave.pc = t - current->program->base;
  });
  add("s_call_b64", [](Wave &wave, const Instruction &inst) {
    setScalar64(wave, inst, current->program->base + inst.address + 4);
    wave.pc = inst.address + 4 + 4 * (i64)(i16)(inst.words[0] & 0xffff);
  });
#define SAVEX(n, e)                                                            \
  DEFINE("s_" n "_saveexec_b64", {                                             \
    u64 s = S0_64, x = wave.exec();                                            \
    u64 r = e;                                                                 \
    setScalar64(wave, inst, x);                                                \
    wave.setExec(r);                                                           \
    wave.scc = r != 0;                                                         \
  })
  SAVEX("and", s & x);
  SAVEX("or", s | x);
  SAVEX("xor", s ^ x);
  SAVEX("andn2", s & ~x);
  SAVEX("orn2", s | ~x);
  SAVEX("nand", ~(s & x));
  SAVEX("nor", ~(s | x));
  SAVEX("xnor", ~(s ^ x));
  SAVEX("andn1", ~s & x);
  SAVEX("orn1", ~s | x);
  add("s_andn1_wrexec_b64", [](Wave &wave, const Instruction &inst) {
    u64 r = ~S0_64 & wave.exec();
    wave.setExec(r);
    setScalar64(wave, inst, r);
    wave.scc = r != 0;
  });
  add("s_andn2_wrexec_b64", [](Wave &wave, const Instruction &inst) {
    u64 r = S0_64 & ~wave.exec();
    wave.setExec(r);
    setScalar64(wave, inst, r);
    wave.scc = r != 0;
  });
}

} // namespace mlir::qfuse::emulator
