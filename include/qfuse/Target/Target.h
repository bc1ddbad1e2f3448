//===- Target.h - Built-in targets and look-ups -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_TARGET_TARGET_H
#define QFUSE_TARGET_TARGET_H

#include "qfuse/IR/QFuse.h"

namespace mlir::qfuse {

/// Name under which a module has its target.
inline constexpr StringLiteral targetAttrName = "qfuse.target";

/// Returns the names of the built-in targets, sorted.
ArrayRef<StringRef> getTargetNames();

/// Loads the dialects that the text of a target needs.
void registerTargetDialects(DialectRegistry &registry);

/// Returns the built-in target `name`, or the target of the module in the file
/// `name` if it ends in `.mlir`. Emits an error at `loc` for an unknown name,
/// which lists the known ones, and in the file for one that is malformed.
FailureOr<TargetAttr> loadTarget(StringRef name, Location loc);

/// Returns the target of the module around `op`; emits an error if it has none.
FailureOr<TargetAttr> getTarget(Operation *op);

/// Returns the number of the feature `name`, or nothing if the target does not
/// state it.
std::optional<int64_t> getIntegerFeature(TargetAttr target, StringRef name);
/// Returns the text of the feature `name`, or an empty string.
StringRef getStringFeature(TargetAttr target, StringRef name);
/// Returns whether the target states that it has the feature `name`.
bool hasFeature(TargetAttr target, StringRef name);

/// Returns the row of `target` that `op` can use: the first, in the order of
/// the target, whose types, formats and layouts are those of the operands and
/// whose condition does not exclude the static extents. Null if there is none.
MatmulRowAttr findRow(TargetAttr target, ScaledMatmulOp op);

} // namespace mlir::qfuse

#endif // QFUSE_TARGET_TARGET_H
