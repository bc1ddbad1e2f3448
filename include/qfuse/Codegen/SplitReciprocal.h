//===- SplitReciprocal.h - Division by a constant ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_CODEGEN_SPLITRECIPROCAL_H
#define QFUSE_CODEGEN_SPLITRECIPROCAL_H

namespace mlir::qfuse {

/// The reciprocal of a constant in two parts. `fma(a, high, a * low)` is
/// `a / divisor` as division rounds it, for each `a >= 0` for which no step is
/// subnormal, and for infinity and NaN: neither part is negative, so that no
/// two infinities cancel.
struct SplitReciprocal {
  float high, low;

  static SplitReciprocal get(float divisor);

  /// Returns whether the quotient is known to be right: for the largest codes
  /// of the quantized types, with which all mantissas of `a` were tried.
  static bool divides(float divisor);
};

} // namespace mlir::qfuse

#endif // QFUSE_CODEGEN_SPLITRECIPROCAL_H
