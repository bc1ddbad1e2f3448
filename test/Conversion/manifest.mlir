// RUN: qfuse-compile %s --target=gfx950 -o %t
// RUN: FileCheck %s < %t/manifest.json
// The same input gives the same bytes.
// RUN: qfuse-compile %s --target=gfx950 -o %t.again
// RUN: diff -r %t %t.again

// A stride that is open is a symbol, which the kernel loads by; a donated
// residual takes its place in the outputs; the matmul reads workspace.
//      CHECK: "functions": {
//      CHECK:   "layer": {
//      CHECK:     "checks": [
//      CHECK:         "lhs": {
//      CHECK:             "arg1.stride0",
// CHECK-NEXT:             8
//      CHECK:           "op": "mod"
//      CHECK:         "message": "the row stride of arg1 is not a multiple of 8 elements"
//      CHECK:     "dims": {
// CHECK-NEXT:       "M": [
// CHECK-NEXT:         0,
// CHECK-NEXT:         512
//      CHECK:     "inputs": [
//      CHECK:         "name": "arg0"
//      CHECK:         "role": "activation"
//      CHECK:         "name": "arg2"
//      CHECK:         "role": "weight"
//      CHECK:     "outputs": [
//      CHECK:         "element": "bf16"
//      CHECK:         "name": "out0"
//      CHECK:         "donated": 1
//      CHECK:         "name": "out1"
//      CHECK:         "strides": [
// CHECK-NEXT:           "arg1.stride0"
//      CHECK:     "steps": [
//      CHECK:             "buffer": "workspace"
//      CHECK:         "kernel": "addf_rms_norm_block_scale_quantize_
// CHECK-NEXT:         "kind": "launch"
//      CHECK:         "kernel": "scaled_matmul_
// CHECK-NEXT:         "kind": "launch"
//      CHECK:     "workspace": {
//      CHECK: "kernels": [
//      CHECK:     "object": "kernels.hsaco"
//      CHECK:     "scratch_bytes": 0
//      CHECK:     "spills": 0
//      CHECK: "schema": 1
// CHECK-NEXT: "target": "gfx950"
#row = #qfuse.format<block = [1, 0]>
func.func @layer(%x: tensor<?x512xbf16> {qfuse.dims = ["M", ""]},
    %res: tensor<?x512xbf16> {qfuse.dims = ["M", ""], qfuse.strides = strided<[?, 1]>, qfuse.donated},
    %g: tensor<512xbf16> {qfuse.role = "weight"}, %w: tensor<48x512xf8E4M3FN> {qfuse.role = "weight"},
    %ws: tensor<48x1xf32> {qfuse.role = "weight"}) -> (tensor<?x48xbf16>, tensor<?x512xbf16>)
    attributes {qfuse.ranges = {M = [0, 512]}} {
  %h = arith.addf %x, %res : tensor<?x512xbf16>
  %n = qfuse.rms_norm %h weight(%g : tensor<512xbf16>) {epsilon = 1.0e-6 : f32, normalized = bf16} : tensor<?x512xbf16> -> tensor<?x512xbf16>
  %s = qfuse.block_scale %n {format = #row, rule = #qfuse.scale_rule<max = 448.0, amax_floor = 1.0e-10>} : tensor<?x512xbf16> -> tensor<?x1xf32>
  %q = qfuse.quantize %n by %s {format = #row} : tensor<?x512xbf16>, tensor<?x1xf32> -> tensor<?x512xf8E4M3FN>
  %y = qfuse.scaled_matmul %q by %s, %w by %ws {a_format = #row, b_format = #row} : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<48x512xf8E4M3FN>, tensor<48x1xf32> -> tensor<?x48xbf16>
  return %y, %h : tensor<?x48xbf16>, tensor<?x512xbf16>
}
