//===- Detail.h - What the files of this library share ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_IR_DETAIL_H
#define QFUSE_LIB_IR_DETAIL_H

#include "qfuse/IR/QFuse.h"

namespace mlir::qfuse {

/// Emits an error unless `value`, a tensor or packed value, has the shape
/// `shape` and element type `elementType`.
LogicalResult verifyType(Operation *op, StringRef name, Value value,
                         ArrayRef<int64_t> shape, Type elementType);

/// Emits an error if codes of four bits do not fill the bytes of a row.
LogicalResult verifyCodes(Operation *op, StringRef name, Value codes);

/// Emits an error unless `body`, that of the kernel or kernel_def `op`, holds
/// fusible ops and yields values of `outputs`.
LogicalResult verifyKernelBody(Operation *op, Block &body, TypeRange outputs);

/// Appends the shapes of the values of `yield` as they are if the arguments of
/// its body are `inputs`. Returns failure, and emits no error, if an extent
/// comes from no argument.
LogicalResult reifyKernelBody(OpBuilder &builder, Location loc, YieldOp yield,
                              ValueRange inputs,
                              ReifiedRankedShapedTypeDims &shapes);

} // namespace mlir::qfuse

#endif // QFUSE_LIB_IR_DETAIL_H
