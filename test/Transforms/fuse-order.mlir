// The order of a block does not matter: both functions are the same graph, in
// which operands or attributes alone tell some ops apart, and so one kernel.
// RUN: qfuse-opt %s --qfuse-fuse --qfuse-outline-kernels | FileCheck %s

//       CHECK: qfuse.kernel_def @[[$K:.+]](%
//   CHECK-NOT: qfuse.kernel_def
// CHECK-LABEL: func.func @one
//  CHECK-SAME:     %[[X:.+]]: tensor<4x64xbf16>, %[[Y:.+]]: tensor<4x64xbf16>, %[[S:.+]]: tensor<4x1xf32>
//       CHECK:   qfuse.launch @[[$K]](%[[X]], %[[Y]], %[[S]])
// CHECK-LABEL: func.func @two
//  CHECK-SAME:     %[[X:.+]]: tensor<4x64xbf16>, %[[Y:.+]]: tensor<4x64xbf16>, %[[S:.+]]: tensor<4x1xf32>
//       CHECK:   qfuse.launch @[[$K]](%[[X]], %[[Y]], %[[S]])

#row = #qfuse.format<block = [1, 0]>

func.func @one(%x: tensor<4x64xbf16>, %y: tensor<4x64xbf16>, %s: tensor<4x1xf32>) -> (tensor<4x64xi8>, tensor<4x64xi8>) {
  %h = arith.addf %x, %y : tensor<4x64xbf16>
  %a = arith.mulf %h, %x : tensor<4x64xbf16>
  %b = arith.mulf %h, %y : tensor<4x64xbf16>
  %m = qfuse.rms_norm %a {epsilon = 1.0e-6 : f32} : tensor<4x64xbf16> -> tensor<4x64xbf16>
  %n = qfuse.rms_norm %a {epsilon = 1.0e-5 : f32} : tensor<4x64xbf16> -> tensor<4x64xbf16>
  %c = arith.subf %m, %n : tensor<4x64xbf16>
  %q = qfuse.quantize %c by %s {format = #row} : tensor<4x64xbf16>, tensor<4x1xf32> -> tensor<4x64xi8>
  %r = qfuse.quantize %b by %s {format = #row} : tensor<4x64xbf16>, tensor<4x1xf32> -> tensor<4x64xi8>
  return %q, %r : tensor<4x64xi8>, tensor<4x64xi8>
}

func.func @two(%x: tensor<4x64xbf16>, %y: tensor<4x64xbf16>, %s: tensor<4x1xf32>) -> (tensor<4x64xi8>, tensor<4x64xi8>) {
  %h = arith.addf %x, %y : tensor<4x64xbf16>
  %b = arith.mulf %h, %y : tensor<4x64xbf16>
  %r = qfuse.quantize %b by %s {format = #row} : tensor<4x64xbf16>, tensor<4x1xf32> -> tensor<4x64xi8>
  %a = arith.mulf %h, %x : tensor<4x64xbf16>
  %n = qfuse.rms_norm %a {epsilon = 1.0e-5 : f32} : tensor<4x64xbf16> -> tensor<4x64xbf16>
  %m = qfuse.rms_norm %a {epsilon = 1.0e-6 : f32} : tensor<4x64xbf16> -> tensor<4x64xbf16>
  %c = arith.subf %m, %n : tensor<4x64xbf16>
  %q = qfuse.quantize %c by %s {format = #row} : tensor<4x64xbf16>, tensor<4x1xf32> -> tensor<4x64xi8>
  return %q, %r : tensor<4x64xi8>, tensor<4x64xi8>
}
