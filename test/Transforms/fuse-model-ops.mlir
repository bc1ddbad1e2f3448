// RUN: qfuse-opt %s --qfuse-fuse | FileCheck %s
// RUN: qfuse-opt %s --pass-pipeline='builtin.module(qfuse-attach-target{target=gfx950},qfuse-fuse)' | FileCheck %s --check-prefix=TARGET
// RUN: qfuse-opt %s --pass-pipeline='builtin.module(qfuse-attach-target{target=gfx950},qfuse-fuse)' \
// RUN:     --remarks-filter='qfuse.*' --remark-format=emitRemark --remark-policy=all -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

#block = #qfuse.format<block = [1, 128]>
#heads = #qfuse.format<block = [1, 1, 128], scale_type = f8E8M0FNU>
#mxfp4 = #qfuse.format<block = [1, 32], scale_type = f8E8M0FNU>
#rule = #qfuse.scale_rule<max = 448.0, amax_floor = 1.0e-10>
#roundup = #qfuse.scale_rule<max = 448.0, divide = by_reciprocal_constant, amax_floor = 1.0e-8, pow2 = roundup>

// CHECK-LABEL: func.func @activation
//       CHECK:   qfuse.kernel
//       CHECK:     qfuse.gated_activation
//       CHECK:     qfuse.block_scale
//       CHECK:     qfuse.quantize
//       CHECK:     qfuse.yield
// No row kernel computes it yet: the chain begins behind it, and that is said.
// REMARK-DAG: ResourceLimit {{.*}}not fused into the kernel of qfuse.quantize, because no row kernel computes qfuse.gated_activation yet
// TARGET-LABEL: func.func @activation
//       TARGET:   %[[Y:.+]] = qfuse.gated_activation
//       TARGET:   qfuse.kernel ins(%{{.+}} = %[[Y]] : tensor<?x256xbf16>)
func.func @activation(%gate: tensor<?x256xbf16>, %up: tensor<?x256xbf16>) -> (tensor<?x2xf32>, tensor<?x256xf8E4M3FN>) {
  %y = qfuse.gated_activation %gate, %up {activation = #qfuse.activation<silu>} : tensor<?x256xbf16>, tensor<?x256xbf16> -> tensor<?x256xbf16>
  %s = qfuse.block_scale %y {format = #block, rule = #rule} : tensor<?x256xbf16> -> tensor<?x2xf32>
  %q = qfuse.quantize %y by %s {format = #block} : tensor<?x256xbf16>, tensor<?x2xf32> -> tensor<?x256xf8E4M3FN>
  return %s, %q : tensor<?x2xf32>, tensor<?x256xf8E4M3FN>
}

// CHECK-LABEL: func.func @inverse_rope
//       CHECK:   qfuse.kernel ins(%{{.+}} : tensor<?x16x512xbf16>, %{{.+}} : tensor<?x32xf32>, %{{.+}} : tensor<?x32xf32>)
//       CHECK:     qfuse.rope
//       CHECK:     qfuse.block_scale
//       CHECK:     qfuse.quantize
//       CHECK:     qfuse.yield
func.func @inverse_rope(%x: tensor<?x16x512xbf16>, %c: tensor<?x32xf32>, %s: tensor<?x32xf32>) -> (tensor<?x16x4xf8E8M0FNU>, tensor<?x16x512xf8E4M3FN>) {
  %y = qfuse.rope %x, %c, %s {inverse, offset = 448, style = #qfuse.rope_style<interleaved>} : tensor<?x16x512xbf16>, tensor<?x32xf32>, tensor<?x32xf32> -> tensor<?x16x512xf32>
  %t = qfuse.block_scale %y {format = #heads, rule = #roundup} : tensor<?x16x512xf32> -> tensor<?x16x4xf8E8M0FNU>
  %q = qfuse.quantize %y by %t {format = #heads} : tensor<?x16x512xf32>, tensor<?x16x4xf8E8M0FNU> -> tensor<?x16x512xf8E4M3FN>
  return %t, %q : tensor<?x16x4xf8E8M0FNU>, tensor<?x16x512xf8E4M3FN>
}

// Rows of a cache that are read, decoded and encoded in another format.
// CHECK-LABEL: func.func @cache
//       CHECK:   qfuse.kernel
//       CHECK:     qfuse.gather_rows
//       CHECK:     qfuse.gather_rows
//       CHECK:     qfuse.dequantize
//       CHECK:     qfuse.quantize
//       CHECK:     qfuse.yield
func.func @cache(%q: tensor<?x512xf4E2M1FN>, %s: tensor<?x16xf8E8M0FNU>, %i: tensor<?xi32>, %t: tensor<?x4xf32>) -> tensor<?x512xf8E4M3FN> {
  %c = qfuse.gather_rows %q, %i : tensor<?x512xf4E2M1FN>, tensor<?xi32> -> tensor<?x512xf4E2M1FN>
  %d = qfuse.gather_rows %s, %i : tensor<?x16xf8E8M0FNU>, tensor<?xi32> -> tensor<?x16xf8E8M0FNU>
  %x = qfuse.dequantize %c by %d {format = #mxfp4} : tensor<?x512xf4E2M1FN>, tensor<?x16xf8E8M0FNU> -> tensor<?x512xbf16>
  %y = qfuse.quantize %x by %t {format = #block} : tensor<?x512xbf16>, tensor<?x4xf32> -> tensor<?x512xf8E4M3FN>
  return %y : tensor<?x512xf8E4M3FN>
}
