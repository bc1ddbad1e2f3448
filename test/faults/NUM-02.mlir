// No flag allows a scale, or anything else, another value than the one stated:
// a zero row has the same bytes in all modes, as there is one mode.
// RUN: qfuse-compile %s --target=gfx950 --emit=llvm | FileCheck %s --implicit-check-not=fast --implicit-check-not=nnan --implicit-check-not=ninf --implicit-check-not=arcp --implicit-check-not=afn --implicit-check-not=reassoc --implicit-check-not=' contract ' --implicit-check-not=' nsz '
// RUN: sed 's/f8E4M3FN/f8E4M3FNUZ/g; s/448.0/240.0/' %s > %t.fnuz.mlir
// RUN: qfuse-compile %t.fnuz.mlir --target=gfx942 --emit=llvm | FileCheck %s --implicit-check-not=fast --implicit-check-not=nnan --implicit-check-not=ninf --implicit-check-not=arcp --implicit-check-not=afn --implicit-check-not=reassoc --implicit-check-not=' contract ' --implicit-check-not=' nsz '
// CHECK: define amdgpu_kernel
// CHECK: @llvm.fma.f32
// RUN: qfuse-verify %s --target=gfx950 --device=emulated --dim=M=5 --inputs=zero_rows | FileCheck %s --check-prefix=ZERO
// ZERO: 1 equal, 0 different
#format = #qfuse.format<block = [1, 128]>
#rule = #qfuse.scale_rule<max = 448.0, amax_floor = 1.0e-10>
func.func @chain(%x: tensor<?x512xbf16> {qfuse.dims = ["M", ""]})
    -> (tensor<?x512xf8E4M3FN>, tensor<?x4xf32>) {
  %norm = qfuse.rms_norm %x {epsilon = 1.0e-6 : f32}
    : tensor<?x512xbf16> -> tensor<?x512xbf16>
  %s = qfuse.block_scale %norm {format = #format, rule = #rule}
    : tensor<?x512xbf16> -> tensor<?x4xf32>
  %q = qfuse.quantize %norm by %s {format = #format}
    : tensor<?x512xbf16>, tensor<?x4xf32> -> tensor<?x512xf8E4M3FN>
  return %q, %s : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
}
