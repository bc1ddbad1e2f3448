// Each op, with and without what it may lack. Defaults are spelled out.
#column = #qfuse.layout<map = (m, k) -> (k, m), align = [4, 1], pad = undef>
#nvfp4 = #qfuse.format<block = [1, 16], scale_type = f8E4M3FN, outer_scale = f32>
#block = #qfuse.format<block = [1, 128], scale_type = f32>
#rule = #qfuse.scale_rule<max = 448.0>
#encode = #qfuse.encode_rule<apply = divide>
#truncate = #qfuse.encode_rule<apply = reciprocal, round = rtz>
!scales = !qfuse.packed<?x2xf32, #column>

func.func @row_ops(%x: tensor<?x256xbf16>, %w: tensor<256xbf16>) -> (tensor<?x256xbf16>, tensor<?x256xf32>, tensor<?x256xf8E4M3FN>) {
  %0 = qfuse.rms_norm %x {epsilon = 1.0e-6 : f32, normalized = f32, weight_offset = 0.0 : f32} : tensor<?x256xbf16> -> tensor<?x256xbf16>
  %1 = qfuse.rms_norm %0 weight(%w : tensor<256xbf16>) {epsilon = 1.0e-6 : f32, normalized = bf16, weight_offset = 1.0 : f32} : tensor<?x256xbf16> -> tensor<?x256xbf16>
  %s = qfuse.block_scale %1 {format = #block, rule = #rule} : tensor<?x256xbf16> -> !scales
  %q = qfuse.quantize %1 by %s {format = #block, rule = #encode} : tensor<?x256xbf16>, !scales -> tensor<?x256xf8E4M3FN>
  %t = qfuse.quantize %1 by %s {format = #block, rule = #truncate} : tensor<?x256xbf16>, !scales -> tensor<?x256xf8E4M3FN>
  %d = qfuse.dequantize %q by %s {format = #block} : tensor<?x256xf8E4M3FN>, !scales -> tensor<?x256xf32>
  return %1, %d, %t : tensor<?x256xbf16>, tensor<?x256xf32>, tensor<?x256xf8E4M3FN>
}

func.func @outer_scales(%x: tensor<?x256xbf16>, %o: tensor<1x1xf32>) -> tensor<?x256xf32> {
  %s = qfuse.block_scale %x outer(%o : tensor<1x1xf32>) {format = #nvfp4, rule = #rule} : tensor<?x256xbf16> -> tensor<?x16xf8E4M3FN>
  %q = qfuse.quantize %x by %s outer(%o : tensor<1x1xf32>) {format = #nvfp4} : tensor<?x256xbf16>, tensor<?x16xf8E4M3FN> -> tensor<?x256xf4E2M1FN>
  %d = qfuse.dequantize %q by %s outer(%o : tensor<1x1xf32>) {format = #nvfp4} : tensor<?x256xf4E2M1FN>, tensor<?x16xf8E4M3FN> -> tensor<?x256xf32>
  return %d : tensor<?x256xf32>
}

func.func @scaled_matmul(%a: tensor<?x256xf8E4M3FN>, %as: !scales, %b: tensor<80x256xf8E4M3FN>, %bs: tensor<80x2xf32>, %v: tensor<80xf32>,
    %c: tensor<?x256xf4E2M1FN>, %cs: tensor<?x16xf8E4M3FN>, %d: tensor<80x256xf4E2M1FN>, %ds: tensor<80x16xf8E4M3FN>, %o: tensor<1x1xf32>)
    -> (tensor<?x80xbf16>, tensor<?x80xf32>) {
  %0 = qfuse.scaled_matmul %a by %as, %b by %bs bias(%v : tensor<80xf32>) {a_format = #block, b_format = #block, scale_order = #qfuse.scale_order<per_block>}
      : tensor<?x256xf8E4M3FN>, !scales, tensor<80x256xf8E4M3FN>, tensor<80x2xf32> -> tensor<?x80xbf16>
  %1 = qfuse.scaled_matmul %c by %cs outer_a(%o : tensor<1x1xf32>), %d by %ds outer_b(%o : tensor<1x1xf32>)
      {a_format = #nvfp4, b_format = #nvfp4, scale_order = #qfuse.scale_order<per_block_product>}
      : tensor<?x256xf4E2M1FN>, tensor<?x16xf8E4M3FN>, tensor<80x256xf4E2M1FN>, tensor<80x16xf8E4M3FN> -> tensor<?x80xf32>
  return %0, %1 : tensor<?x80xbf16>, tensor<?x80xf32>
}

func.func @storage(%bytes: tensor<?xi8>, %m: index, %x: tensor<?x2xf32>) -> (tensor<?x2xf32>, !scales, tensor<?xi8>, index) {
  %p = qfuse.from_storage %bytes sizes(%m) : tensor<?xi8> -> !scales
  %u = qfuse.unpack %p : !scales -> tensor<?x2xf32>
  %q = qfuse.pack %x : tensor<?x2xf32> -> !scales
  %n = qfuse.dim %q, 0 : !scales
  %b = qfuse.to_storage %q : !scales -> tensor<?xi8>
  return %u, %q, %b, %n : tensor<?x2xf32>, !scales, tensor<?xi8>, index
}

qfuse.kernel_def private @scales(%in: tensor<?x256xbf16>) -> !scales {
  %0 = qfuse.block_scale %in {format = #block, rule = #rule} : tensor<?x256xbf16> -> !scales
  qfuse.yield %0 : !scales
}

func.func @kernels(%x: tensor<?x256xbf16>) -> (!scales, tensor<?x256xbf16>) {
  %s = qfuse.launch @scales(%x) : (tensor<?x256xbf16>) -> !scales
  %y = qfuse.kernel ins(%in = %x : tensor<?x256xbf16>) -> (tensor<?x256xbf16>) {
    %0 = arith.addf %in, %in : tensor<?x256xbf16>
    qfuse.yield %0 : tensor<?x256xbf16>
  }
  return %s, %y : !scales, tensor<?x256xbf16>
}
