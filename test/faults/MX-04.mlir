// roundup clips nothing: the exponent goes up as soon as amax / max is above 1.
// RUN: qfuse-run %s --device=interpreter --output-dir=%t
// RUN: tail -c +129 %t/out0.npy | od -An -v -tx1 -w16 | FileCheck %s --check-prefix=FOUR
// RUN: tail -c +129 %t/out1.npy | od -An -v -tx1 -w16 | FileCheck %s --check-prefix=EIGHT
// FOUR: {{^}} 7f 7f 80 87{{$}}
// EIGHT: {{^}} 7f 80 81{{$}}
#mx = #qfuse.format<block = [1, 1], scale_type = f8E8M0FNU>
func.func @f() -> (tensor<1x4xf8E8M0FNU>, tensor<1x3xf8E8M0FNU>) {
  %x = arith.constant dense<[[5.0, 6.0, 7.0, 957.0]]> : tensor<1x4xf32>
  %y = arith.constant dense<[[448.0, 449.0, 957.0]]> : tensor<1x3xf32>
  %0 = qfuse.block_scale %x {format = #mx, rule = #qfuse.scale_rule<max = 6.0, divide = by_reciprocal_constant, pow2 = roundup>} : tensor<1x4xf32> -> tensor<1x4xf8E8M0FNU>
  %1 = qfuse.block_scale %y {format = #mx, rule = #qfuse.scale_rule<max = 448.0, divide = by_reciprocal_constant, pow2 = roundup>} : tensor<1x3xf32> -> tensor<1x3xf8E8M0FNU>
  return %0, %1 : tensor<1x4xf8E8M0FNU>, tensor<1x3xf8E8M0FNU>
}
