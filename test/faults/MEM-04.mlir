// Each output has its own strides, and lanes behind the end of a row store
// nothing: 1152 elements are 144 vectors, which three waves do not fill.
// RUN: qfuse-verify %s --target=gfx950 --device=emulated --dim=M=0,1,5 --inputs=random,outlier | FileCheck %s
// RUN: sed 's/strided<\[1216, 1\]>/strided<[?, 1]>/' %s > %t.mlir
// RUN: qfuse-verify %t.mlir --target=gfx950 --device=emulated --dim=M=5 | FileCheck %s --check-prefix=OPEN
// CHECK: 6 equal, 0 different
// OPEN: 1 equal, 0 different
#format = #qfuse.format<block = [1, 0]>
#rule = #qfuse.scale_rule<max = 448.0, amax_floor = 1.0e-10>
func.func @chain(%x: tensor<?x1152xbf16> {qfuse.dims = ["M", ""]},
    %residual: tensor<?x1152xbf16> {qfuse.dims = ["M", ""], qfuse.strides = strided<[1216, 1]>, qfuse.donated},
    %weight: tensor<1152xbf16> {qfuse.role = "weight"})
    -> (tensor<?x1152xf8E4M3FN>, tensor<?x1xf32>, tensor<?x1152xbf16>) {
  %sum = arith.addf %x, %residual : tensor<?x1152xbf16>
  %norm = qfuse.rms_norm %sum weight(%weight : tensor<1152xbf16>)
    {epsilon = 1.0e-6 : f32} : tensor<?x1152xbf16> -> tensor<?x1152xbf16>
  %s = qfuse.block_scale %norm {format = #format, rule = #rule}
    : tensor<?x1152xbf16> -> tensor<?x1xf32>
  %q = qfuse.quantize %norm by %s {format = #format}
    : tensor<?x1152xbf16>, tensor<?x1xf32> -> tensor<?x1152xf8E4M3FN>
  return %q, %s, %sum : tensor<?x1152xf8E4M3FN>, tensor<?x1xf32>, tensor<?x1152xbf16>
}
