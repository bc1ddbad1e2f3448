// A block with the smallest scale keeps its values, one with NaN loses all.
// RUN: qfuse-run %s --device=interpreter --output-dir=%t
// RUN: tail -c +129 %t/out0.npy | od -An -v -tx4 -w128 | FileCheck %s
// CHECK: {{^( 00400000){32}$}}
// CHECK-NEXT: {{^( 7fc00000){32}$}}
func.func @f() -> tensor<2x32xf32> {
  %bytes = arith.constant dense<[0, -1]> : tensor<2xi8>
  %s = qfuse.from_storage %bytes : tensor<2xi8> -> tensor<2x1xf8E8M0FNU>
  // Two codes of 1.0 in each byte.
  %codes = arith.constant dense<0x22> : tensor<32xi8>
  %q = qfuse.from_storage %codes : tensor<32xi8> -> tensor<2x32xf4E2M1FN>
  %x = qfuse.dequantize %q by %s {format = #qfuse.format<block = [1, 32], scale_type = f8E8M0FNU>} : tensor<2x32xf4E2M1FN>, tensor<2x1xf8E8M0FNU> -> tensor<2x32xf32>
  return %x : tensor<2x32xf32>
}
