//===- Strides.h - Strides that kernels go by -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_CONVERSION_STRIDES_H
#define QFUSE_LIB_CONVERSION_STRIDES_H

#include "Extents.h"

namespace mlir::qfuse {

/// How a kernel goes through the elements of an operand: row by row, without
/// gaps inside of a row.
struct Access {
  /// Whether the kernel is given the distance of rows; if not, there are no
  /// gaps between rows either.
  bool takesRowStride = false;
  /// The distance of rows is a multiple of this number of elements.
  unsigned rowMultiple = 1;
  Location kernel;
};

/// Verifies that `access` reaches the elements of `argument` where the strides
/// have them that it states. Adds to `checks` what has to hold of the strides
/// that are open. Emits an error at the argument for those that are not.
LogicalResult checkStrides(BlockArgument argument, const Access &access,
                           Extents &extents, llvm::json::Array &checks);

} // namespace mlir::qfuse

#endif // QFUSE_LIB_CONVERSION_STRIDES_H
