// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Made by export_deepseek_v3.py, with PyTorch 2.13 and transformers 5.24.
#per_token = #qfuse.format<block = [1, 0]>
#scale_rule = #qfuse.scale_rule<max = 240.0, amax_floor = 1.0e-10>
#row_aligned = #qfuse.layout<map = (n, k) -> (n, k), align = [1, 4]>
#block_1x128 = #qfuse.format<block = [1, 128]>
#col = #qfuse.layout<map = (m, k) -> (k, m)>
#block_128x128 = #qfuse.format<block = [128, 128]>
module {
  func.func @per_token_fp8(
      %q_a: tensor<1536x7168xf8E4M3FNUZ> {qfuse.role = "weight"},
      %kv_a: tensor<576x7168xf8E4M3FNUZ> {qfuse.role = "weight"},
      %norm_weight: tensor<7168xbf16> {qfuse.role = "weight"},
      %q_a_scales: tensor<1536x1xf32> {qfuse.role = "weight"},
      %kv_a_scales: tensor<576x1xf32> {qfuse.role = "weight"},
      %x: tensor<?x7168xbf16> {qfuse.dims = ["M", ""]},
      %residual: tensor<?x7168xbf16> {qfuse.dims = ["M", ""]})
      -> (tensor<?x1536xbf16>, tensor<?x576xbf16>, tensor<?x7168xbf16>, tensor<?x7168xbf16>)
      attributes {qfuse.ranges = {M = [0, 16384]}} {
    %sum = arith.addf %x, %residual : tensor<?x7168xbf16> loc(#loc0)
    %norm = qfuse.rms_norm %sum weight(%norm_weight : tensor<7168xbf16>) {epsilon = 1.0e-06 : f32, normalized = bf16} : tensor<?x7168xbf16> -> tensor<?x7168xbf16> loc(#loc1)
    %scales = qfuse.block_scale %norm {format = #per_token, rule = #scale_rule} : tensor<?x7168xbf16> -> tensor<?x1xf32> loc(#loc2)
    %codes = qfuse.quantize %norm by %scales {format = #per_token} : tensor<?x7168xbf16>, tensor<?x1xf32> -> tensor<?x7168xf8E4M3FNUZ> loc(#loc3)
    %product = qfuse.scaled_matmul %codes by %scales, %q_a by %q_a_scales {a_format = #per_token, b_format = #per_token, scale_order = #qfuse.scale_order<b_then_a>} : tensor<?x7168xf8E4M3FNUZ>, tensor<?x1xf32>, tensor<1536x7168xf8E4M3FNUZ>, tensor<1536x1xf32> -> tensor<?x1536xbf16> loc(#loc4)
    %product_1 = qfuse.scaled_matmul %codes by %scales, %kv_a by %kv_a_scales {a_format = #per_token, b_format = #per_token, scale_order = #qfuse.scale_order<b_then_a>} : tensor<?x7168xf8E4M3FNUZ>, tensor<?x1xf32>, tensor<576x7168xf8E4M3FNUZ>, tensor<576x1xf32> -> tensor<?x576xbf16> loc(#loc5)
    return %product, %product_1, %norm, %sum : tensor<?x1536xbf16>, tensor<?x576xbf16>, tensor<?x7168xbf16>, tensor<?x7168xbf16>
  }
  func.func @block_fp8(
      %q_a: tensor<1536x7168xf8E4M3FNUZ> {qfuse.role = "weight"},
      %kv_a: tensor<576x7168xf8E4M3FNUZ> {qfuse.role = "weight"},
      %norm_weight: tensor<7168xbf16> {qfuse.role = "weight"},
      %q_a_scales: !qfuse.packed<12x56xf32, #row_aligned> {qfuse.role = "weight"},
      %kv_a_scales: tensor<5x56xf32> {qfuse.role = "weight"},
      %x: tensor<?x7168xbf16> {qfuse.dims = ["M", ""]},
      %residual: tensor<?x7168xbf16> {qfuse.dims = ["M", ""]})
      -> (tensor<?x1536xbf16>, tensor<?x576xbf16>, tensor<?x7168xbf16>, tensor<?x7168xbf16>)
      attributes {qfuse.ranges = {M = [0, 16384]}} {
    %sum = arith.addf %x, %residual : tensor<?x7168xbf16> loc(#loc6)
    %norm = qfuse.rms_norm %sum weight(%norm_weight : tensor<7168xbf16>) {epsilon = 1.0e-06 : f32, normalized = bf16} : tensor<?x7168xbf16> -> tensor<?x7168xbf16> loc(#loc1)
    %scales = qfuse.block_scale %norm {format = #block_1x128, rule = #scale_rule} : tensor<?x7168xbf16> -> !qfuse.packed<?x56xf32, #col> loc(#loc7)
    %codes = qfuse.quantize %norm by %scales {format = #block_1x128} : tensor<?x7168xbf16>, !qfuse.packed<?x56xf32, #col> -> tensor<?x7168xf8E4M3FNUZ> loc(#loc8)
    %product = qfuse.scaled_matmul %codes by %scales, %q_a by %q_a_scales {a_format = #block_1x128, b_format = #block_128x128} : tensor<?x7168xf8E4M3FNUZ>, !qfuse.packed<?x56xf32, #col>, tensor<1536x7168xf8E4M3FNUZ>, !qfuse.packed<12x56xf32, #row_aligned> -> tensor<?x1536xbf16> loc(#loc9)
    %product_1 = qfuse.scaled_matmul %codes by %scales, %kv_a by %kv_a_scales {a_format = #block_1x128, b_format = #block_128x128} : tensor<?x7168xf8E4M3FNUZ>, !qfuse.packed<?x56xf32, #col>, tensor<576x7168xf8E4M3FNUZ>, tensor<5x56xf32> -> tensor<?x576xbf16> loc(#loc10)
    return %product, %product_1, %norm, %sum : tensor<?x1536xbf16>, tensor<?x576xbf16>, tensor<?x7168xbf16>, tensor<?x7168xbf16>
  }
}
#loc0 = loc("test/inputs/export_deepseek_v3.py":144:0)
#loc1 = loc("transformers/models/deepseek_v3/modeling_deepseek_v3.py":52:0)
#loc2 = loc("test/inputs/export_deepseek_v3.py":147:0)
#loc3 = loc("test/inputs/export_deepseek_v3.py":148:0)
#loc4 = loc("test/inputs/export_deepseek_v3.py":149:0)
#loc5 = loc("test/inputs/export_deepseek_v3.py":151:0)
#loc6 = loc("test/inputs/export_deepseek_v3.py":175:0)
#loc7 = loc("test/inputs/export_deepseek_v3.py":178:0)
#loc8 = loc("test/inputs/export_deepseek_v3.py":180:0)
#loc9 = loc("test/inputs/export_deepseek_v3.py":183:0)
#loc10 = loc("test/inputs/export_deepseek_v3.py":186:0)
