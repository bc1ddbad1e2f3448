//===- LaunchPlan.h - The steps of a function -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_CONVERSION_LAUNCHPLAN_H
#define QFUSE_LIB_CONVERSION_LAUNCHPLAN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "qfuse/Codegen/KernelGenerator.h"
#include "llvm/Support/JSON.h"

namespace mlir::qfuse {

/// The kernels of a module, by the name of their definition.
using KernelTable = llvm::StringMap<GeneratedKernel>;

/// Returns the entry of `function` in the manifest: its inputs, outputs, checks
/// and steps over byte buffers. Emits an error at the op that no step can
/// express.
FailureOr<llvm::json::Object> planLaunches(func::FuncOp function,
                                           const KernelTable &kernels);

} // namespace mlir::qfuse

#endif // QFUSE_LIB_CONVERSION_LAUNCHPLAN_H
