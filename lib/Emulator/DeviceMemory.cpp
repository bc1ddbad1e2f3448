//===- DeviceMemory.cpp - Memory of the emulated device -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceMemory.h"
#include "MemoryAccess.h"
#include <algorithm>

namespace mlir::qfuse::emulator {

/// Bytes before and after an allocation that belong to none.
constexpr u64 guardBytes = 4096;
/// NaN in f8E5M2, and in f16, bf16 and f32.
constexpr u8 freshByte = 0xff;

static bool startsBefore(const Region &region, u64 address) {
  return region.begin < address;
}

void DeviceMemory::insert(Region region) {
  auto place = std::lower_bound(regions.begin(), regions.end(), region.begin,
                                startsBefore);
  regions.insert(place, std::move(region));
}

u64 DeviceMemory::allocate(u64 bytes, bool counted) {
  if (bytes > ~u64(0) - 4 * guardBytes)
    return 0;
  u64 total = (bytes + 2 * guardBytes + 255) / 256 * 256;
  HostBytes memory((u8 *)aligned_alloc(256, total));
  if (!memory)
    return 0;
  memset(memory.get(), freshByte, total);
  u64 address = (u64)memory.get() + guardBytes;
  owned.emplace(address, std::move(memory));
  Region region{};
  region.begin = address;
  region.end = address + bytes;
  region.counted = counted;
  insert(std::move(region));
  return address;
}

bool DeviceMemory::release(u64 address) {
  if (!owned.erase(address))
    return false;
  regions.erase(
      std::lower_bound(regions.begin(), regions.end(), address, startsBefore));
  return true;
}

void DeviceMemory::addForeign(u64 begin, u64 end) {
  Region region{};
  region.begin = begin;
  region.end = end;
  insert(std::move(region));
}

bool DeviceMemory::contains(u64 address, u64 bytes) {
  return findRegion(regions, address, bytes);
}

} // namespace mlir::qfuse::emulator
