// What the interpreter cannot hold, or what is none of its values, is an error
// at the place where it comes from.

// RUN: %refused qfuse-run %s --device=interpreter --function=empty | FileCheck %s --check-prefix=EMPTY
// RUN: %refused qfuse-run %s --device=interpreter --function=constant | FileCheck %s --check-prefix=CONSTANT
// RUN: %refused qfuse-run %s --device=interpreter --function=splat | FileCheck %s --check-prefix=SPLAT
// RUN: %refused qfuse-run %s --device=interpreter --function=pad | FileCheck %s --check-prefix=PAD
// RUN: %refused qfuse-run %s --device=interpreter --function=stride | FileCheck %s --check-prefix=STRIDE
// RUN: %refused qfuse-run %s --device=interpreter --function=expand | FileCheck %s --check-prefix=EXPAND
// RUN: %refused qfuse-run %s --device=interpreter --function=storage | FileCheck %s --check-prefix=STORAGE
// RUN: %refused qfuse-run %s --device=interpreter --function=packed | FileCheck %s --check-prefix=PACKED
// RUN: %refused qfuse-run %s --device=interpreter --function=insert | FileCheck %s --check-prefix=INSERT
// EMPTY:    run-limits.mlir:{{[0-9]+}}:8: error: 'tensor.empty' op is too large: expected a tensor of at most 64 GiB, got an extent of 4611686018427387904
// CONSTANT: error: 'arith.constant' op is too large: {{.*}} 4611686018427387904
// SPLAT:    error: 'tensor.splat' op expected extents of 0 or more, got [-3]
// PAD:      error: 'tensor.pad' op is too large: {{.*}} 9223372036854775807
// STRIDE:   error: 'tensor.extract_slice' op expected a slice inside of extents [10], got
// EXPAND:   error: 'tensor.expand_shape' op is too large: {{.*}} 4611686018427387904
// STORAGE:  error: 'qfuse.from_storage' op is too large: {{.*}} 4611686018427387904
// PACKED:   error: 'qfuse.from_storage' op is too large: {{.*}} 9223372036854775807
// INSERT:   error: 'tensor.insert_slice' op expected a source of extents [2, 3], got [3, 2]

#zero = #qfuse.layout<map = (m, k) -> (m, k), align = [1, 4], pad = zero>
#one = #qfuse.layout<map = (m, k) -> (m, k), align = [1, 4], pad = one>
#free = #qfuse.layout<map = (m, k) -> (m, k), align = [1, 4], pad = undef>

func.func @empty() -> tensor<4611686018427387904x8xf32> {
  %e = tensor.empty() : tensor<4611686018427387904x8xf32>
  return %e : tensor<4611686018427387904x8xf32>
}

func.func @constant() -> tensor<4611686018427387904x8xf32> {
  %c = arith.constant dense<0.0> : tensor<4611686018427387904x8xf32>
  return %c : tensor<4611686018427387904x8xf32>
}

func.func @splat() -> tensor<?xf32> {
  %x = arith.constant 1.0 : f32
  %a = arith.constant -3 : index
  %s = tensor.splat %x[%a] : tensor<?xf32>
  return %s : tensor<?xf32>
}

func.func @pad() -> tensor<?xf32> {
  %x = arith.constant dense<1.0> : tensor<3xf32>
  %n = arith.constant 9223372036854775807 : index
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0] high[%n] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<3xf32> to tensor<?xf32>
  return %p : tensor<?xf32>
}

func.func @stride() -> tensor<5xf32> {
  %x = arith.constant dense<1.0> : tensor<10xf32>
  %n = arith.constant 4611686018427387904 : index
  %s = tensor.extract_slice %x[0] [5] [%n] : tensor<10xf32> to tensor<5xf32>
  return %s : tensor<5xf32>
}

func.func @expand() -> tensor<?x?xf32> {
  %none = arith.constant 0 : index
  %x = tensor.empty(%none) : tensor<?xf32>
  %n = arith.constant 4611686018427387904 : index
  %c8 = arith.constant 8 : index
  %e = tensor.expand_shape %x [[0, 1]] output_shape [%n, %c8] : tensor<?xf32> into tensor<?x?xf32>
  return %e : tensor<?x?xf32>
}

func.func @storage() -> tensor<?x4xf32> {
  %none = arith.constant 0 : index
  %x = tensor.empty(%none) : tensor<?xi8>
  %n = arith.constant 4611686018427387904 : index
  %e = qfuse.from_storage %x sizes(%n) : tensor<?xi8> -> tensor<?x4xf32>
  return %e : tensor<?x4xf32>
}

func.func @packed() -> tensor<?x4xf32> {
  %none = arith.constant 0 : index
  %x = tensor.empty(%none) : tensor<?xi8>
  %n = arith.constant 4611686018427387904 : index
  %p = qfuse.from_storage %x sizes(%n) : tensor<?xi8> -> !qfuse.packed<?x4xf32, #zero>
  %e = qfuse.unpack %p : !qfuse.packed<?x4xf32, #zero> -> tensor<?x4xf32>
  return %e : tensor<?x4xf32>
}

func.func @insert() -> tensor<4x4xf32> {
  %x = arith.constant dense<1.0> : tensor<4x4xf32>
  %s2 = arith.constant 2 : index
  %s3 = arith.constant 3 : index
  %y = tensor.empty(%s3, %s2) : tensor<?x?xf32>
  %i = tensor.insert_slice %y into %x[0, 0] [%s2, %s3] [1, 1] : tensor<?x?xf32> into tensor<4x4xf32>
  return %i : tensor<4x4xf32>
}

// Padding, of files and of bytes.
// RUN: rm -rf %t && mkdir %t
// RUN: qfuse-run %s --device=interpreter --function=bytes --output-dir=%t
// RUN: qfuse-run %s --device=interpreter --function=free --input=%t/out0.npy
// RUN: qfuse-run %s --device=interpreter --function=one --input=%t/out0.npy
// RUN: qfuse-run %s --device=interpreter --function=zero
// RUN: %refused qfuse-run %s --device=interpreter --function=zero --input=%t/out0.npy | FileCheck %s --check-prefix=FILE
// RUN: %refused qfuse-run %s --device=interpreter --function=cast | FileCheck %s --check-prefix=CAST
// FILE: error: 'func.func' op argument 0: expected padding of zero in '!qfuse.packed<1x3xi8, {{.*}}>', got 1.0{{.*}} at physical element 3
// CAST: error: 'qfuse.from_storage' op expected padding of zero in '!qfuse.packed<1x3xi8, {{.*}}>', got 1.0{{.*}} at physical element 3

func.func @bytes() -> tensor<4xi8> {
  %x = arith.constant dense<1> : tensor<4xi8>
  return %x : tensor<4xi8>
}
func.func @free(%p: !qfuse.packed<1x3xi8, #free>) -> !qfuse.packed<1x3xi8, #free> {
  return %p : !qfuse.packed<1x3xi8, #free>
}
func.func @one(%p: !qfuse.packed<1x3xi8, #one>) -> !qfuse.packed<1x3xi8, #one> {
  return %p : !qfuse.packed<1x3xi8, #one>
}
func.func @zero(%p: !qfuse.packed<1x3xi8, #zero>) -> !qfuse.packed<1x3xi8, #zero> {
  return %p : !qfuse.packed<1x3xi8, #zero>
}
func.func @cast() -> !qfuse.packed<1x3xi8, #zero> {
  %x = arith.constant dense<1> : tensor<4xi8>
  %p = qfuse.from_storage %x : tensor<4xi8> -> !qfuse.packed<1x3xi8, #zero>
  return %p : !qfuse.packed<1x3xi8, #zero>
}

// Half a byte.
// RUN: %refused qfuse-run %s --device=interpreter --function=odd | FileCheck %s --check-prefix=ODD
// RUN: %refused qfuse-run %s --device=interpreter --function=argument | FileCheck %s --check-prefix=ARGUMENT
// ODD:      error: 'arith.constant' op expected an even last extent of 'tensor<2x3xf4E2M1FN>', as a byte holds two f4E2M1FN, got [2, 3]
// ARGUMENT: error: 'func.func' op argument 0: expected an even last extent of 'tensor<2x3xf4E2M1FN>'

func.func @odd() -> tensor<2x3xf4E2M1FN> {
  %x = arith.constant dense<1.0> : tensor<2x3xf4E2M1FN>
  return %x : tensor<2x3xf4E2M1FN>
}
func.func @argument(%x: tensor<2x3xf4E2M1FN>) -> tensor<2x3xf4E2M1FN> {
  return %x : tensor<2x3xf4E2M1FN>
}

// A counter that would pass the largest integer is past the bound.
// RUN: qfuse-run %s --device=interpreter --function=count

func.func @count() -> index {
  %low = arith.constant 9223372036854775800 : index
  %high = arith.constant 9223372036854775807 : index
  %step = arith.constant 5 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = scf.for %i = %low to %high step %step iter_args(%a = %c0) -> index {
    %next = arith.addi %a, %c1 : index
    scf.yield %next : index
  }
  %c2 = arith.constant 2 : index
  %holds = arith.cmpi eq, %n, %c2 : index
  cf.assert %holds, "expected two turns"
  return %n : index
}

// RUN: echo 'module {}' > %t/none.mlir
// RUN: %refused qfuse-run %t/none.mlir --device=interpreter | FileCheck %s --check-prefix=NO-FUNCTION
// NO-FUNCTION: error: expected one public function, got 0{{$}}
