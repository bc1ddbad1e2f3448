//===- ScalarControl.cpp - SOPC and SOPP: compares, branches, modes ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tables.h"
#include "VectorOperands.h"

namespace mlir::qfuse::emulator {

static inline void setScalar(Wave &wave, const Instruction &inst, u32 x) {
  wave.sgprs[inst.operands[0].reg] = x;
}

static void setHardwareRegister(Wave &wave, const Instruction &inst, u32 val) {
  u32 im = inst.words[0] & 0xffff, id = im & 63, off = (im >> 6) & 31,
      sz = ((im >> 11) & 31) + 1, m = (sz >= 32 ? ~0u : (1u << sz) - 1) << off;
  if (id != 1)
    return;
  wave.mode = (wave.mode & ~m) | ((val << off) & m);
  if (wave.mode & 0xf)
    raiseFault(wave, inst,
               "rounding mode %x: only round-to-nearest-even is modelled",
               wave.mode & 0xf);
  applyMode(wave);
}

void addScalarControl(const TableBuilder &add) {
  // SOPC
#define CMP(n, e)                                                              \
  DEFINE("s_cmp_" n, {                                                         \
    u32 a = scalar32(wave, inst.operands[0]),                                  \
        b = scalar32(wave, inst.operands[1]);                                  \
    (void)a;                                                                   \
    (void)b;                                                                   \
    wave.scc = e;                                                              \
  })
#define CMPK(n, T, o)                                                          \
  DEFINE("s_cmpk_" n, {                                                        \
    u32 a = wave.sgprs[inst.operands[0].reg];                                  \
    wave.scc = (T)a o(sizeof(T) == 4 && std::is_signed<T>::value               \
                          ? (T)(i32)(i16)(inst.words[0] & 0xffff)              \
                          : (T)(inst.words[0] & 0xffff));                      \
  })
  CMP("eq_i32", a == b);
  CMP("lg_i32", a != b);
  CMP("gt_i32", (i32)a > (i32)b);
  CMP("ge_i32", (i32)a >= (i32)b);
  CMP("lt_i32", (i32)a < (i32)b);
  CMP("le_i32", (i32)a <= (i32)b);
  CMP("eq_u32", a == b);
  CMP("lg_u32", a != b);
  CMP("gt_u32", a > b);
  CMP("ge_u32", a >= b);
  CMP("lt_u32", a < b);
  CMP("le_u32", a <= b);
  add("s_cmp_eq_u64", [](Wave &wave, const Instruction &inst) {
    wave.scc =
        scalar64(wave, inst.operands[0]) == scalar64(wave, inst.operands[1]);
  });
  add("s_cmp_lg_u64", [](Wave &wave, const Instruction &inst) {
    wave.scc =
        scalar64(wave, inst.operands[0]) != scalar64(wave, inst.operands[1]);
  });
  CMPK("eq_i32", i32, ==);
  CMPK("lg_i32", i32, !=);
  CMPK("gt_i32", i32, >);
  CMPK("ge_i32", i32, >=);
  CMPK("lt_i32", i32, <);
  CMPK("le_i32", i32, <=);
  CMPK("eq_u32", u32, ==);
  CMPK("lg_u32", u32, !=);
  CMPK("gt_u32", u32, >);
  CMPK("ge_u32", u32, >=);
  CMPK("lt_u32", u32, <);
  CMPK("le_u32", u32, <=);
  add("s_bitcmp0_b32", [](Wave &wave, const Instruction &inst) {
    wave.scc = !((scalar32(wave, inst.operands[0]) >>
                  (scalar32(wave, inst.operands[1]) & 31)) &
                 1);
  });
  add("s_bitcmp1_b32", [](Wave &wave, const Instruction &inst) {
    wave.scc = (scalar32(wave, inst.operands[0]) >>
                (scalar32(wave, inst.operands[1]) & 31)) &
               1;
  });
  add("s_bitcmp0_b64", [](Wave &wave, const Instruction &inst) {
    wave.scc = !((scalar64(wave, inst.operands[0]) >>
                  (scalar32(wave, inst.operands[1]) & 63)) &
                 1);
  });
  add("s_bitcmp1_b64", [](Wave &wave, const Instruction &inst) {
    wave.scc = (scalar64(wave, inst.operands[0]) >>
                (scalar32(wave, inst.operands[1]) & 63)) &
               1;
  });
  add("s_set_gpr_idx_on", [](Wave &wave, const Instruction &inst) {
    wave.gprIndexing = true;
    wave.gprIndexMode = (inst.words[0] >> 8) & 15;
    wave.sgprs[124] =
        (wave.sgprs[124] & ~0xffu) | (scalar32(wave, inst.operands[0]) & 0xff);
  });
  add("s_set_gpr_idx_off",
      [](Wave &wave, const Instruction &inst) { wave.gprIndexing = false; });
  add("s_set_gpr_idx_idx", [](Wave &wave, const Instruction &inst) {
    wave.sgprs[124] =
        (wave.sgprs[124] & ~0xffu) | (scalar32(wave, inst.operands[0]) & 0xff);
  });
  add("s_set_gpr_idx_mode", [](Wave &wave, const Instruction &inst) {
    wave.gprIndexMode = inst.words[0] & 15;
  });
  // SOPP
  add("s_nop", [](Wave &wave, const Instruction &inst) {});
  add("s_sleep", [](Wave &wave, const Instruction &inst) {});
  add("s_setprio", [](Wave &wave, const Instruction &inst) {});
  add("s_sethalt", [](Wave &wave, const Instruction &inst) {});
  add("s_icache_inv", [](Wave &wave, const Instruction &inst) {});
  add("s_sendmsg", [](Wave &wave, const Instruction &inst) {});
  add("s_waitcnt", [](Wave &wave, const Instruction &inst) {});
  add("s_waitcnt_depctr", [](Wave &wave, const Instruction &inst) {});
  add("s_ttracedata", [](Wave &wave, const Instruction &inst) {});
  add("s_wakeup", [](Wave &wave, const Instruction &inst) {});
  add("s_incperflevel", [](Wave &wave, const Instruction &inst) {});
  add("s_dcache_inv", [](Wave &wave, const Instruction &inst) {});
  add("s_dcache_wb", [](Wave &wave, const Instruction &inst) {});
  add("s_dcache_inv_vol", [](Wave &wave, const Instruction &inst) {});
  add("buffer_wbl2", [](Wave &wave, const Instruction &inst) {});
  add("buffer_inv", [](Wave &wave, const Instruction &inst) {});
  add("s_code_end", [](Wave &wave, const Instruction &inst) {
    raiseFault(wave, inst, "executed s_code_end");
  });
  add("s_trap", [](Wave &wave, const Instruction &inst) {
    raiseFault(wave, inst, "s_trap %u", inst.words[0] & 0xffff);
  });
  add("s_endpgm",
      [](Wave &wave, const Instruction &inst) { wave.done = true; });
  add("s_barrier",
      [](Wave &wave, const Instruction &inst) { wave.atBarrier = true; });
#define BR(n, c)                                                               \
  DEFINE(n, if (c) wave.pc =                                                   \
                inst.address + 4 + 4 * (i64)(i16)(inst.words[0] & 0xffff))
  BR("s_branch", true);
  BR("s_cbranch_scc0", !wave.scc);
  BR("s_cbranch_scc1", wave.scc);
  BR("s_cbranch_vccz", wave.vcc() == 0);
  BR("s_cbranch_vccnz", wave.vcc() != 0);
  BR("s_cbranch_execz", wave.exec() == 0);
  BR("s_cbranch_execnz", wave.exec() != 0);
  add("s_getreg_b32", [](Wave &wave, const Instruction &inst) {
    u32 im = inst.words[0] & 0xffff, id = im & 63, off = (im >> 6) & 31,
        sz = ((im >> 11) & 31) + 1, v = 0;
    if (id == 1)
      v = wave.mode;
    else if (id == 4)
      v = wave.id & 15;
    else if (id == 20)
      v = 0;
    else if (id == 6)
      v = wave.group->ldsBytes >> 7 << 12;
    setScalar(wave, inst, (v >> off) & (sz >= 32 ? ~0u : (1u << sz) - 1));
  });
  add("s_setreg_b32", [](Wave &wave, const Instruction &inst) {
    setHardwareRegister(wave, inst, scalar32(wave, inst.operands[0]));
  });
  add("s_setreg_imm32_b32", [](Wave &wave, const Instruction &inst) {
    setHardwareRegister(wave, inst, inst.words[1]);
  });
}

} // namespace mlir::qfuse::emulator
