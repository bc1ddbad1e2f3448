// Half a byte is no row.
// RUN: qfuse-opt %s --verify-diagnostics
func.func @f(%x: tensor<1x3xf32>, %s: tensor<1x1xf32>) {
  // expected-error @below {{expected an even last extent of result, as a byte holds two 'f4E2M1FN', got 'tensor<1x3xf4E2M1FN>'}}
  %q = qfuse.quantize %x by %s {format = #qfuse.format<block = [0, 0]>} : tensor<1x3xf32>, tensor<1x1xf32> -> tensor<1x3xf4E2M1FN>
  return
}
