//===- TargetHooks.h - What upstream has no op for --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_CODEGEN_TARGETHOOKS_H
#define QFUSE_CODEGEN_TARGETHOOKS_H

#include "qfuse/Codegen/KernelBuilder.h"

namespace mlir::qfuse {

class MatrixHooks;

/// How a reduction combines two values: `sum` f32; `maximum` magnitudes, in the
/// form that TargetHooks::getMagnitude returns, a NaN winning over numbers.
enum class Combine { sum, maximum };

/// A vector rounded to bf16: the same numbers as vector<8xf32> and as
/// vector<8xbf16>.
struct RoundedVector {
  Value wide;
  Value packed;
};

/// What differs between targets in the kernels that are generated. Each method
/// emits ops at the insertion point of `b`.
class TargetHooks {
public:
  virtual ~TargetHooks();

  /// Returns how many lanes a wave has.
  virtual unsigned getLanes() const = 0;

  /// Returns the combination of `x` over each aligned group of `lanes` lanes,
  /// a power of two up to 16, in all lanes of the group.
  virtual Value reduceGroup(KernelBuilder &b, Value x, unsigned lanes,
                            Combine how) const = 0;
  /// Returns the combination of `x` over the wave; valid in `getResultLane()`.
  virtual Value reduceWave(KernelBuilder &b, Value x, Combine how) const = 0;
  virtual unsigned getResultLane() const = 0;
  /// Returns the value that `x` has in `getResultLane()`, in all lanes.
  virtual Value broadcastResult(KernelBuilder &b, Value x) const = 0;

  /// Returns whether a row is stored as soon as it is computed, which frees its
  /// registers before the next barrier, instead of behind all else.
  virtual bool storesEarly() const = 0;

  /// Waits until all waves of the work-group are here and sees what they have
  /// written to LDS; nothing is said of device memory.
  virtual void barrier(KernelBuilder &b) const = 0;

  /// Returns the largest magnitude of the elements of `vector`, a
  /// vector<8xf32>, in a form that `combine` takes; NaN if one is.
  virtual Value getMagnitude(KernelBuilder &b, Value vector) const = 0;
  /// Returns a magnitude as f32.
  virtual Value fromMagnitude(KernelBuilder &b, Value magnitude) const = 0;
  Value combine(KernelBuilder &b, Value x, Value y, Combine how) const;

  /// Returns `vector`, a vector<8xf32>, divided by `power`, the byte of an
  /// f8E8M0FNU in an i32. Exact but for what is subnormal or overflows.
  static Value divideByPower(KernelBuilder &b, Value vector, Value power);

  /// Returns an approximation within 2 ulps, of a normal f32.
  virtual Value rsqrt(KernelBuilder &b, Value x) const = 0;
  /// Returns an approximation within 1 ulp, f32.
  virtual Value reciprocal(KernelBuilder &b, Value x) const = 0;

  /// Rounds `vector`, a vector<8xf32>, to bf16, to nearest even. `cleanNaNs`:
  /// the low 16 bits of a NaN in it are zero, as those from bf16 and from
  /// arithmetic are.
  virtual RoundedVector roundToBf16(KernelBuilder &b, Value vector,
                                    bool cleanNaNs) const = 0;

  /// Returns `vector`, a vector<8xf32>, with its elements limited to
  /// [low, high]; NaN stays NaN.
  virtual Value clamp(KernelBuilder &b, Value vector, float low,
                      float high) const = 0;

  /// Returns whether `convertToCodes` takes `type`.
  virtual bool hasConversionTo(Type type) const = 0;
  /// Divides `vector`, a vector<8xf32>, by `power`, rounds it to `type`, to
  /// nearest even, and returns the bytes of the codes: vector<8xi8>, or
  /// vector<4xi8> of two codes each. `power` is a power of two as the byte of
  /// an f8E8M0FNU in an i32, 255 for NaN, or null for 1. What is out of range
  /// becomes what the type has for it; f4E2M1FN saturates. `turnsSign`: the
  /// sign of each code is turned, which a type with a negative zero has as a
  /// bit. `isInRange`: nothing is rounded to a number that the type lacks.
  virtual Value convertToCodes(KernelBuilder &b, Value vector, Value power,
                               Type type, bool turnsSign,
                               bool isInRange) const = 0;

  /// Returns the hooks of the matmul template, or null if the target has none.
  virtual const MatrixHooks *getMatrixHooks() const { return nullptr; }

protected:
  /// `combine` of magnitudes.
  virtual Value maximum(KernelBuilder &b, Value x, Value y) const = 0;

  /// `roundToBf16` by conversions of two elements each.
  static RoundedVector convertToBf16(KernelBuilder &b, Value vector);
  /// `convertToCodes` to f4E2M1FN by arithmetic on f32, without a power.
  static Value emulateFp4(KernelBuilder &b, Value vector, bool turnsSign);
  /// Turns the sign bits `signs` of the codes in `word`: an operand of a
  /// conversion would be negated by an instruction of its own.
  static Value turnSigns(KernelBuilder &b, Value word, uint32_t signs);
};

} // namespace mlir::qfuse

#endif // QFUSE_CODEGEN_TARGETHOOKS_H
