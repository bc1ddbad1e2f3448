// RUN: qfuse-opt %s --cse --canonicalize --loop-invariant-code-motion | FileCheck %s

module attributes {qfuse.groups = {tp = 4}} {
  qfuse.kernel_def @reduce(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %y = qfuse.all_reduce %a {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<4x8xf32>
    qfuse.yield %y : tensor<4x8xf32>
  }
  qfuse.kernel_def @exp(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %y = math.exp %a : tensor<4x8xf32>
    qfuse.yield %y : tensor<4x8xf32>
  }

  // A launch has the effects of its kernel, or none.
  // CHECK-LABEL: func.func @unused
  //  CHECK-NEXT:   qfuse.launch @reduce
  //  CHECK-NEXT:   qfuse.launch @reduce
  //  CHECK-NEXT:   return
  func.func @unused(%x: tensor<4x8xf32>) {
    %0 = qfuse.launch @reduce(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %1 = qfuse.launch @reduce(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = qfuse.launch @exp(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    return
  }

  // CHECK-LABEL: func.func @merged
  //  CHECK-NEXT:   %[[E:.+]] = qfuse.launch @exp
  //  CHECK-NEXT:   return %[[E]], %[[E]]
  func.func @merged(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = qfuse.launch @exp(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %1 = qfuse.launch @exp(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
  }

  // CHECK-LABEL: func.func @loop
  //       CHECK:   qfuse.launch @exp
  //       CHECK:   scf.for
  //   CHECK-NOT:   @exp
  //       CHECK:     qfuse.launch @reduce
  func.func @loop(%x: tensor<4x8xf32>, %n: index) -> tensor<4x8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<4x8xf32> {
      %y = qfuse.launch @reduce(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %z = qfuse.launch @exp(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %s = arith.addf %y, %z : tensor<4x8xf32>
      scf.yield %s : tensor<4x8xf32>
    }
    return %r : tensor<4x8xf32>
  }
}
