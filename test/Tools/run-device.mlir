// What the emulated device computes from an artifact, from a module that is
// compiled on the way, and what the interpreter computes, is the same.
// RUN: rm -rf %t && mkdir %t
// RUN: qfuse-compile %s --target=gfx950 -o %t/artifact
// RUN: qfuse-run %t/artifact --device=emulated --dim=M=5 --seed=3 --output-dir=%t/artifact-emulated
// RUN: qfuse-run %t/artifact --device=interpreter --dim=M=5 --seed=3 --output-dir=%t/artifact-interpreted
// RUN: qfuse-run %s --target=gfx950 --device=emulated --dim=M=5 --seed=3 --output-dir=%t/module-emulated
// RUN: qfuse-run %s --device=interpreter --dim=M=5 --seed=3 --output-dir=%t/module-interpreted
// RUN: diff -r %t/module-interpreted %t/artifact-emulated
// RUN: diff -r %t/module-interpreted %t/artifact-interpreted
// RUN: diff -r %t/module-interpreted %t/module-emulated
// RUN: qfuse-run %t/artifact --device=emulated --dim=M=5 --seed=4 --output-dir=%t/other
// RUN: not diff -r %t/other %t/artifact-emulated

// The row kernel reads x, r and, once a work-group, g; it writes h, the codes
// and their scales: 5 * 256 * 6 and 5 * (256 * 3 + 4) bytes, and no other. The
// kernel of the matmul reads what it shares out among work-groups repeatedly.
// RUN: qfuse-run %t/artifact --device=emulated --dim=M=5 --counters | FileCheck %s
//      CHECK: out0 [5, 80] bf16
//      CHECK: out2 [5, 256] f8E4M3FN
// CHECK-NEXT: counters addf_rms_norm_{{[^ ]+}} instructions={{[1-9][0-9]*}} valu={{[1-9][0-9]*}} read=7680 written=3860 least_read=7680 least_written=3860
// CHECK-NEXT: counters scaled_matmul_{{[^ ]+}} instructions={{[1-9][0-9]*}} valu={{[1-9][0-9]*}} read={{[0-9]+}} written=800 least_read=22100 least_written=800
//  CHECK-NOT: {{.}}

// No rows, no launches.
// RUN: qfuse-run %t/artifact --device=emulated --dim=M=0 --counters | FileCheck %s --check-prefix=EMPTY
//     EMPTY: out2 [0, 256] f8E4M3FN
// EMPTY-NOT: counters

// Without the scratch memory that it takes, the kernels write the scales out
// of bounds, and read them there.
// RUN: %python %S/Inputs/shrink_workspace.py %t/artifact
// RUN: not qfuse-run %t/artifact --device=emulated --dim=M=5 | FileCheck %s --check-prefix=HAZARD
//      HAZARD: out0 [5, 80] bf16
//      HAZARD: hazard addf_rms_norm_{{[^ ]+}} kind=bounds {{.+}}
//      HAZARD: hazard scaled_matmul_{{[^ ]+}} kind=bounds {{.+}}

#per_token = #qfuse.format<block = [1, 0]>
#rule = #qfuse.scale_rule<max = 448.0, amax_floor = 1.0e-10>
func.func @chain(%x: tensor<?x256xbf16> {qfuse.dims = ["M", ""]},
    %r: tensor<?x256xbf16> {qfuse.dims = ["M", ""]},
    %g: tensor<256xbf16> {qfuse.role = "weight"},
    %w: tensor<80x256xf8E4M3FN> {qfuse.role = "weight"},
    %ws: tensor<80x1xf32> {qfuse.role = "weight"})
    -> (tensor<?x80xbf16>, tensor<?x256xbf16>, tensor<?x256xf8E4M3FN>)
    attributes {qfuse.ranges = {M = [0, 64]}} {
  %h = arith.addf %x, %r : tensor<?x256xbf16>
  %n = qfuse.rms_norm %h weight(%g : tensor<256xbf16>) {epsilon = 1.0e-6 : f32, normalized = bf16} : tensor<?x256xbf16> -> tensor<?x256xbf16>
  %s = qfuse.block_scale %n {format = #per_token, rule = #rule} : tensor<?x256xbf16> -> tensor<?x1xf32>
  %q = qfuse.quantize %n by %s {format = #per_token} : tensor<?x256xbf16>, tensor<?x1xf32> -> tensor<?x256xf8E4M3FN>
  %y = qfuse.scaled_matmul %q by %s, %w by %ws {a_format = #per_token, b_format = #per_token, scale_order = #qfuse.scale_order<b_then_a>}
      : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>, tensor<80x256xf8E4M3FN>, tensor<80x1xf32> -> tensor<?x80xbf16>
  return %y, %h, %q : tensor<?x80xbf16>, tensor<?x256xbf16>, tensor<?x256xf8E4M3FN>
}
