//===- Compare.h - Bits, intervals and where they differ --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_VERIFY_COMPARE_H
#define QFUSE_LIB_VERIFY_COMPARE_H

#include "qfuse/Interpreter/Interpreter.h"

namespace mlir::qfuse {

/// An element that is not what it should be.
struct Difference {
  /// The check that found it.
  char check = 'A';
  /// The op that computes it, and which of its results it is.
  Operation *op = nullptr;
  unsigned result = 0;
  /// Logical; for padding, the physical position.
  std::vector<int64_t> index;
  bool isPadding = false;
  /// In hexadecimal, or as an interval.
  std::string got, expected;

  /// Returns the difference as in a line of a report: `check=A op=... at LOC`.
  std::string toString() const;
};

/// Compares the bits of all elements of `got` with those of `expected`, values
/// of `type` and of logical extents `shape`. Any NaN equals any other; padding
/// counts if its contents are defined.
std::optional<Difference> compareBits(const Tensor &got, const Tensor &expected,
                                      ShapedType type, ArrayRef<int64_t> shape);

/// Returns the first element of `got` that lies outside of `interval`.
std::optional<Difference> compareInterval(const Tensor &got,
                                          const Interval &interval);

} // namespace mlir::qfuse

#endif // QFUSE_LIB_VERIFY_COMPARE_H
