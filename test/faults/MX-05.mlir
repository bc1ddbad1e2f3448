// amax is of the value as it is: only a cast in the graph rounds it first.
// RUN: qfuse-run %s --device=interpreter --output-dir=%t
// RUN: tail -c +129 %t/out0.npy | od -An -v -tx1 -w16 | FileCheck %s --check-prefix=DIRECT
// RUN: tail -c +129 %t/out1.npy | od -An -v -tx1 -w16 | FileCheck %s --check-prefix=ROUNDED
// Less 2, the exponent of 6.0.
// DIRECT: {{^}} 7d{{$}}
// ROUNDED: {{^}} 7e{{$}}
#mx = #qfuse.format<block = [1, 32], scale_type = f8E8M0FNU>
#floor = #qfuse.scale_rule<max = 6.0, pow2 = floor>
func.func @f() -> (tensor<1x1xf8E8M0FNU>, tensor<1x1xf8E8M0FNU>) {
  // 1.99999988 and 1.0.
  %x = arith.constant dense<[[0x3FFFFFFF, 0x3F800000]]> : tensor<1x2xf32>
  %0 = qfuse.block_scale %x {format = #mx, rule = #floor} : tensor<1x2xf32> -> tensor<1x1xf8E8M0FNU>
  %b = arith.truncf %x : tensor<1x2xf32> to tensor<1x2xbf16>
  %1 = qfuse.block_scale %b {format = #mx, rule = #floor} : tensor<1x2xbf16> -> tensor<1x1xf8E8M0FNU>
  return %0, %1 : tensor<1x1xf8E8M0FNU>, tensor<1x1xf8E8M0FNU>
}
