//===- MemoryAccess.cpp - Checked accesses --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MemoryAccess.h"
#include <algorithm>

namespace mlir::qfuse::emulator {

static bool holds(const Region &region, u64 a, u64 n) {
  return a >= region.begin && a <= region.end && n <= region.end - a;
}

Region *findRegion(std::vector<Region> &regions, u64 a, u64 n) {
  auto after = std::upper_bound(
      regions.begin(), regions.end(), a,
      [](u64 address, const Region &region) { return address < region.begin; });
  if (after == regions.begin())
    return nullptr;
  Region &region = *std::prev(after);
  return holds(region, a, n) ? &region : nullptr;
}

/// `findRegion` in the regions of the launch; mostly it is the last one again.
static Region *findCurrentRegion(u64 a, u32 n) {
  std::vector<Region> &regions = *current->regions;
  if (current->lastRegion < regions.size() &&
      holds(regions[current->lastRegion], a, n))
    return &regions[current->lastRegion];
  Region *region = findRegion(regions, a, n);
  if (region)
    current->lastRegion = region - regions.data();
  return region;
}

/// The race checker for one dword of LDS.
static void checkRace(Wave &wave, const Instruction &inst, u32 dword, u32 n,
                      bool write) {
  Group &group = *wave.group;
  LdsShadow &shadow = group.shadow[dword];
  if (shadow.epoch != group.epoch)
    shadow = {group.epoch, 0, 0};
  u16 me = (u16)(1u << wave.id);
  bool foreign = shadow.writer && shadow.writer != wave.id + 1;
  if (!write) {
    if (foreign)
      reportHazard(wave, inst, HazardKind::race,
                   "LDS race: read of 0x%x written by wave %d with no barrier "
                   "between",
                   dword * 4, shadow.writer - 1);
    shadow.readers |= me;
    return;
  }
  // Narrower writes may be to other bytes of the dword.
  if (n >= 4 && foreign)
    reportHazard(wave, inst, HazardKind::race,
                 "LDS race: write of 0x%x also written by wave %d with no "
                 "barrier between",
                 dword * 4, shadow.writer - 1);
  if (shadow.readers & ~me)
    reportHazard(wave, inst, HazardKind::race,
                 "LDS race: write of 0x%x read by another wave (mask %x) with "
                 "no barrier between",
                 dword * 4, shadow.readers & ~me);
  shadow.writer = (u16)(wave.id + 1);
}

u8 *accessLds(Wave &wave, const Instruction &inst, u32 a, u32 n,
              AccessKind kind, int lane) {
  Group &group = *wave.group;
  if ((u64)a + n > group.ldsBytes) {
    reportHazard(wave, inst, HazardKind::bounds,
                 "lane %d: LDS %s out of bounds: address 0x%x size %u, LDS %u "
                 "bytes",
                 lane, kind == AccessKind::read ? "read" : "write", a, n,
                 group.ldsBytes);
    return nullptr;
  }
  if (kind != AccessKind::atomic)
    for (u32 dword = a / 4; dword <= (a + n - 1) / 4; dword++)
      checkRace(wave, inst, dword, n, kind == AccessKind::write);
  return (u8 *)group.lds.data() + a;
}

/// Marks `n` bytes at `touched` with the bit `mark`.
static void markTouched(u8 *touched, u32 n, u8 mark) {
  const u64 all = mark * 0x0101010101010101ull;
  for (; n >= 4; n -= 4, touched += 4) {
    u32 x;
    memcpy(&x, touched, 4);
    x |= (u32)all;
    memcpy(touched, &x, 4);
  }
  for (; n; n--, touched++)
    *touched |= mark;
}

static void countAccess(Region &region, u64 a, u32 n, bool write, int lane) {
  (write      ? region.written
   : lane < 0 ? region.scalarRead
              : region.vectorRead) += n;
  if (region.touched.empty())
    region.touched.assign(region.end - region.begin, 0);
  markTouched(region.touched.data() + (a - region.begin), n, write ? 2 : 1);
}

u8 *accessMemory(Wave &wave, const Instruction &inst, u64 a, u32 n, bool write,
                 int lane) {
  Region *region = findCurrentRegion(a, n);
  if (!region) {
    reportHazard(wave, inst, HazardKind::bounds,
                 "lane %d: global %s out of bounds: address 0x%llx size %u",
                 lane, write ? "write" : "read", (unsigned long long)a, n);
    return nullptr;
  }
  if (region->counted)
    countAccess(*region, a, n, write, lane);
  return (u8 *)a;
}

u8 *accessScratch(Wave &wave, const Instruction &inst, u64 offset, u32 n,
                  int lane) {
  if (offset + n > wave.scratchSize) {
    reportHazard(wave, inst, HazardKind::bounds,
                 "lane %d: scratch access out of bounds: offset 0x%llx size "
                 "%u, scratch %u bytes",
                 lane, (unsigned long long)offset, n, wave.scratchSize);
    return nullptr;
  }
  return wave.scratch.data() + (u64)lane * wave.scratchSize + offset;
}

u8 *accessFlat(Wave &wave, const Instruction &inst, u64 a, u32 n, bool write,
               int lane) {
  if (a >> 32 == ldsAperture >> 32)
    return accessLds(wave, inst, (u32)a, n,
                     write ? AccessKind::write : AccessKind::read, lane);
  if (a >> 32 == scratchAperture >> 32)
    return accessScratch(wave, inst, (u32)a, n, lane);
  return accessMemory(wave, inst, a, n, write, lane);
}

} // namespace mlir::qfuse::emulator
