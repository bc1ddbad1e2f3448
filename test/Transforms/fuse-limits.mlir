// RUN: qfuse-opt %s --qfuse-fuse --split-input-file --verify-diagnostics \
// RUN:     --remarks-filter='qfuse.*' --remark-format=emitRemark --remark-policy=all -o /dev/null

// What the generator of row kernels refuses is not planned into one, if the
// module has a target.

module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}, rows = []>} {
  func.func @fuse_what_is_generated(%x: tensor<?x64xbf16>, %s: tensor<?x1xf32>) -> tensor<?x64xf8E4M3FN> {
    %n = qfuse.rms_norm %x {epsilon = 1.0e-6 : f32} : tensor<?x64xbf16> -> tensor<?x64xbf16>
    // expected-remark @below {{[Passed] ChainFused | Category:qfuse:fusion | Ops=2}}
    %q = qfuse.quantize %n by %s {format = #qfuse.format<block = [1, 0]>} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
    return %q : tensor<?x64xf8E4M3FN>
  }
}

// -----

module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}, rows = []>} {
  func.func @keep_op_without_emitter(%x: tensor<?x64xbf16>, %s: tensor<?x1xf32>) -> tensor<?x64xf8E4M3FN> {
    // expected-remark @below {{[Missed] ResourceLimit | Category:qfuse:fusion | Reason="not fused into the kernel of qfuse.quantize, because no row kernel computes math.exp yet"}}
    %n = math.exp %x : tensor<?x64xbf16>
    %q = qfuse.quantize %n by %s {format = #qfuse.format<block = [1, 0]>} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
    return %q : tensor<?x64xf8E4M3FN>
  }
}

// -----

module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}, rows = []>} {
  func.func @keep_row_of_half_vectors(%x: tensor<?x60xbf16>, %s: tensor<?x1xf32>) -> tensor<?x60xf8E4M3FN> {
    // expected-remark @below {{[Missed] ResourceLimit | Category:qfuse:fusion | Reason="not compiled to a row kernel, because expected rows whose size is a multiple of 8 up to 16384, got tensor<?x60xbf16>"}}
    %q = qfuse.quantize %x by %s {format = #qfuse.format<block = [1, 0]>} : tensor<?x60xbf16>, tensor<?x1xf32> -> tensor<?x60xf8E4M3FN>
    return %q : tensor<?x60xf8E4M3FN>
  }
}

// -----

module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}, rows = []>} {
  func.func @keep_row_that_is_too_long(%x: tensor<?x16392xbf16>, %s: tensor<?x1xf32>) -> tensor<?x16392xf8E4M3FN> {
    // expected-remark @below {{[Missed] ResourceLimit | Category:qfuse:fusion | Reason="not compiled to a row kernel, because expected rows whose size is a multiple of 8 up to 16384, got tensor<?x16392xbf16>"}}
    %q = qfuse.quantize %x by %s {format = #qfuse.format<block = [1, 0]>} : tensor<?x16392xbf16>, tensor<?x1xf32> -> tensor<?x16392xf8E4M3FN>
    return %q : tensor<?x16392xf8E4M3FN>
  }
}

// -----

module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}, rows = []>} {
  func.func @fuse_longest_row(%x: tensor<?x16384xbf16>, %s: tensor<?x1xf32>) -> tensor<?x16384xf8E4M3FN> {
    %n = qfuse.rms_norm %x {epsilon = 1.0e-6 : f32} : tensor<?x16384xbf16> -> tensor<?x16384xbf16>
    // expected-remark @below {{[Passed] ChainFused | Category:qfuse:fusion | Ops=2}}
    %q = qfuse.quantize %n by %s {format = #qfuse.format<block = [1, 0]>} : tensor<?x16384xbf16>, tensor<?x1xf32> -> tensor<?x16384xf8E4M3FN>
    return %q : tensor<?x16384xf8E4M3FN>
  }
}

// -----

module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}, rows = []>} {
  func.func @keep_elements_without_a_row(%x: tensor<?x64xf16>, %s: tensor<?x1xf32>) -> tensor<?x64xf8E4M3FN> {
    // expected-remark @below {{[Missed] ResourceLimit | Category:qfuse:fusion | Reason="not compiled to a row kernel, because expected a tensor of rank 2 with rows of a static size of f32 or bf16, got tensor<?x64xf16>"}}
    %q = qfuse.quantize %x by %s {format = #qfuse.format<block = [1, 0]>} : tensor<?x64xf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
    return %q : tensor<?x64xf8E4M3FN>
  }
}

// -----

module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}, rows = []>} {
  func.func @keep_rank_3(%x: tensor<2x?x64xbf16>, %s: tensor<2x?x1xf32>) -> tensor<2x?x64xf8E4M3FN> {
    // expected-remark @below {{[Missed] ResourceLimit | Category:qfuse:fusion | Reason="not compiled to a row kernel, because expected a tensor of rank 2 with rows of a static size of f32 or bf16, got tensor<2x?x64xbf16>"}}
    %q = qfuse.quantize %x by %s {format = #qfuse.format<block = [1, 1, 0]>} : tensor<2x?x64xbf16>, tensor<2x?x1xf32> -> tensor<2x?x64xf8E4M3FN>
    return %q : tensor<2x?x64xf8E4M3FN>
  }
}

// -----

module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}, rows = []>} {
  func.func @keep_codes_without_conversion(%x: tensor<?x64xbf16>, %s: tensor<?x1xf32>) -> tensor<?x64xi8> {
    // expected-remark @below {{[Missed] ResourceLimit | Category:qfuse:fusion | Reason="not compiled to a row kernel, because expected codes of f8E4M3FN, f8E4M3FNUZ or f4E2M1FN in a tensor, got tensor<?x64xi8>"}}
    %q = qfuse.quantize %x by %s {format = #qfuse.format<block = [1, 0]>} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xi8>
    return %q : tensor<?x64xi8>
  }
}

// -----

module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}, rows = []>} {
  func.func @keep_round(%x: tensor<?x64xbf16>, %s: tensor<?x1xf32>) -> tensor<?x64xf8E4M3FN> {
    // expected-remark @below {{[Missed] ResourceLimit | Category:qfuse:fusion | Reason="not compiled to a row kernel, because expected a rule with round = rne and apply = divide, reciprocal or reciprocal_approx, got #qfuse.encode_rule<round = rtz>"}}
    %q = qfuse.quantize %x by %s {format = #qfuse.format<block = [1, 0]>, rule = #qfuse.encode_rule<round = rtz>} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
    return %q : tensor<?x64xf8E4M3FN>
  }
}

// -----

module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}, rows = []>} {
  func.func @keep_blocks_of_rows(%x: tensor<?x64xbf16>, %s: tensor<?x1xf32>) -> tensor<?x64xf8E4M3FN> {
    // expected-remark @below {{[Missed] ResourceLimit | Category:qfuse:fusion | Reason="not compiled to a row kernel, because expected blocks of 8, 16, 32, 64 or 128 elements of one row, or of the row, got #qfuse.format<block = [1, 256]>"}}
    %q = qfuse.quantize %x by %s {format = #qfuse.format<block = [1, 256]>} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
    return %q : tensor<?x64xf8E4M3FN>
  }
}

// -----

module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}, rows = []>} {
  func.func @keep_scale_type(%x: tensor<?x64xbf16>, %s: tensor<?x1xf16>) -> tensor<?x64xf8E4M3FN> {
    // expected-remark @below {{[Missed] ResourceLimit | Category:qfuse:fusion | Reason="not compiled to a row kernel, because expected scales of f32 or f8E8M0FNU, got tensor<?x1xf16>"}}
    %q = qfuse.quantize %x by %s {format = #qfuse.format<block = [1, 0], scale_type = f16>} : tensor<?x64xbf16>, tensor<?x1xf16> -> tensor<?x64xf8E4M3FN>
    return %q : tensor<?x64xf8E4M3FN>
  }
}

// -----

module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}, rows = []>} {
  func.func @keep_outer_scale(%x: tensor<?x64xbf16>, %s: tensor<?x1xf32>, %o: tensor<1x1xf32>) -> tensor<?x64xf8E4M3FN> {
    // expected-remark @below {{[Missed] ResourceLimit | Category:qfuse:fusion | Reason="not compiled to a row kernel, because expected no outer scale, got #qfuse.format<block = [1, 0], outer_scale = f32>"}}
    %q = qfuse.quantize %x by %s outer(%o : tensor<1x1xf32>) {format = #qfuse.format<block = [1, 0], outer_scale = f32>} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
    return %q : tensor<?x64xf8E4M3FN>
  }
}

// -----

module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}, rows = []>} {
  func.func @keep_padding_that_is_written(%x: tensor<?x64xbf16>, %s: !qfuse.packed<?x1xf32, #qfuse.layout<map = (m, k) -> (k, m), pad = zero>>) -> tensor<?x64xf8E4M3FN> {
    // expected-remark @below {{[Missed] ResourceLimit | Category:qfuse:fusion | Reason="not compiled to a row kernel, because expected a layout with undefined padding, got !qfuse.packed<?x1xf32, #qfuse.layout<map = (d0, d1) -> (d1, d0), pad = zero>>"}}
    %q = qfuse.quantize %x by %s {format = #qfuse.format<block = [1, 0]>} : tensor<?x64xbf16>, !qfuse.packed<?x1xf32, #qfuse.layout<map = (m, k) -> (k, m), pad = zero>> -> tensor<?x64xf8E4M3FN>
    return %q : tensor<?x64xf8E4M3FN>
  }
}

// -----

module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}, rows = []>} {
  func.func @keep_scale_rule(%x: tensor<?x64xbf16>) -> tensor<?x64xf8E4M3FN> {
    // expected-remark @below {{[Missed] ResourceLimit | Category:qfuse:fusion | Reason="not fused into the kernel of qfuse.quantize, because expected scales of f8E8M0FNU with pow2, and of f32 without, got tensor<?x1xf32> and #qfuse.scale_rule<max = 4.480000e+02, pow2 = ceil>"}}
    %s = qfuse.block_scale %x {format = #qfuse.format<block = [1, 0]>, rule = #qfuse.scale_rule<max = 448.0, pow2 = ceil>} : tensor<?x64xbf16> -> tensor<?x1xf32>
    %q = qfuse.quantize %x by %s {format = #qfuse.format<block = [1, 0]>} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
    return %q : tensor<?x64xf8E4M3FN>
  }
}

// -----

module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}, rows = []>} {
  func.func @keep_normalized(%x: tensor<?x64xbf16>, %s: tensor<?x1xf32>) -> tensor<?x64xf8E4M3FN> {
    // expected-remark @below {{[Missed] ResourceLimit | Category:qfuse:fusion | Reason="not fused into the kernel of qfuse.quantize, because expected normalized to be f32 or bf16, got f16"}}
    %n = qfuse.rms_norm %x {epsilon = 1.0e-6 : f32, normalized = f16} : tensor<?x64xbf16> -> tensor<?x64xbf16>
    %q = qfuse.quantize %n by %s {format = #qfuse.format<block = [1, 0]>} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
    return %q : tensor<?x64xf8E4M3FN>
  }
}

// -----

module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}, rows = []>} {
  func.func @keep_weight_type(%x: tensor<?x64xbf16>, %s: tensor<?x1xf32>, %w: tensor<64xf16>) -> tensor<?x64xf8E4M3FN> {
    // expected-remark @below {{[Missed] WeightTypeUnsupported | Category:qfuse:fusion | Reason="not fused into the kernel of qfuse.quantize, because expected a weight of f32 or bf16, got tensor<64xf16>"}}
    %n = qfuse.rms_norm %x weight(%w : tensor<64xf16>) {epsilon = 1.0e-6 : f32} : tensor<?x64xbf16> -> tensor<?x64xbf16>
    %q = qfuse.quantize %n by %s {format = #qfuse.format<block = [1, 0]>} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
    return %q : tensor<?x64xf8E4M3FN>
  }
}

// -----

// All rows of a kernel have one size.
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}, rows = []>} {
  func.func @keep_scales_of_shorter_rows(%x: tensor<?x64xbf16>, %y: tensor<?x8xbf16>) -> tensor<?x64xf8E4M3FN> {
    // expected-remark @below {{[Missed] RowSpacesDiffer | Category:qfuse:fusion | Reason="not fused into the kernel of qfuse.quantize, because its rows are those of tensor<?x8xbf16>, not of tensor<?x64xbf16>"}}
    %s = qfuse.block_scale %y {format = #qfuse.format<block = [1, 0]>, rule = #qfuse.scale_rule<max = 448.0>} : tensor<?x8xbf16> -> tensor<?x1xf32>
    %q = qfuse.quantize %x by %s {format = #qfuse.format<block = [1, 0]>} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
    return %q : tensor<?x64xf8E4M3FN>
  }
}

// -----

// The norm stands between two reads of each of its addends, which stay in
// registers: six fit, and of seven the norm has another kernel.
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}, rows = []>} {
  func.func @fuse_rows_that_fit(%a0: tensor<?x16384xf32>, %a1: tensor<?x16384xf32>, %a2: tensor<?x16384xf32>, %a3: tensor<?x16384xf32>, %a4: tensor<?x16384xf32>, %a5: tensor<?x16384xf32>, %s: tensor<?x1xf32>) -> tensor<?x16384xf8E4M3FN> {
    %v0 = arith.addf %a0, %a1 : tensor<?x16384xf32>
    %v1 = arith.addf %v0, %a2 : tensor<?x16384xf32>
    %v2 = arith.addf %v1, %a3 : tensor<?x16384xf32>
    %v3 = arith.addf %v2, %a4 : tensor<?x16384xf32>
    %v4 = arith.addf %v3, %a5 : tensor<?x16384xf32>
    %n = qfuse.rms_norm %v4 {epsilon = 1.0e-6 : f32} : tensor<?x16384xf32> -> tensor<?x16384xf32>
    %w0 = arith.mulf %n, %a0 : tensor<?x16384xf32>
    %w1 = arith.mulf %w0, %a1 : tensor<?x16384xf32>
    %w2 = arith.mulf %w1, %a2 : tensor<?x16384xf32>
    %w3 = arith.mulf %w2, %a3 : tensor<?x16384xf32>
    %w4 = arith.mulf %w3, %a4 : tensor<?x16384xf32>
    %w5 = arith.mulf %w4, %a5 : tensor<?x16384xf32>
    // expected-remark @below {{[Passed] ChainFused | Category:qfuse:fusion | Ops=13}}
    %q = qfuse.quantize %w5 by %s {format = #qfuse.format<block = [1, 0]>} : tensor<?x16384xf32>, tensor<?x1xf32> -> tensor<?x16384xf8E4M3FN>
    return %q : tensor<?x16384xf8E4M3FN>
  }
}

// -----

module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}, rows = []>} {
  func.func @keep_rows_that_do_not_fit(%a0: tensor<?x16384xf32>, %a1: tensor<?x16384xf32>, %a2: tensor<?x16384xf32>, %a3: tensor<?x16384xf32>, %a4: tensor<?x16384xf32>, %a5: tensor<?x16384xf32>, %a6: tensor<?x16384xf32>, %s: tensor<?x1xf32>) -> tensor<?x16384xf8E4M3FN> {
    %v0 = arith.addf %a0, %a1 : tensor<?x16384xf32>
    %v1 = arith.addf %v0, %a2 : tensor<?x16384xf32>
    %v2 = arith.addf %v1, %a3 : tensor<?x16384xf32>
    %v3 = arith.addf %v2, %a4 : tensor<?x16384xf32>
    %v4 = arith.addf %v3, %a5 : tensor<?x16384xf32>
    %v5 = arith.addf %v4, %a6 : tensor<?x16384xf32>
    // expected-remark @below {{[Passed] ChainFused | Category:qfuse:fusion | Ops=7}}
    // expected-remark @below {{[Missed] ResourceLimit | Category:qfuse:fusion | Reason="not fused into the kernel of qfuse.quantize, because expected registers for 7 rows at most, got 8 rows of tensor<?x16384xf32>"}}
    %n = qfuse.rms_norm %v5 {epsilon = 1.0e-6 : f32} : tensor<?x16384xf32> -> tensor<?x16384xf32>
    %w0 = arith.mulf %n, %a0 : tensor<?x16384xf32>
    %w1 = arith.mulf %w0, %a1 : tensor<?x16384xf32>
    %w2 = arith.mulf %w1, %a2 : tensor<?x16384xf32>
    %w3 = arith.mulf %w2, %a3 : tensor<?x16384xf32>
    %w4 = arith.mulf %w3, %a4 : tensor<?x16384xf32>
    %w5 = arith.mulf %w4, %a5 : tensor<?x16384xf32>
    %w6 = arith.mulf %w5, %a6 : tensor<?x16384xf32>
    // expected-remark @below {{[Passed] ChainFused | Category:qfuse:fusion | Ops=8}}
    %q = qfuse.quantize %w6 by %s {format = #qfuse.format<block = [1, 0]>} : tensor<?x16384xf32>, tensor<?x1xf32> -> tensor<?x16384xf8E4M3FN>
    return %q : tensor<?x16384xf8E4M3FN>
  }
}

// -----

// Half of the registers: `lane_registers`.
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {lane_registers = 128}, costs = {}, rows = []>} {
  func.func @keep_rows_that_fewer_registers_hold(%a0: tensor<?x16384xf32>, %a1: tensor<?x16384xf32>, %a2: tensor<?x16384xf32>, %s: tensor<?x1xf32>) -> tensor<?x16384xf8E4M3FN> {
    // expected-remark @below {{[Missed] ResourceLimit | Category:qfuse:fusion | Reason="not fused into the kernel of qfuse.quantize, because expected registers for 3 rows at most, got 4 rows of tensor<?x16384xf32>"}}
    %v0 = arith.addf %a0, %a1 : tensor<?x16384xf32>
    %v1 = arith.addf %v0, %a2 : tensor<?x16384xf32>
    %v2 = arith.mulf %v1, %a0 : tensor<?x16384xf32>
    %v3 = arith.mulf %v2, %a1 : tensor<?x16384xf32>
    // expected-remark @below {{[Passed] ChainFused | Category:qfuse:fusion | Ops=4}}
    %q = qfuse.quantize %v3 by %s {format = #qfuse.format<block = [1, 0]>} : tensor<?x16384xf32>, tensor<?x1xf32> -> tensor<?x16384xf8E4M3FN>
    return %q : tensor<?x16384xf8E4M3FN>
  }
}
