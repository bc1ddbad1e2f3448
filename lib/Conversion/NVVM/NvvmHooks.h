//===- NvvmHooks.h - Target hooks of NVIDIA devices -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_CONVERSION_NVVM_NVVMHOOKS_H
#define QFUSE_LIB_CONVERSION_NVVM_NVVMHOOKS_H

#include "qfuse/Codegen/TargetHooks.h"
#include "qfuse/IR/QFuse.h"

namespace mlir::qfuse {

/// Hooks for devices with warps of 32 lanes and reductions of a warp (sm_80 and
/// later), by the features of a target: `fp8` ("ocp") says whether there are
/// conversions to f8E4M3FN, `bf16_conversion` whether there is one to bf16.
///
/// A magnitude is the bits of a nonnegative f32 as i32: those order as the
/// numbers do, NaN is the largest, and one instruction finds the maximum of a
/// warp.
class NvvmHooks : public TargetHooks {
public:
  explicit NvvmHooks(TargetAttr target);

  unsigned getLanes() const override { return 32; }
  Value reduceGroup(KernelBuilder &b, Value x, unsigned lanes,
                    Combine how) const override;
  /// Valid in all lanes.
  Value reduceWave(KernelBuilder &b, Value x, Combine how) const override;
  unsigned getResultLane() const override { return 0; }
  Value broadcastResult(KernelBuilder &, Value x) const override { return x; }
  /// Twice as many blocks of a per-token kernel fit a multiprocessor.
  bool storesEarly() const override { return true; }
  void barrier(KernelBuilder &b) const override;
  Value getMagnitude(KernelBuilder &b, Value vector) const override;
  Value fromMagnitude(KernelBuilder &b, Value magnitude) const override;
  Value rsqrt(KernelBuilder &b, Value x) const override;
  Value reciprocal(KernelBuilder &b, Value x) const override;
  RoundedVector roundToBf16(KernelBuilder &b, Value vector,
                            bool cleanNaNs) const override;
  Value clamp(KernelBuilder &b, Value vector, float low,
              float high) const override;
  bool hasConversionTo(Type type) const override;
  Value convertToCodes(KernelBuilder &b, Value vector, Value power, Type type,
                       bool turnsSign, bool isInRange) const override;

protected:
  Value maximum(KernelBuilder &b, Value x, Value y) const override;

private:
  bool hasFp8Conversion, hasBf16Conversion;
};

} // namespace mlir::qfuse

#endif // QFUSE_LIB_CONVERSION_NVVM_NVVMHOOKS_H
