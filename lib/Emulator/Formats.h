//===- Formats.h - 8-, 6- and 4-bit floats ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_EMULATOR_FORMATS_H
#define QFUSE_LIB_EMULATOR_FORMATS_H

#include "Bits.h"

namespace mlir::qfuse::emulator {

struct SmallFormat {
  /// Numbered as the operand formats of f8f6f4 MFMA.
  enum Kind : u32 { FP8 = 0, BF8 = 1, FP6 = 2, BF6 = 3, FP4 = 4 };
};

/// fp8 (e4m3) or bf8 (e5m2), OCP or FNUZ. Rounds to nearest even; overflow is
/// the largest value with `saturate`, else infinity or NaN.
float decodeFp8(u32 code, bool bf8, bool ocp);
u8 encodeFp8(float value, bool bf8, bool ocp, bool saturate);
/// Adds the high bits of `random` to the mantissa and truncates.
u8 encodeFp8Stochastic(float value, u32 random, bool bf8, bool ocp,
                       bool saturate);

/// FP6, BF6 and FP4 of the OCP microscaling formats: nearest even, saturating.
float decodeSubByte(u32 code, SmallFormat::Kind format);
u8 encodeSubByte(float value, SmallFormat::Kind format);

} // namespace mlir::qfuse::emulator

#endif // QFUSE_LIB_EMULATOR_FORMATS_H
