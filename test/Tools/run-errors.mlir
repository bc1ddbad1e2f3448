// RUN: rm -rf %t && mkdir %t
// RUN: qfuse-compile %s --target=gfx950 -o %t/a
// RUN: qfuse-run %t/a --device=emulated --function=norm --dim=M=3 --output-dir=%t/rows
// RUN: qfuse-run %t/a --device=emulated --function=norm --input=%t/rows/out0.npy | FileCheck %s --check-prefix=FILE
// FILE: out0 [3, 64] bf16 {{[0-9a-f]+$}}

// Arguments.
// RUN: %refused qfuse-run %t/a --device=emulated --function=norm --input=%t/none.npy | FileCheck %s --check-prefix=NO-FILE
// RUN: %refused qfuse-run %t/a --device=emulated --function=norm --input=%t/rows/out1.npy | FileCheck %s --check-prefix=TYPE
// RUN: %refused qfuse-run %t/a --device=emulated --function=wide --input=%t/rows/out0.npy | FileCheck %s --check-prefix=SHAPE
// RUN: %refused qfuse-run %t/a --device=emulated --function=norm --input=%t/rows/out0.npy --input=%t/rows/out0.npy | FileCheck %s --check-prefix=COUNT
// RUN: %refused qfuse-run %t/a --device=emulated --function=norm --input=%t/rows/out0.npy --dim=M=4 | FileCheck %s --check-prefix=EXTENT
// RUN: %refused qfuse-run %t/a --device=emulated --function=norm | FileCheck %s --check-prefix=NO-DIM
// RUN: %refused qfuse-run %t/a --device=emulated --function=norm --dim=N=1 | FileCheck %s --check-prefix=NO-NAME
// RUN: %refused qfuse-run %t/a --device=emulated --function=norm --dim=M=17 | FileCheck %s --check-prefix=RANGE
// NO-FILE: error: {{.*}}none.npy: cannot be read: No such file or directory
// TYPE:    error: {{.*}}out1.npy: expected elements {{.*}} for bf16, got '|u1'
// SHAPE:   error: {{.*}}a: argument 0 ('arg0'): expected dimension 1 to be 128, got 64
// COUNT:   error: {{.*}}a: expected 1 files, one for each argument of 'norm', got 2
// EXTENT:  error: {{.*}}a: expected the extent M to be 4, got 3 from the arguments
// NO-DIM:  error: {{.*}}a: the extent M of argument 0 ('arg0') is unknown; give it with --dim=M=N
// NO-NAME: error: {{.*}}a: no argument of 'norm' has an extent N
// RANGE:   error: {{.*}}a: expected M to be from 0 to 16, got 17

// Options.
// RUN: %refused qfuse-run %t/a --device=emulated --dim=M=1 | FileCheck %s --check-prefix=SEVERAL
// RUN: %refused qfuse-run %t/a --device=emulated --function=f | FileCheck %s --check-prefix=NO-FUNCTION
// RUN: %refused qfuse-run %t/a --device=hip --function=norm | FileCheck %s --check-prefix=HIP
// RUN: %refused qfuse-run %t/a --device=cuda --function=norm | FileCheck %s --check-prefix=CUDA
// RUN: %refused qfuse-run %t/a --device=emulated --function=norm --target=gfx942 | FileCheck %s --check-prefix=OTHER-TARGET
// RUN: %refused qfuse-run %s --device=emulated --function=norm --dim=M=1 | FileCheck %s --check-prefix=NO-TARGET
// RUN: %refused qfuse-run %s --device=emulated --function=norm --dim=M=1 --target=gfx9000 | FileCheck %s --check-prefix=BAD-TARGET
// RUN: %refused qfuse-run %s --device=interpreter --function=norm --dim=M=1 --counters | FileCheck %s --check-prefix=COUNTERS
// RUN: %refused qfuse-run --device=emulated | FileCheck %s --check-prefix=NO-INPUT
// RUN: %refused qfuse-run %t/none --device=emulated --target=gfx950 | FileCheck %s --check-prefix=NONE
// RUN: %refused qfuse-run %t/a --device=emulated --function=norm --dim=M=1 --output-dir=%s/out | FileCheck %s --check-prefix=OUTPUT
// SEVERAL:      error: {{.*}}a: expected one function, got 2; name one with --function (there are: norm, wide)
// NO-FUNCTION:  error: {{.*}}a: the artifact has no function 'f'; it has norm, wide
// HIP:          error: the device 'hip' is not in this build; use --device=emulated or --device=interpreter
// CUDA:         error: the device 'cuda' is not in this build; use --device=emulated or --device=interpreter
// OTHER-TARGET: error: {{.*}}a: expected an artifact for gfx942, got one for gfx950
// NO-TARGET:    error: expected --target=NAME, which '{{.*}}run-errors.mlir' is to be compiled for, one of gfx942, gfx950
// BAD-TARGET:   error: {{.*}}gfx9000
// COUNTERS:     error: --counters needs a device that counts: --device=emulated
// NO-INPUT:     error: expected what to execute; usage: qfuse-run ARTIFACT|IN.mlir --device=NAME
// NONE:         error: cannot read '{{.*}}none': No such file or directory
// OUTPUT:       error: {{.*}}run-errors.mlir/out: cannot be made: Not a directory

// Damaged artifacts.
// RUN: rm -rf %t/cut && cp -r %t/a %t/cut && head -c 300 %t/a/manifest.json > %t/cut/manifest.json
// RUN: %refused qfuse-run %t/cut --device=emulated --function=norm --dim=M=1 | FileCheck %s --check-prefix=CUT-MANIFEST
// RUN: rm -rf %t/cut && cp -r %t/a %t/cut && head -c 3000 %t/a/kernels.hsaco > %t/cut/kernels.hsaco
// RUN: %refused qfuse-run %t/cut --device=emulated --function=norm --dim=M=1 | FileCheck %s --check-prefix=CUT-OBJECT
// RUN: rm -rf %t/cut && cp -r %t/a %t/cut && rm %t/cut/kernels.hsaco
// RUN: %refused qfuse-run %t/cut --device=emulated --function=norm --dim=M=1 | FileCheck %s --check-prefix=NO-OBJECT
// RUN: rm -rf %t/cut && cp -r %t/a %t/cut && head -c 200 %t/a/module.mlirbc > %t/cut/module.mlirbc
// RUN: %refused qfuse-run %t/cut --device=interpreter --function=norm --dim=M=1 | FileCheck %s --check-prefix=CUT-MODULE
// RUN: rm -rf %t/cut && mkdir %t/cut
// RUN: %refused qfuse-run %t/cut --device=emulated --function=norm --dim=M=1 | FileCheck %s --check-prefix=NO-MANIFEST
// CUT-MANIFEST: error: {{.*}}cut/manifest.json: $: not valid JSON
// CUT-OBJECT:   error: {{.*}}cut/kernels.hsaco: not a whole ELF file; it is damaged or cut off
// NO-OBJECT:    error: {{.*}}cut/kernels.hsaco: No such file or directory
// CUT-MODULE:   module.mlirbc:{{.*}}error:
// NO-MANIFEST:  error: {{.*}}cut/manifest.json: No such file or directory

#format = #qfuse.format<block = [1, 0]>
#rule = #qfuse.scale_rule<max = 448.0, amax_floor = 1.0e-10>
func.func @norm(%x: tensor<?x64xbf16> {qfuse.dims = ["M", ""]})
    -> (tensor<?x64xbf16>, tensor<?x64xf8E4M3FN>, tensor<?x1xf32>)
    attributes {qfuse.ranges = {M = [0, 16]}} {
  %n = qfuse.rms_norm %x {epsilon = 1.0e-6 : f32} : tensor<?x64xbf16> -> tensor<?x64xbf16>
  %s = qfuse.block_scale %n {format = #format, rule = #rule} : tensor<?x64xbf16> -> tensor<?x1xf32>
  %q = qfuse.quantize %n by %s {format = #format} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
  return %n, %q, %s : tensor<?x64xbf16>, tensor<?x64xf8E4M3FN>, tensor<?x1xf32>
}

func.func @wide(%x: tensor<?x128xbf16> {qfuse.dims = ["M", ""]})
    -> (tensor<?x128xf8E4M3FN>, tensor<?x1xf32>) {
  %n = qfuse.rms_norm %x {epsilon = 1.0e-6 : f32} : tensor<?x128xbf16> -> tensor<?x128xbf16>
  %s = qfuse.block_scale %n {format = #format, rule = #rule} : tensor<?x128xbf16> -> tensor<?x1xf32>
  %q = qfuse.quantize %n by %s {format = #format} : tensor<?x128xbf16>, tensor<?x1xf32> -> tensor<?x128xf8E4M3FN>
  return %q, %s : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>
}
