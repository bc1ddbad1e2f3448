//===- MatrixHooks.h - Matrix units and bounded buffers ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_CODEGEN_MATRIXHOOKS_H
#define QFUSE_CODEGEN_MATRIXHOOKS_H

#include "qfuse/Codegen/KernelBuilder.h"

namespace mlir::qfuse {

/// What the matmul template needs of a target with waves of 64 lanes.
///
/// Operands come in *pieces* of 16 rows by 64 bytes of K: lane l has the 16
/// bytes at `16 * (l / 16)` of row `l % 16`, as vector<4xi32>. The accumulator
/// of 16 rows `n` of the first and 16 rows `m` of the second operand is a
/// vector<4xf32>: register r of lane l is that of `n = 4 * (l / 16) + r` and
/// `m = l % 16`.
class MatrixHooks {
public:
  static constexpr int64_t tile = 16;
  static constexpr int64_t pieceBytes = 64;
  static constexpr int64_t laneBytes = 16;

  virtual ~MatrixHooks();

  /// Returns whether there is a matrix unit for operands of `type`, and how
  /// many pieces `multiply` takes at a time.
  virtual bool takes(Type type) const = 0;
  virtual unsigned getPieces() const = 0;

  /// Returns `accumulator` plus the products of all K in the pieces of both
  /// operands, summed in f32.
  virtual Value multiply(KernelBuilder &b, ValueRange first, ValueRange second,
                         Value accumulator, Type type) const = 0;

  /// Returns the i32 `x`, which is the same in all lanes, in a scalar register.
  virtual Value getUniform(KernelBuilder &b, Value x) const = 0;

  /// Returns a buffer of `bytes` (i32) bytes at `pointer` (!llvm.ptr). Reads
  /// beyond it give 0, stores beyond it are dropped.
  virtual Value describeBuffer(KernelBuilder &b, Value pointer,
                               Value bytes) const = 0;
  /// An offset in bytes, i32, unsigned; at least that of `type`'s elements
  /// aligned.
  virtual Value loadBuffer(KernelBuilder &b, Type type, Value buffer,
                           Value offset) const = 0;
  virtual void storeBuffer(KernelBuilder &b, Value value, Value buffer,
                           Value offset) const = 0;

  /// Keeps the back end from moving ops across this place.
  virtual void schedulingBarrier(KernelBuilder &b) const = 0;
};

} // namespace mlir::qfuse

#endif // QFUSE_CODEGEN_MATRIXHOOKS_H
