// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_IR_QFUSEOPS_TD
#define QFUSE_IR_QFUSEOPS_TD

include "qfuse/IR/QFuseCollectiveOps.td"
include "qfuse/IR/QFuseKernelOps.td"
include "qfuse/IR/QFuseModelOps.td"
include "qfuse/IR/QFuseStorageOps.td"

def QFuse_RmsNormOp : QFuse_FusibleOp<"rms_norm", "row_reduction", [
    AllShapesMatch<["input", "result"]>]> {
  let summary = "normalize each row by its root mean square";
  let description = [{
    Computes `input * rsqrt(mean(input^2) + epsilon)` along the last dimension,
    in f32, rounds it to `normalized`, multiplies it by `weight + weight_offset`,
    and rounds to the element type of `result`. `weight_offset` is 0 or 1.

    Shapes, for `input : ... x K`: `weight` is `K`, `result` is `... x K`.

    ```mlir
    %y = qfuse.rms_norm %x weight(%w : tensor<4096xbf16>)
        {epsilon = 1.0e-6 : f32, normalized = bf16}
        : tensor<?x4096xbf16> -> tensor<?x4096xbf16>
    ```
  }];
  let arguments = (ins QFuse_FloatTensor:$input,
    Optional<1DTensorOf<[QFuse_Float]>>:$weight,
    // Before a required attribute: as the last one, a default that needs the
    // builder would become a default argument of `build`.
    DefaultValuedAttr<TypeAttrOf<QFuse_Float>,
      "::mlir::Float32Type::get($_builder.getContext())">:$normalized,
    DefaultValuedAttr<F32Attr, "0.0f">:$weight_offset,
    F32Attr:$epsilon);
  let results = (outs QFuse_FloatTensor:$result);
  let assemblyFormat = [{
    $input (`weight` `(` $weight^ `:` type($weight) `)`)? attr-dict
    `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
}

def QFuse_BlockScaleOp : QFuse_FusibleOp<"block_scale", "block_reduction", [],
                                         ["getExtentSource"]> {
  let summary = "compute the scale of each block";
  let description = [{
    Computes, for each block of `format`, the scale that `rule` makes of
    `amax = max |input|` over the block, such as `amax / max`, and rounds it to
    the scale type.

    Shapes, for `input : M x K` and a block of `B0 x B1`: `scales` is
    `ceil(M / B0) x ceil(K / B1)`, of the scale type of `format`; `outer`, for a
    format with an outer scale, is `1 x 1`. A block at the end of an extent that
    is no multiple has the elements that are left.

    ```mlir
    %s = qfuse.block_scale %x {format = #fp8_block, rule = #rule}
        : tensor<?x4096xbf16> -> tensor<?x32xf32>
    %t = qfuse.block_scale %x outer(%o : tensor<1x1xf32>) {format = #nvfp4, rule = #rule}
        : tensor<?x4096xbf16> -> tensor<?x256xf8E4M3FN>
    ```
  }];
  let arguments = (ins QFuse_FloatTensor:$input,
    Optional<AnyRankedTensor>:$outer,
    QFuse_FormatAttr:$format, QFuse_ScaleRuleAttr:$rule);
  let results = (outs QFuse_TensorOrPacked:$scales);
  let assemblyFormat = [{
    $input (`outer` `(` $outer^ `:` type($outer) `)`)? attr-dict
    `:` type($input) `->` type($scales)
  }];
  let hasVerifier = 1;
}

def QFuse_QuantizeOp : QFuse_FusibleOp<"quantize", "quantize", [
    AllShapesMatch<["input", "result"]>]> {
  let summary = "encode a value by given scales";
  let description = [{
    Computes `round(input / scale)` in the type of `result`, with the division,
    clamp, rounding and overflow that `rule` states. `scale` is that of the
    block of `format` in which the element is, times `outer` for a format with
    an outer scale. Static quantization is this op alone.

    Shapes, for `input : M x K` and a block of `B0 x B1`: `result` is `M x K`,
    `scales` is `ceil(M / B0) x ceil(K / B1)`, `outer` is `1 x 1`.

    ```mlir
    %q = qfuse.quantize %x by %s {format = #fp8_block}
        : tensor<?x4096xbf16>, tensor<?x32xf32> -> tensor<?x4096xf8E4M3FN>
    ```
  }];
  let arguments = (ins QFuse_FloatTensor:$input, QFuse_TensorOrPacked:$scales,
    Optional<AnyRankedTensor>:$outer,
    DefaultValuedAttr<QFuse_EncodeRuleAttr,
      "::mlir::qfuse::EncodeRuleAttr::get($_builder.getContext(), {}, {}, {}, {}, {})">:$rule,
    QFuse_FormatAttr:$format);
  let results = (outs QFuse_Codes:$result);
  let assemblyFormat = [{
    $input `by` $scales (`outer` `(` $outer^ `:` type($outer) `)`)? attr-dict
    `:` type($input) `,` type($scales) `->` type($result)
  }];
  let hasVerifier = 1;
}

def QFuse_DequantizeOp : QFuse_FusibleOp<"dequantize", "elementwise", [
    AllShapesMatch<["input", "result"]>]> {
  let summary = "decode codes by their scales";
  let description = [{
    Computes `input * scale` (`* outer` for a format with an outer scale) in
    f32, and rounds to the element type of `result`.

    Shapes, for `input : M x K` and a block of `B0 x B1`: `result` is `M x K`,
    `scales` is `ceil(M / B0) x ceil(K / B1)`, `outer` is `1 x 1`.

    ```mlir
    %x = qfuse.dequantize %q by %s {format = #fp8_block}
        : tensor<?x4096xf8E4M3FN>, tensor<?x32xf32> -> tensor<?x4096xbf16>
    ```
  }];
  let arguments = (ins QFuse_Codes:$input, QFuse_TensorOrPacked:$scales,
    Optional<AnyRankedTensor>:$outer, QFuse_FormatAttr:$format);
  let results = (outs QFuse_FloatTensor:$result);
  let assemblyFormat = [{
    $input `by` $scales (`outer` `(` $outer^ `:` type($outer) `)`)? attr-dict
    `:` type($input) `,` type($scales) `->` type($result)
  }];
  let hasVerifier = 1;
}

def QFuse_ScaledMatmulOp : QFuse_FusibleOp<"scaled_matmul", "contraction", [
    AttrSizedOperandSegments], ["getExtentSource"]> {
  let summary = "multiply quantized matrices, accumulating in f32";
  let description = [{
    Computes `dequantize(A) * transpose(dequantize(B)) + bias`, with the scales
    applied where `scale_order` says, and rounds to the element type of
    `result`. Each operand may be packed, and so may its scales.

    Shapes: `A : M x K`, `B : N x K`, `bias : N`, `result : M x N`; A, B and
    `result` may have a batch dimension in front. The scales are those of
    `a_format` and `b_format`, of the rank of their operand. N and K need not be
    multiples of a block.

    ```mlir
    %y = qfuse.scaled_matmul %a by %as, %b by %bs bias(%v : tensor<80xf32>)
        {a_format = #fp8_per_token, b_format = #fp8_per_token,
         scale_order = #qfuse.scale_order<a_then_b>}
        : tensor<?x1024xf8E4M3FN>, tensor<?x1xf32>,
          tensor<80x1024xf8E4M3FN>, tensor<80x1xf32> -> tensor<?x80xbf16>
    ```
  }];
  let arguments = (ins
    QFuse_Codes:$a, QFuse_TensorOrPacked:$a_scales, Optional<AnyRankedTensor>:$outer_a,
    QFuse_Codes:$b, QFuse_TensorOrPacked:$b_scales, Optional<AnyRankedTensor>:$outer_b,
    Optional<1DTensorOf<[QFuse_Float]>>:$bias,
    DefaultValuedAttr<QFuse_ScaleOrderAttr,
      "::mlir::qfuse::ScaleOrder::per_block">:$scale_order,
    QFuse_FormatAttr:$a_format, QFuse_FormatAttr:$b_format);
  let results = (outs QFuse_FloatTensor:$result);
  let assemblyFormat = [{
    $a `by` $a_scales (`outer_a` `(` $outer_a^ `:` type($outer_a) `)`)? `,`
    $b `by` $b_scales (`outer_b` `(` $outer_b^ `:` type($outer_b) `)`)?
    (`bias` `(` $bias^ `:` type($bias) `)`)? attr-dict
    `:` type($a) `,` type($a_scales) `,` type($b) `,` type($b_scales)
    `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // QFUSE_IR_QFUSEOPS_TD
