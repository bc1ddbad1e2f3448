// RUN: qfuse-opt %s --qfuse-outline-kernels --remarks-filter='qfuse.*' --remark-format=emitRemark 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.err
// Names do not change from run to run.
// RUN: qfuse-opt %s --qfuse-outline-kernels -o %t.first 2>/dev/null
// RUN: qfuse-opt %s --qfuse-outline-kernels -o %t.second 2>/dev/null
// RUN: diff %t.first %t.second

// Equal bodies have one definition, also of ops in different functions; a
// bare op has one of its own.
//      CHECK: qfuse.kernel_def @[[$ADD:addf_[0-9a-f]+]](%{{.+}}: tensor<4x64xf32>, %{{.+}}: tensor<4x64xf32>) -> tensor<4x64xf32>
// CHECK-NEXT:   arith.addf
//      CHECK: qfuse.kernel_def @[[$NORM:rms_norm_addf_[0-9a-f]+]](%[[A:.+]]: tensor<4x64xf32>) -> (tensor<4x64xf32>, tensor<4x64xf32>)
// CHECK-NEXT:   %[[N:.+]] = qfuse.rms_norm %[[A]]
// CHECK-NEXT:   %[[S:.+]] = arith.addf %[[N]], %[[A]]
// CHECK-NEXT:   qfuse.yield %[[N]], %[[S]]
// CHECK-LABEL: func.func @first
//  CHECK-SAME:     %[[X:.+]]: tensor<4x64xf32>
//       CHECK:   %[[C:.+]] = arith.constant
//       CHECK:   %[[Y:.+]] = qfuse.launch @[[$ADD]](%[[X]], %[[C]])
//       CHECK:   %[[K:.+]]:2 = qfuse.launch @[[$NORM]](%[[Y]])
//       CHECK:   return %[[K]]#0, %[[K]]#1
func.func @first(%x: tensor<4x64xf32>) -> (tensor<4x64xf32>, tensor<4x64xf32>) {
  %c = arith.constant dense<1.0> : tensor<4x64xf32>
  %y = arith.addf %x, %c : tensor<4x64xf32>
  %k:2 = qfuse.kernel ins(%in = %y : tensor<4x64xf32>) -> (tensor<4x64xf32>, tensor<4x64xf32>) {
    %n = qfuse.rms_norm %in {epsilon = 1.0e-6 : f32} : tensor<4x64xf32> -> tensor<4x64xf32>
    %s = arith.addf %n, %in : tensor<4x64xf32>
    qfuse.yield %n, %s : tensor<4x64xf32>, tensor<4x64xf32>
  }
  return %k#0, %k#1 : tensor<4x64xf32>, tensor<4x64xf32>
}

//   CHECK-NOT: qfuse.kernel_def @rms_norm_addf
// REMARK: outline-kernels.mlir:[[#@LINE+11]]:10: remark: [Passed] KernelShared | Category:qfuse:fusion | {{.*}}Kernel=rms_norm_addf_
// Another epsilon is another body.
//       CHECK: qfuse.kernel_def @[[$OTHER:rms_norm_[0-9a-f]+]](
//       CHECK:   epsilon = 9.99999974E-6 : f32
// CHECK-LABEL: func.func @second
//  CHECK-SAME:     %[[X:.+]]: tensor<4x64xf32>
//       CHECK:   %[[K:.+]]:2 = qfuse.launch @[[$NORM]](%[[X]])
//       CHECK:   %[[M:.+]] = qfuse.launch @[[$OTHER]](%[[K]]#0)
//       CHECK:   qfuse.to_storage
//       CHECK:   return %[[M]]
func.func @second(%x: tensor<4x64xf32>, %p: !qfuse.packed<4x1xf32, #qfuse.layout<map = (m, k) -> (k, m)>>) -> (tensor<4x64xf32>, tensor<16xi8>) {
  %k:2 = qfuse.kernel ins(%in = %x : tensor<4x64xf32>) -> (tensor<4x64xf32>, tensor<4x64xf32>) {
    %n = qfuse.rms_norm %in {epsilon = 1.0e-6 : f32} : tensor<4x64xf32> -> tensor<4x64xf32>
    %s = arith.addf %n, %in : tensor<4x64xf32>
    qfuse.yield %n, %s : tensor<4x64xf32>, tensor<4x64xf32>
  }
  %m = qfuse.rms_norm %k#0 {epsilon = 1.0e-5 : f32} : tensor<4x64xf32> -> tensor<4x64xf32>
  %b = qfuse.to_storage %p : !qfuse.packed<4x1xf32, #qfuse.layout<map = (m, k) -> (k, m)>> -> tensor<16xi8>
  return %m, %b : tensor<4x64xf32>, tensor<16xi8>
}
