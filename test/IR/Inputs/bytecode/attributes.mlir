// Each parameter of each attribute, with each value of each enum. Defaults are
// spelled out: a file that elides one means what it meant when it was written.
#column = #qfuse.layout<map = (m, k) -> (k, m), align = [4, 1], pad = zero>
#tiles = #qfuse.layout<map = (m, k) -> (m floordiv 32, k floordiv 8, k mod 4, m mod 16, (k floordiv 4) mod 2, (m floordiv 16) mod 2), align = [256, 8], pad = undef>
#rank_3 = #qfuse.layout<map = (g, m, k) -> (m floordiv 16, g, k, m mod 16), align = [1, 48, 1], pad = one>
#mx = #qfuse.format<block = [1, 32], scale_type = f8E8M0FNU>
#nvfp4 = #qfuse.format<block = [1, 16], scale_type = f8E4M3FN, outer_scale = f32>
#per_token = #qfuse.format<block = [1, 0], scale_type = f32>
#from_32_rows = affine_set<(m, n, k) : (k mod 256 == 0, m - 32 >= 0)>
#row = #qfuse.matmul_row<name = "gemm", a = <type = f4E2M1FN, layout = #column, format = #mx, scale_layout = #tiles>,
    b = <type = f4E2M1FN, layout = #column, format = #nvfp4, scale_layout = #tiles>, results = [bf16, f32], when = #from_32_rows,
    provider = aiter, needs = "aiter >= 0.1.20", source = "a manual">
#plain_row = #qfuse.matmul_row<name = "plain", a = <type = i8, format = #per_token>, b = <type = i8, format = #per_token>,
    results = [f16], provider = generated, needs = "", source = "">
#vendor_row = #qfuse.matmul_row<name = "vendor", a = <type = f8E4M3FN, format = #per_token>, b = <type = f8E4M3FN, format = #per_token>,
    results = [bf16], provider = blaslt>
module attributes {
    qfuse.groups = {tp = 8},
    qfuse.target = #qfuse.target<device = #rocdl.target<chip = "gfx950">, features = {subgroup = 64, fp8 = "ocp"},
        costs = {launch_us = 2.0}, rows = [#row, #plain_row, #vendor_row]>} {
  func.func private @attributes() attributes {
    layouts = [#column, #tiles, #rank_3],
    formats = [#mx, #nvfp4, #per_token],
    scale_rules = [
      #qfuse.scale_rule<max = 448.0, divide = exact, amax_floor = 0.0, scale_floor = 0.0, zero = keep, nan = propagate, pow2 = none, even_bits = 1>,
      #qfuse.scale_rule<max = 448.0, divide = by_reciprocal_constant, amax_floor = 1.0e-10, scale_floor = 4.35965e-06, zero = one, nan = ignore, pow2 = roundup>,
      #qfuse.scale_rule<max = 448.0, amax_floor = 1.0e-10, pow2 = even, even_bits = 3>,
      #qfuse.scale_rule<max = 6.0, pow2 = floor>, #qfuse.scale_rule<max = 6.0, pow2 = ceil>, #qfuse.scale_rule<max = 6.0, pow2 = roundup>],
    encode_rules = [
      #qfuse.encode_rule<apply = divide, round = rne, overflow = saturate>,
      #qfuse.encode_rule<apply = reciprocal, round = rna, overflow = ieee>,
      #qfuse.encode_rule<apply = reciprocal_approx, round = rtz>,
      #qfuse.encode_rule<apply = max_over_amax, max = 127.0, min = -128.0>],
    scale_orders = [#qfuse.scale_order<per_block>, #qfuse.scale_order<per_block_product>, #qfuse.scale_order<b_then_a>,
      #qfuse.scale_order<a_then_b>, #qfuse.scale_order<product>],
    operand = #qfuse.operand<type = f4E2M1FN, layout = #column, format = #mx, scale_layout = #tiles>}

  func.func private @arguments(tensor<?x64xbf16> {qfuse.dims = ["M", ""], qfuse.strides = strided<[?, 1]>, qfuse.donated, qfuse.uniform = "tp"},
      tensor<64xbf16> {qfuse.role = "weight"}) attributes {qfuse.ranges = {M = [0, 16384]}}
}
