// RUN: qfuse-opt %s --qfuse-fuse --verify-diagnostics --remarks-filter='qfuse.*' --remark-format=emitRemark --remark-policy=all | FileCheck %s

#per_token = #qfuse.format<block = [1, 0]>
module attributes {qfuse.groups = {tp = 4}} {
  // A collective has a kernel of its own; the chain behind it is fused.
  // CHECK-LABEL: func.func @behind
  //       CHECK:   %[[SUM:.+]] = qfuse.all_reduce
  //       CHECK:   qfuse.kernel ins({{.*}} = %[[SUM]] : tensor<4x64xbf16>
  //  CHECK-NEXT:     arith.addf
  //  CHECK-NEXT:     qfuse.rms_norm
  //  CHECK-NEXT:     qfuse.quantize
  //       CHECK:   return
  func.func @behind(%x: tensor<4x64xbf16>, %r: tensor<4x64xbf16>, %s: tensor<4x1xf32>) -> tensor<4x64xi8> {
    // expected-remark @below {{[Missed] ProducerNotFusible | Category:qfuse:fusion | Reason="not fused into the kernel of qfuse.quantize, because qfuse.all_reduce has a kernel of its own"}}
    %a = qfuse.all_reduce %x {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<4x64xbf16>
    %h = arith.addf %a, %r : tensor<4x64xbf16>
    %n = qfuse.rms_norm %h {epsilon = 1.0e-6 : f32} : tensor<4x64xbf16> -> tensor<4x64xbf16>
    // expected-remark @below {{[Passed] ChainFused | Category:qfuse:fusion | Ops=3}}
    %q = qfuse.quantize %n by %s {format = #per_token} : tensor<4x64xbf16>, tensor<4x1xf32> -> tensor<4x64xi8>
    return %q : tensor<4x64xi8>
  }

  // The second collective follows the first, which needs the norm; so does the
  // quantization.
  // CHECK-LABEL: func.func @around
  //   CHECK-NOT:   qfuse.kernel
  //       CHECK:   qfuse.rms_norm
  //  CHECK-NEXT:   qfuse.all_reduce
  //  CHECK-NEXT:   qfuse.all_reduce
  //  CHECK-NEXT:   qfuse.quantize
  //  CHECK-NEXT:   return
  func.func @around(%x: tensor<4x64xf32>, %s: tensor<4x1xf32>) -> (tensor<4x64xf32>, tensor<4x64xi8>) {
    // expected-remark @below {{[Missed] NotConvex | Category:qfuse:fusion | Reason="not fused into the kernel of qfuse.quantize, because qfuse.quantize needs it and a value computed from it outside"}}
    %n = qfuse.rms_norm %x {epsilon = 1.0e-6 : f32} : tensor<4x64xf32> -> tensor<4x64xf32>
    %a = qfuse.all_reduce %n {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<4x64xf32>
    // expected-remark @below {{[Missed] ProducerNotFusible | Category:qfuse:fusion | Reason="not fused into the kernel of qfuse.quantize, because qfuse.all_reduce has a kernel of its own"}}
    %t = qfuse.all_reduce %s {group = "tp", algorithm = #qfuse.algorithm<one_stage>, reduction = #qfuse.reduction<max>} : tensor<4x1xf32>
    %q = qfuse.quantize %n by %t {format = #per_token} : tensor<4x64xf32>, tensor<4x1xf32> -> tensor<4x64xi8>
    return %a, %q : tensor<4x64xf32>, tensor<4x64xi8>
  }
}
