// The floor of amax is a parameter: small signals live or vanish by it.
// RUN: qfuse-run %s --device=interpreter --output-dir=%t
// RUN: tail -c +129 %t/out0.npy | od -An -v -tx1 -w16 | FileCheck %s --check-prefix=SCALE
// RUN: tail -c +129 %t/out1.npy | od -An -v -tx1 -w16 | FileCheck %s --check-prefix=CODES
// RUN: tail -c +129 %t/out2.npy | od -An -v -tx4 -w128 | FileCheck %s --check-prefix=VALUES
// RUN: tail -c +129 %t/out3.npy | od -An -v -tx1 -w16 | FileCheck %s --check-prefix=VANISHED
// 2^-22, and 4.0 in each code.
// SCALE: {{^}} 69{{$}}
// CODES: {{^( 66){16}$}}
// 9.536743e-07.
// VALUES: {{^( 35800000){32}$}}
// VANISHED: {{^( 00){16}$}}
#mx = #qfuse.format<block = [1, 32], scale_type = f8E8M0FNU>
#roundup = #qfuse.scale_rule<max = 6.0, divide = by_reciprocal_constant, amax_floor = 1.0e-10, pow2 = roundup>
#higher = #qfuse.scale_rule<max = 6.0, divide = by_reciprocal_constant, amax_floor = 1.0e-4, pow2 = roundup>
func.func @f() -> (tensor<1x1xf8E8M0FNU>, tensor<1x32xf4E2M1FN>, tensor<1x32xf32>, tensor<1x32xf4E2M1FN>) {
  %x = arith.constant dense<1.0e-6> : tensor<1x32xbf16>
  %s = qfuse.block_scale %x {format = #mx, rule = #roundup} : tensor<1x32xbf16> -> tensor<1x1xf8E8M0FNU>
  %q = qfuse.quantize %x by %s {format = #mx} : tensor<1x32xbf16>, tensor<1x1xf8E8M0FNU> -> tensor<1x32xf4E2M1FN>
  %d = qfuse.dequantize %q by %s {format = #mx} : tensor<1x32xf4E2M1FN>, tensor<1x1xf8E8M0FNU> -> tensor<1x32xf32>
  %t = qfuse.block_scale %x {format = #mx, rule = #higher} : tensor<1x32xbf16> -> tensor<1x1xf8E8M0FNU>
  %r = qfuse.quantize %x by %t {format = #mx} : tensor<1x32xbf16>, tensor<1x1xf8E8M0FNU> -> tensor<1x32xf4E2M1FN>
  return %s, %q, %d, %r : tensor<1x1xf8E8M0FNU>, tensor<1x32xf4E2M1FN>, tensor<1x32xf32>, tensor<1x32xf4E2M1FN>
}
