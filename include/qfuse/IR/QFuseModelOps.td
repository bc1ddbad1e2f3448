// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_IR_QFUSEMODELOPS_TD
#define QFUSE_IR_QFUSEMODELOPS_TD

include "qfuse/IR/QFuseAttrs.td"
include "qfuse/IR/QFuseOpBase.td"

def QFuse_RopeOp : QFuse_FusibleOp<"rope", "elementwise", [
    AllShapesMatch<["input", "result"]>, AllTypesMatch<["cos", "sin"]>]> {
  let summary = "rotate pairs of elements of each head";
  let description = [{
    A head is a row of the last dimension. Of the `width` elements of a head
    from `offset` on, pair `i` is, from there, elements `2 * i` and `2 * i + 1`
    (`interleaved`), or elements `i` and `i + width / 2` (`half`). Each pair
    `(a, b)` becomes

        (a * cos - b * sin, b * cos + a * sin)

    With `inverse`, `sin` is `-sin`. Each product is computed in f32 and rounded
    to `product`; the sum of two is computed in f32 and rounded to the element
    type of `result`. Nothing is contracted. The other elements of a head are
    rounded to that type alone, so that they stay as they are if the types are
    equal.

    Shapes, for `input : ... x D`: `cos` and `sin` have up to the rank of
    `input`. Their extents before the last are, from the front, those of `input`
    or 1; they are the same for all indices of the other dimensions, as of
    heads. The last one is `width / 2`, an entry a pair, or `width`, an entry an
    element. Unless it is given, `width` is `D` for tables of `D` columns, else
    twice their columns. `D` and the columns are static.

    ```mlir
    // DeepSeek-V4: back, on the last 64 elements of each head.
    %y = qfuse.rope %x, %cos, %sin
        {inverse, offset = 448, style = #qfuse.rope_style<interleaved>}
        : tensor<?x16x512xbf16>, tensor<?x32xf32>, tensor<?x32xf32>
          -> tensor<?x16x512xf32>
    // GPT-NeoX: a quarter of each head, tables of an entry an element, and
    // products that are rounded as PyTorch does.
    %z = qfuse.rope %q, %c, %s
        {product = bf16, style = #qfuse.rope_style<half>, width = 24}
        : tensor<2x?x8x96xbf16>, tensor<2x?x24xbf16>, tensor<2x?x24xbf16>
          -> tensor<2x?x8x96xbf16>
    ```
  }];
  let arguments = (ins QFuse_FloatTensor:$input, QFuse_FloatTensor:$cos,
    QFuse_FloatTensor:$sin,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$offset,
    OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$width,
    UnitAttr:$inverse,
    DefaultValuedAttr<TypeAttrOf<QFuse_Float>,
      "::mlir::Float32Type::get($_builder.getContext())">:$product,
    QFuse_RopeStyleAttr:$style);
  let results = (outs QFuse_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $cos `,` $sin attr-dict
    `:` type($input) `,` type($cos) `,` type($sin) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the number of elements of a head that are rotated: `width`, or
    /// what the tables say without it.
    int64_t getRotatedWidth();
  }];
}

def QFuse_GatedActivationOp : QFuse_FusibleOp<
    "gated_activation", "elementwise", [
    AllShapesMatch<["gate", "up", "result"]>]> {
  let summary = "multiply by an activated gate";
  let description = [{
    Computes `f(gate) * up`, element by element: `f(gate)` in f32, rounded to
    `activated`; the product in f32, rounded to the element type of `result`.
    The activations `f(x)` are

    - `silu`: `x / (1 + exp(-x))`;
    - `gelu_tanh`: `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))`;
    - `gelu_erf`: `x / 2 * (1 + erf(x / sqrt(2)))`.

    Each is NaN at minus infinity. Shapes: those of `gate`, `up` and `result`
    are equal. An implementation may err by 3 ulps in exp, 5
    in tanh and 16 in erf, and round each of its other steps. `activated` is f32
    as in AITER and FlashInfer, or the type of the model as in vLLM and PyTorch.

    ```mlir
    %y = qfuse.gated_activation %gate, %up
        {activated = bf16, activation = #qfuse.activation<silu>}
        : tensor<?x2048xbf16>, tensor<?x2048xbf16> -> tensor<?x2048xbf16>
    ```
  }];
  let arguments = (ins QFuse_FloatTensor:$gate, QFuse_FloatTensor:$up,
    DefaultValuedAttr<TypeAttrOf<QFuse_Float>,
      "::mlir::Float32Type::get($_builder.getContext())">:$activated,
    QFuse_ActivationAttr:$activation);
  let results = (outs QFuse_FloatTensor:$result);
  let assemblyFormat = [{
    $gate `,` $up attr-dict
    `:` type($gate) `,` type($up) `->` type($result)
  }];
}

def QFuse_GatherRowsOp : QFuse_FusibleOp<"gather_rows", "view", [],
                                         ["getExtentSource"]> {
  let summary = "read rows by their indices";
  let description = [{
    Row `indices[i]` of `source` becomes row `i` of `result`, bit by bit, also
    where elements have four bits. A row whose index is negative, or not below
    the number of rows, has all bits zero: as codes it stands for zeros, with
    whatever scale; and so has each row of a cache that is not there yet.

    Cached values are decoded by gathering their codes and their scales, plain
    or packed, and a `dequantize` of both, which a kernel fuses:

    ```mlir
    %c = qfuse.gather_rows %codes, %slots
        : tensor<?x512xf4E2M1FN>, tensor<?xi32> -> tensor<?x512xf4E2M1FN>
    %s = qfuse.gather_rows %scales, %slots
        : !qfuse.packed<?x16xf8E8M0FNU, #mx_shuffle>, tensor<?xi32>
          -> tensor<?x16xf8E8M0FNU>
    %x = qfuse.dequantize %c by %s {format = #mxfp4}
        : tensor<?x512xf4E2M1FN>, tensor<?x16xf8E8M0FNU> -> tensor<?x512xbf16>
    ```

    Shapes, for `source : N x ...` and `indices : M x ...`: `result` is
    `M x ... x ...`, the extents of `indices` and those of a row.
  }];
  let arguments = (ins QFuse_RowsOrPacked:$source,
    QFuse_RowsOf<[I32]>:$indices);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source `,` $indices attr-dict
    `:` type($source) `,` type($indices) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // QFUSE_IR_QFUSEMODELOPS_TD
