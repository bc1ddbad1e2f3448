// What the driver reports, on made-up and on exported functions.
// RUN: qfuse-compile %s --target=gfx950 --explain 2>%t.err | FileCheck %s --strict-whitespace --match-full-lines --check-prefix=TABLE
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.err
// The table follows a text stage.
// RUN: qfuse-compile %s --target=gfx950 --emit=fused --explain 2>/dev/null | FileCheck %s --check-prefix=BOTH
// RUN: qfuse-compile %s --target=gfx950 --emit=fused --remarks=%t.yaml -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --check-prefix=YAML --input-file=%t.yaml
// RUN: qfuse-opt %t.mlir | FileCheck %s --check-prefix=FUSED

// A chain was lost: exit code 1, one line, and nothing is written.
// RUN: rm -rf %t.artifact
// RUN: %python %S/Inputs/exit_code.py 1 qfuse-compile %s --target=gfx950 --require-fusion -o %t.artifact 2>&1 | FileCheck %s --check-prefix=REQUIRE
// RUN: not test -e %t.artifact
// RUN: qfuse-compile %S/../inputs/deepseek_v3_attention_input.mlir --target=gfx950 --require-fusion --emit=fused -o %t.mlir
// RUN: qfuse-compile %S/../inputs/deepseek_v3_attention_input_fnuz.mlir --target=gfx942 --explain | FileCheck %s --check-prefix=LAYER

// Refusals: exit code 2 and one error.
// RUN: %python %S/Inputs/exit_code.py 2 qfuse-compile %s --target=gfx1 --explain 2>&1 | FileCheck %s --implicit-check-not=error: --check-prefix=TARGET
// RUN: %python %S/Inputs/exit_code.py 2 qfuse-compile %s 2>&1 | FileCheck %s --implicit-check-not=error: --check-prefix=NO-TARGET
// RUN: %python %S/Inputs/exit_code.py 2 qfuse-compile %s --target=gfx950 2>&1 | FileCheck %s --implicit-check-not=error: --check-prefix=NO-OUTPUT
// RUN: %python %S/Inputs/exit_code.py 2 qfuse-compile %t.none.mlir --target=gfx950 --explain 2>&1 | FileCheck %s --implicit-check-not=error: --check-prefix=NO-INPUT
// RUN: %python %S/Inputs/exit_code.py 2 qfuse-compile %s --target=gfx950 --explain --remarks=%t.none/r.yaml 2>&1 | FileCheck %s --implicit-check-not=error: --check-prefix=NO-REMARKS
// RUN: %python %S/Inputs/exit_code.py 2 qfuse-compile %s --target=%S/../Transforms/Inputs/target-malformed.mlir --explain 2>&1 | FileCheck %s --implicit-check-not=error: --check-prefix=MALFORMED

// RUN: qfuse-compile --list-targets | FileCheck %s --check-prefix=TARGETS
// The presets are IR text, and a user's attribute prints under the name.
// RUN: qfuse-compile --print-presets > %t.presets.mlir
// RUN: FileCheck %s --check-prefix=PRESETS --input-file=%t.presets.mlir
// RUN: qfuse-opt %t.presets.mlir

//      TABLE:kernel                         ops  read before                written before  read                       written
// TABLE-NEXT:whole: addf_rms_norm_quantize  3    M * 516 + 256              M * 320         M * 260 + 256              M * 320
// TABLE-NEXT:lost: quantize                 1    arg0.0 * 256 + arg1.0 * 4  arg0.0 * 64     arg0.0 * 256 + arg1.0 * 4  arg0.0 * 64
// TABLE-NEXT:not fused: {{.*}}compile.mlir:[[#]]:8: ResourceLimit: not fused into the kernel of qfuse.quantize, because no row kernel computes math.exp yet
// TABLE-NEXT:fused 1 of 2 chains

// REMARKS: compile.mlir:[[#]]:8: remark: [Passed] ChainFused | Category:qfuse:fusion | Ops=3
// REMARKS: compile.mlir:[[#]]:8: remark: [Missed] ResourceLimit | Category:qfuse:fusion |

// BOTH: func.func @lost
// BOTH: {{^}}fused 1 of 2 chains

//      YAML: --- !Passed
//      YAML: Name: {{ *}}ChainFused
//      YAML: --- !Missed
// YAML-NEXT: Pass: {{ *}}'qfuse:fusion'
// YAML-NEXT: Name: {{ *}}ResourceLimit
//      YAML: Reason: {{.*}}no row kernel computes math.exp yet
//  YAML-NOT: ---

// FUSED: module attributes {qfuse.target =
// FUSED: qfuse.kernel

// REQUIRE: error: expected all chains to be fused, got 1 of 2; the remarks say why
// LAYER: {{^}}fused 2 of 2 chains
// TARGET: error: expected a target that is one of gfx942, gfx950, sm_90 or a file that ends in .mlir, got 'gfx1'
// NO-TARGET: error: expected --target=NAME, one of gfx942, gfx950, sm_90, or --target=FILE.mlir
// NO-OUTPUT: error: expected -o PATH, the directory to write
// NO-INPUT: error: cannot open input file '{{.*}}none.mlir'
// NO-REMARKS: error: cannot write remarks to {{.*}}r.yaml
// MALFORMED: target-malformed.mlir:4:{{[0-9]+}}: error: expected a number as cost "launch_us", got "two"
// TARGETS: gfx942
// TARGETS-NEXT: gfx950
// TARGETS-NEXT: sm_90
// PRESETS: #aiter_mxfp4_roundup = #qfuse.scale_rule<max = 6.0,
// PRESETS: #mx_shuffle = #qfuse.layout<

func.func @whole(%x: tensor<?x64xbf16> {qfuse.dims = ["M", ""]}, %r: tensor<?x64xbf16> {qfuse.dims = ["M", ""]}, %w: tensor<64xf32>, %s: tensor<?x1xf32> {qfuse.dims = ["M", ""]})
    -> (tensor<?x64xf8E4M3FN>, tensor<?x64xbf16>, tensor<?x64xbf16>) {
  %h = arith.addf %x, %r : tensor<?x64xbf16>
  %n = qfuse.rms_norm %h weight(%w : tensor<64xf32>) {epsilon = 1.0e-6 : f32} : tensor<?x64xbf16> -> tensor<?x64xbf16>
  %q = qfuse.quantize %n by %s {format = #qfuse.format<block = [1, 0]>} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
  return %q, %n, %h : tensor<?x64xf8E4M3FN>, tensor<?x64xbf16>, tensor<?x64xbf16>
}

func.func @lost(%x: tensor<?x64xf32>, %s: tensor<?x1xf32>) -> tensor<?x64xf8E4M3FN> {
  %e = math.exp %x : tensor<?x64xf32>
  %q = qfuse.quantize %e by %s {format = #qfuse.format<block = [1, 0]>} : tensor<?x64xf32>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
  return %q : tensor<?x64xf8E4M3FN>
}
