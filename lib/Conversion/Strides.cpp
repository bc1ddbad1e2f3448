//===- Strides.cpp - Strides that kernels go by ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Strides.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::qfuse;

namespace json = llvm::json;

/// Returns whether rows of `extent` elements may begin each `stride` elements.
static bool isRowStride(int64_t stride, AffineExpr extent,
                        const Access &access) {
  auto known = dyn_cast<AffineConstantExpr>(extent);
  return stride % access.rowMultiple == 0 &&
         (!known || stride >= known.getValue());
}

static LogicalResult emitMismatch(BlockArgument argument,
                                  StridedLayoutAttr strides,
                                  const Access &access) {
  InFlightDiagnostic error = emitError(argument.getLoc());
  error << "expected argument " << argument.getArgNumber()
        << " in row-major order, without gaps ";
  if (access.takesRowStride)
    error << "inside of its rows, which begin at multiples of "
          << access.rowMultiple << " elements and do not overlap";
  else
    error << "between its elements";
  error << ", got " << Attribute(strides);
  error.attachNote(access.kernel) << "the kernel that goes through it is here";
  return error;
}

LogicalResult qfuse::checkStrides(BlockArgument argument, const Access &access,
                                  Extents &extents, json::Array &checks) {
  StridedLayoutAttr stated = extents.getStatedStrides(argument);
  if (!stated)
    return success();
  auto addCheck = [&](AffineExpr lhs, AffineExpr rhs, std::string message) {
    checks.push_back(json::Object{{"kind", "equal"},
                                  {"lhs", extents.toJson(lhs)},
                                  {"rhs", extents.toJson(rhs)},
                                  {"message", std::move(message)}});
  };
  FailureOr<SmallVector<AffineExpr>> strides = extents.getStrides(argument);
  FailureOr<SmallVector<AffineExpr>> dense = extents.getDenseStrides(argument);
  if (failed(strides) || failed(dense))
    return failure();
  for (auto [dim, stride, least] : llvm::enumerate(*strides, *dense)) {
    bool isRow = dim == 0 && access.takesRowStride;
    if (auto known = dyn_cast<AffineConstantExpr>(stride)) {
      if (isRow ? !isRowStride(known.getValue(), least, access)
                : stride != least)
        return emitMismatch(argument, stated, access);
    } else if (isRow) {
      addCheck(stride % access.rowMultiple,
               getAffineConstantExpr(0, argument.getContext()),
               llvm::formatv("the row stride of arg{0} is not a multiple of "
                             "{1} elements",
                             argument.getArgNumber(), access.rowMultiple));
    } else {
      addCheck(stride, least,
               llvm::formatv("stride {0} of arg{1} is not that of a row-major "
                             "array",
                             dim, argument.getArgNumber()));
    }
  }
  return success();
}
