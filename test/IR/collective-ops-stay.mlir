// Nothing removes, merges, hoists or reorders collectives.
// RUN: qfuse-opt %s --cse --canonicalize --loop-invariant-code-motion --cse --sccp --canonicalize --symbol-dce | FileCheck %s
// RUN: qfuse-opt %s --qfuse-outline-kernels --cse --canonicalize --loop-invariant-code-motion --qfuse-inline-kernels --canonicalize --symbol-dce | FileCheck %s

module attributes {qfuse.groups = {tp = 4}} {
  // CHECK-LABEL: func.func @unused_and_equal
  //  CHECK-NEXT:   qfuse.all_reduce
  //  CHECK-NEXT:   qfuse.all_reduce
  //  CHECK-NEXT:   qfuse.all_gather
  //  CHECK-NEXT:   qfuse.all_gather
  //  CHECK-NEXT:   qfuse.reduce_scatter
  //  CHECK-NEXT:   return
  func.func @unused_and_equal(%x: tensor<4x8xf32>) {
    %0 = qfuse.all_reduce %x {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<4x8xf32>
    %1 = qfuse.all_reduce %x {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<4x8xf32>
    %2 = qfuse.all_gather %x {dim = 0 : i64, group = "tp"} : tensor<4x8xf32> -> tensor<16x8xf32>
    %3 = qfuse.all_gather %x {dim = 0 : i64, group = "tp"} : tensor<4x8xf32> -> tensor<16x8xf32>
    %4 = qfuse.reduce_scatter %x {dim = 0 : i64, group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<4x8xf32> -> tensor<1x8xf32>
    return
  }

  // CHECK-LABEL: func.func @loop
  //       CHECK:   scf.for
  //  CHECK-NEXT:     qfuse.all_reduce
  func.func @loop(%x: tensor<4x8xf32>, %n: index) -> tensor<4x8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4x8xf32> {
      %y = qfuse.all_reduce %x {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<4x8xf32>
      scf.yield %y : tensor<4x8xf32>
    }
    return %r : tensor<4x8xf32>
  }

  // CHECK-LABEL: func.func @order
  //  CHECK-SAME:     %[[X:.+]]: tensor<4x8xf32>, %[[Y:.+]]: tensor<4x8xf32>
  //       CHECK:   %[[A:.+]] = qfuse.all_reduce %[[X]]
  //       CHECK:   %[[B:.+]] = qfuse.all_reduce %[[Y]]
  //       CHECK:   %[[C:.+]] = qfuse.all_gather %[[X]]
  //       CHECK:   return %[[C]], %[[B]], %[[A]]
  func.func @order(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<16x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = qfuse.all_reduce %x {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<4x8xf32>
    %1 = qfuse.all_reduce %y {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<4x8xf32>
    %2 = qfuse.all_gather %x {dim = 0 : i64, group = "tp"} : tensor<4x8xf32> -> tensor<16x8xf32>
    return %2, %1, %0 : tensor<16x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }

  // A kernel has the effects of its body, and so has its launch.
  // CHECK-LABEL: func.func @kernels
  //       CHECK:   qfuse.all_reduce
  //       CHECK:   qfuse.all_reduce
  //       CHECK:   return
  func.func @kernels(%x: tensor<4x8xf32>) {
    %0 = qfuse.kernel ins(%a = %x : tensor<4x8xf32>) -> (tensor<4x8xf32>) {
      %y = qfuse.all_reduce %a {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<4x8xf32>
      qfuse.yield %y : tensor<4x8xf32>
    }
    %1 = qfuse.kernel ins(%a = %x : tensor<4x8xf32>) -> (tensor<4x8xf32>) {
      %y = qfuse.all_reduce %a {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<4x8xf32>
      qfuse.yield %y : tensor<4x8xf32>
    }
    return
  }
}
