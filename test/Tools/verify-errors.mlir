// RUN: rm -rf %t && mkdir %t
// RUN: qfuse-verify %s --target=gfx950 --dim=M=3 | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal norm target=gfx950 device=emulated M=3 inputs=random checks=A,B,C
// EQUAL: 1 equal, 0 different

// RUN: %refused qfuse-verify %t/none.mlir --target=gfx950 | FileCheck %s --check-prefix=NONE
// RUN: %refused qfuse-verify --target=gfx950 | FileCheck %s --check-prefix=NO-INPUT
// RUN: %refused qfuse-verify %s | FileCheck %s --check-prefix=NO-TARGET
// RUN: %refused qfuse-verify %s --target=gfx9000 | FileCheck %s --check-prefix=BAD-TARGET
// RUN: %refused qfuse-verify %s --target=gfx950 --device=abacus | FileCheck %s --check-prefix=DEVICE
// RUN: %refused qfuse-verify %s --target=gfx950 --function=f | FileCheck %s --check-prefix=NO-FUNCTION
// RUN: %refused qfuse-verify %s --target=gfx950 --dim=M | FileCheck %s --check-prefix=DIM
// RUN: %refused qfuse-verify %s --target=gfx950 --dim=M=17 | FileCheck %s --check-prefix=RANGE
// RUN: %refused qfuse-verify %s --target=gfx950 --inputs=odd | FileCheck %s --check-prefix=INPUTS
// RUN: %refused qfuse-verify %s --target=gfx950 --reference=%t/none.mlir | FileCheck %s --check-prefix=REFERENCE
// RUN: qfuse-opt %s --emit-bytecode -o %t/whole.mlirbc && head -c 200 %t/whole.mlirbc > %t/cut.mlirbc
// RUN: %refused qfuse-verify %t/cut.mlirbc --target=gfx950 | FileCheck %s --check-prefix=CUT
// NONE:        error: {{.*}}none.mlir{{.*}}No such file or directory
// NO-INPUT:    error: expected a file to verify
// NO-TARGET:   error: expected --target=NAME, one of gfx942, gfx950
// BAD-TARGET:  error: {{.*}}'gfx9000'
// DEVICE:      error: {{.*}}'abacus'
// NO-FUNCTION: error: expected a function with a body named f
// DIM:         error: expected --dim like M=0,1,5, got 'M'
// RANGE:       error: expected the extent M to be in [0, 16], got 17
// INPUTS:      error: expected --inputs of random, zero_rows, outlier, ties, denormal, nan and inf, got 'odd'
// REFERENCE:   error: {{.*}}none.mlir{{.*}}No such file or directory
// CUT:         cut.mlirbc:{{.*}}error:

#format = #qfuse.format<block = [1, 0]>
#rule = #qfuse.scale_rule<max = 448.0, amax_floor = 1.0e-10>
func.func @norm(%x: tensor<?x64xbf16> {qfuse.dims = ["M", ""]})
    -> (tensor<?x64xf8E4M3FN>, tensor<?x1xf32>)
    attributes {qfuse.ranges = {M = [0, 16]}} {
  %n = qfuse.rms_norm %x {epsilon = 1.0e-6 : f32} : tensor<?x64xbf16> -> tensor<?x64xbf16>
  %s = qfuse.block_scale %n {format = #format, rule = #rule} : tensor<?x64xbf16> -> tensor<?x1xf32>
  %q = qfuse.quantize %n by %s {format = #format} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
  return %q, %s : tensor<?x64xf8E4M3FN>, tensor<?x1xf32>
}
