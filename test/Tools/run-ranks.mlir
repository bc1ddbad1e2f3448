// RUN: rm -rf %t && mkdir -p %t
// Without inputs: what is uniform is equal on all ranks, the rest is not.
// RUN: qfuse-run %s --device=interpreter --function=uniform --dim=M=2 | FileCheck %s --check-prefix=UNIFORM
// UNIFORM:      rank0:
// UNIFORM-NEXT: out0 [2, 4] f32 [[EQUAL:[0-9a-f]+]]
// UNIFORM-NEXT: out1 [2, 4] f32 [[FIRST:[0-9a-f]+]]
// UNIFORM-NEXT: out2 [4, 4] f32 [[WHOLE:[0-9a-f]+]]
// UNIFORM-NEXT: rank1:
// UNIFORM-NEXT: out0 [2, 4] f32 [[EQUAL]]
// UNIFORM-NOT:  out1 {{.*}} [[FIRST]]
// UNIFORM:      out2 [4, 4] f32 [[WHOLE]]

// A file for each rank, a folder for each rank.
// RUN: qfuse-run %s --device=interpreter --function=make --output-dir=%t
// RUN: cp %t/out0.npy %t/in0.npy && cp %t/out1.npy %t/in1.npy
// RUN: qfuse-run %s --device=interpreter --function=sum --input=%t/in%r.npy --output-dir=%t/sums
// RUN: qfuse-run %s --device=interpreter --function=show --input=%t/sums/rank0/out0.npy --input=%t/sums/rank1/out0.npy
// RUN: not qfuse-run %s --device=interpreter --function=show --input=%t/sums/rank0/out0.npy --input=%t/in0.npy 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: 'cf.assert' op does not hold: expected 3.0

// RUN: not qfuse-run %s --device=interpreter --function=sum --input=%t/missing%r.npy 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: {{.*}}missing0.npy: cannot be read

module attributes {qfuse.groups = {tp = 2}} {
  func.func @uniform(%x: tensor<?x4xf32> {qfuse.dims = ["M", ""], qfuse.uniform = "tp"}, %y: tensor<?x4xf32> {qfuse.dims = ["M", ""]})
      -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
    %w = func.call @gather(%y) : (tensor<?x4xf32>) -> tensor<?x4xf32>
    return %x, %y, %w : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
  }
  func.func private @gather(%y: tensor<?x4xf32>) -> tensor<?x4xf32> {
    %w = qfuse.all_gather %y {dim = 0 : i64, group = "tp"} : tensor<?x4xf32> -> tensor<?x4xf32>
    return %w : tensor<?x4xf32>
  }
  func.func @make() -> (tensor<1xf32>, tensor<1xf32>) {
    %0 = arith.constant dense<1.0> : tensor<1xf32>
    %1 = arith.constant dense<2.0> : tensor<1xf32>
    return %0, %1 : tensor<1xf32>, tensor<1xf32>
  }
  func.func @sum(%x: tensor<1xf32>) -> tensor<1xf32> {
    %0 = qfuse.all_reduce %x {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
  func.func @show(%x: tensor<1xf32>, %y: tensor<1xf32>) {
    %c0 = arith.constant 0 : index
    %three = arith.constant 3.0 : f32
    %0 = tensor.extract %x[%c0] : tensor<1xf32>
    %1 = tensor.extract %y[%c0] : tensor<1xf32>
    %2 = arith.cmpf oeq, %0, %three : f32
    %3 = arith.cmpf oeq, %1, %three : f32
    %4 = arith.andi %2, %3 : i1
    cf.assert %4, "expected 3.0"
    return
  }
}
