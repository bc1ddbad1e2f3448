//===- Places.h - Addresses of elements -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_CODEGEN_PLACES_H
#define QFUSE_LIB_CODEGEN_PLACES_H

#include "qfuse/Codegen/KernelBuilder.h"
#include "qfuse/IR/QFuse.h"

namespace mlir::qfuse {

/// An element of a buffer: a memref and an index.
struct Place {
  Value base;
  Value index;
};

/// Returns `pointer`, a memref of rank 0, moved to `start`, an index, as a
/// memref of `size` elements. A uniform start stays in scalar registers.
Value moveTo(KernelBuilder &b, Value pointer, Value start, int64_t size);

/// Returns the place of element (`row`, `column`), both index, of a value of
/// `type` at `pointer`, whose number of rows is `rows`, an index. Each digit of
/// a layout is of one dimension, so the offset is a part of the row, which is
/// the base, and one of the column.
Place getPlace(KernelBuilder &b, Value pointer, ShapedType type, Value rows,
               Value row, Value column);

} // namespace mlir::qfuse

#endif // QFUSE_LIB_CODEGEN_PLACES_H
