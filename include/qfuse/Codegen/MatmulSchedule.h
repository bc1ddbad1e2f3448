//===- MatmulSchedule.h - Who computes what of a matmul ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_CODEGEN_MATMULSCHEDULE_H
#define QFUSE_CODEGEN_MATMULSCHEDULE_H

#include <cstdint>

namespace mlir::qfuse {

/// How a matmul of codes of one byte is dealt to waves. A work-group has 16
/// columns (rows of B) by 16 rows of A; its waves split K into slices of whole
/// units, sum their slice and add the sums in the order of the waves. The order
/// of a sum is a function of K alone.
struct MatmulSchedule {
  /// Elements of K of a unit: a block of the 1x128 formats.
  static constexpr int64_t unit = 128;
  static constexpr unsigned maxWaves = 8;

  int64_t k = 0;
  unsigned waves = 0;
  /// Units of each wave; those of the last can be behind K.
  unsigned units = 0;

  static MatmulSchedule get(int64_t k);

  int64_t getTotalUnits() const { return (k + unit - 1) / unit; }

  /// Returns whether unit `u` of some wave reaches beyond K, or lies wholly
  /// behind it.
  bool isRagged(unsigned u) const {
    return (int64_t(waves - 1) * units + u + 1) * unit > k;
  }
};

} // namespace mlir::qfuse

#endif // QFUSE_CODEGEN_MATMULSCHEDULE_H
