// A scale that can be subnormal is rounded by more than a quotient may be off:
// what it gives is limited. With a floor nothing has to be.
// RUN: split-file %s %t
// RUN: qfuse-compile %t/without.mlir --target=gfx950 --emit=asm | FileCheck %t/without.mlir --check-prefix=AMD
// RUN: qfuse-compile %t/without.mlir --target=sm_90 --emit=asm | FileCheck %t/without.mlir --check-prefix=PTX
// RUN: qfuse-compile %t/with.mlir --target=gfx950 --emit=asm | FileCheck %t/with.mlir --implicit-check-not=v_med3_f32
// RUN: qfuse-compile %t/with.mlir --target=sm_90 --emit=asm | FileCheck %t/with.mlir --implicit-check-not=min.NaN.f32

//--- without.mlir
// AMD-COUNT-8: v_med3_f32
// PTX-COUNT-8: min.NaN.f32
#format = #qfuse.format<block = [1, 128]>
func.func @f(%x: tensor<?x256xf32> {qfuse.dims = ["M", ""]}) -> (tensor<?x256xf8E4M3FN>, tensor<?x2xf32>) {
  %s = qfuse.block_scale %x {format = #format, rule = #qfuse.scale_rule<max = 448.0, zero = one>} : tensor<?x256xf32> -> tensor<?x2xf32>
  %q = qfuse.quantize %x by %s {format = #format} : tensor<?x256xf32>, tensor<?x2xf32> -> tensor<?x256xf8E4M3FN>
  return %q, %s : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
}

//--- with.mlir
// CHECK: block_scale_quantize_
#format = #qfuse.format<block = [1, 128]>
func.func @f(%x: tensor<?x256xf32> {qfuse.dims = ["M", ""]}) -> (tensor<?x256xf8E4M3FN>, tensor<?x2xf32>) {
  %s = qfuse.block_scale %x {format = #format, rule = #qfuse.scale_rule<max = 448.0, zero = one, amax_floor = 1.0e-10>} : tensor<?x256xf32> -> tensor<?x2xf32>
  %q = qfuse.quantize %x by %s {format = #format} : tensor<?x256xf32>, tensor<?x2xf32> -> tensor<?x256xf8E4M3FN>
  return %q, %s : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
}
