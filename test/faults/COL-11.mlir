// Two chains that do not depend on each other keep the order of their
// collectives on all ranks.
// RUN: qfuse-opt %s --qfuse-fuse --canonicalize --cse --qfuse-outline-kernels --symbol-dce --cse | FileCheck %s

// CHECK-LABEL: qfuse.kernel_def
// CHECK-LABEL: func.func @f
//  CHECK-SAME:     %[[X:.+]]: tensor<4x64xbf16>, %[[Y:.+]]: tensor<4x64xbf16>
//       CHECK:   %[[A:.+]] = qfuse.launch @[[REDUCE:.+]](%[[X]])
//       CHECK:   %[[B:.+]] = qfuse.launch @[[REDUCE]](%[[Y]])
//       CHECK:   qfuse.launch @{{all_reduce.*}}(%[[X]])
//       CHECK:   return
module attributes {qfuse.groups = {tp = 2}} {
  func.func @f(%x: tensor<4x64xbf16>, %y: tensor<4x64xbf16>) -> (tensor<4x64xbf16>, tensor<4x64xbf16>) {
    %a = qfuse.all_reduce %x {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<4x64xbf16>
    %b = qfuse.all_reduce %y {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<4x64xbf16>
    %c = qfuse.all_reduce %x {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<4x64xbf16>
    %m = qfuse.rms_norm %b {epsilon = 1.0e-6 : f32} : tensor<4x64xbf16> -> tensor<4x64xbf16>
    %n = qfuse.rms_norm %a {epsilon = 1.0e-6 : f32} : tensor<4x64xbf16> -> tensor<4x64xbf16>
    return %m, %n : tensor<4x64xbf16>, tensor<4x64xbf16>
  }
}
