// Ties of fp4 go to even; `round = rna` is for sources that send them away
// from zero.
// RUN: qfuse-run %s --device=interpreter --output-dir=%t
// RUN: tail -c +129 %t/out0.npy | od -An -v -tx1 -w16 | FileCheck %s --check-prefix=EVEN
// RUN: tail -c +129 %t/out1.npy | od -An -v -tx1 -w16 | FileCheck %s --check-prefix=AWAY
// 0, 1, 1, 2, 2, 4, 4, 0, and 0.5, 1, 1.5, 2, 3, 4, 6, 0.
// EVEN: {{^}} 20 42 64 06{{$}}
// AWAY: {{^}} 21 43 65 07{{$}}
#per_tensor = #qfuse.format<block = [0, 0]>
func.func @f() -> (tensor<1x8xf4E2M1FN>, tensor<1x8xf4E2M1FN>) {
  %x = arith.constant dense<[[0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 0.0]]> : tensor<1x8xf32>
  %s = arith.constant dense<1.0> : tensor<1x1xf32>
  %0 = qfuse.quantize %x by %s {format = #per_tensor} : tensor<1x8xf32>, tensor<1x1xf32> -> tensor<1x8xf4E2M1FN>
  %1 = qfuse.quantize %x by %s {format = #per_tensor, rule = #qfuse.encode_rule<round = rna>} : tensor<1x8xf32>, tensor<1x1xf32> -> tensor<1x8xf4E2M1FN>
  return %0, %1 : tensor<1x8xf4E2M1FN>, tensor<1x8xf4E2M1FN>
}
