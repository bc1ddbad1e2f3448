// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of presets and layouts. IR never refers to an entry by name: an
// entry may change without changing the meaning of IR that exists.
//
// An attribute is printed under the first alias that equals it. The text of an
// alias is one line, as the printer reads these lines alone.
//
// A preset is a function from a value (and, if they are given, its scales) to
// its codes and scales. The element type of its input says whether the value is
// rounded before it is quantized. A rule with `zero = nan` makes NaN of a zero
// block. What none of the rules can say is a declaration with `not_expressible`.
//
// A layout is a declaration whose arguments are the elements that it is for.
// Where the source leaves the padding undefined, so does `pad`.
//
// What a source does with a NaN in its input is not part of its entry.

// Formats.
#fp8_per_tensor = #qfuse.format<block = [0, 0]>
#fp8_per_token = #qfuse.format<block = [1, 0]>
#fp8_block = #qfuse.format<block = [1, 128]>
#fp8_block_pow = #qfuse.format<block = [1, 128], scale_type = f8E8M0FNU>
#mxfp = #qfuse.format<block = [1, 32], scale_type = f8E8M0FNU>
#bf16_per_tensor = #qfuse.format<block = [0, 0], scale_type = bf16>
#bf16_per_token = #qfuse.format<block = [1, 0], scale_type = bf16>
#bf16_block = #qfuse.format<block = [1, 128], scale_type = bf16>

// Rules of scales.
#aiter_mxfp4_roundup = #qfuse.scale_rule<max = 6.0, divide = by_reciprocal_constant, amax_floor = 1.0e-10, pow2 = roundup>
#aiter_mxfp4_rounddown = #qfuse.scale_rule<max = 6.0, pow2 = floor>
#aiter_mxfp4_even = #qfuse.scale_rule<max = 6.0, pow2 = even>
#aiter_mxfp4_ceil = #qfuse.scale_rule<max = 6.0, pow2 = ceil>
#aiter_mxfp8_roundup = #qfuse.scale_rule<max = 448.0, divide = by_reciprocal_constant, amax_floor = 1.0e-10, pow2 = roundup>
#aiter_mxfp8_rounddown = #qfuse.scale_rule<max = 448.0, pow2 = floor>
#aiter_mxfp8_even = #qfuse.scale_rule<max = 448.0, pow2 = even, even_bits = 3>
#aiter_mxfp8_ceil = #qfuse.scale_rule<max = 448.0, pow2 = ceil>
#aiter_mxfp8fnuz_roundup = #qfuse.scale_rule<max = 240.0, divide = by_reciprocal_constant, amax_floor = 1.0e-10, pow2 = roundup>
#aiter_mxfp8fnuz_rounddown = #qfuse.scale_rule<max = 240.0, pow2 = floor>
#aiter_mxfp8fnuz_even = #qfuse.scale_rule<max = 240.0, pow2 = even, even_bits = 3>
#aiter_mxfp8fnuz_ceil = #qfuse.scale_rule<max = 240.0, pow2 = ceil>
#aiter_triton_mxfp8_even = #qfuse.scale_rule<max = 448.0, pow2 = even>
#flashinfer_mxfp4_roundup = #qfuse.scale_rule<max = 6.0, divide = by_reciprocal_constant, pow2 = roundup>
#aiter_inverse_rope_fp8_roundup = #qfuse.scale_rule<max = 448.0, divide = by_reciprocal_constant, amax_floor = 1.0e-8, pow2 = roundup>
#flashinfer_allreduce_fp8_block_roundup = #qfuse.scale_rule<max = 448.0, scale_floor = 1.0e-10, pow2 = roundup>
#aiter_norm_fp8_per_token = #qfuse.scale_rule<max = 448.0, divide = by_reciprocal_constant, amax_floor = 1.0e-10>
#aiter_norm_fnuz_per_token = #qfuse.scale_rule<max = 240.0, divide = by_reciprocal_constant, amax_floor = 1.0e-10>
#aiter_norm_int8_per_token = #qfuse.scale_rule<max = 127.0, divide = by_reciprocal_constant, amax_floor = 1.0e-10>
#aiter_opus_int8_per_token = #qfuse.scale_rule<max = 127.0>
#aiter_fp8_per_token = #qfuse.scale_rule<max = 448.0, divide = by_reciprocal_constant, zero = nan>
#aiter_triton_fp8_block = #qfuse.scale_rule<max = 448.0, amax_floor = 1.0e-10>
#aiter_allreduce_fp8_per_token = #qfuse.scale_rule<max = 448.0, zero = one>
#aiter_fnuz_per_token = #qfuse.scale_rule<max = 240.0, divide = by_reciprocal_constant, zero = nan>
#aiter_triton_fnuz_block = #qfuse.scale_rule<max = 240.0, amax_floor = 1.0e-10>
#aiter_allreduce_fnuz_per_token = #qfuse.scale_rule<max = 240.0, zero = one>
#vllm_fp8_per_token = #qfuse.scale_rule<max = 448.0, scale_floor = 4.359654017857143e-6>
#vllm_fnuz_per_token = #qfuse.scale_rule<max = 224.0, scale_floor = 8.719308035714286e-6>
#vllm_fnuz_block = #qfuse.scale_rule<max = 224.0, amax_floor = 1.0e-10>
#vllm_int8_per_token = #qfuse.scale_rule<max = 127.0, scale_floor = 1.1920928955078125e-7>
#sglang_fp8_per_token = #qfuse.scale_rule<max = 448.0, zero = nan>
#flashinfer_allreduce_fp8_block = #qfuse.scale_rule<max = 448.0, scale_floor = 1.0e-10>
#torch_int8_per_token = #qfuse.scale_rule<max = 127.5, scale_floor = 1.1920928955078125e-7>

// Layouts.
#col = #qfuse.layout<map = (m, k) -> (k, m)>
#col_aligned = #qfuse.layout<map = (m, k) -> (k, m), align = [4, 1]>
#mx_shuffle = #qfuse.layout<map = (m, k) -> (m floordiv 32, k floordiv 8, k mod 4, m mod 16, (k floordiv 4) mod 2, (m floordiv 16) mod 2), align = [256, 8]>
#mfma_tile = #qfuse.layout<map = (s, g, k) -> (g, s floordiv 32, k floordiv 8, k mod 4, s mod 16, (k floordiv 4) mod 2, (s floordiv 16) mod 2)>
#mfma_tile_wide = #qfuse.layout<map = (s, g, k) -> (g, s floordiv 32, k floordiv 2, s mod 16, k mod 2, (s floordiv 16) mod 2)>
#n32k4_scale = #qfuse.layout<map = (s, g, k) -> (s floordiv 32, g, k floordiv 4, s mod 32, k mod 4)>
#nv_128x4_scale = #qfuse.layout<map = (m, k) -> (m floordiv 128, k floordiv 4, m mod 32, (m floordiv 32) mod 4, k mod 4), pad = zero>
#nv_8x4_scale = #qfuse.layout<map = (m, k) -> (m floordiv 8, k floordiv 4, m mod 8, k mod 4), pad = zero>
#deepgemm_words = #qfuse.layout<map = (m, k) -> (k floordiv 4, m, k mod 4), align = [4, 4], pad = zero>
#iree_gfx950_scale = #qfuse.layout<map = (m, k) -> (m floordiv 16, k floordiv 16, k mod 4, m mod 16, (k floordiv 4) mod 4)>
#weight_16x16_byte = #qfuse.layout<map = (n, k) -> (n floordiv 16, k floordiv 32, (k floordiv 16) mod 2, n mod 16, k mod 16)>
#weight_16x16_nibble = #qfuse.layout<map = (n, k) -> (n floordiv 16, k floordiv 64, (k floordiv 32) mod 2, n mod 16, k mod 32)>
#weight_16x16_half = #qfuse.layout<map = (n, k) -> (n floordiv 16, k floordiv 32, (k floordiv 8) mod 4, n mod 16, k mod 8)>
#weight_32x16_byte = #qfuse.layout<map = (n, k) -> (n floordiv 32, k floordiv 32, (k floordiv 16) mod 2, n mod 32, k mod 16)>
#gate_up_interleave_byte = #qfuse.layout<map = (h, n, k) -> (n floordiv 16, h, k floordiv 64, (k floordiv 16) mod 4, n mod 16, k mod 16)>
#gate_up_interleave_nibble = #qfuse.layout<map = (h, n, k) -> (n floordiv 16, h, k floordiv 128, (k floordiv 32) mod 4, n mod 16, k mod 32)>

// Presets.

func.func @aiter_mxfp4_roundup(%x: tensor<?x?xf32>) -> (tensor<?x?xf4E2M1FN>, tensor<?x?xf8E8M0FNU>) attributes {summary = "the smallest power of two that clips nothing: norm, activation and stand-alone kernels", source = "aiter csrc/include/mx_quant_utils.h, MxScaleRoundMode::RoundUp"} {
  %s = qfuse.block_scale %x {format = #mxfp, rule = #aiter_mxfp4_roundup} : tensor<?x?xf32> -> tensor<?x?xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #mxfp} : tensor<?x?xf32>, tensor<?x?xf8E8M0FNU> -> tensor<?x?xf4E2M1FN>
  return %q, %s : tensor<?x?xf4E2M1FN>, tensor<?x?xf8E8M0FNU>
}
func.func @aiter_mxfp4_rounddown(%x: tensor<?x?xf32>) -> (tensor<?x?xf4E2M1FN>, tensor<?x?xf8E8M0FNU>) attributes {summary = "the power of two of the OCP specification, which clips", source = "aiter csrc/include/mx_quant_utils.h, MxScaleRoundMode::RoundDown"} {
  %s = qfuse.block_scale %x {format = #mxfp, rule = #aiter_mxfp4_rounddown} : tensor<?x?xf32> -> tensor<?x?xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #mxfp} : tensor<?x?xf32>, tensor<?x?xf8E8M0FNU> -> tensor<?x?xf4E2M1FN>
  return %q, %s : tensor<?x?xf4E2M1FN>, tensor<?x?xf8E8M0FNU>
}
func.func @aiter_mxfp4_even(%x: tensor<?x?xf32>) -> (tensor<?x?xf4E2M1FN>, tensor<?x?xf8E8M0FNU>) attributes {summary = "the power of two of amax rounded to the mantissa of the codes, which clips", source = "aiter csrc/include/mx_quant_utils.h, MxScaleRoundMode::Even"} {
  %s = qfuse.block_scale %x {format = #mxfp, rule = #aiter_mxfp4_even} : tensor<?x?xf32> -> tensor<?x?xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #mxfp} : tensor<?x?xf32>, tensor<?x?xf8E8M0FNU> -> tensor<?x?xf4E2M1FN>
  return %q, %s : tensor<?x?xf4E2M1FN>, tensor<?x?xf8E8M0FNU>
}
func.func @aiter_mxfp4_ceil(%x: tensor<?x?xf32>) -> (tensor<?x?xf4E2M1FN>, tensor<?x?xf8E8M0FNU>) attributes {summary = "the power of two at least amax, one step coarser", source = "aiter csrc/include/mx_quant_utils.h, MxScaleRoundMode::Ceil"} {
  %s = qfuse.block_scale %x {format = #mxfp, rule = #aiter_mxfp4_ceil} : tensor<?x?xf32> -> tensor<?x?xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #mxfp} : tensor<?x?xf32>, tensor<?x?xf8E8M0FNU> -> tensor<?x?xf4E2M1FN>
  return %q, %s : tensor<?x?xf4E2M1FN>, tensor<?x?xf8E8M0FNU>
}
func.func @aiter_mxfp8_roundup(%x: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>) attributes {summary = "the smallest power of two that clips nothing: norm, activation and stand-alone kernels", source = "aiter csrc/include/mx_quant_utils.h, MxScaleRoundMode::RoundUp"} {
  %s = qfuse.block_scale %x {format = #mxfp, rule = #aiter_mxfp8_roundup} : tensor<?x?xf32> -> tensor<?x?xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #mxfp} : tensor<?x?xf32>, tensor<?x?xf8E8M0FNU> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
}
func.func @aiter_mxfp8_rounddown(%x: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>) attributes {summary = "the power of two of the OCP specification, which clips", source = "aiter csrc/include/mx_quant_utils.h, MxScaleRoundMode::RoundDown"} {
  %s = qfuse.block_scale %x {format = #mxfp, rule = #aiter_mxfp8_rounddown} : tensor<?x?xf32> -> tensor<?x?xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #mxfp} : tensor<?x?xf32>, tensor<?x?xf8E8M0FNU> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
}
func.func @aiter_mxfp8_even(%x: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>) attributes {summary = "the power of two of amax rounded to the mantissa of the codes, which clips", source = "aiter csrc/include/mx_quant_utils.h, MxScaleRoundMode::Even"} {
  %s = qfuse.block_scale %x {format = #mxfp, rule = #aiter_mxfp8_even} : tensor<?x?xf32> -> tensor<?x?xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #mxfp} : tensor<?x?xf32>, tensor<?x?xf8E8M0FNU> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
}
func.func @aiter_mxfp8_ceil(%x: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>) attributes {summary = "the power of two at least amax, one step coarser", source = "aiter csrc/include/mx_quant_utils.h, MxScaleRoundMode::Ceil"} {
  %s = qfuse.block_scale %x {format = #mxfp, rule = #aiter_mxfp8_ceil} : tensor<?x?xf32> -> tensor<?x?xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #mxfp} : tensor<?x?xf32>, tensor<?x?xf8E8M0FNU> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
}
func.func @aiter_mxfp8fnuz_roundup(%x: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf8E8M0FNU>) attributes {summary = "the smallest power of two that clips nothing: norm, activation and stand-alone kernels", source = "aiter csrc/include/mx_quant_utils.h, MxScaleRoundMode::RoundUp"} {
  %s = qfuse.block_scale %x {format = #mxfp, rule = #aiter_mxfp8fnuz_roundup} : tensor<?x?xf32> -> tensor<?x?xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #mxfp} : tensor<?x?xf32>, tensor<?x?xf8E8M0FNU> -> tensor<?x?xf8E4M3FNUZ>
  return %q, %s : tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf8E8M0FNU>
}
func.func @aiter_mxfp8fnuz_rounddown(%x: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf8E8M0FNU>) attributes {summary = "the power of two of the OCP specification, which clips", source = "aiter csrc/include/mx_quant_utils.h, MxScaleRoundMode::RoundDown"} {
  %s = qfuse.block_scale %x {format = #mxfp, rule = #aiter_mxfp8fnuz_rounddown} : tensor<?x?xf32> -> tensor<?x?xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #mxfp} : tensor<?x?xf32>, tensor<?x?xf8E8M0FNU> -> tensor<?x?xf8E4M3FNUZ>
  return %q, %s : tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf8E8M0FNU>
}
func.func @aiter_mxfp8fnuz_even(%x: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf8E8M0FNU>) attributes {summary = "the power of two of amax rounded to the mantissa of the codes, which clips", source = "aiter csrc/include/mx_quant_utils.h, MxScaleRoundMode::Even"} {
  %s = qfuse.block_scale %x {format = #mxfp, rule = #aiter_mxfp8fnuz_even} : tensor<?x?xf32> -> tensor<?x?xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #mxfp} : tensor<?x?xf32>, tensor<?x?xf8E8M0FNU> -> tensor<?x?xf8E4M3FNUZ>
  return %q, %s : tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf8E8M0FNU>
}
func.func @aiter_mxfp8fnuz_ceil(%x: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf8E8M0FNU>) attributes {summary = "the power of two at least amax, one step coarser", source = "aiter csrc/include/mx_quant_utils.h, MxScaleRoundMode::Ceil"} {
  %s = qfuse.block_scale %x {format = #mxfp, rule = #aiter_mxfp8fnuz_ceil} : tensor<?x?xf32> -> tensor<?x?xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #mxfp} : tensor<?x?xf32>, tensor<?x?xf8E8M0FNU> -> tensor<?x?xf8E4M3FNUZ>
  return %q, %s : tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf8E8M0FNU>
}
func.func @aiter_triton_mxfp4_even(%x: tensor<?x?xf32>) -> (tensor<?x?xf4E2M1FN>, tensor<?x?xf8E8M0FNU>) attributes {summary = "rounds amax to one mantissa bit", source = "aiter Triton _mxfp4_quant_op"} {
  %s = qfuse.block_scale %x {format = #mxfp, rule = #aiter_mxfp4_even} : tensor<?x?xf32> -> tensor<?x?xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #mxfp} : tensor<?x?xf32>, tensor<?x?xf8E8M0FNU> -> tensor<?x?xf4E2M1FN>
  return %q, %s : tensor<?x?xf4E2M1FN>, tensor<?x?xf8E8M0FNU>
}
func.func @aiter_triton_mxfp8_even(%x: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>) attributes {summary = "rounds amax to one mantissa bit, which is that of fp4", source = "aiter Triton _mxfp8_quant_op"} {
  %s = qfuse.block_scale %x {format = #mxfp, rule = #aiter_triton_mxfp8_even} : tensor<?x?xf32> -> tensor<?x?xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #mxfp} : tensor<?x?xf32>, tensor<?x?xf8E8M0FNU> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
}
func.func @aiter_allreduce_mxfp4_even(%x: tensor<?x?xf32>) -> (tensor<?x?xf4E2M1FN>, tensor<?x?xf8E8M0FNU>) attributes {summary = "ties of the codes go away from zero", source = "aiter ar_mxfp4_scale_e8m0, ar_mxfp4_encode"} {
  %s = qfuse.block_scale %x {format = #mxfp, rule = #aiter_mxfp4_even} : tensor<?x?xf32> -> tensor<?x?xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #mxfp, rule = #qfuse.encode_rule<round = rna>} : tensor<?x?xf32>, tensor<?x?xf8E8M0FNU> -> tensor<?x?xf4E2M1FN>
  return %q, %s : tensor<?x?xf4E2M1FN>, tensor<?x?xf8E8M0FNU>
}
func.func @quark_mxfp4_even(%x: tensor<?x?xbf16>) -> (tensor<?x?xf4E2M1FN>, tensor<?x?xf8E8M0FNU>) attributes {summary = "weights of Quark's checkpoints", source = "comment of aiter csrc/include/mx_quant_utils.h"} {
  %s = qfuse.block_scale %x {format = #mxfp, rule = #aiter_mxfp4_even} : tensor<?x?xbf16> -> tensor<?x?xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #mxfp} : tensor<?x?xbf16>, tensor<?x?xf8E8M0FNU> -> tensor<?x?xf4E2M1FN>
  return %q, %s : tensor<?x?xf4E2M1FN>, tensor<?x?xf8E8M0FNU>
}
func.func @flashinfer_mxfp4_roundup(%x: tensor<?x?xbf16>) -> (tensor<?x?xf4E2M1FN>, tensor<?x?xf8E8M0FNU>) attributes {summary = "no floor: the exponent of a zero block is the smallest one", source = "flashinfer fp4 quantization, cudaRoundPosInf"} {
  %s = qfuse.block_scale %x {format = #mxfp, rule = #flashinfer_mxfp4_roundup} : tensor<?x?xbf16> -> tensor<?x?xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #mxfp} : tensor<?x?xbf16>, tensor<?x?xf8E8M0FNU> -> tensor<?x?xf4E2M1FN>
  return %q, %s : tensor<?x?xf4E2M1FN>, tensor<?x?xf8E8M0FNU>
}
func.func @aiter_inverse_rope_fp8_roundup(%x: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>) attributes {summary = "groups of 128; those of 32 and 64 differ in the block", source = "aiter inverse_rope_group_quant"} {
  %s = qfuse.block_scale %x {format = #fp8_block_pow, rule = #aiter_inverse_rope_fp8_roundup} : tensor<?x?xf32> -> tensor<?x?xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #fp8_block_pow} : tensor<?x?xf32>, tensor<?x?xf8E8M0FNU> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
}
func.func @vllm_inverse_rope_fp8_roundup(%x: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf32>) attributes {summary = "a power of two stored as f32", source = "vllm inverse rope kernel: exp2(ceil(log2(amax * (1 / 448))))"} {
  %s = qfuse.block_scale %x {format = #fp8_block, rule = #aiter_mxfp8_roundup} : tensor<?x?xf32> -> tensor<?x?xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_block} : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x?xf32>
}
func.func @sglang_fp8_block_roundup(%x: tensor<?x?xbf16>) -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>) attributes {summary = "quantizes by the rounded scale", source = "sglang per_token_group_quant_8bit_v2.cu, column-major with UE8M0"} {
  %s = qfuse.block_scale %x {format = #fp8_block_pow, rule = #aiter_mxfp8_roundup} : tensor<?x?xbf16> -> tensor<?x?xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #fp8_block_pow} : tensor<?x?xbf16>, tensor<?x?xf8E8M0FNU> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
}
func.func @flashinfer_allreduce_fp8_block_roundup(%x: tensor<?x?xbf16>) -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>) attributes {summary = "reads the norm rounded to the model type", source = "flashinfer include/flashinfer/comm/trtllm_allreduce_fusion.cuh, packed UE8M0"} {
  %s = qfuse.block_scale %x {format = #fp8_block_pow, rule = #flashinfer_allreduce_fp8_block_roundup} : tensor<?x?xbf16> -> tensor<?x?xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #fp8_block_pow, rule = #qfuse.encode_rule<max = 448.0, min = -448.0>} : tensor<?x?xbf16>, tensor<?x?xf8E8M0FNU> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x?xf8E8M0FNU>
}
func.func @aiter_norm_fp8_per_token(%x: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FN>, tensor<?x1xf32>) attributes {summary = "quantizes the value before it is rounded; v_rcp_f32", source = "aiter (add_)rmsnorm_quant, fused_qk_rmsnorm_*_quant, silu_and_mul_quant"} {
  %s = qfuse.block_scale %x {format = #fp8_per_token, rule = #aiter_norm_fp8_per_token} : tensor<?x?xf32> -> tensor<?x1xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_per_token, rule = #qfuse.encode_rule<apply = reciprocal_approx, max = 448.0, min = -448.0>} : tensor<?x?xf32>, tensor<?x1xf32> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x1xf32>
}
func.func @aiter_norm_fp8_block(%x: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf32>) attributes {summary = "quantizes the value before it is rounded; v_rcp_f32", source = "aiter (add_)rmsnorm_quant, fused_qk_rmsnorm_*_quant, silu_and_mul_quant"} {
  %s = qfuse.block_scale %x {format = #fp8_block, rule = #aiter_norm_fp8_per_token} : tensor<?x?xf32> -> tensor<?x?xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_block, rule = #qfuse.encode_rule<apply = reciprocal_approx, max = 448.0, min = -448.0>} : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x?xf32>
}
func.func @aiter_norm_fnuz_per_token(%x: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FNUZ>, tensor<?x1xf32>) attributes {summary = "quantizes the value before it is rounded; v_rcp_f32", source = "aiter (add_)rmsnorm_quant, fused_qk_rmsnorm_*_quant, silu_and_mul_quant"} {
  %s = qfuse.block_scale %x {format = #fp8_per_token, rule = #aiter_norm_fnuz_per_token} : tensor<?x?xf32> -> tensor<?x1xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_per_token, rule = #qfuse.encode_rule<apply = reciprocal_approx, max = 240.0, min = -240.0>} : tensor<?x?xf32>, tensor<?x1xf32> -> tensor<?x?xf8E4M3FNUZ>
  return %q, %s : tensor<?x?xf8E4M3FNUZ>, tensor<?x1xf32>
}
func.func @aiter_norm_fnuz_block(%x: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf32>) attributes {summary = "quantizes the value before it is rounded; v_rcp_f32", source = "aiter (add_)rmsnorm_quant, fused_qk_rmsnorm_*_quant, silu_and_mul_quant"} {
  %s = qfuse.block_scale %x {format = #fp8_block, rule = #aiter_norm_fnuz_per_token} : tensor<?x?xf32> -> tensor<?x?xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_block, rule = #qfuse.encode_rule<apply = reciprocal_approx, max = 240.0, min = -240.0>} : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf8E4M3FNUZ>
  return %q, %s : tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf32>
}
func.func @aiter_norm_int8_per_token(%x: tensor<?x?xf32>) -> (tensor<?x?xi8>, tensor<?x1xf32>) attributes {summary = "codes are truncated", source = "aiter rmsnorm_quant"} {
  %s = qfuse.block_scale %x {format = #fp8_per_token, rule = #aiter_norm_int8_per_token} : tensor<?x?xf32> -> tensor<?x1xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_per_token, rule = #qfuse.encode_rule<apply = reciprocal_approx, round = rtz>} : tensor<?x?xf32>, tensor<?x1xf32> -> tensor<?x?xi8>
  return %q, %s : tensor<?x?xi8>, tensor<?x1xf32>
}
func.func @aiter_opus_int8_per_token(%x: tensor<?x?xf32>) -> (tensor<?x?xi8>, tensor<?x1xf32>) attributes {summary = "a zero row has the scale 0 and the codes 0", source = "aiter opus rmsnorm quant"} {
  %s = qfuse.block_scale %x {format = #fp8_per_token, rule = #aiter_opus_int8_per_token} : tensor<?x?xf32> -> tensor<?x1xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_per_token, rule = #qfuse.encode_rule<apply = reciprocal>} : tensor<?x?xf32>, tensor<?x1xf32> -> tensor<?x?xi8>
  return %q, %s : tensor<?x?xi8>, tensor<?x1xf32>
}
func.func @aiter_fp8_block(%x: tensor<?x?xbf16>) -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf32>) attributes {summary = "multiplies by 1 / scale, rounded", source = "aiter HIP per-group quantization"} {
  %s = qfuse.block_scale %x {format = #fp8_block, rule = #aiter_norm_fp8_per_token} : tensor<?x?xbf16> -> tensor<?x?xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_block, rule = #qfuse.encode_rule<apply = reciprocal, max = 448.0, min = -448.0>} : tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x?xf32>
}
func.func @aiter_fp8_per_token(%x: tensor<?x?xbf16>) -> (tensor<?x?xf8E4M3FN>, tensor<?x1xf32>) attributes {summary = "no floor", source = "aiter HIP per-token quantization"} {
  %s = qfuse.block_scale %x {format = #fp8_per_token, rule = #aiter_fp8_per_token} : tensor<?x?xbf16> -> tensor<?x1xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_per_token, rule = #qfuse.encode_rule<apply = reciprocal_approx, max = 448.0, min = -448.0>} : tensor<?x?xbf16>, tensor<?x1xf32> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x1xf32>
}
func.func @aiter_triton_fp8_block(%x: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf32>) attributes {summary = "divides by max, multiplies by 1 / scale", source = "aiter Triton fused_rms_fp8_group_quant"} {
  %s = qfuse.block_scale %x {format = #fp8_block, rule = #aiter_triton_fp8_block} : tensor<?x?xf32> -> tensor<?x?xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_block, rule = #qfuse.encode_rule<apply = reciprocal, max = 448.0, min = -448.0>} : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x?xf32>
}
func.func @aiter_allreduce_fp8_per_token(%x: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FN>, tensor<?x1xf32>) attributes {summary = "the stages differ in what is rounded before the norm, not in this", source = "aiter fused all-reduce, norm and quantization"} {
  %s = qfuse.block_scale %x {format = #fp8_per_token, rule = #aiter_allreduce_fp8_per_token} : tensor<?x?xf32> -> tensor<?x1xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_per_token, rule = #qfuse.encode_rule<overflow = ieee>} : tensor<?x?xf32>, tensor<?x1xf32> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x1xf32>
}
func.func @aiter_allreduce_fp8_block(%x: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf32>) attributes {summary = "the stages differ in what is rounded before the norm, not in this", source = "aiter fused all-reduce, norm and quantization"} {
  %s = qfuse.block_scale %x {format = #fp8_block, rule = #aiter_allreduce_fp8_per_token} : tensor<?x?xf32> -> tensor<?x?xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_block, rule = #qfuse.encode_rule<overflow = ieee>} : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x?xf32>
}
func.func @aiter_fnuz_block(%x: tensor<?x?xbf16>) -> (tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf32>) attributes {summary = "multiplies by 1 / scale, rounded", source = "aiter HIP per-group quantization"} {
  %s = qfuse.block_scale %x {format = #fp8_block, rule = #aiter_norm_fnuz_per_token} : tensor<?x?xbf16> -> tensor<?x?xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_block, rule = #qfuse.encode_rule<apply = reciprocal, max = 240.0, min = -240.0>} : tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf8E4M3FNUZ>
  return %q, %s : tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf32>
}
func.func @aiter_fnuz_per_token(%x: tensor<?x?xbf16>) -> (tensor<?x?xf8E4M3FNUZ>, tensor<?x1xf32>) attributes {summary = "no floor", source = "aiter HIP per-token quantization"} {
  %s = qfuse.block_scale %x {format = #fp8_per_token, rule = #aiter_fnuz_per_token} : tensor<?x?xbf16> -> tensor<?x1xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_per_token, rule = #qfuse.encode_rule<apply = reciprocal_approx, max = 240.0, min = -240.0>} : tensor<?x?xbf16>, tensor<?x1xf32> -> tensor<?x?xf8E4M3FNUZ>
  return %q, %s : tensor<?x?xf8E4M3FNUZ>, tensor<?x1xf32>
}
func.func @aiter_triton_fnuz_block(%x: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf32>) attributes {summary = "divides by max, multiplies by 1 / scale", source = "aiter Triton fused_rms_fp8_group_quant"} {
  %s = qfuse.block_scale %x {format = #fp8_block, rule = #aiter_triton_fnuz_block} : tensor<?x?xf32> -> tensor<?x?xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_block, rule = #qfuse.encode_rule<apply = reciprocal, max = 240.0, min = -240.0>} : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf8E4M3FNUZ>
  return %q, %s : tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf32>
}
func.func @aiter_allreduce_fnuz_per_token(%x: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FNUZ>, tensor<?x1xf32>) attributes {summary = "the stages differ in what is rounded before the norm, not in this", source = "aiter fused all-reduce, norm and quantization"} {
  %s = qfuse.block_scale %x {format = #fp8_per_token, rule = #aiter_allreduce_fnuz_per_token} : tensor<?x?xf32> -> tensor<?x1xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_per_token, rule = #qfuse.encode_rule<overflow = ieee>} : tensor<?x?xf32>, tensor<?x1xf32> -> tensor<?x?xf8E4M3FNUZ>
  return %q, %s : tensor<?x?xf8E4M3FNUZ>, tensor<?x1xf32>
}
func.func @aiter_allreduce_fnuz_block(%x: tensor<?x?xf32>) -> (tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf32>) attributes {summary = "the stages differ in what is rounded before the norm, not in this", source = "aiter fused all-reduce, norm and quantization"} {
  %s = qfuse.block_scale %x {format = #fp8_block, rule = #aiter_allreduce_fnuz_per_token} : tensor<?x?xf32> -> tensor<?x?xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_block, rule = #qfuse.encode_rule<overflow = ieee>} : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf8E4M3FNUZ>
  return %q, %s : tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf32>
}
func.func @vllm_fp8_per_token(%x: tensor<?x?xbf16>) -> (tensor<?x?xf8E4M3FN>, tensor<?x1xf32>) attributes {summary = "the scale is at least 1 / (512 * 448)", source = "vllm csrc/quantization, _C dynamic quantization"} {
  %s = qfuse.block_scale %x {format = #fp8_per_token, rule = #vllm_fp8_per_token} : tensor<?x?xbf16> -> tensor<?x1xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_per_token, rule = #qfuse.encode_rule<max = 448.0, min = -448.0>} : tensor<?x?xbf16>, tensor<?x1xf32> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x1xf32>
}
func.func @vllm_fnuz_per_token(%x: tensor<?x?xbf16>) -> (tensor<?x?xf8E4M3FNUZ>, tensor<?x1xf32>) attributes {summary = "224 and not 240: csrc/quantization/utils.cuh", source = "vllm csrc/quantization, _C dynamic quantization"} {
  %s = qfuse.block_scale %x {format = #fp8_per_token, rule = #vllm_fnuz_per_token} : tensor<?x?xbf16> -> tensor<?x1xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_per_token, rule = #qfuse.encode_rule<max = 224.0, min = -224.0>} : tensor<?x?xbf16>, tensor<?x1xf32> -> tensor<?x?xf8E4M3FNUZ>
  return %q, %s : tensor<?x?xf8E4M3FNUZ>, tensor<?x1xf32>
}
func.func @vllm_fp8_block(%x: tensor<?x?xbf16>) -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf32>) attributes {summary = "groups of 128", source = "vllm csrc/quantization, _C dynamic quantization"} {
  %s = qfuse.block_scale %x {format = #fp8_block, rule = #aiter_triton_fp8_block} : tensor<?x?xbf16> -> tensor<?x?xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_block, rule = #qfuse.encode_rule<max = 448.0, min = -448.0>} : tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x?xf32>
}
func.func @vllm_fnuz_block(%x: tensor<?x?xbf16>) -> (tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf32>) attributes {summary = "groups of 128", source = "vllm csrc/quantization, _C dynamic quantization"} {
  %s = qfuse.block_scale %x {format = #fp8_block, rule = #vllm_fnuz_block} : tensor<?x?xbf16> -> tensor<?x?xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_block, rule = #qfuse.encode_rule<max = 224.0, min = -224.0>} : tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf8E4M3FNUZ>
  return %q, %s : tensor<?x?xf8E4M3FNUZ>, tensor<?x?xf32>
}
func.func @vllm_int8_per_token(%x: tensor<?x?xbf16>) -> (tensor<?x?xi8>, tensor<?x1xf32>) attributes {summary = "the scale is at least FLT_EPSILON; multiplies", source = "vllm csrc/quantization, _C dynamic quantization"} {
  %s = qfuse.block_scale %x {format = #fp8_per_token, rule = #vllm_int8_per_token} : tensor<?x?xbf16> -> tensor<?x1xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_per_token, rule = #qfuse.encode_rule<apply = reciprocal, max = 127.0, min = -128.0>} : tensor<?x?xbf16>, tensor<?x1xf32> -> tensor<?x?xi8>
  return %q, %s : tensor<?x?xi8>, tensor<?x1xf32>
}
func.func @vllm_fp8_static(%x: tensor<?x?xbf16>, %s: tensor<1x1xf32>) -> (tensor<?x?xf8E4M3FN>, tensor<1x1xf32>) attributes {summary = "multiplies by the reciprocal of a given scale", source = "vllm _C static quantization"} {
  %q = qfuse.quantize %x by %s {format = #fp8_per_tensor, rule = #qfuse.encode_rule<apply = reciprocal, max = 448.0, min = -448.0>} : tensor<?x?xbf16>, tensor<1x1xf32> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<1x1xf32>
}
func.func @vllm_fnuz_static(%x: tensor<?x?xbf16>, %s: tensor<1x1xf32>) -> (tensor<?x?xf8E4M3FNUZ>, tensor<1x1xf32>) attributes {summary = "multiplies by the reciprocal of a given scale", source = "vllm _C static quantization"} {
  %q = qfuse.quantize %x by %s {format = #fp8_per_tensor, rule = #qfuse.encode_rule<apply = reciprocal, max = 224.0, min = -224.0>} : tensor<?x?xbf16>, tensor<1x1xf32> -> tensor<?x?xf8E4M3FNUZ>
  return %q, %s : tensor<?x?xf8E4M3FNUZ>, tensor<1x1xf32>
}
func.func @sglang_fp8_per_token(%x: tensor<?x?xbf16>) -> (tensor<?x?xf8E4M3FN>, tensor<?x1xf32>) attributes {summary = "no floor", source = "sglang per_token_quant_fp8, small batches"} {
  %s = qfuse.block_scale %x {format = #fp8_per_token, rule = #sglang_fp8_per_token} : tensor<?x?xbf16> -> tensor<?x1xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_per_token, rule = #qfuse.encode_rule<apply = reciprocal>} : tensor<?x?xbf16>, tensor<?x1xf32> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x1xf32>
}
func.func @flashinfer_norm_fp8_static(%x: tensor<?x?xf32>, %s: tensor<1x1xf32>) -> (tensor<?x?xf8E4M3FN>, tensor<1x1xf32>) attributes {summary = "reads the norm before it is rounded", source = "flashinfer RMSNormQuant"} {
  %q = qfuse.quantize %x by %s {format = #fp8_per_tensor, rule = #qfuse.encode_rule<apply = reciprocal, max = 448.0, min = -448.0>} : tensor<?x?xf32>, tensor<1x1xf32> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<1x1xf32>
}
func.func @flashinfer_allreduce_fp8_per_token(%x: tensor<?x?xbf16>) -> (tensor<?x?xf8E4M3FN>, tensor<?x1xf32>) attributes {summary = "the scale is at least 2^-9 / 448", source = "flashinfer include/flashinfer/comm/trtllm_allreduce_fusion.cuh"} {
  %s = qfuse.block_scale %x {format = #fp8_per_token, rule = #vllm_fp8_per_token} : tensor<?x?xbf16> -> tensor<?x1xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_per_token, rule = #qfuse.encode_rule<max = 448.0, min = -448.0>} : tensor<?x?xbf16>, tensor<?x1xf32> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x1xf32>
}
func.func @flashinfer_allreduce_fp8_block(%x: tensor<?x?xbf16>) -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf32>) attributes {summary = "reads the norm rounded to the model type", source = "flashinfer include/flashinfer/comm/trtllm_allreduce_fusion.cuh"} {
  %s = qfuse.block_scale %x {format = #fp8_block, rule = #flashinfer_allreduce_fp8_block} : tensor<?x?xbf16> -> tensor<?x?xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_block, rule = #qfuse.encode_rule<max = 448.0, min = -448.0>} : tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x?xf32>
}
func.func @flashinfer_allreduce_fp8_static(%x: tensor<?x?xbf16>, %s: tensor<1x1xf32>) -> (tensor<?x?xf8E4M3FN>, tensor<1x1xf32>) attributes {summary = "divides by a given scale", source = "flashinfer include/flashinfer/comm/trtllm_allreduce_fusion.cuh"} {
  %q = qfuse.quantize %x by %s {format = #fp8_per_tensor} : tensor<?x?xbf16>, tensor<1x1xf32> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<1x1xf32>
}
func.func @torch_fp8_per_token(%x: tensor<?x?xbf16>) -> (tensor<?x?xf8E4M3FN>, tensor<?x1xf32>) attributes {summary = "the scale is computed in bf16, then widened; no floor", source = "torchao choose_scale_float8"} {
  %b = qfuse.block_scale %x {format = #bf16_per_token, rule = #sglang_fp8_per_token} : tensor<?x?xbf16> -> tensor<?x1xbf16>
  %s = arith.extf %b : tensor<?x1xbf16> to tensor<?x1xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_per_token, rule = #qfuse.encode_rule<max = 448.0, min = -448.0>} : tensor<?x?xbf16>, tensor<?x1xf32> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x1xf32>
}
func.func @torch_fp8_block(%x: tensor<?x?xbf16>) -> (tensor<?x?xf8E4M3FN>, tensor<?x?xf32>) attributes {summary = "the scale is computed in bf16, then widened; no floor", source = "torchao choose_scale_float8"} {
  %b = qfuse.block_scale %x {format = #bf16_block, rule = #sglang_fp8_per_token} : tensor<?x?xbf16> -> tensor<?x?xbf16>
  %s = arith.extf %b : tensor<?x?xbf16> to tensor<?x?xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_block, rule = #qfuse.encode_rule<max = 448.0, min = -448.0>} : tensor<?x?xbf16>, tensor<?x?xf32> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<?x?xf32>
}
func.func @torch_fp8_per_tensor(%x: tensor<?x?xbf16>) -> (tensor<?x?xf8E4M3FN>, tensor<1x1xf32>) attributes {summary = "the scale is computed in bf16, then widened; no floor", source = "torchao choose_scale_float8"} {
  %b = qfuse.block_scale %x {format = #bf16_per_tensor, rule = #sglang_fp8_per_token} : tensor<?x?xbf16> -> tensor<1x1xbf16>
  %s = arith.extf %b : tensor<1x1xbf16> to tensor<1x1xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_per_tensor, rule = #qfuse.encode_rule<max = 448.0, min = -448.0>} : tensor<?x?xbf16>, tensor<1x1xf32> -> tensor<?x?xf8E4M3FN>
  return %q, %s : tensor<?x?xf8E4M3FN>, tensor<1x1xf32>
}
func.func @torch_int8_per_token(%x: tensor<?x?xbf16>) -> (tensor<?x?xi8>, tensor<?x1xf32>) attributes {summary = "the scale is computed in bf16, then widened", source = "torchao choose_qparams_affine, quantize_affine"} {
  %b = qfuse.block_scale %x {format = #bf16_per_token, rule = #torch_int8_per_token} : tensor<?x?xbf16> -> tensor<?x1xbf16>
  %s = arith.extf %b : tensor<?x1xbf16> to tensor<?x1xf32>
  %q = qfuse.quantize %x by %s {format = #fp8_per_token, rule = #qfuse.encode_rule<apply = reciprocal, max = 127.0, min = -128.0>} : tensor<?x?xbf16>, tensor<?x1xf32> -> tensor<?x?xi8>
  return %q, %s : tensor<?x?xi8>, tensor<?x1xf32>
}

// What enters a quantization behind a norm, and the residual. The epsilon is
// that of a model.

func.func @aiter_add_rms_norm(%x: tensor<?x?xbf16>, %residual: tensor<?x?xbf16>, %w: tensor<?xbf16>) -> (tensor<?x?xf32>, tensor<?x?xbf16>) attributes {summary = "adds in f32, normalizes what it has not rounded, does not round the result", source = "aiter (add_)rmsnorm_quant; one-stage all-reduce; flashinfer RMSNormQuant"} {
  %a = arith.extf %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %b = arith.extf %residual : tensor<?x?xbf16> to tensor<?x?xf32>
  %h = arith.addf %a, %b : tensor<?x?xf32>
  %sum = arith.truncf %h : tensor<?x?xf32> to tensor<?x?xbf16>
  %n = qfuse.rms_norm %h weight(%w : tensor<?xbf16>) {epsilon = 1.0e-6 : f32} : tensor<?x?xf32> -> tensor<?x?xf32>
  return %n, %sum : tensor<?x?xf32>, tensor<?x?xbf16>
}
func.func @aiter_allreduce_rms_norm_rounded(%x: tensor<?x?xbf16>, %residual: tensor<?x?xbf16>, %w: tensor<?xbf16>) -> (tensor<?x?xf32>, tensor<?x?xbf16>) attributes {summary = "the sum is rounded before the norm, the result is not", source = "aiter fused all-reduce and norm, two stages or split"} {
  %sum = arith.addf %x, %residual : tensor<?x?xbf16>
  %n = qfuse.rms_norm %sum weight(%w : tensor<?xbf16>) {epsilon = 1.0e-6 : f32} : tensor<?x?xbf16> -> tensor<?x?xf32>
  return %n, %sum : tensor<?x?xf32>, tensor<?x?xbf16>
}
func.func @aiter_opus_rms_norm_truncated(%x: tensor<?x?xbf16>, %residual: tensor<?x?xbf16>, %w: tensor<?xbf16>) -> (tensor<?x?xf32>, tensor<?x?xbf16>) attributes {summary = "the residual is truncated; so is the result where it is stored as bf16", source = "aiter csrc/include/opus/opus.hpp on gfx942, OPUS_FP32_to_BF16_DEFAULT"} {
  %a = arith.extf %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %b = arith.extf %residual : tensor<?x?xbf16> to tensor<?x?xf32>
  %h = arith.addf %a, %b : tensor<?x?xf32>
  %sum = arith.truncf %h toward_zero : tensor<?x?xf32> to tensor<?x?xbf16>
  %n = qfuse.rms_norm %h weight(%w : tensor<?xbf16>) {epsilon = 1.0e-6 : f32} : tensor<?x?xf32> -> tensor<?x?xf32>
  return %n, %sum : tensor<?x?xf32>, tensor<?x?xbf16>
}
func.func @aiter_opus_rms_norm_model_sensitive(%x: tensor<?x?xbf16>, %residual: tensor<?x?xbf16>, %w: tensor<?xbf16>) -> (tensor<?x?xf32>, tensor<?x?xbf16>) attributes {summary = "rounds the sum, and before the weight", source = "aiter opus rmsnorm quant, model_sensitive (T5)"} {
  %sum = arith.addf %x, %residual : tensor<?x?xbf16>
  %n = qfuse.rms_norm %sum weight(%w : tensor<?xbf16>) {epsilon = 1.0e-6 : f32, normalized = bf16} : tensor<?x?xbf16> -> tensor<?x?xf32>
  return %n, %sum : tensor<?x?xf32>, tensor<?x?xbf16>
}
func.func @aiter_triton_rms_norm_converted(%x: tensor<?x?xbf16>, %residual: tensor<?x?xbf16>, %w: tensor<?xbf16>) -> (tensor<?x?xbf16>, tensor<?x?xbf16>) attributes {summary = "adds in f32, normalizes what it has not rounded, rounds the result", source = "aiter Triton fused_rms_fp8 static, RMSNORM_CONVERT_TO_INP1_TYPE"} {
  %a = arith.extf %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %b = arith.extf %residual : tensor<?x?xbf16> to tensor<?x?xf32>
  %h = arith.addf %a, %b : tensor<?x?xf32>
  %sum = arith.truncf %h : tensor<?x?xf32> to tensor<?x?xbf16>
  %n = qfuse.rms_norm %h weight(%w : tensor<?xbf16>) {epsilon = 1.0e-6 : f32} : tensor<?x?xf32> -> tensor<?x?xbf16>
  return %n, %sum : tensor<?x?xbf16>, tensor<?x?xbf16>
}
func.func @vllm_add_rms_norm(%x: tensor<?x?xbf16>, %residual: tensor<?x?xbf16>, %w: tensor<?xbf16>) -> (tensor<?x?xbf16>, tensor<?x?xbf16>) attributes {summary = "rounds before the weight and behind it", source = "vllm _C dynamic quantization"} {
  %a = arith.extf %x : tensor<?x?xbf16> to tensor<?x?xf32>
  %b = arith.extf %residual : tensor<?x?xbf16> to tensor<?x?xf32>
  %h = arith.addf %a, %b : tensor<?x?xf32>
  %sum = arith.truncf %h : tensor<?x?xf32> to tensor<?x?xbf16>
  %n = qfuse.rms_norm %h weight(%w : tensor<?xbf16>) {epsilon = 1.0e-6 : f32, normalized = bf16} : tensor<?x?xf32> -> tensor<?x?xbf16>
  return %n, %sum : tensor<?x?xbf16>, tensor<?x?xbf16>
}
func.func @vllm_add_rms_norm_static(%x: tensor<?x?xbf16>, %residual: tensor<?x?xbf16>, %w: tensor<?xbf16>) -> (tensor<?x?xbf16>, tensor<?x?xbf16>) attributes {summary = "the sum is rounded before the norm, too", source = "vllm _C static quantization"} {
  %sum = arith.addf %x, %residual : tensor<?x?xbf16>
  %n = qfuse.rms_norm %sum weight(%w : tensor<?xbf16>) {epsilon = 1.0e-6 : f32, normalized = bf16} : tensor<?x?xbf16> -> tensor<?x?xbf16>
  return %n, %sum : tensor<?x?xbf16>, tensor<?x?xbf16>
}
func.func @flashinfer_allreduce_rms_norm(%x: tensor<?x?xbf16>, %residual: tensor<?x?xbf16>, %w: tensor<?xbf16>) -> (tensor<?x?xbf16>, tensor<?x?xbf16>) attributes {summary = "the sum is rounded before the norm, the result once", source = "flashinfer include/flashinfer/comm/trtllm_allreduce_fusion.cuh"} {
  %sum = arith.addf %x, %residual : tensor<?x?xbf16>
  %n = qfuse.rms_norm %sum weight(%w : tensor<?xbf16>) {epsilon = 1.0e-6 : f32} : tensor<?x?xbf16> -> tensor<?x?xbf16>
  return %n, %sum : tensor<?x?xbf16>, tensor<?x?xbf16>
}

// What sources do and no rule can say.

func.func private @aiter_opus_fp8_per_token() attributes {source = "aiter opus rmsnorm quant",
    not_expressible = "a zero row has the scale 0 and, by a reciprocal of 0, the codes 0: `zero` changes the scale itself, and without it the codes are NaN"}
func.func private @sglang_fp8_per_token_warp() attributes {source = "sglang per_token_quant_fp8, warp kernel",
    not_expressible = "a zero row has the scale 0 and, by a reciprocal of 0, the codes 0"}
func.func private @sglang_fp8_block() attributes {source = "sglang per_token_group_quant_8bit_v2.cu",
    not_expressible = "multiplies by 448 / max(amax, 1e-10): max_over_amax knows no floor"}
func.func private @sglang_fp8_block_roundup_row_major() attributes {source = "sglang per_token_group_quant_8bit_v2.cu, row-major with UE8M0",
    not_expressible = "quantizes by the exact scale, with its floor, but stores the rounded one"}
func.func private @flydsl_int8_per_token() attributes {source = "FlyDSL norm with int8 quantization",
    not_expressible = "the scale is 1 where amax / 127 is 0, also of an amax that is not: `zero` asks for a zero block"}
func.func private @flashinfer_nvfp4_block() attributes {source = "flashinfer nvfp4 quantization",
    not_expressible = "multiplies by the reciprocal of the outer scale, which is approximate; an outer scale divides here"}
func.func private @flashinfer_norm_fp8_block() attributes {source = "flashinfer pull request 4480",
    not_expressible = "the rule of its scales is not published"}
func.func private @flashinfer_cute_mx_roundup() attributes {source = "flashinfer CuTe quantization to MXFP4 and NVFP4, lg2.approx and cvt.rpi",
    not_expressible = "rounds an approximate logarithm up: next to a power of two the exponent depends on its error"}
func.func private @torchao_int8_dynamic() attributes {source = "torchao int8 dynamic quantization, its matmul",
    not_expressible = "rounds to bf16 between the two scales of the matmul: a step that no scale_order has"}
func.func private @compressed_tensors_fp8_fake() attributes {source = "compressed-tensors fake quantization",
    not_expressible = "rounds the quotient to bf16 before it clamps and encodes: a step between scale and code that no rule has"}

// Layouts.

func.func private @col(!qfuse.packed<?x?xf32, #col>, !qfuse.packed<?x?xf8E8M0FNU, #col>)
    attributes {summary = "bytes of the transpose", source = "aiter transpose_scale, gemm_a8w8_blockscale_bpreshuffle"}
func.func private @col_aligned(!qfuse.packed<?x?xf32, #col_aligned>)
    attributes {summary = "bytes of the transpose, columns padded to 4 rows", source = "DeepGEMM; vllm and sglang column-major scales"}
func.func private @mx_shuffle(!qfuse.packed<?x?xf8E8M0FNU, #mx_shuffle>)
    attributes {summary = "2 row tiles by 2 k steps in a dword", source = "aiter csrc/include/mx_quant_utils.h, mx_scale_shuffle_idx; aiter/ops/shuffle.py"}
func.func private @mfma_tile(!qfuse.packed<?x?x?xf8E8M0FNU, #mfma_tile>)
    attributes {summary = "mx_shuffle, one plane a group; (row, group, column)", source = "aiter inverse_rope_group_quant, groups of 32 and 64"}
func.func private @mfma_tile_wide(!qfuse.packed<?x?x?xf8E8M0FNU, #mfma_tile_wide>)
    attributes {summary = "tiles of 32 by 2, one plane a group; (row, group, column)", source = "aiter inverse_rope_group_quant, groups of 128"}
func.func private @n32k4_scale(!qfuse.packed<?x?x?xf8E8M0FNU, #n32k4_scale>)
    attributes {summary = "the group lies between the tiles; (row, group, column)", source = "aiter inverse_rope_group_quant, shuffle_scale_n32k4"}
func.func private @nv_128x4_scale(!qfuse.packed<?x?xf8E8M0FNU, #nv_128x4_scale>)
    attributes {summary = "what cuBLAS, cuDNN and CUTLASS read; padding is zero", source = "flashinfer include/flashinfer/comm/trtllm_allreduce_fusion.cuh; SWIZZLED_128x4"}
func.func private @nv_8x4_scale(!qfuse.packed<?x?xf8E8M0FNU, #nv_8x4_scale>)
    attributes {summary = "the variant for few rows", source = "flashinfer csrc/nv_internal, get_sf_out_offset_8x4"}
func.func private @deepgemm_words(!qfuse.packed<?x?xf8E8M0FNU, #deepgemm_words>)
    attributes {summary = "4 columns in a word, words column-major", source = "DeepGEMM packed UE8M0"}
func.func private @iree_gfx950_scale(!qfuse.packed<?x?xf8E8M0FNU, #iree_gfx950_scale>)
    attributes {summary = "4 k steps in a dword", source = "iree materialize_encoding_gfx950.mlir"}
func.func private @weight_16x16_byte(!qfuse.packed<?x?xf8E4M3FN, #weight_16x16_byte>)
    attributes {summary = "16 rows by 32 bytes", source = "aiter/ops/shuffle.py, shuffle_weight(16, 16)"}
func.func private @weight_16x16_nibble(!qfuse.packed<?x?xf4E2M1FN, #weight_16x16_nibble>)
    attributes {summary = "16 rows by 32 bytes of two codes", source = "aiter/ops/shuffle.py, shuffle_weight(16, 16)"}
func.func private @weight_16x16_half(!qfuse.packed<?x?xbf16, #weight_16x16_half>)
    attributes {summary = "16 rows by 64 bytes", source = "aiter/ops/shuffle.py, shuffle_weight(16, 16)"}
func.func private @weight_32x16_byte(!qfuse.packed<?x?xi8, #weight_32x16_byte>)
    attributes {summary = "32 rows by 32 bytes", source = "aiter/ops/shuffle.py, shuffle_weight(32, 16); gemm_a8w8_ASM"}
func.func private @gate_up_interleave(!qfuse.packed<2x?x?xf8E4M3FN, #gate_up_interleave_byte>, !qfuse.packed<2x?x?xf4E2M1FN, #gate_up_interleave_nibble>)
    attributes {summary = "tiles of 16 rows of gate and up in turn; (half, row, column)", source = "aiter/ops/shuffle.py, shuffle_weight with is_guinterleave and gate_up"}
