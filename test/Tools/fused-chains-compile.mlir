// What the plan takes into a kernel, code generation compiles: each type, rule,
// format and layout at the edges of what is planned.
// RUN: rm -rf %t
// RUN: qfuse-compile %s --target=gfx950 --require-fusion --explain -o %t 2>/dev/null | FileCheck %s
// RUN: FileCheck %s --check-prefix=MANIFEST --implicit-check-not='"spills": {{[1-9]}}' --input-file=%t/manifest.json

//    CHECK: {{^}}fused 6 of 6 chains
// MANIFEST: "spills": 0

#rule = #qfuse.scale_rule<max = 448.0, divide = by_reciprocal_constant, amax_floor = 1.0e-10, scale_floor = 1.0e-12, zero = one>
#row = #qfuse.format<block = [1, 0]>
#b8 = #qfuse.format<block = [1, 8]>
#b16 = #qfuse.format<block = [1, 16]>
#b32 = #qfuse.format<block = [1, 32]>
#b64 = #qfuse.format<block = [1, 64]>
#b128 = #qfuse.format<block = [1, 128]>
!col = !qfuse.packed<?x3xf32, #qfuse.layout<map = (m, k) -> (k, m)>>
!aligned = !qfuse.packed<?x3xf32, #qfuse.layout<map = (m, k) -> (m, k), align = [1, 4]>>

func.func @elementwise(%x: tensor<?x8xbf16>, %r: tensor<?x8xf32>, %w: tensor<8xf32>) -> (tensor<?x8xf8E4M3FN>, tensor<?x1xf32>, tensor<?x8xbf16>) {
  %e = arith.extf %x : tensor<?x8xbf16> to tensor<?x8xf32>
  %a = arith.addf %e, %r : tensor<?x8xf32>
  %m = arith.mulf %a, %e : tensor<?x8xf32>
  %d = arith.subf %m, %r : tensor<?x8xf32>
  %t = arith.truncf %d : tensor<?x8xf32> to tensor<?x8xbf16>
  %n = qfuse.rms_norm %t weight(%w : tensor<8xf32>) {epsilon = 1.0e-5 : f32, normalized = bf16, weight_offset = 1.0 : f32} : tensor<?x8xbf16> -> tensor<?x8xf32>
  %s = qfuse.block_scale %n {format = #row, rule = #rule} : tensor<?x8xf32> -> tensor<?x1xf32>
  %q = qfuse.quantize %n by %s {format = #row, rule = #qfuse.encode_rule<apply = reciprocal_approx>} : tensor<?x8xf32>, tensor<?x1xf32> -> tensor<?x8xf8E4M3FN>
  return %q, %s, %t : tensor<?x8xf8E4M3FN>, tensor<?x1xf32>, tensor<?x8xbf16>
}

// Chains that share no more than an input have kernels of their own.
func.func @blocks(%x: tensor<?x384xbf16>) -> (tensor<?x384xf8E4M3FN>, tensor<?x384xf8E4M3FN>, tensor<?x384xf8E4M3FN>, !col, !aligned, tensor<?x48xf32>) {
  %s0 = qfuse.block_scale %x {format = #b128, rule = #rule} : tensor<?x384xbf16> -> !col
  %s1 = qfuse.block_scale %x {format = #b128, rule = #rule} : tensor<?x384xbf16> -> !aligned
  %s2 = qfuse.block_scale %x {format = #b8, rule = #rule} : tensor<?x384xbf16> -> tensor<?x48xf32>
  %q0 = qfuse.quantize %x by %s0 {format = #b128} : tensor<?x384xbf16>, !col -> tensor<?x384xf8E4M3FN>
  %q1 = qfuse.quantize %x by %s1 {format = #b128} : tensor<?x384xbf16>, !aligned -> tensor<?x384xf8E4M3FN>
  %q2 = qfuse.quantize %x by %s2 {format = #b8} : tensor<?x384xbf16>, tensor<?x48xf32> -> tensor<?x384xf8E4M3FN>
  return %q0, %q1, %q2, %s0, %s1, %s2 : tensor<?x384xf8E4M3FN>, tensor<?x384xf8E4M3FN>, tensor<?x384xf8E4M3FN>, !col, !aligned, tensor<?x48xf32>
}

func.func @other_blocks(%x: tensor<?x16384xbf16>, %s: tensor<?x1024xf32>, %t: tensor<?x512xf32>, %u: tensor<?x256xf32>) -> (tensor<?x16384xf8E4M3FN>, tensor<?x16384xf8E4M3FN>, tensor<?x16384xf8E4M3FN>) {
  %n = qfuse.rms_norm %x {epsilon = 1.0e-6 : f32} : tensor<?x16384xbf16> -> tensor<?x16384xbf16>
  %q = qfuse.quantize %n by %s {format = #b16, rule = #qfuse.encode_rule<apply = reciprocal, max = 240.0, min = -240.0>} : tensor<?x16384xbf16>, tensor<?x1024xf32> -> tensor<?x16384xf8E4M3FN>
  %r = qfuse.quantize %n by %t {format = #b32} : tensor<?x16384xbf16>, tensor<?x512xf32> -> tensor<?x16384xf8E4M3FN>
  %v = qfuse.quantize %n by %u {format = #b64} : tensor<?x16384xbf16>, tensor<?x256xf32> -> tensor<?x16384xf8E4M3FN>
  return %q, %r, %v : tensor<?x16384xf8E4M3FN>, tensor<?x16384xf8E4M3FN>, tensor<?x16384xf8E4M3FN>
}

// As many rows as the lanes hold.
func.func @live_rows(%a0: tensor<?x16384xf32>, %a1: tensor<?x16384xf32>, %a2: tensor<?x16384xf32>, %a3: tensor<?x16384xf32>, %w: tensor<16384xf32>) -> tensor<?x16384xf32> {
  %0 = arith.addf %a0, %a1 : tensor<?x16384xf32>
  %1 = arith.addf %0, %a2 : tensor<?x16384xf32>
  %2 = arith.addf %1, %a3 : tensor<?x16384xf32>
  %n = qfuse.rms_norm %2 weight(%w : tensor<16384xf32>) {epsilon = 1.0e-6 : f32} : tensor<?x16384xf32> -> tensor<?x16384xf32>
  %3 = arith.mulf %n, %a0 : tensor<?x16384xf32>
  %4 = arith.mulf %3, %a1 : tensor<?x16384xf32>
  %5 = arith.mulf %4, %a2 : tensor<?x16384xf32>
  %6 = arith.mulf %5, %a3 : tensor<?x16384xf32>
  %m = qfuse.rms_norm %6 {epsilon = 1.0e-6 : f32} : tensor<?x16384xf32> -> tensor<?x16384xf32>
  return %m : tensor<?x16384xf32>
}
