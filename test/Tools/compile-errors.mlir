// RUN: rm -rf %t && mkdir %t
// RUN: %refused qfuse-compile %t/none.mlir --target=gfx950 -o %t/a | FileCheck %s --check-prefix=NONE
// RUN: %refused qfuse-compile %s -o %t/a | FileCheck %s --check-prefix=NO-TARGET
// RUN: %refused qfuse-compile %s --target=gfx9000 -o %t/a | FileCheck %s --check-prefix=BAD-TARGET
// RUN: %refused qfuse-compile %s --target=%t/none.mlir -o %t/a | FileCheck %s --check-prefix=NO-TARGET-FILE
// RUN: %refused qfuse-compile %s --target=gfx950 | FileCheck %s --check-prefix=NO-OUTPUT
// RUN: %refused qfuse-compile %s --target=gfx950 -o %s/a | FileCheck %s --check-prefix=OUTPUT
// RUN: %refused qfuse-compile %s --target=gfx950 --emit=asm -o %t/none/a.s | FileCheck %s --check-prefix=OUTPUT-FILE
// RUN: %refused qfuse-compile %s --target=gfx950 --emit=cubin -o %t/a | FileCheck %s --check-prefix=STAGE
// RUN: %refused qfuse-compile %s --target=gfx950 --frobnicate -o %t/a | FileCheck %s --check-prefix=OPTION
// RUN: %refused qfuse-compile %S/../refused.py --target=gfx950 -o %t/a | FileCheck %s --check-prefix=TEXT
// RUN: qfuse-opt %s --emit-bytecode -o %t/whole.mlirbc && head -c 200 %t/whole.mlirbc > %t/cut.mlirbc
// RUN: %refused qfuse-compile %t/cut.mlirbc --target=gfx950 -o %t/a | FileCheck %s --check-prefix=CUT
// RUN: echo 'module {}' > %t/empty.mlir
// RUN: %refused qfuse-compile %t/empty.mlir --target=gfx950 -o %t/a | FileCheck %s --check-prefix=EMPTY
// RUN: test ! -e %t/a

// NONE:           error: {{.*}}none.mlir{{.*}}No such file or directory
// NO-TARGET:      error: expected --target=NAME, one of gfx942, gfx950
// BAD-TARGET:     error: {{.*}}'gfx9000'
// NO-TARGET-FILE: error: could not open input file {{.*}}none.mlir
// NO-OUTPUT:      error: expected -o PATH, the directory to write
// OUTPUT:         error: {{.*}}compile-errors.mlir/a: Not a directory
// OUTPUT-FILE:    error: {{.*}}none/a.s{{.*}}No such file or directory
// STAGE:          for the --emit option: Cannot find option named 'cubin'
// STAGE:          error: an option does not take its value, see above
// OPTION:         error: {{.*}}'--frobnicate'
// TEXT:           refused.py:{{.*}}error:
// CUT:            cut.mlirbc:{{.*}}error:
// EMPTY:          empty.mlir:{{.*}}error: expected a function with a body

#format = #qfuse.format<block = [1, 0]>
#rule = #qfuse.scale_rule<max = 448.0, amax_floor = 1.0e-10>
func.func @norm(%x: tensor<?x64xbf16> {qfuse.dims = ["M", ""]})
    -> (tensor<?x64xf8E4M3FN>, tensor<?x1xf32>) {
  %n = qfuse.rms_norm %x {epsilon = 1.0e-6 : f32} : tensor<?x64xbf16> -> tensor<?x64xbf16>
  %s = qfuse.block_scale %n {format = #format, rule = #rule} : tensor<?x64xbf16> -> tensor<?x1xf32>
  %q = qfuse.quantize %n by %s {format = #format} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
  return %q, %s : tensor<?x64xf8E4M3FN>, tensor<?x1xf32>
}
