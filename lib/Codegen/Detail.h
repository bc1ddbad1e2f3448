//===- Detail.h - What the emitters share -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_CODEGEN_DETAIL_H
#define QFUSE_LIB_CODEGEN_DETAIL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "qfuse/Codegen/KernelBuilder.h"

namespace mlir::qfuse {

/// Starts an error about what the emitters lack for `op`.
InFlightDiagnostic emitMissing(Operation *op);

/// Creates the kernel `name` of `module` for work-groups of `threads`
/// work-items, and moves the insertion point into it.
gpu::GPUFuncOp createDeviceFunction(KernelBuilder &b, gpu::GPUModuleOp module,
                                    StringRef name, TypeRange arguments,
                                    unsigned threads);

/// Adds `elements` f32 that the waves of a work-group share to `function`.
Value addSharedMemory(KernelBuilder &b, gpu::GPUFuncOp function,
                      int64_t elements);

} // namespace mlir::qfuse

#endif // QFUSE_LIB_CODEGEN_DETAIL_H
