//===- Object.h - LLVM's back end and linker, in process --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_CONVERSION_ROCDL_OBJECT_H
#define QFUSE_LIB_CONVERSION_ROCDL_OBJECT_H

#include "qfuse/Conversion/DeviceObject.h"

namespace mlir::qfuse {

/// Compiles `module`, in the LLVM and ROCDL dialects, for `chip` and links it.
/// `keepStages`: with LLVM IR and assembly. Emits an error if the back end or
/// the linker fails.
FailureOr<DeviceObject> serializeToCodeObject(gpu::GPUModuleOp module,
                                              StringRef triple, StringRef chip,
                                              bool keepStages);

} // namespace mlir::qfuse

#endif // QFUSE_LIB_CONVERSION_ROCDL_OBJECT_H
