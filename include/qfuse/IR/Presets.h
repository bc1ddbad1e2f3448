//===- Presets.h - Table of public formats, rules and layouts ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_IR_PRESETS_H
#define QFUSE_IR_PRESETS_H

#include "qfuse/IR/QFuse.h"

namespace mlir::qfuse {

/// What a public system does to quantize a value. IR has its attributes, never
/// its name. Everything in it lives as long as the context.
struct Preset {
  StringRef name;
  StringRef summary;
  /// File or function of the public system.
  StringRef source;
  /// Why the rules cannot say what the source does. Empty if they can; else all
  /// that follows is null.
  StringRef notExpressible;

  /// Of the value: the type to which the source rounds it before it quantizes.
  Type input;
  Type codes;
  /// How a consumer decodes.
  FormatAttr format;
  /// The format of block_scale: its scales are of the type in which the source
  /// computes them, and are cast to those of `format`. Null if scales are
  /// given.
  FormatAttr computed;
  /// Null if scales are given.
  ScaleRuleAttr scaleRule;
  EncodeRuleAttr encodeRule;
  /// Whether the codes of a zero block are NaN: the rule says so.
  bool nanOnZeroBlock = false;
};

/// A layout of a public system. Everything in it lives as long as the context.
struct NamedLayout {
  StringRef name;
  StringRef summary;
  /// File or function of the public system.
  StringRef source;
  /// A packed type for each element type that it is for; the layout may differ
  /// with the width of the element.
  SmallVector<PackedType> types;
};

/// Returns the table as IR text: a function for each preset, with what the
/// source does as its body, one for each norm that sources quantize behind, and
/// a declaration for each layout.
StringRef getPresetTable();

/// Returns the presets in the order of the table. Loads the dialects of the
/// table into `context`.
SmallVector<Preset> getPresets(MLIRContext *context);

/// Returns the layouts in the order of the table. Loads the dialects of the
/// table into `context`.
SmallVector<NamedLayout> getLayouts(MLIRContext *context);

/// Returns the layout `name` of elements of `bitWidth` bits. Emits an error at
/// `loc` if there is none of that name, or not for that width.
FailureOr<LayoutAttr> findLayout(StringRef name, unsigned bitWidth,
                                 Location loc);

} // namespace mlir::qfuse

#endif // QFUSE_IR_PRESETS_H
