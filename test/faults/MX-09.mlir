// The even element is the low nibble. (An odd count is refused: MX-09-odd.mlir.)
// RUN: qfuse-run %s --device=interpreter --output-dir=%t
// RUN: tail -c +129 %t/out0.npy | od -An -v -tx1 -w16 | FileCheck %s
// CHECK: {{^}} f2{{$}}
func.func @f() -> tensor<1x2xf4E2M1FN> {
  %x = arith.constant dense<[[1.0, -6.0]]> : tensor<1x2xf32>
  %s = arith.constant dense<1.0> : tensor<1x1xf32>
  %q = qfuse.quantize %x by %s {format = #qfuse.format<block = [0, 0]>} : tensor<1x2xf32>, tensor<1x1xf32> -> tensor<1x2xf4E2M1FN>
  return %q : tensor<1x2xf4E2M1FN>
}
