// FNUZ has no negative zero: 0x80 is its NaN.
// RUN: qfuse-run %s --device=interpreter --output-dir=%t
// RUN: tail -c +129 %t/out0.npy | od -An -v -tx1 -w16 | FileCheck %s --check-prefix=FNUZ
// RUN: tail -c +129 %t/out1.npy | od -An -v -tx1 -w16 | FileCheck %s --check-prefix=FN
// FNUZ: {{^}} 00 00 00 7f ff{{$}}
// FN: {{^}} 80 00 80 79 f9{{$}}
#per_tensor = #qfuse.format<block = [0, 0]>
func.func @f() -> (tensor<1x5xf8E4M3FNUZ>, tensor<1x5xf8E4M3FN>) {
  %x = arith.constant dense<[[-1.0e-6, 1.0e-6, -0.0, 300.0, -300.0]]> : tensor<1x5xf32>
  %s = arith.constant dense<1.0> : tensor<1x1xf32>
  %fnuz = qfuse.quantize %x by %s {format = #per_tensor} : tensor<1x5xf32>, tensor<1x1xf32> -> tensor<1x5xf8E4M3FNUZ>
  %fn = qfuse.quantize %x by %s {format = #per_tensor} : tensor<1x5xf32>, tensor<1x1xf32> -> tensor<1x5xf8E4M3FN>
  return %fnuz, %fn : tensor<1x5xf8E4M3FNUZ>, tensor<1x5xf8E4M3FN>
}
