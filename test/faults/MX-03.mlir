// Division by the smallest scale: its reciprocal overflows f32.
// RUN: qfuse-run %s --device=interpreter --output-dir=%t
// RUN: tail -c +129 %t/out0.npy | od -An -v -tx1 -w16 | FileCheck %s --check-prefix=SCALE
// RUN: tail -c +129 %t/out1.npy | od -An -v -tx1 -w2 | FileCheck %s --check-prefix=CODE
// RUN: tail -c +129 %t/out2.npy | od -An -v -tx4 -w8 | FileCheck %s --check-prefix=VALUE
// SCALE: {{^}} 00 00{{$}}
// 16.0 and 0.125.
// CODE: {{^}} 58 00{{$}}
// CODE-NEXT: {{^}} 20 00{{$}}
// 2^-123, 6 % below, and 2^-130.
// VALUE: {{^}} 02000000 00000000{{$}}
// VALUE-NEXT: {{^}} 00080000 00000000{{$}}
#mx = #qfuse.format<block = [1, 32], scale_type = f8E8M0FNU>
func.func @f() -> (tensor<2x1xf8E8M0FNU>, tensor<2x2xf8E4M3FN>, tensor<2x2xf32>) {
  // bf16 of 1e-37, and 2^-130.
  %x = arith.constant dense<[[0x0208, 0x0000], [0x0008, 0x0000]]> : tensor<2x2xbf16>
  %s = qfuse.block_scale %x {format = #mx, rule = #qfuse.scale_rule<max = 448.0, pow2 = roundup>} : tensor<2x2xbf16> -> tensor<2x1xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #mx} : tensor<2x2xbf16>, tensor<2x1xf8E8M0FNU> -> tensor<2x2xf8E4M3FN>
  %d = qfuse.dequantize %q by %s {format = #mx} : tensor<2x2xf8E4M3FN>, tensor<2x1xf8E8M0FNU> -> tensor<2x2xf32>
  return %s, %q, %d : tensor<2x1xf8E8M0FNU>, tensor<2x2xf8E4M3FN>, tensor<2x2xf32>
}
