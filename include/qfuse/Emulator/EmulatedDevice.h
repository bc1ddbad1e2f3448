//===- EmulatedDevice.h - AMD GPUs on the CPU -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_EMULATOR_EMULATEDDEVICE_H
#define QFUSE_EMULATOR_EMULATEDDEVICE_H

#include "qfuse/Runtime/Device.h"

namespace mlir::qfuse {

struct EmulatedDeviceOptions {
  /// The order in which the waves of a work-group take turns. 0: each runs to
  /// its next barrier, in order. Else turns of random length, by this seed; a
  /// launch depends on the seed alone.
  uint32_t seed = 0;
  /// How MFMA sums products, whose order on the hardware is not documented: in
  /// the order of K with a rounding to f32 after each, or exactly with one
  /// rounding at the end (nearly: in f64).
  bool sequentialSums = false;
  /// A launch that executes more wave instructions is an error.
  uint64_t maxInstructions = uint64_t(1) << 31;
};

/// Makes a device that executes code objects of `target` (`gfx942`, `gfx950`)
/// instruction by instruction, on the CPU. It checks wait counts, races in LDS
/// and the bounds of all accesses, and counts instructions and bytes. Accesses
/// out of bounds are findings, and have no effect; instructions that it lacks
/// are errors of the launch. Kernels take the hidden arguments of code object
/// version 5 that describe the grid; other hidden arguments are 0.
///
/// Returns an error for another target, or if the CPU lacks AVX2.
Result<std::unique_ptr<Device>>
createEmulatedDevice(const std::string &target,
                     EmulatedDeviceOptions options = {});

/// Registers the device `emulated`, with default options.
void registerEmulatedDevice();

} // namespace mlir::qfuse

#endif // QFUSE_EMULATOR_EMULATEDDEVICE_H
