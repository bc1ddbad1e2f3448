// f8E8M0FNU has a code for NaN, 255, and none for zero or infinity.
// RUN: qfuse-run %s --device=interpreter --output-dir=%t
// RUN: tail -c +129 %t/out0.npy | od -An -v -tx4 -w28 | FileCheck %s
// 2^-127, 2^-126, 0.5, 1, 128, 2^127, NaN.
// CHECK: {{^}} 00400000 00800000 3f000000 3f800000 43000000 7f000000 7fc00000{{$}}
func.func @f() -> tensor<1x7xf32> {
  %bytes = arith.constant dense<[0, 1, 126, 127, -122, -2, -1]> : tensor<7xi8>
  %s = qfuse.from_storage %bytes : tensor<7xi8> -> tensor<1x7xf8E8M0FNU>
  %one = arith.constant dense<1> : tensor<1x7xi8>
  %x = qfuse.dequantize %one by %s {format = #qfuse.format<block = [1, 1], scale_type = f8E8M0FNU>} : tensor<1x7xi8>, tensor<1x7xf8E8M0FNU> -> tensor<1x7xf32>
  return %x : tensor<1x7xf32>
}
