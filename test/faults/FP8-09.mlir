// The largest number that a scale uses is a parameter of its rule, and two of
// them are two ops.
// RUN: qfuse-opt %s --cse --canonicalize -o %t.mlir
// RUN: qfuse-run %t.mlir --device=interpreter --output-dir=%t
// RUN: tail -c +129 %t/out0.npy | od -An -v -tx4 | FileCheck %s --check-prefix=FORMAT
// RUN: tail -c +129 %t/out1.npy | od -An -v -tx4 | FileCheck %s --check-prefix=POLICY
// 1.0, and 1.0714286.
// FORMAT: {{^}} 3f800000{{$}}
// POLICY: {{^}} 3f892492{{$}}
#per_token = #qfuse.format<block = [1, 0]>
func.func @f() -> (tensor<1x1xf32>, tensor<1x1xf32>) {
  %x = arith.constant dense<[[-240.0, 1.0]]> : tensor<1x2xbf16>
  %0 = qfuse.block_scale %x {format = #per_token, rule = #qfuse.scale_rule<max = 240.0>} : tensor<1x2xbf16> -> tensor<1x1xf32>
  %1 = qfuse.block_scale %x {format = #per_token, rule = #qfuse.scale_rule<max = 224.0>} : tensor<1x2xbf16> -> tensor<1x1xf32>
  return %0, %1 : tensor<1x1xf32>, tensor<1x1xf32>
}
