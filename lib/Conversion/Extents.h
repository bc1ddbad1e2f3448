//===- Extents.h - Integer expressions of a manifest ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_CONVERSION_EXTENTS_H
#define QFUSE_LIB_CONVERSION_EXTENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "qfuse/IR/QFuse.h"
#include "llvm/Support/JSON.h"

namespace mlir::qfuse {

/// The extents and strides of the values of a function as expressions of what
/// is known when it is launched. An expression is an AffineExpr whose symbols
/// are names: those of `qfuse.dims`, `arg0.1` for a dynamic extent without one,
/// `arg0.stride0` for a stride that `qfuse.strides` leaves open.
class Extents {
public:
  explicit Extents(func::FuncOp function);

  /// Returns extent `dim` of `value`, a tensor or packed value. Emits an error
  /// if it comes neither from an argument nor from a launch.
  FailureOr<AffineExpr> getExtent(Value value, unsigned dim);
  FailureOr<SmallVector<AffineExpr>> getShape(Value value);

  /// Returns the strides of `value` in elements: those that an argument states,
  /// else those of a row-major array. Packed values have one, 1.
  FailureOr<SmallVector<AffineExpr>> getStrides(Value value);

  /// Returns the strides of a row-major array of the shape of `value`. Packed
  /// values have one, 1.
  FailureOr<SmallVector<AffineExpr>> getDenseStrides(Value value);

  /// Returns `qfuse.strides` of `value`, null if it is no argument or has none.
  StridedLayoutAttr getStatedStrides(Value value);

  /// Returns the size of `value` in bytes: of its storage if it is packed, of a
  /// row-major array if it is not.
  FailureOr<AffineExpr> getBytes(Value value);

  /// Returns the expression as in a manifest.
  llvm::json::Value toJson(AffineExpr expr) const;

  /// Returns the dims of the function and their ranges, both ends included.
  llvm::json::Object getDims() const;

private:
  AffineExpr getSymbol(const Twine &name);

  func::FuncOp function;
  SmallVector<std::string> names;
};

} // namespace mlir::qfuse

#endif // QFUSE_LIB_CONVERSION_EXTENTS_H
