//===- Materialize.h - From planned ops to kernels --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_TRANSFORMS_MATERIALIZE_H
#define QFUSE_LIB_TRANSFORMS_MATERIALIZE_H

#include "mlir/IR/PatternMatch.h"
#include "qfuse/Analysis/FusionPlan.h"
#include "qfuse/IR/QFuse.h"

namespace mlir::qfuse {

/// Moves `ops`, which a kernel can replace, into a new kernel in the place of
/// the one that comes last in the block, in the order in which they are given;
/// results that are used outside become its outputs.
KernelOp materializeKernel(const OpSet &ops, RewriterBase &rewriter);

} // namespace mlir::qfuse

#endif // QFUSE_LIB_TRANSFORMS_MATERIALIZE_H
