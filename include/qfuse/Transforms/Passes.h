//===- Passes.h - Graph passes ----------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_TRANSFORMS_PASSES_H
#define QFUSE_TRANSFORMS_PASSES_H

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "qfuse/IR/QFuse.h"

namespace mlir::qfuse {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "qfuse/Transforms/Passes.h.inc"
} // namespace mlir::qfuse

#endif // QFUSE_TRANSFORMS_PASSES_H
