//===- KernelLaunch.h - The launch ABI of AMD's runtime ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel finds when it starts. Source: LLVM's "User Guide for AMDGPU
// Backend", sections "Kernel Descriptor" and "Initial Kernel Execution State".

#ifndef QFUSE_LIB_EMULATOR_KERNELLAUNCH_H
#define QFUSE_LIB_EMULATOR_KERNELLAUNCH_H

#include "CodeObject.h"
#include "qfuse/Runtime/Device.h"

namespace mlir::qfuse::emulator {

/// Returns an error if the kernel cannot be launched with this shape.
Status checkShape(const Kernel &kernel, const LaunchShape &shape,
                  bool isGfx950);

/// Returns the argument segment: `arguments`, which are the explicit ones, and
/// the hidden ones of the metadata. Returns an error for another size than the
/// explicit arguments have.
Result<std::vector<u8>> buildArguments(const Kernel &kernel,
                                       const LaunchShape &shape,
                                       const std::vector<u8> &arguments);

/// Returns how the kernel starts with its argument segment at `address`.
LaunchConfig makeConfig(const Kernel &kernel, const LaunchShape &shape,
                        const std::vector<u8> &segment, u64 address);

} // namespace mlir::qfuse::emulator

#endif // QFUSE_LIB_EMULATOR_KERNELLAUNCH_H
