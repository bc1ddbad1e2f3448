// A chain behind an all_reduce that is not fused with it keeps its meaning, the
// addition included.
// RUN: qfuse-opt %s --qfuse-fuse -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: qfuse-run %s --device=interpreter --dim=M=3 > %t.unfused
// RUN: qfuse-run %t.mlir --device=interpreter --dim=M=3 | diff %t.unfused -
// RUN: FileCheck %s --check-prefix=RANKS --input-file=%t.unfused
// RANKS: rank0:
// RANKS: rank1:

// CHECK: %[[SUM:.+]] = qfuse.all_reduce
// CHECK-NOT: qfuse.all_reduce
// CHECK: qfuse.kernel ins({{.*}} = %[[SUM]] :
// CHECK: arith.addf
// CHECK: qfuse.rms_norm
#per_token = #qfuse.format<block = [1, 0]>
module attributes {qfuse.groups = {tp = 2}} {
  func.func @f(%x: tensor<?x64xbf16> {qfuse.dims = ["M", ""]}, %res: tensor<?x64xbf16> {qfuse.dims = ["M", ""], qfuse.uniform = "tp"},
      %w: tensor<64xbf16> {qfuse.role = "weight", qfuse.uniform = "tp"}) -> (tensor<?x64xf8E4M3FN>, tensor<?x1xf32>, tensor<?x64xbf16>) {
    %sum = qfuse.all_reduce %x {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<?x64xbf16>
    %h = arith.addf %sum, %res : tensor<?x64xbf16>
    %n = qfuse.rms_norm %h weight(%w : tensor<64xbf16>) {epsilon = 1.0e-6 : f32} : tensor<?x64xbf16> -> tensor<?x64xbf16>
    %s = qfuse.block_scale %n {format = #per_token, rule = #qfuse.scale_rule<max = 448.0>} : tensor<?x64xbf16> -> tensor<?x1xf32>
    %q = qfuse.quantize %n by %s {format = #per_token} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
    return %q, %s, %h : tensor<?x64xf8E4M3FN>, tensor<?x1xf32>, tensor<?x64xbf16>
  }
}
