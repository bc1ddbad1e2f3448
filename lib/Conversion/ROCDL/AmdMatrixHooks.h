//===- AmdMatrixHooks.h - MFMA and raw buffers ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_CONVERSION_ROCDL_AMDMATRIXHOOKS_H
#define QFUSE_LIB_CONVERSION_ROCDL_AMDMATRIXHOOKS_H

#include "qfuse/Codegen/MatrixHooks.h"
#include "qfuse/IR/QFuse.h"

namespace mlir::qfuse {

/// A matrix instruction of 16 x 16: what differs between those of fp8.
struct MfmaForm {
  /// Elements of K that it sums, and bytes of an operand of a lane.
  unsigned k;
  unsigned laneBytes;
};

class AmdMatrixHooks : public MatrixHooks {
public:
  explicit AmdMatrixHooks(TargetAttr target);

  bool takes(Type type) const override;
  unsigned getPieces() const override { return 2; }
  Value multiply(KernelBuilder &b, ValueRange first, ValueRange second,
                 Value accumulator, Type type) const override;
  Value getUniform(KernelBuilder &b, Value x) const override;
  Value describeBuffer(KernelBuilder &b, Value pointer,
                       Value bytes) const override;
  Value loadBuffer(KernelBuilder &b, Type type, Value buffer,
                   Value offset) const override;
  void storeBuffer(KernelBuilder &b, Value value, Value buffer,
                   Value offset) const override;
  void schedulingBarrier(KernelBuilder &b) const override;

private:
  bool hasFnuz;
  MfmaForm form;
};

} // namespace mlir::qfuse

#endif // QFUSE_LIB_CONVERSION_ROCDL_AMDMATRIXHOOKS_H
