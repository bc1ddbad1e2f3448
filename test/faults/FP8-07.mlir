// Saturation is part of the rule: `saturate` takes what is too large, infinity
// too, to the largest code; `ieee` to NaN. NaN stays NaN.
// RUN: qfuse-run %s --device=interpreter --output-dir=%t
// RUN: tail -c +129 %t/out0.npy | od -An -v -tx1 -w16 | FileCheck %s --check-prefix=FN
// RUN: tail -c +129 %t/out1.npy | od -An -v -tx1 -w16 | FileCheck %s --check-prefix=FNUZ
// RUN: tail -c +129 %t/out2.npy | od -An -v -tx1 -w16 | FileCheck %s --check-prefix=FN-IEEE
// RUN: tail -c +129 %t/out3.npy | od -An -v -tx1 -w16 | FileCheck %s --check-prefix=FNUZ-IEEE
// FN: {{^}} 7e 7e fe 7f{{$}}
// FNUZ: {{^}} 7f 7f ff 80{{$}}
// FN-IEEE: {{^}} 7f 7f 7f 7f{{$}}
// FNUZ-IEEE: {{^}} 80 80 80 80{{$}}
#per_tensor = #qfuse.format<block = [0, 0]>
#ieee = #qfuse.encode_rule<overflow = ieee>
func.func @f() -> (tensor<1x4xf8E4M3FN>, tensor<1x4xf8E4M3FNUZ>, tensor<1x4xf8E4M3FN>, tensor<1x4xf8E4M3FNUZ>) {
  %s = arith.constant dense<1.0> : tensor<1x1xf32>
  // 500 or 256, infinity of either sign, NaN.
  %x = arith.constant dense<[[500.0, 0x7F800000, 0xFF800000, 0x7FC00000]]> : tensor<1x4xf32>
  %z = arith.constant dense<[[256.0, 0x7F800000, 0xFF800000, 0x7FC00000]]> : tensor<1x4xf32>
  %0 = qfuse.quantize %x by %s {format = #per_tensor} : tensor<1x4xf32>, tensor<1x1xf32> -> tensor<1x4xf8E4M3FN>
  %1 = qfuse.quantize %z by %s {format = #per_tensor} : tensor<1x4xf32>, tensor<1x1xf32> -> tensor<1x4xf8E4M3FNUZ>
  %2 = qfuse.quantize %x by %s {format = #per_tensor, rule = #ieee} : tensor<1x4xf32>, tensor<1x1xf32> -> tensor<1x4xf8E4M3FN>
  %3 = qfuse.quantize %z by %s {format = #per_tensor, rule = #ieee} : tensor<1x4xf32>, tensor<1x1xf32> -> tensor<1x4xf8E4M3FNUZ>
  return %0, %1, %2, %3 : tensor<1x4xf8E4M3FN>, tensor<1x4xf8E4M3FNUZ>, tensor<1x4xf8E4M3FN>, tensor<1x4xf8E4M3FNUZ>
}
