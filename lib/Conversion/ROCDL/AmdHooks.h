//===- AmdHooks.h - Target hooks of AMD devices -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_CONVERSION_ROCDL_AMDHOOKS_H
#define QFUSE_LIB_CONVERSION_ROCDL_AMDHOOKS_H

#include "AmdMatrixHooks.h"
#include "qfuse/Codegen/TargetHooks.h"
#include "qfuse/IR/QFuse.h"

namespace mlir::qfuse {

/// Hooks for devices with waves of 64 lanes and DPP, by the features of a
/// target: `fp8` ("ocp" or "fnuz") says to which types the conversions go,
/// `bf16_conversion` whether there is one to bf16, `maximum3` whether there is
/// a maximum that propagates NaN.
class AmdHooks : public TargetHooks {
public:
  explicit AmdHooks(TargetAttr target);

  unsigned getLanes() const override { return 64; }
  Value reduceGroup(KernelBuilder &b, Value x, unsigned lanes,
                    Combine how) const override;
  Value reduceWave(KernelBuilder &b, Value x, Combine how) const override;
  unsigned getResultLane() const override { return 63; }
  Value broadcastResult(KernelBuilder &b, Value x) const override;
  bool storesEarly() const override { return false; }
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

  const MatrixHooks *getMatrixHooks() const override { return &matrix; }

protected:
  Value maximum(KernelBuilder &b, Value x, Value y) const override;

private:
  static Value convertToFp8(KernelBuilder &b, Value vector, bool turnsSign);
  static Value convertToFp4(KernelBuilder &b, Value vector, Value power,
                            bool turnsSign);

  bool hasFnuz, hasBf16Conversion, hasMaximum3, hasScaledConversion;
  AmdMatrixHooks matrix;
};

} // namespace mlir::qfuse

#endif // QFUSE_LIB_CONVERSION_ROCDL_AMDHOOKS_H
