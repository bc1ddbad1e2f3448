//===- Device.h - What executes kernels -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_RUNTIME_DEVICE_H
#define QFUSE_RUNTIME_DEVICE_H

#include "qfuse/Support/Result.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mlir::qfuse {

/// Memory of a device: an opaque handle, here the address that a kernel gets.
using DevicePointer = uint64_t;

/// Something that a checking device found wrong with a launch.
struct Hazard {
  std::string kernel;
  /// `wait_count`, `race` or `bounds`.
  std::string kind;
  /// Where and what, for a person.
  std::string detail;
};

/// What one launch did, for devices that count.
struct Counters {
  std::string kernel;
  /// Wave instructions, and those of the vector ALU among them.
  uint64_t instructions = 0, vectorInstructions = 0;
  /// Bytes of device memory that loads and stores asked for.
  uint64_t read = 0, written = 0;
  /// Distinct bytes of device memory that were read, and that were written.
  uint64_t distinctRead = 0, distinctWritten = 0;
};

struct LaunchShape {
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
};

/// Executes kernels of code objects. Not thread-safe.
class Device {
public:
  virtual ~Device();

  /// Allocates `bytes` bytes of unspecified contents, aligned to 256. Zero
  /// bytes give a pointer that must not be read.
  virtual Result<DevicePointer> allocate(uint64_t bytes) = 0;
  virtual void free(DevicePointer pointer) = 0;
  virtual Status copyToDevice(DevicePointer to, const void *from,
                              uint64_t bytes) = 0;
  virtual Status copyToHost(void *to, DevicePointer from, uint64_t bytes) = 0;

  /// Loads a code object; returns a handle that stays valid with the device.
  virtual Result<uint64_t> load(const std::vector<uint8_t> &object) = 0;

  /// Executes kernel `kernel` of the loaded object `object`, with `arguments`
  /// laid out as the kernel argument segment of its ABI (each argument at a
  /// multiple of its size), and waits for it.
  virtual Status launch(uint64_t object, const std::string &kernel,
                        const LaunchShape &shape,
                        const std::vector<uint8_t> &arguments) = 0;

  /// What was found and counted since the device was made; empty for devices
  /// that neither check nor count.
  virtual const std::vector<Hazard> &getHazards() const;
  virtual const std::vector<Counters> &getCounters() const;
};

using DeviceFactory =
    std::function<Result<std::unique_ptr<Device>>(const std::string &target)>;

/// Registers a device under `name` (`emulated`, `cuda`, `hip`).
void registerDevice(std::string name, DeviceFactory factory);

/// Makes the device `name` for code objects of `target` (`gfx950`). Returns an
/// error that lists the registered names for one that is none of them.
Result<std::unique_ptr<Device>> createDevice(const std::string &name,
                                             const std::string &target);

} // namespace mlir::qfuse

#endif // QFUSE_RUNTIME_DEVICE_H
