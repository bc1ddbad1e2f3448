//===- MemoryAccess.h - Checked accesses ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_EMULATOR_MEMORYACCESS_H
#define QFUSE_LIB_EMULATOR_MEMORYACCESS_H

#include "Machine.h"

namespace mlir::qfuse::emulator {

/// Address ranges of LDS and of scratch memory in the flat address space.
constexpr u64 ldsAperture = 0x0001000000000000ull;
constexpr u64 scratchAperture = 0x0002000000000000ull;

enum class AccessKind : u8 { read, write, atomic };

// Each returns where `n` bytes at an address are, or null after a finding: what
// is out of bounds is neither read nor written. A lane of -1 is a scalar
// access.

/// LDS, with the race checker; atomics do not race.
u8 *accessLds(Wave &wave, const Instruction &inst, u32 a, u32 n,
              AccessKind kind, int lane);
/// Device memory, which is counted.
u8 *accessMemory(Wave &wave, const Instruction &inst, u64 a, u32 n, bool write,
                 int lane);
u8 *accessScratch(Wave &wave, const Instruction &inst, u64 offset, u32 n,
                  int lane);
/// Whichever of the three the address means.
u8 *accessFlat(Wave &wave, const Instruction &inst, u64 a, u32 n, bool write,
               int lane);

/// Returns the region that holds all of the `n` bytes at `a`, or null.
Region *findRegion(std::vector<Region> &regions, u64 a, u64 n);

} // namespace mlir::qfuse::emulator

#endif // QFUSE_LIB_EMULATOR_MEMORYACCESS_H
