// A norm behind an all_reduce without an addition gets none, and reads nothing
// that was never written.
// RUN: qfuse-opt %s --qfuse-fuse -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: qfuse-run %t.mlir --device=interpreter --output-dir=%t
// RUN: tail -c +129 %t/rank0/out0.npy | od -An -v -tf4 | FileCheck %s --check-prefix=VALUES
// RUN: cmp %t/rank0/out0.npy %t/rank1/out0.npy
// VALUES: {{^ +1 +1 +1 +1$}}

// CHECK: qfuse.all_reduce
// CHECK-NOT: arith.addf
// CHECK: qfuse.rms_norm
module attributes {qfuse.groups = {tp = 2}} {
  func.func @f() -> tensor<1x4xf32> {
    %x = arith.constant dense<2.0> : tensor<1x4xf32>
    %sum = qfuse.all_reduce %x {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<1x4xf32>
    %n = qfuse.rms_norm %sum {epsilon = 0.0 : f32} : tensor<1x4xf32> -> tensor<1x4xf32>
    return %n : tensor<1x4xf32>
  }
}
