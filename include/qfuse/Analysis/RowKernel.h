//===- RowKernel.h - What a generated row kernel computes -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_ANALYSIS_ROWKERNEL_H
#define QFUSE_ANALYSIS_ROWKERNEL_H

#include "qfuse/IR/QFuse.h"

namespace mlir::qfuse {

/// Why an op cannot be part of a generated row kernel.
struct RowKernelObstacle {
  /// Whether the weight of a norm is the reason.
  bool isWeight = false;
  /// A phrase with both values: `expected ..., got ...`.
  std::string reason;
};

/// Rows that a kernel holds in its registers: a multiple of `rowSizeMultiple`
/// elements, `maxRowSize` at most.
inline constexpr int64_t rowSizeMultiple = 8;
inline constexpr int64_t maxRowSize = 16384;
/// Elements of the largest scale block that is not the whole row.
inline constexpr int64_t maxBlockSize = 128;

/// Returns whether scales of type `scales` are powers of two by their type.
bool hasPowersOfTwo(Type scales);

/// Returns the number of elements in the rows that `op` reads: the last extent
/// of its first operand. Dynamic if it has none.
int64_t getRowSize(Operation *op);

/// Returns how many rows of `rowSize` elements the lanes of a kernel hold at
/// the same time without spilling on `target`: its feature `lane_registers` is
/// how many registers each lane of a work-group of 512 has, 256 if it is absent.
unsigned getMaxLiveRows(TargetAttr target, int64_t rowSize);

/// Returns the most rows that are live between two of `ops`, which are in the
/// order in which a kernel computes them. What comes from outside, weights of
/// norms too, is loaded before the first one.
unsigned countLiveRows(ArrayRef<Operation *> ops);

/// Returns why the generator of row kernels refuses `op` on every target, or
/// nothing. The flavor of fp8, which depends on the target, is up to
/// `qfuse-verify-legal`.
std::optional<RowKernelObstacle> findRowKernelObstacle(Operation *op);

} // namespace mlir::qfuse

#endif // QFUSE_ANALYSIS_ROWKERNEL_H
