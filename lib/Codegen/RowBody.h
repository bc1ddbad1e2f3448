//===- RowBody.h - What the values of a row kernel are ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_CODEGEN_ROWBODY_H
#define QFUSE_LIB_CODEGEN_ROWBODY_H

#include "qfuse/Analysis/RowKernel.h"
#include "qfuse/Codegen/RowSchedule.h"
#include "qfuse/IR/QFuse.h"

namespace mlir::qfuse {

class TargetHooks;

/// What one work-group holds of a value of the body.
enum class RowValueKind {
  row,    // a row of f32 or bf16: `M x K`
  vector, // the same for all rows: `K`
  scales, // the scales of a row: `M x ceil(K / block)`
  codes,  // the codes of a row: `M x K`
};

/// A body that the row emitter can emit: each op of it has an emitter for its
/// types and attributes. Made before anything is emitted.
struct RowBody {
  KernelDefOp kernel;
  RowSchedule schedule;
  /// All values of the body but constants.
  DenseMap<Value, RowValueKind> kinds;
  /// The input whose leading extent is the number of rows.
  unsigned rowsInput = 0;
  /// No value can be a NaN with a payload in the bits that bf16 lacks.
  bool cleanNaNs = true;

  /// Analyzes the body of `kernel`. Emits an error at the op that cannot be
  /// emitted.
  static FailureOr<RowBody> analyze(KernelDefOp kernel,
                                    const TargetHooks &hooks);

  RowValueKind getKind(Value value) const { return kinds.at(value); }
};

/// Returns the number of elements of a block of `format` along a row, 0 for the
/// whole row.
int64_t getBlockSize(FormatAttr format);

} // namespace mlir::qfuse

#endif // QFUSE_LIB_CODEGEN_ROWBODY_H
