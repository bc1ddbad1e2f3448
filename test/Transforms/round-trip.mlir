// Fusing, outlining and inlining gives back the graph: what CSE and sorting by
// need, which is what fusing does first, cannot tell apart.
// RUN: qfuse-opt %s -o %t.before
// RUN: qfuse-opt %s --qfuse-fuse --qfuse-outline-kernels --qfuse-inline-kernels -o %t.after
// RUN: diff %t.before %t.after
// RUN: qfuse-opt %s --qfuse-fuse --qfuse-inline-kernels -o %t.after
// RUN: diff %t.before %t.after
// The exported layer as well, whose constants and functions stay.
// RUN: qfuse-opt %S/../inputs/deepseek_v3_attention_input.mlir -o %t.before
// RUN: qfuse-opt %S/../inputs/deepseek_v3_attention_input.mlir --qfuse-fuse --qfuse-outline-kernels --qfuse-inline-kernels -o %t.after
// RUN: diff %t.before %t.after

#per_token = #qfuse.format<block = [1, 0]>

func.func @layer(%x: tensor<?x64xbf16>, %r: tensor<?x64xbf16>, %b: tensor<80x64xf8E4M3FN>, %t: tensor<80x1xf32>)
    -> (tensor<?x80xbf16>, tensor<?x64xbf16>, tensor<?x64xf32>) {
  %h = arith.addf %x, %r : tensor<?x64xbf16>
  %n = qfuse.rms_norm %h {epsilon = 1.0e-6 : f32} : tensor<?x64xbf16> -> tensor<?x64xbf16>
  %e = arith.extf %n : tensor<?x64xbf16> to tensor<?x64xf32>
  %s = qfuse.block_scale %n {format = #per_token, rule = #qfuse.scale_rule<max = 448.0>} : tensor<?x64xbf16> -> tensor<?x1xf32>
  %q = qfuse.quantize %n by %s {format = #per_token} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
  %y = qfuse.scaled_matmul %q by %s, %b by %t {a_format = #per_token, b_format = #per_token} : tensor<?x64xf8E4M3FN>, tensor<?x1xf32>, tensor<80x64xf8E4M3FN>, tensor<80x1xf32> -> tensor<?x80xbf16>
  return %y, %h, %e : tensor<?x80xbf16>, tensor<?x64xbf16>, tensor<?x64xf32>
}
