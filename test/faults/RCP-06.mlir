// A scale multiplies a code: encoding divides by it.
// RUN: qfuse-run %s --device=interpreter --output-dir=%t
// RUN: tail -c +129 %t/out0.npy | od -An -v -tx1 -w16 | FileCheck %s --check-prefix=CODE
// RUN: tail -c +129 %t/out1.npy | od -An -v -tf4 | FileCheck %s --check-prefix=PRODUCT
// CODE: {{^}} 40{{$}}
// PRODUCT: {{^ +1 +0$}}
#per_tensor = #qfuse.format<block = [0, 0]>
#per_row = #qfuse.format<block = [1, 0]>
func.func @f() -> (tensor<1x1xf8E4M3FN>, tensor<1x2xf32>) {
  %x = arith.constant dense<1.0> : tensor<1x1xf32>
  %s = arith.constant dense<0.5> : tensor<1x1xf32>
  %q = qfuse.quantize %x by %s {format = #per_tensor} : tensor<1x1xf32>, tensor<1x1xf32> -> tensor<1x1xf8E4M3FN>
  %column = arith.constant dense<[[1.0], [0.0]]> : tensor<2x1xf32>
  %ones = arith.constant dense<1.0> : tensor<2x1xf32>
  %b = qfuse.quantize %column by %ones {format = #per_row} : tensor<2x1xf32>, tensor<2x1xf32> -> tensor<2x1xf8E4M3FN>
  %y = qfuse.scaled_matmul %q by %s, %b by %ones {a_format = #per_tensor, b_format = #per_row}
      : tensor<1x1xf8E4M3FN>, tensor<1x1xf32>, tensor<2x1xf8E4M3FN>, tensor<2x1xf32> -> tensor<1x2xf32>
  return %q, %y : tensor<1x1xf8E4M3FN>, tensor<1x2xf32>
}
