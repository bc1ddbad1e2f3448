//===- EmulatedHip.cpp - Calls of HIP on the emulated device --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `--emit=c` and its tests call of <hip/hip_runtime_api.h>, on the CPU. A
// finding of the emulated device makes the call that it belongs to fail.

#include "qfuse/Emulator/EmulatedDevice.h"
#include <cstdio>
#include <cstring>
#include <elf.h>

using namespace mlir::qfuse;

namespace {
enum HipError { hipSuccess = 0, hipErrorUnknown = 999 };

struct Module {
  uint64_t object;
};

struct Kernel {
  uint64_t object;
  std::string name;
};

std::unique_ptr<Device> device;

int fail(const std::string &message) {
  std::fprintf(stderr, "emulated HIP: %s\n", message.c_str());
  return hipErrorUnknown;
}

/// Returns the device that code for the machine of `header` runs on.
/// llvm/BinaryFormat/ELF.h, EF_AMDGPU_MACH.
std::string getTarget(const Elf64_Ehdr &header) {
  return (header.e_flags & 0xff) == 0x4f ? "gfx950" : "gfx942";
}

/// The first call decides: memory is allocated before code is loaded.
Device *getDevice(const std::string &target) {
  if (!device) {
    auto created = createEmulatedDevice(target);
    if (!created) {
      fail(created.getError().message);
      return nullptr;
    }
    device = std::move(*created);
  }
  return device.get();
}
} // namespace

extern "C" {
int hipModuleLoadData(void **module, const void *image) {
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof(header));
  // lld writes the section headers last.
  size_t size = header.e_shoff + size_t(header.e_shnum) * header.e_shentsize;
  Device *owner = getDevice(getTarget(header));
  if (!owner)
    return hipErrorUnknown;
  const auto *bytes = static_cast<const uint8_t *>(image);
  auto object = owner->load({bytes, bytes + size});
  if (!object)
    return fail(object.getError().message);
  *module = new Module{*object};
  return hipSuccess;
}

int hipModuleGetFunction(void **function, void *module, const char *name) {
  *function = new Kernel{static_cast<Module *>(module)->object, name};
  return hipSuccess;
}

int hipModuleLaunchKernel(void *function, unsigned gridX, unsigned gridY,
                          unsigned gridZ, unsigned blockX, unsigned blockY,
                          unsigned blockZ, unsigned, void *, void **,
                          void **extra) {
  const auto *kernel = static_cast<Kernel *>(function);
  const auto *bytes = static_cast<const uint8_t *>(extra[1]);
  size_t size = *static_cast<size_t *>(extra[3]);
  LaunchShape shape{{gridX, gridY, gridZ}, {blockX, blockY, blockZ}};
  Status status =
      device->launch(kernel->object, kernel->name, shape, {bytes, bytes + size});
  if (!status)
    return fail(status.getError().message);
  if (!device->getHazards().empty())
    return fail(device->getHazards().back().detail);
  return hipSuccess;
}

int hipMalloc(void **pointer, size_t bytes) {
  auto allocated = device->allocate(bytes);
  if (!allocated)
    return fail(allocated.getError().message);
  *pointer = reinterpret_cast<void *>(*allocated);
  return hipSuccess;
}

/// `kind`: 1 to the device, 2 to the host.
int hipMemcpy(void *to, const void *from, size_t bytes, int kind) {
  Status status =
      kind == 1
          ? device->copyToDevice(reinterpret_cast<DevicePointer>(to), from, bytes)
          : device->copyToHost(to, reinterpret_cast<DevicePointer>(from), bytes);
  return status ? hipSuccess : fail(status.getError().message);
}
}
