// RUN: qfuse-run %s --device=interpreter --function=double --dim=M=3 | FileCheck %s
// RUN: rm -rf %t && qfuse-run %s --device=interpreter --function=double --dim=M=3 --seed=2 --output-dir=%t
// RUN: qfuse-run %s --device=interpreter --function=double --input=%t/out0.npy --output-dir=%t/twice
// RUN: not cmp %t/out0.npy %t/twice/out0.npy
// RUN: qfuse-run %s --device=interpreter --function=codes --input=%t/out1.npy | FileCheck %s --check-prefix=CODES

// RUN: not qfuse-run %s --device=interpreter 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: not qfuse-run %s --device=interpreter --function=f 2>&1 | FileCheck %s --check-prefix=NO-FUNCTION
// RUN: not qfuse-run %s --device=interpreter --function=double 2>&1 | FileCheck %s --check-prefix=NO-DIM
// RUN: not qfuse-run %s --device=interpreter --function=double --dim=M=17 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not qfuse-run %s --device=interpreter --function=double --dim=N=1 2>&1 | FileCheck %s --check-prefix=NO-NAME
// RUN: not qfuse-run %s --device=interpreter --function=double --dim=M 2>&1 | FileCheck %s --check-prefix=BAD-DIM
// RUN: not qfuse-run %s --device=interpreter --function=double --input=%t/none.npy 2>&1 | FileCheck %s --check-prefix=NO-FILE
// RUN: not qfuse-run %s --device=interpreter --function=double --input=%t/out1.npy 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not qfuse-run %s --device=interpreter --function=narrow --input=%t/out0.npy 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not qfuse-run %s --device=interpreter --function=pair --input=%t/out0.npy --input=%t/out1.npy 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not qfuse-run %s --device=interpreter --function=pair --input=%t/out0.npy 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not qfuse-run %s --device=interpreter --function=packed --input=%t/out1.npy --dim=M=3 2>&1 | FileCheck %s --check-prefix=PACKED
// RUN: not qfuse-run %s --device=abacus 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not qfuse-run %s 2>&1 | FileCheck %s --check-prefix=NO-DEVICE
// RUN: not qfuse-run %t/none.mlir --device=interpreter 2>&1 | FileCheck %s --check-prefix=NO-MODULE

// CHECK:      out0 [3, 4] f32 {{[0-9a-f]+$}}
// CHECK-NEXT: out1 [12] i8 {{[0-9a-f]+$}}
// CODES:      out0 [12] i8 {{[0-9a-f]+$}}
// SEVERAL:     run.mlir:0:0: error: expected one public function, got 5; name one with --function (there are: double, codes, narrow, pair, packed)
// NO-FUNCTION: error: no function 'f' with a body (there are: double, codes, narrow, pair, packed)
// NO-DIM:      error: the extent M of argument 0 is unknown; give it with --dim=M=N
// RANGE:       error: expected the extent M to be in [0, 16], got 17
// NO-NAME:     error: no argument has an extent N
// BAD-DIM:     error: expected --dim like M=5, got 'M'
// NO-FILE:     error: {{.*}}none.npy: cannot be read: No such file or directory
// TYPE:        error: {{.*}}out1.npy: expected elements '<f4' for f32, got '|i1'
// SHAPE:       error: {{.*}}out0.npy: expected extents of 'tensor<?x3xf32>' for argument 0, got [3, 4]
// NAME:        error: expected one extent M, got 3 and, in argument 1, 12
// COUNT:       error: expected 2 files, one for each argument, got 1
// PACKED:      error: {{.*}}out1.npy: expected extents [16] for argument 0, which is packed, got [12]
// DEVICE:      error: unknown device 'abacus'; there are: interpreter, emulated, cuda, hip
// NO-DEVICE:   error: expected a device; there are: interpreter, emulated, cuda, hip
// NO-MODULE:   error: cannot read '{{.*}}none.mlir': No such file or directory

func.func @double(%x: tensor<?x4xf32> {qfuse.dims = ["M", ""]}) -> (tensor<?x4xf32>, tensor<12xi8>)
    attributes {qfuse.ranges = {M = [0, 16]}} {
  %y = arith.addf %x, %x : tensor<?x4xf32>
  %c = arith.constant dense<7> : tensor<12xi8>
  return %y, %c : tensor<?x4xf32>, tensor<12xi8>
}

func.func @codes(%x: tensor<12xi8>) -> tensor<12xi8> {
  return %x : tensor<12xi8>
}

func.func @narrow(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  return %x : tensor<?x3xf32>
}

func.func @pair(%x: tensor<?x4xf32> {qfuse.dims = ["M", ""]}, %y: tensor<?xi8> {qfuse.dims = ["M"]}) -> tensor<?xi8> {
  return %y : tensor<?xi8>
}

func.func @packed(%x: !qfuse.packed<?x4xi8, #qfuse.layout<map = (m, k) -> (m, k), align = [4, 1]>> {qfuse.dims = ["M", ""]}) -> index {
  %m = qfuse.dim %x, 0 : !qfuse.packed<?x4xi8, #qfuse.layout<map = (m, k) -> (m, k), align = [4, 1]>>
  return %m : index
}
