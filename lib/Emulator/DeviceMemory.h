//===- DeviceMemory.h - Memory of the emulated device -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_EMULATOR_DEVICEMEMORY_H
#define QFUSE_LIB_EMULATOR_DEVICEMEMORY_H

#include "Machine.h"
#include <map>
#include <memory>

namespace mlir::qfuse::emulator {

struct FreeDeleter {
  void operator()(void *pointer) const { ::free(pointer); }
};
using HostBytes = std::unique_ptr<u8, FreeDeleter>;

/// Allocations in host memory, whose addresses are those of the device. Between
/// two allocations there is always a gap.
class DeviceMemory {
public:
  /// Returns the address of `bytes` bytes, or 0 if there is no memory. The
  /// contents are a pattern that is neither zero nor an ordinary number.
  u64 allocate(u64 bytes, bool counted);
  /// Returns false if nothing was allocated at `address`.
  bool release(u64 address);

  /// Makes memory that somebody else owns accessible to kernels, uncounted.
  void addForeign(u64 begin, u64 end);

  /// Returns whether all of the `bytes` bytes at `address` are accessible.
  bool contains(u64 address, u64 bytes);

  std::vector<Region> &getRegions() { return regions; }

private:
  void insert(Region region);

  /// Sorted by address.
  std::vector<Region> regions;
  std::map<u64, HostBytes> owned;
};

} // namespace mlir::qfuse::emulator

#endif // QFUSE_LIB_EMULATOR_DEVICEMEMORY_H
