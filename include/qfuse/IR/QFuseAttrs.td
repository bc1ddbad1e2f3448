// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_IR_QFUSEATTRS_TD
#define QFUSE_IR_QFUSEATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "qfuse/IR/QFuseDialect.td"

class QFuse_Attr<string name, string attrMnemonic> : AttrDef<QFuse_Dialect, name> {
  let mnemonic = attrMnemonic;
  // Without it, DefaultValuedAttr of such an attribute generates no value.
  let constBuilderCall = "$0";
}

/// An enum that is a parameter of an attribute, never an attribute of its own.
class QFuse_Enum<string name, string summary, list<EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::mlir::qfuse";
}

/// A parameter that is not printed when it has the first case of `enum`.
class QFuse_EnumParam<EnumInfo enum> : DefaultValuedParameter<
    enum.cppNamespace # "::" # enum.className,
    enum.cppNamespace # "::" # enum.className # "::" # !head(enum.enumerants).symbol>;

/// An f64. Not a FloatAttr, which would be printed with its type, and not a
/// double, which has no hash.
class QFuse_F64Param<string desc = ""> : APFloatParameter<desc> {
  let parser = "::mlir::qfuse::parseF64($_parser)";
  let printer = "$_printer.printFloat($_self)";
}
/// An f64 that is not printed when it is 0.
class QFuse_F64OrZeroParam<string desc = ""> : QFuse_F64Param<desc> {
  let defaultValue = "::llvm::APFloat(0.0)";
}
/// An f64 that may be absent. A FloatAttr, which can be null.
def QFuse_OptionalF64Param : OptionalParameter<"::mlir::FloatAttr"> {
  let parser = "::mlir::qfuse::parseF64Attr($_parser)";
  let printer = "$_printer.printFloat($_self.getValue())";
}

def QFuse_Pad : QFuse_Enum<"Pad", "what the padding of a layout holds", [
    I32EnumCase<"undef", 0>, I32EnumCase<"zero", 1>, I32EnumCase<"one", 2>]>;
def QFuse_Divide : QFuse_Enum<"Divide", "how amax becomes a scale", [
    I32EnumCase<"exact", 0>, I32EnumCase<"by_reciprocal_constant", 1>]>;
def QFuse_ZeroRow : QFuse_Enum<"ZeroRow", "the scale of a zero block", [
    I32EnumCase<"keep", 0>, I32EnumCase<"one", 1>, I32EnumCase<"nan", 2>]>;
def QFuse_NaNRule : QFuse_Enum<"NaNRule", "the scale of a block with a NaN", [
    I32EnumCase<"propagate", 0>, I32EnumCase<"ignore", 1>]>;
def QFuse_Pow2 : QFuse_Enum<"Pow2", "how a scale becomes a power of two", [
    I32EnumCase<"none", 0>, I32EnumCase<"floor", 1>, I32EnumCase<"even", 2>,
    I32EnumCase<"ceil", 3>, I32EnumCase<"roundup", 4>]>;
def QFuse_Apply : QFuse_Enum<"Apply", "how a scale is applied", [
    I32EnumCase<"divide", 0>, I32EnumCase<"reciprocal", 1>,
    I32EnumCase<"reciprocal_approx", 2>, I32EnumCase<"max_over_amax", 3>]>;
def QFuse_Round : QFuse_Enum<"Round", "rounding of the codes", [
    I32EnumCase<"rne", 0>, I32EnumCase<"rna", 1>, I32EnumCase<"rtz", 2>]>;
def QFuse_Overflow : QFuse_Enum<"Overflow", "what a code out of range becomes", [
    I32EnumCase<"saturate", 0>, I32EnumCase<"ieee", 1>]>;
def QFuse_ScaleOrder : QFuse_Enum<"ScaleOrder", "where the scales of A and B enter", [
    I32EnumCase<"per_block", 0>, I32EnumCase<"per_block_product", 1>,
    I32EnumCase<"b_then_a", 2>, I32EnumCase<"a_then_b", 3>,
    I32EnumCase<"product", 4>]>;
def QFuse_RopeStyle : QFuse_Enum<"RopeStyle", "which elements of a head are a pair", [
    I32EnumCase<"interleaved", 0>, I32EnumCase<"half", 1>]>;
def QFuse_Activation : QFuse_Enum<"Activation", "function of a gate", [
    I32EnumCase<"silu", 0>, I32EnumCase<"gelu_tanh", 1>,
    I32EnumCase<"gelu_erf", 2>]>;

def QFuse_LayoutAttr : QFuse_Attr<"Layout", "layout"> {
  let summary = "map from logical to physical indices";
  let description = [{
    The results of `map`, outermost first, are digits `d`, `d floordiv c`,
    `d mod r` or `(d floordiv c) mod r`, which tile each dimension exactly once.
    Extents are rounded up to `align`, or to the tile where it is empty; the
    elements added in this way hold `pad`. Units are elements.

    ```mlir
    // One dword holds two row tiles by two k steps of 16 rows by 4 scales.
    #mx_shuffle = #qfuse.layout<
      map = (m, k) -> (m floordiv 32, k floordiv 8, k mod 4, m mod 16,
                       (k floordiv 4) mod 2, (m floordiv 16) mod 2),
      align = [256, 8]>
    ```
  }];
  let parameters = (ins
    "::mlir::AffineMap":$map,
    OptionalArrayRefParameter<"int64_t">:$align,
    QFuse_EnumParam<QFuse_Pad>:$pad
  );
  let assemblyFormat = [{
    `<` struct($map, custom<IntegerList>($align), $pad) `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the digits, outermost first.
    ::llvm::SmallVector<LayoutDigit> getDigits() const;

    /// Returns `(d0, ...)[s0, ...] -> offset`: the position, in elements, of
    /// the element at `d` of a value of logical shape `s`.
    ::mlir::AffineMap getOffsetMap() const;

    /// Returns `()[s0, ...] -> size`: the number of elements, padding included,
    /// that a value of logical shape `s` occupies.
    ::mlir::AffineMap getPhysicalSizeMap() const;

    /// The same for extents that are known.
    int64_t offset(::llvm::ArrayRef<int64_t> indices,
                   ::llvm::ArrayRef<int64_t> shape) const;
    int64_t physicalSize(::llvm::ArrayRef<int64_t> shape) const;

    /// Returns what each index of dimension `dim` adds to the offset, for the
    /// logical extents `shape`: a digit depends on one dimension, so an offset
    /// is a sum over the dimensions.
    ::std::vector<int64_t> getDimOffsets(unsigned dim,
                                         ::llvm::ArrayRef<int64_t> shape) const;

    /// Returns the largest n such that each n elements along `dim`, from a
    /// multiple of n on, are next to each other and in order: the width of a
    /// vector. 0 if n is unlimited: rows of `dim` are contiguous.
    int64_t innermostRun(unsigned dim) const;

    /// Returns whether the bytes of values that are concatenated along `dim` are
    /// the concatenation of their bytes, if each has `extent` there: the
    /// outermost digit is of `dim`, and `extent` needs no padding.
    bool commutesWithConcat(unsigned dim, int64_t extent) const;
  }];
}

def QFuse_FormatAttr : QFuse_Attr<"Format", "format"> {
  let summary = "how a consumer decodes a quantized value";
  let description = [{
    One scale of `scale_type` covers `block` elements; an extent of 0 is the
    whole dimension. A scale multiplies. With `outer_scale`, one more scale of
    that type covers the whole value.

    ```mlir
    #mxfp4 = #qfuse.format<block = [1, 32], scale_type = f8E8M0FNU>
    #nvfp4 = #qfuse.format<block = [1, 16], scale_type = f8E4M3FN, outer_scale = f32>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$block,
    DefaultValuedParameter<"::mlir::Type", "::mlir::Float32Type::get($_ctxt)">:$scale_type,
    OptionalParameter<"::mlir::Type">:$outer_scale
  );
  let assemblyFormat = [{
    `<` struct(custom<IntegerList>($block), $scale_type, $outer_scale) `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the shape of the scales of a value of shape `shape`:
    /// `ceil(extent / block)` in each dimension.
    ::llvm::SmallVector<int64_t> getScaleShape(::llvm::ArrayRef<int64_t> shape) const;
  }];
}

def QFuse_ScaleRuleAttr : QFuse_Attr<"ScaleRule", "scale_rule"> {
  let summary = "how the scale of a block is computed from its largest magnitude";
  let description = [{
    In f32, to which the numbers are rounded: `amax` is the largest magnitude,
    at least `amax_floor`; the scale is `amax / max` (`exact`) or
    `amax * f32(1 / max)` (`by_reciprocal_constant`), at least `scale_floor`; a
    zero block has the scale 1 if `zero = one`. `zero = nan` changes no number:
    it says that the scale of a zero block is 0 and that its codes are NaN on
    purpose, which `qfuse-verify-legal` refuses otherwise; a rule that gives
    another scale cannot say so. `pow2` makes it a power of two, for `floor`,
    `even` and `ceil` from `amax` and `max` alone:

    - `floor`, `ceil`: `2 ^ (floor(log2 amax) - floor(log2 max))`, and with ceil;
    - `even`: as `floor`, of `amax` rounded to `even_bits` mantissa bits, half up;
    - `roundup`: `2 ^ ceil(log2 scale)`.

    An outer scale divides the scale before `scale_floor`. Rounding to the scale
    type is to nearest even; what is out of range becomes what the type has for
    it, and 0 the smallest f8E8M0FNU.

    `nan = ignore` computes `amax` without the NaNs of the block.

    ```mlir
    #roundup = #qfuse.scale_rule<max = 6.0, divide = by_reciprocal_constant,
                                 amax_floor = 1.0e-10, pow2 = roundup>
    ```
  }];
  // All but `max` have frozen defaults, which are not printed.
  let parameters = (ins
    QFuse_F64Param<>:$max,
    QFuse_EnumParam<QFuse_Divide>:$divide,
    QFuse_F64OrZeroParam<>:$amax_floor,
    QFuse_F64OrZeroParam<>:$scale_floor,
    QFuse_EnumParam<QFuse_ZeroRow>:$zero,
    QFuse_EnumParam<QFuse_NaNRule>:$nan,
    QFuse_EnumParam<QFuse_Pow2>:$pow2,
    DefaultValuedParameter<"int64_t", "1">:$even_bits
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the scale of a block whose largest magnitude is `amax`, before
    /// it is rounded to its type. `outer` is 1 if there is no outer scale.
    double computeScale(float amax, float outer) const;

    /// Returns the scale of a zero block, without an outer scale, as a number
    /// of `scaleType`; of f8E8M0FNU it is at least the smallest one.
    float getScaleOfZeroBlock(::mlir::FloatType scaleType) const;
  }];
}

def QFuse_EncodeRuleAttr : QFuse_Attr<"EncodeRule", "encode_rule"> {
  let summary = "how a value and its scale become a code";
  let description = [{
    The value is divided by the scale, multiplied by its reciprocal (rounded or
    approximate to 1 ulp), or multiplied by the `max / amax` of its block, where
    a zero block stays zero; then clamped to `min` and `max` where they are
    given, and rounded. Each step is in f32. A result out of range becomes the
    largest code of its sign (`saturate`) or what the type has for it (`ieee`).
    An outer scale multiplies the scale.

    ```mlir
    #encode = #qfuse.encode_rule<apply = reciprocal, round = rtz, max = 127.0, min = -127.0>
    ```
  }];
  let parameters = (ins
    QFuse_EnumParam<QFuse_Apply>:$apply,
    QFuse_EnumParam<QFuse_Round>:$round,
    QFuse_EnumParam<QFuse_Overflow>:$overflow,
    QFuse_OptionalF64Param:$max,
    QFuse_OptionalF64Param:$min
  );
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns whether zeros by `scale` become NaN, in codes of `codeType`
    /// or, where those have none, the largest code. Codes of i8 become 0.
    bool makesNaNOfZeros(float scale, ::mlir::Type codeType) const;
  }];
}

def QFuse_ScaleOrderAttr : EnumAttr<QFuse_Dialect, QFuse_ScaleOrder, "scale_order"> {
  let summary = "where the scales of A and B enter a scaled_matmul";
  let description = [{
    `per_block` scales the dot product `p` of each block of K before it is added
    to the others: `(p * scaleA) * scaleB`; `per_block_product` likewise, by
    `p * (scaleA * scaleB)`. The rest is for scales that do not vary along K;
    `p` is the dot product of all of it: `b_then_a` is `(p * scaleB) * scaleA`,
    `a_then_b` is `(p * scaleA) * scaleB`, `product` is `p * (scaleA * scaleB)`.

    ```mlir
    #order = #qfuse.scale_order<a_then_b>
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

def QFuse_RopeStyleAttr : EnumAttr<QFuse_Dialect, QFuse_RopeStyle, "rope_style"> {
  let summary = "which elements of a head a rope rotates with each other";
  let description = [{
    Pairs of neighbours (`interleaved`), or of an element of the first half and
    the one as far into the second half (`half`).

    ```mlir
    #style = #qfuse.rope_style<interleaved>
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

def QFuse_ActivationAttr : EnumAttr<QFuse_Dialect, QFuse_Activation, "activation"> {
  let summary = "function of the gate of a gated_activation";
  let description = [{
    `silu`, `gelu_tanh` or `gelu_erf`, by the formulas of
    `qfuse.gated_activation`.

    ```mlir
    #activation = #qfuse.activation<silu>
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

#endif // QFUSE_IR_QFUSEATTRS_TD
