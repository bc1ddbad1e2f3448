// What has no emitter yet is an error at the op.
// RUN: split-file %s %t
// RUN: not qfuse-compile %t/rank.mlir --target=gfx950 --emit=kernels 2>&1 | FileCheck %t/rank.mlir
// RUN: not qfuse-compile %t/size.mlir --target=gfx950 --emit=kernels 2>&1 | FileCheck %t/size.mlir
// RUN: not qfuse-compile %t/element.mlir --target=gfx950 --emit=kernels 2>&1 | FileCheck %t/element.mlir
// RUN: not qfuse-compile %t/two-sizes.mlir --target=gfx950 --emit=kernels 2>&1 | FileCheck %t/two-sizes.mlir
// RUN: not qfuse-compile %t/pow2.mlir --target=gfx950 --emit=kernels 2>&1 | FileCheck %t/pow2.mlir
// RUN: not qfuse-compile %t/block.mlir --target=gfx950 --emit=kernels 2>&1 | FileCheck %t/block.mlir
// RUN: not qfuse-compile %t/rows-of-blocks.mlir --target=gfx950 --emit=kernels 2>&1 | FileCheck %t/rows-of-blocks.mlir
// RUN: not qfuse-compile %t/padding.mlir --target=gfx950 --emit=kernels 2>&1 | FileCheck %t/padding.mlir
// RUN: not qfuse-compile %t/round.mlir --target=gfx950 --emit=kernels 2>&1 | FileCheck %t/round.mlir
// RUN: not qfuse-compile %t/codes.mlir --target=gfx950 --emit=kernels 2>&1 | FileCheck %t/codes.mlir
// RUN: not qfuse-compile %t/scales.mlir --target=gfx950 --emit=kernels 2>&1 | FileCheck %t/scales.mlir
// RUN: not qfuse-compile %t/nan.mlir --target=gfx950 --emit=kernels 2>&1 | FileCheck %t/nan.mlir
// RUN: not qfuse-compile %t/roundup.mlir --target=gfx950 --emit=kernels 2>&1 | FileCheck %t/roundup.mlir
// RUN: not qfuse-compile %t/scale-floor.mlir --target=gfx950 --emit=kernels 2>&1 | FileCheck %t/scale-floor.mlir
// RUN: not qfuse-compile %t/rope.mlir --target=gfx950 --emit=kernels 2>&1 | FileCheck %t/rope.mlir
// RUN: not qfuse-compile %t/gated-activation.mlir --target=gfx950 --emit=kernels 2>&1 | FileCheck %t/gated-activation.mlir
// RUN: not qfuse-compile %t/gather-rows.mlir --target=gfx950 --emit=kernels 2>&1 | FileCheck %t/gather-rows.mlir
// RUN: not qfuse-compile %t/op.mlir --target=gfx950 --emit=kernels 2>&1 | FileCheck %t/op.mlir
// RUN: not qfuse-compile %t/rounding-mode.mlir --target=gfx950 --emit=kernels 2>&1 | FileCheck %t/rounding-mode.mlir

//--- rank.mlir
// CHECK: rank.mlir:[[@LINE+2]]:8: error: 'arith.addf' op cannot be generated yet: expected a tensor of rank 2 with rows of a static size of f32 or bf16, got tensor<?x2x64xbf16>
func.func @rank(%x: tensor<?x2x64xbf16>) -> tensor<?x2x64xbf16> {
  %0 = arith.addf %x, %x : tensor<?x2x64xbf16>
  return %0 : tensor<?x2x64xbf16>
}

//--- size.mlir
// CHECK: error: 'arith.addf' op cannot be generated yet: expected rows whose size is a multiple of 8 up to 16384, got tensor<?x20xbf16>
func.func @size(%x: tensor<?x20xbf16>) -> tensor<?x20xbf16> {
  %0 = arith.addf %x, %x : tensor<?x20xbf16>
  return %0 : tensor<?x20xbf16>
}

//--- element.mlir
// CHECK: error: 'arith.addf' op cannot be generated yet: expected a tensor of rank 2 with rows of a static size of f32 or bf16, got tensor<?x64xf16>
func.func @element(%x: tensor<?x64xf16>) -> tensor<?x64xf16> {
  %0 = arith.addf %x, %x : tensor<?x64xf16>
  return %0 : tensor<?x64xf16>
}

//--- two-sizes.mlir
// CHECK: error: 'arith.addf' op cannot be generated yet: expected rows of 64 elements, as the ops before it have, got 'tensor<?x128xbf16>'
func.func @two_sizes(%x: tensor<?x64xbf16>, %y: tensor<?x128xbf16>) -> (tensor<?x64xbf16>, tensor<?x128xbf16>) {
  %0:2 = qfuse.kernel ins(%a = %x : tensor<?x64xbf16>, %b = %y : tensor<?x128xbf16>) -> (tensor<?x64xbf16>, tensor<?x128xbf16>) {
    %1 = arith.addf %a, %a : tensor<?x64xbf16>
    %2 = arith.addf %b, %b : tensor<?x128xbf16>
    qfuse.yield %1, %2 : tensor<?x64xbf16>, tensor<?x128xbf16>
  }
  return %0#0, %0#1 : tensor<?x64xbf16>, tensor<?x128xbf16>
}

//--- pow2.mlir
// CHECK: error: 'qfuse.block_scale' op cannot be generated yet: expected scales of f8E8M0FNU with pow2, and of f32 without, got tensor<?x2xf32> and #qfuse.scale_rule<max = 4.480000e+02, pow2 = ceil>
func.func @pow2(%x: tensor<?x256xbf16>) -> tensor<?x2xf32> {
  %0 = qfuse.block_scale %x {format = #qfuse.format<block = [1, 128]>, rule = #qfuse.scale_rule<max = 448.0, pow2 = ceil>} : tensor<?x256xbf16> -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

//--- block.mlir
// CHECK: error: 'qfuse.block_scale' op cannot be generated yet: expected blocks of 8, 16, 32, 64 or 128 elements of one row, or of the row, got #qfuse.format<block = [1, 256]>
func.func @block(%x: tensor<?x256xbf16>) -> tensor<?x1xf32> {
  %0 = qfuse.block_scale %x {format = #qfuse.format<block = [1, 256]>, rule = #qfuse.scale_rule<max = 448.0>} : tensor<?x256xbf16> -> tensor<?x1xf32>
  return %0 : tensor<?x1xf32>
}

//--- rows-of-blocks.mlir
// CHECK: error: 'qfuse.block_scale' op cannot be generated yet: expected blocks of 8, 16, 32, 64 or 128 elements of one row, or of the row, got #qfuse.format<block = [128, 128]>
func.func @rows_of_blocks(%x: tensor<?x256xbf16>) -> tensor<?x2xf32> {
  %0 = qfuse.block_scale %x {format = #qfuse.format<block = [128, 128]>, rule = #qfuse.scale_rule<max = 448.0>} : tensor<?x256xbf16> -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

//--- padding.mlir
// CHECK: error: 'qfuse.block_scale' op cannot be generated yet: expected a layout with undefined padding, got !qfuse.packed<?x2xf32, #qfuse.layout<map = (d0, d1) -> (d0, d1), align = [1, 4], pad = zero>>
#zeros = #qfuse.layout<map = (m, k) -> (m, k), align = [1, 4], pad = zero>
func.func @padding(%x: tensor<?x256xbf16>) -> !qfuse.packed<?x2xf32, #zeros> {
  %0 = qfuse.block_scale %x {format = #qfuse.format<block = [1, 128]>, rule = #qfuse.scale_rule<max = 448.0>} : tensor<?x256xbf16> -> !qfuse.packed<?x2xf32, #zeros>
  return %0 : !qfuse.packed<?x2xf32, #zeros>
}

//--- round.mlir
// CHECK: error: 'qfuse.quantize' op cannot be generated yet: expected a rule with round = rne and apply = divide, reciprocal or reciprocal_approx, got #qfuse.encode_rule<round = rtz>
func.func @round(%x: tensor<?x256xbf16>, %s: tensor<?x2xf32>) -> tensor<?x256xf8E4M3FN> {
  %0 = qfuse.quantize %x by %s {format = #qfuse.format<block = [1, 128]>, rule = #qfuse.encode_rule<round = rtz>} : tensor<?x256xbf16>, tensor<?x2xf32> -> tensor<?x256xf8E4M3FN>
  return %0 : tensor<?x256xf8E4M3FN>
}

//--- codes.mlir
// CHECK: error: 'qfuse.quantize' op cannot be generated yet: expected codes of f8E4M3FN, f8E4M3FNUZ or f4E2M1FN in a tensor, got tensor<?x256xi8>
func.func @codes(%x: tensor<?x256xbf16>, %s: tensor<?x2xf32>) -> tensor<?x256xi8> {
  %0 = qfuse.quantize %x by %s {format = #qfuse.format<block = [1, 128]>} : tensor<?x256xbf16>, tensor<?x2xf32> -> tensor<?x256xi8>
  return %0 : tensor<?x256xi8>
}

//--- scales.mlir
// CHECK: error: 'qfuse.quantize' op cannot be generated yet: expected scales of f32 or f8E8M0FNU, got tensor<?x2xf16>
func.func @scales(%x: tensor<?x256xbf16>, %s: tensor<?x2xf16>) -> tensor<?x256xf8E4M3FN> {
  %0 = qfuse.quantize %x by %s {format = #qfuse.format<block = [1, 128], scale_type = f16>} : tensor<?x256xbf16>, tensor<?x2xf16> -> tensor<?x256xf8E4M3FN>
  return %0 : tensor<?x256xf8E4M3FN>
}

//--- nan.mlir
// CHECK: error: 'qfuse.block_scale' op cannot be generated yet: expected a rule that propagates NaN, got #qfuse.scale_rule<max = 4.480000e+02, nan = ignore>
func.func @nan(%x: tensor<?x256xbf16>) -> tensor<?x2xf32> {
  %0 = qfuse.block_scale %x {format = #qfuse.format<block = [1, 128]>, rule = #qfuse.scale_rule<max = 448.0, nan = ignore>} : tensor<?x256xbf16> -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

//--- roundup.mlir
// CHECK: error: 'qfuse.block_scale' op cannot be generated yet: expected max = 6, 448 or 240 with pow2 = roundup, got #qfuse.scale_rule<max = 5.000000e+00, pow2 = roundup>
func.func @roundup(%x: tensor<?x256xbf16>) -> tensor<?x2xf8E8M0FNU> {
  %0 = qfuse.block_scale %x {format = #qfuse.format<block = [1, 128], scale_type = f8E8M0FNU>, rule = #qfuse.scale_rule<max = 5.0, pow2 = roundup>} : tensor<?x256xbf16> -> tensor<?x2xf8E8M0FNU>
  return %0 : tensor<?x2xf8E8M0FNU>
}

//--- scale-floor.mlir
// CHECK: error: 'qfuse.block_scale' op cannot be generated yet: expected no scale_floor with pow2, got #qfuse.scale_rule<max = 6.000000e+00, scale_floor = 1.000000e+00, pow2 = roundup>
func.func @scale_floor(%x: tensor<?x256xbf16>) -> tensor<?x2xf8E8M0FNU> {
  %0 = qfuse.block_scale %x {format = #qfuse.format<block = [1, 128], scale_type = f8E8M0FNU>, rule = #qfuse.scale_rule<max = 6.0, pow2 = roundup, scale_floor = 1.0>} : tensor<?x256xbf16> -> tensor<?x2xf8E8M0FNU>
  return %0 : tensor<?x2xf8E8M0FNU>
}

//--- op.mlir
// CHECK: error: 'math.tanh' op cannot be generated yet: no row kernel computes math.tanh yet
func.func @op(%x: tensor<?x256xf32>) -> tensor<?x256xf32> {
  %0 = math.tanh %x : tensor<?x256xf32>
  return %0 : tensor<?x256xf32>
}

//--- rope.mlir
// CHECK: rope.mlir:[[@LINE+2]]:8: error: 'qfuse.rope' op cannot be generated yet: no row kernel computes qfuse.rope yet
func.func @rope(%x: tensor<?x256xbf16>, %t: tensor<?x128xf32>) -> tensor<?x256xbf16> {
  %0 = qfuse.rope %x, %t, %t {style = #qfuse.rope_style<half>} : tensor<?x256xbf16>, tensor<?x128xf32>, tensor<?x128xf32> -> tensor<?x256xbf16>
  return %0 : tensor<?x256xbf16>
}

//--- gated-activation.mlir
// CHECK: gated-activation.mlir:[[@LINE+2]]:8: error: 'qfuse.gated_activation' op cannot be generated yet: no row kernel computes qfuse.gated_activation yet
func.func @gated_activation(%x: tensor<?x256xbf16>, %y: tensor<?x256xbf16>) -> tensor<?x256xbf16> {
  %0 = qfuse.gated_activation %x, %y {activation = #qfuse.activation<silu>} : tensor<?x256xbf16>, tensor<?x256xbf16> -> tensor<?x256xbf16>
  return %0 : tensor<?x256xbf16>
}

//--- gather-rows.mlir
// CHECK: gather-rows.mlir:[[@LINE+2]]:8: error: 'qfuse.gather_rows' op cannot be generated yet: no row kernel computes qfuse.gather_rows yet
func.func @gather_rows(%x: tensor<?x256xbf16>, %i: tensor<?xi32>) -> tensor<?x256xbf16> {
  %0 = qfuse.gather_rows %x, %i : tensor<?x256xbf16>, tensor<?xi32> -> tensor<?x256xbf16>
  return %0 : tensor<?x256xbf16>
}

//--- rounding-mode.mlir
// CHECK: error: 'arith.truncf' op cannot be generated yet: expected a rounding mode to_nearest_even or toward_zero, got upward
func.func @rounding_mode(%x: tensor<?x256xf32>) -> tensor<?x256xbf16> {
  %0 = arith.truncf %x upward : tensor<?x256xf32> to tensor<?x256xbf16>
  return %0 : tensor<?x256xbf16>
}
