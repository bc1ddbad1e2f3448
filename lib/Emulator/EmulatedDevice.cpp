//===- EmulatedDevice.cpp - AMD GPUs on the CPU ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Emulator/EmulatedDevice.h"
#include "KernelLaunch.h"
#include <algorithm>

using namespace mlir::qfuse;
using namespace mlir::qfuse::emulator;

namespace {

/// Executes with this emulation as the current one, and gives the host's
/// floating-point environment back at the end.
class CurrentEmulation {
public:
  explicit CurrentEmulation(Emulation &emulation) : csr(_mm_getcsr()) {
    current = &emulation;
  }
  ~CurrentEmulation() {
    current = nullptr;
    _mm_setcsr(csr);
  }

private:
  u32 csr;
};

class EmulatedDevice : public Device {
public:
  EmulatedDevice(std::string target, EmulatedDeviceOptions options)
      : target(std::move(target)), options(options) {}

  Result<DevicePointer> allocate(uint64_t bytes) override;
  void free(DevicePointer pointer) override { memory.release(pointer); }
  Status copyToDevice(DevicePointer to, const void *from,
                      uint64_t bytes) override;
  Status copyToHost(void *to, DevicePointer from, uint64_t bytes) override;
  Result<uint64_t> load(const std::vector<uint8_t> &object) override;
  Status launch(uint64_t object, const std::string &kernel,
                const LaunchShape &shape,
                const std::vector<uint8_t> &arguments) override;

  const std::vector<Hazard> &getHazards() const override { return hazards; }
  const std::vector<Counters> &getCounters() const override { return counters; }

private:
  Status launchKernel(CodeObject &object, const std::string &name,
                      const Kernel &kernel, const LaunchShape &shape,
                      const std::vector<u8> &arguments);
  Status execute(const LaunchConfig &config, Emulation &emulation);
  void record(const std::string &kernel, const Emulation &emulation);

  std::string target;
  EmulatedDeviceOptions options;
  DeviceMemory memory;
  std::vector<std::unique_ptr<CodeObject>> objects;
  std::vector<Hazard> hazards;
  std::vector<Counters> counters;
};

} // namespace

Result<DevicePointer> EmulatedDevice::allocate(uint64_t bytes) {
  if (u64 address = memory.allocate(bytes, /*counted=*/true))
    return address;
  return Error{"the emulated device has no memory left for " +
               std::to_string(bytes) + " bytes"};
}

static Error makeCopyError(const char *direction, uint64_t bytes) {
  return Error{"copy of " + std::to_string(bytes) + " bytes " + direction +
               " memory that the emulated device has not allocated"};
}

Status EmulatedDevice::copyToDevice(DevicePointer to, const void *from,
                                    uint64_t bytes) {
  if (bytes && !memory.contains(to, bytes))
    return makeCopyError("to", bytes);
  if (bytes)
    memcpy((void *)to, from, bytes);
  return okStatus();
}

Status EmulatedDevice::copyToHost(void *to, DevicePointer from,
                                  uint64_t bytes) {
  if (bytes && !memory.contains(from, bytes))
    return makeCopyError("from", bytes);
  if (bytes)
    memcpy(to, (const void *)from, bytes);
  return okStatus();
}

Result<uint64_t> EmulatedDevice::load(const std::vector<uint8_t> &object) {
  try {
    Result<CodeObject> loaded = loadCodeObject(object);
    if (!loaded)
      return loaded.getError();
    if (loaded->target != target)
      return Error{"expected a code object for " + target + ", got one for " +
                   loaded->target};
    objects.push_back(std::make_unique<CodeObject>(std::move(*loaded)));
  } catch (const std::exception &exception) {
    return Error{std::string("cannot load the code object: ") +
                 exception.what()};
  }
  u64 begin = (u64)objects.back()->image.get();
  memory.addForeign(begin, begin + objects.back()->imageBytes);
  return objects.size() - 1;
}

Status EmulatedDevice::launch(uint64_t object, const std::string &kernel,
                              const LaunchShape &shape,
                              const std::vector<uint8_t> &arguments) {
  if (object >= objects.size())
    return Error{"kernel '" + kernel + "': its code object is not loaded"};
  auto found = objects[object]->kernels.find(kernel);
  if (found == objects[object]->kernels.end())
    return Error{"the code object has no kernel '" + kernel + "'"};
  std::string what;
  try {
    Status status =
        launchKernel(*objects[object], kernel, found->second, shape, arguments);
    if (status)
      return okStatus();
    what = status.getError().message;
  } catch (const std::exception &exception) {
    what = exception.what();
  }
  return Error{"kernel '" + kernel + "': " + what};
}

Status EmulatedDevice::launchKernel(CodeObject &object, const std::string &name,
                                    const Kernel &kernel,
                                    const LaunchShape &shape,
                                    const std::vector<u8> &arguments) {
  if (Status status = checkShape(kernel, shape, object.program.ocp); !status)
    return status;
  Result<std::vector<u8>> segment = buildArguments(kernel, shape, arguments);
  if (!segment)
    return segment.getError();
  u64 address = memory.allocate(segment->size(), /*counted=*/false);
  if (!address)
    return Error{"the emulated device has no memory left for arguments"};
  memcpy((void *)address, segment->data(), segment->size());
  LaunchConfig config = makeConfig(kernel, shape, *segment, address);
  config.seed = options.seed;
  config.maxInstructions = options.maxInstructions;

  Emulation emulation;
  emulation.program = &object.program;
  emulation.regions = &memory.getRegions();
  if (options.sequentialSums)
    emulation.dotMode = DotMode::sequential;
  Status status = execute(config, emulation);
  memory.release(address);
  record(name, emulation);
  return status;
}

Status EmulatedDevice::execute(const LaunchConfig &config,
                               Emulation &emulation) {
  for (Instruction &inst : emulation.program->instructions)
    inst.count = 0;
  for (Region &region : *emulation.regions) {
    region.vectorRead = region.scalarRead = region.written = 0;
    region.touched.clear();
  }
  CurrentEmulation scope(emulation);
  try {
    runGrid(config);
  } catch (const std::exception &exception) {
    return Error{exception.what()};
  }
  return okStatus();
}

static const char *getName(HazardKind kind) {
  switch (kind) {
  case HazardKind::waitCount:
    return "wait_count";
  case HazardKind::race:
    return "race";
  case HazardKind::bounds:
    return "bounds";
  }
  return "";
}

void EmulatedDevice::record(const std::string &kernel,
                            const Emulation &emulation) {
  for (const Finding &finding : emulation.findings)
    hazards.push_back({kernel, getName(finding.kind), finding.detail});
  Counters counted;
  counted.kernel = kernel;
  counted.instructions = emulation.executed;
  for (const Instruction &inst : emulation.program->instructions)
    if (inst.mnemonic.compare(0, 2, "v_") == 0)
      counted.vectorInstructions += inst.count;
  for (const Region &region : *emulation.regions) {
    counted.read += region.vectorRead + region.scalarRead;
    counted.written += region.written;
    for (u8 marks : region.touched) {
      counted.distinctRead += marks & 1;
      counted.distinctWritten += marks >> 1;
    }
  }
  counters.push_back(counted);
}

Result<std::unique_ptr<Device>>
mlir::qfuse::createEmulatedDevice(const std::string &target,
                                  EmulatedDeviceOptions options) {
  if (target != "gfx942" && target != "gfx950")
    return Error{"expected target gfx942 or gfx950 for the emulated device, "
                 "got '" +
                 target + "'"};
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("f16c"))
    return Error{"the emulated device needs a CPU with AVX2, FMA and F16C"};
  return std::unique_ptr<Device>(
      std::make_unique<EmulatedDevice>(target, options));
}

void mlir::qfuse::registerEmulatedDevice() {
  registerDevice("emulated", [](const std::string &target) {
    return createEmulatedDevice(target);
  });
}
