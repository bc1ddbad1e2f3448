// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Features: AMD Instinct MI300 ISA, chapters 6 and 7 (fp8 conversions and MFMA
// are FNUZ; 64 KiB of LDS). Bandwidth: data sheet of the MI300X. The cost of a
// launch is a guess.

// Scales of one row, which for a weight is an output channel.
#per_row = #qfuse.format<block = [1, 0]>
#block = #qfuse.format<block = [1, 128]>
#block_weight = #qfuse.format<block = [128, 128]>
// The bytes of the transpose.
#col = #qfuse.layout<map = (m, k) -> (k, m)>
// Row-major, each row padded to four scales: what torch's 128x128 recipe has.
#aligned = #qfuse.layout<map = (m, k) -> (m, k), align = [1, 4]>

module attributes {qfuse.target = #qfuse.target<
  device = #rocdl.target<chip = "gfx942">,
  features = {subgroup = 64, lds_bytes = 65536, fp8 = "fnuz"},
  costs = {bytes_per_second = 5.3e12, launch_us = 2.0},
  rows = [
    #qfuse.matmul_row<name = "scaled_matmul_per_token",
        a = <type = f8E4M3FNUZ, format = #per_row>,
        b = <type = f8E4M3FNUZ, format = #per_row>,
        results = [bf16, f32], needs = "qfuse",
        source = "lib/Codegen/MatmulEmitter.cpp">,
    #qfuse.matmul_row<name = "scaled_matmul_block",
        a = <type = f8E4M3FNUZ, format = #block>,
        b = <type = f8E4M3FNUZ, format = #block_weight>,
        results = [bf16, f32], needs = "qfuse",
        source = "lib/Codegen/MatmulEmitter.cpp">,
    #qfuse.matmul_row<name = "scaled_matmul_block_weight_aligned",
        a = <type = f8E4M3FNUZ, format = #block>,
        b = <type = f8E4M3FNUZ, format = #block_weight, scale_layout = #aligned>,
        results = [bf16, f32], needs = "qfuse",
        source = "lib/Codegen/MatmulEmitter.cpp">,
    #qfuse.matmul_row<name = "scaled_matmul_block_col",
        a = <type = f8E4M3FNUZ, format = #block, scale_layout = #col>,
        b = <type = f8E4M3FNUZ, format = #block_weight>,
        results = [bf16, f32], needs = "qfuse",
        source = "lib/Codegen/MatmulEmitter.cpp">,
    #qfuse.matmul_row<name = "scaled_matmul_block_col_weight_aligned",
        a = <type = f8E4M3FNUZ, format = #block, scale_layout = #col>,
        b = <type = f8E4M3FNUZ, format = #block_weight, scale_layout = #aligned>,
        results = [bf16, f32], needs = "qfuse",
        source = "lib/Codegen/MatmulEmitter.cpp">,
    #qfuse.matmul_row<name = "scaled_matmul_block_aligned",
        a = <type = f8E4M3FNUZ, format = #block, scale_layout = #aligned>,
        b = <type = f8E4M3FNUZ, format = #block_weight>,
        results = [bf16, f32], needs = "qfuse",
        source = "lib/Codegen/MatmulEmitter.cpp">,
    #qfuse.matmul_row<name = "scaled_matmul_block_aligned_weight_aligned",
        a = <type = f8E4M3FNUZ, format = #block, scale_layout = #aligned>,
        b = <type = f8E4M3FNUZ, format = #block_weight, scale_layout = #aligned>,
        results = [bf16, f32], needs = "qfuse",
        source = "lib/Codegen/MatmulEmitter.cpp">]>} {}
