//===- VectorOperands.h - Reads sources, writes results ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_EMULATOR_VECTOROPERANDS_H
#define QFUSE_LIB_EMULATOR_VECTOROPERANDS_H

#include "Machine.h"

namespace mlir::qfuse::emulator {

/// One value for each lane of a wave.
struct alignas(64) Lanes32 {
  u32 v[64];
};
struct alignas(64) Lanes64 {
  u64 v[64];
};

#define FOR_EACH_LANE for (int i = 0; i < 64; i++)

/// Scalar operands.
u32 scalar32(const Wave &wave, const Operand &o);
u64 scalar64(const Wave &wave, const Operand &o);

/// Whether the encoding is VOP3, whose op_sel selects halves.
inline bool isVop3(const Instruction &inst) {
  return (inst.words[0] >> 26) == 0x34 && (inst.words[0] >> 23) != 0x1a7;
}

/// Reads operand number `k`, source number `sn` (0 to 2; 3: no DPP and SDWA),
/// of all lanes. Returns a register or `b`, which it fills. `half`: a constant
/// is one of 16 bits. `readF32` applies neg and abs.
const u32 *readBits(Wave &wave, const Instruction &inst, int k, int sn,
                    Lanes32 &b, bool half = false);
const u32 *readF32(Wave &wave, const Instruction &inst, int k, int sn,
                   Lanes32 &b);
/// Reads a 16-bit source into the low half, with neg and abs.
void readHalf(Wave &wave, const Instruction &inst, int k, int sn, Lanes32 &b);
/// Reads a 64-bit source. `type`: 0 f64, 1 unsigned, 2 signed.
void read64(Wave &wave, const Instruction &inst, int k, Lanes64 &b, int type);

/// Writes the lanes of `m`.
void writeLanes(u32 *d, const u32 *r, u64 m);
/// Write the first operand, under EXEC, DPP and SDWA. `writeF32` and `writeF64`
/// apply the output modifiers.
void writeBits(Wave &wave, const Instruction &inst, const u32 *r);
void write64(Wave &wave, const Instruction &inst, const u64 *r);
void writeF32(Wave &wave, const Instruction &inst, u32 *r);
void writeF64(Wave &wave, const Instruction &inst, Lanes64 &r);
/// Writes a 16-bit result. `pres`: the other half is preserved (GFX9
/// instructions with op_sel), else the high half becomes zero.
void writeHalf(Wave &wave, const Instruction &inst, u32 *r, bool isf,
               bool pres = false);
/// Writes a mask of lanes to a pair of scalar registers.
void setMask(Wave &wave, int reg, u64 x);

inline float clampToUnit(float x) { return !(x > 0) ? 0.f : x > 1 ? 1.f : x; }
inline double clampToUnit(double x) { return !(x > 0) ? 0. : x > 1 ? 1. : x; }

} // namespace mlir::qfuse::emulator

#endif // QFUSE_LIB_EMULATOR_VECTOROPERANDS_H
