// What no step of a launch plan expresses is an error at the op.
// RUN: split-file %s %t
// RUN: not qfuse-compile %t/argument.mlir --target=gfx950 -o %t/out 2>&1 | FileCheck %t/argument.mlir
// RUN: not qfuse-compile %t/scalar.mlir --target=gfx950 -o %t/out 2>&1 | FileCheck %t/scalar.mlir
// RUN: not qfuse-compile %t/call.mlir --target=gfx950 -o %t/out 2>&1 | FileCheck %t/call.mlir
// RUN: not qfuse-compile %t/empty.mlir --target=gfx950 -o %t/out 2>&1 | FileCheck %t/empty.mlir
// RUN: not qfuse-compile %t/device.mlir --target=%t/target.mlir -o %t/out 2>&1 | FileCheck %t/device.mlir

//--- argument.mlir
// CHECK: argument.mlir:3:3: error: 'func.return' op expected results that are different results of launches, got another value as result 0
func.func @argument(%x: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  return %x : tensor<?x64xbf16>
}

//--- scalar.mlir
// CHECK: error: 'func.func' op expected arguments that are tensors or packed values, got 'f32' for argument 0
func.func @scalar(%x: f32) {
  return
}

//--- call.mlir
// CHECK: call.mlir:4:8: error: 'func.call' op has no step in a launch plan
func.func private @opaque(tensor<?x64xbf16>) -> tensor<?x64xbf16>
func.func @call(%x: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %0 = call @opaque(%x) : (tensor<?x64xbf16>) -> tensor<?x64xbf16>
  %1 = arith.addf %x, %x : tensor<?x64xbf16>
  return %1 : tensor<?x64xbf16>
}

//--- empty.mlir
// CHECK: error: expected a function with a body
module {}

//--- device.mlir
// CHECK: error: expected a target whose device is a #rocdl.target or an #nvvm.target, got "made up"
func.func @device(%x: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %0 = arith.addf %x, %x : tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

//--- target.mlir
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}>} {}
