// A kernel that loads a row in several steps goes by one row stride in all of
// them, and refuses rows whose elements are apart.
// RUN: %refused qfuse-compile %s --target=gfx950 -o %t.out | FileCheck %s
// CHECK: error: expected argument 0 in row-major order, without gaps inside of its rows, which begin at multiples of 8 elements and do not overlap, got strided<[1, ?]>
// RUN: sed 's/strided<\[1, ?\]>/strided<[?, 1]>/' %s > %t.rows.mlir
// RUN: qfuse-verify %t.rows.mlir --target=gfx950 --device=emulated --dim=M=3 | FileCheck %s --check-prefix=ROWS
// ROWS: 1 equal, 0 different
// RUN: sed 's/strided<\[1, ?\]>/strided<[16380, 1]>/' %s > %t.odd.mlir
// RUN: %refused qfuse-compile %t.odd.mlir --target=gfx950 -o %t.out | FileCheck %s --check-prefix=ODD
// ODD: multiples of 8 elements and do not overlap, got strided<[16380, 1]>
// RUN: sed 's/strided<\[1, ?\]>/strided<[8192, 1]>/' %s > %t.overlap.mlir
// RUN: %refused qfuse-compile %t.overlap.mlir --target=gfx950 -o %t.out | FileCheck %s --check-prefix=OVERLAP
// OVERLAP: do not overlap, got strided<[8192, 1]>
func.func @norm(%x: tensor<?x16384xbf16> {qfuse.dims = ["M", ""], qfuse.strides = strided<[1, ?]>})
    -> tensor<?x16384xbf16> {
  %0 = qfuse.rms_norm %x {epsilon = 1.0e-6 : f32}
    : tensor<?x16384xbf16> -> tensor<?x16384xbf16>
  return %0 : tensor<?x16384xbf16>
}
