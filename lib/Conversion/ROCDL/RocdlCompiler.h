//===- RocdlCompiler.h - Code objects for AMD devices -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_CONVERSION_ROCDL_ROCDLCOMPILER_H
#define QFUSE_LIB_CONVERSION_ROCDL_ROCDLCOMPILER_H

#include "qfuse/Conversion/DeviceObject.h"

namespace mlir::qfuse {

/// Returns the compiler for a target whose device is a `#rocdl.target`, or null
/// for another device.
std::unique_ptr<DeviceCompiler> createRocdlCompiler(TargetAttr target);

} // namespace mlir::qfuse

#endif // QFUSE_LIB_CONVERSION_ROCDL_ROCDLCOMPILER_H
