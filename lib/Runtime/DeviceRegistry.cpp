//===- DeviceRegistry.cpp - Devices by name -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Runtime/Device.h"
#include <map>
#include <mutex>

using namespace mlir::qfuse;

namespace {
struct Registry {
  std::mutex mutex;
  std::map<std::string, DeviceFactory> factories;
};
} // namespace

static Registry &getRegistry() {
  static Registry registry;
  return registry;
}

Device::~Device() = default;

const std::vector<Hazard> &Device::getHazards() const {
  static const std::vector<Hazard> none;
  return none;
}

const std::vector<Counters> &Device::getCounters() const {
  static const std::vector<Counters> none;
  return none;
}

void mlir::qfuse::registerDevice(std::string name, DeviceFactory factory) {
  Registry &registry = getRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  registry.factories[std::move(name)] = std::move(factory);
}

Result<std::unique_ptr<Device>>
mlir::qfuse::createDevice(const std::string &name, const std::string &target) {
  Registry &registry = getRegistry();
  DeviceFactory factory;
  std::string names;
  {
    std::lock_guard<std::mutex> lock(registry.mutex);
    for (const auto &[known, make] : registry.factories) {
      names += (names.empty() ? "" : ", ") + known;
      if (known == name)
        factory = make;
    }
  }
  if (!factory)
    return Error{"there is no device '" + name + "'; expected one of " +
                 (names.empty() ? "none: no device is registered" : names)};
  return factory(target);
}
