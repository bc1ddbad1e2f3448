// Two flavors of fp8 are two types: on no target are both legal, and a kernel
// takes no bitcast from one to the other.
// RUN: qfuse-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(qfuse-attach-target{target=gfx942},qfuse-verify-legal)'

#per_token = #qfuse.format<block = [1, 0]>
func.func @f(%x: tensor<?x64xbf16>, %s: tensor<?x1xf32>, %w: tensor<32x64xf8E4M3FNUZ>, %ws: tensor<32x1xf32>) -> tensor<?x32xbf16> {
  // expected-error @below {{'qfuse.quantize' op Fp8FlavorUnsupported: expected codes of the fnuz flavor of fp8, which is that of the target, got 'f8E4M3FN'}}
  %q = qfuse.quantize %x by %s {format = #per_token} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
  %c = arith.bitcast %q : tensor<?x64xf8E4M3FN> to tensor<?x64xf8E4M3FNUZ>
  %y = qfuse.scaled_matmul %c by %s, %w by %ws {a_format = #per_token, b_format = #per_token, scale_order = #qfuse.scale_order<a_then_b>}
      : tensor<?x64xf8E4M3FNUZ>, tensor<?x1xf32>, tensor<32x64xf8E4M3FNUZ>, tensor<32x1xf32> -> tensor<?x32xbf16>
  return %y : tensor<?x32xbf16>
}

// -----

#per_token = #qfuse.format<block = [1, 0]>
func.func @in_a_kernel(%x: tensor<?x64xbf16>, %s: tensor<?x1xf32>) -> tensor<?x64xf8E4M3FNUZ> {
  // expected-note @below {{in the body of this kernel}}
  %0 = qfuse.kernel ins(%a = %x : tensor<?x64xbf16>, %b = %s : tensor<?x1xf32>) -> (tensor<?x64xf8E4M3FNUZ>) {
    %q = qfuse.quantize %a by %b {format = #per_token} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
    // expected-error @below {{'arith.bitcast' op is not fusible}}
    %c = arith.bitcast %q : tensor<?x64xf8E4M3FN> to tensor<?x64xf8E4M3FNUZ>
    qfuse.yield %c : tensor<?x64xf8E4M3FNUZ>
  }
  return %0 : tensor<?x64xf8E4M3FNUZ>
}
