//===- NvvmCompiler.h - PTX for NVIDIA devices ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_CONVERSION_NVVM_NVVMCOMPILER_H
#define QFUSE_LIB_CONVERSION_NVVM_NVVMCOMPILER_H

#include "qfuse/Conversion/DeviceObject.h"

namespace mlir::qfuse {

/// Returns the compiler for a target whose device is an `#nvvm.target`, or null
/// for another device. Its objects are PTX; the driver assembles them when it
/// loads them, so what registers a kernel takes is not known before.
std::unique_ptr<DeviceCompiler> createNvvmCompiler(TargetAttr target);

} // namespace mlir::qfuse

#endif // QFUSE_LIB_CONVERSION_NVVM_NVVMCOMPILER_H
