//===- Files.h - Writing of files -------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_CONVERSION_FILES_H
#define QFUSE_CONVERSION_FILES_H

#include "mlir/IR/Diagnostics.h"

namespace mlir::qfuse {

/// Writes `contents` to the file `path`. Emits an error at `loc` if it cannot
/// be written.
LogicalResult writeFile(StringRef path, StringRef contents, Location loc);

} // namespace mlir::qfuse

#endif // QFUSE_CONVERSION_FILES_H
