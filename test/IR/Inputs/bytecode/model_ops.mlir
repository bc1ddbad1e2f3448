// Ops of models, and rules that make NaN of zero rows. Defaults are spelled out.
#mxfp4 = #qfuse.format<block = [1, 32], scale_type = f8E8M0FNU>
#per_token = #qfuse.format<block = [1, 0], scale_type = f32>
#column = #qfuse.layout<map = (m, k) -> (k, m), align = [4, 1], pad = undef>

func.func @rope(%x: tensor<?x16x512xbf16>, %c: tensor<?x32xf32>, %s: tensor<?x32xf32>) -> (tensor<?x16x512xf32>, tensor<?x16x512xbf16>) {
  %0 = qfuse.rope %x, %c, %s {inverse, offset = 448, product = f32, style = #qfuse.rope_style<interleaved>}
      : tensor<?x16x512xbf16>, tensor<?x32xf32>, tensor<?x32xf32> -> tensor<?x16x512xf32>
  %1 = qfuse.rope %x, %c, %s {offset = 0, product = bf16, style = #qfuse.rope_style<half>, width = 32}
      : tensor<?x16x512xbf16>, tensor<?x32xf32>, tensor<?x32xf32> -> tensor<?x16x512xbf16>
  return %0, %1 : tensor<?x16x512xf32>, tensor<?x16x512xbf16>
}

func.func @gated_activation(%g: tensor<?x64xbf16>, %u: tensor<?x64xbf16>) -> (tensor<?x64xf32>, tensor<?x64xbf16>, tensor<?x64xbf16>) {
  %0 = qfuse.gated_activation %g, %u {activated = f32, activation = #qfuse.activation<silu>} : tensor<?x64xbf16>, tensor<?x64xbf16> -> tensor<?x64xf32>
  %1 = qfuse.gated_activation %g, %u {activated = bf16, activation = #qfuse.activation<gelu_tanh>} : tensor<?x64xbf16>, tensor<?x64xbf16> -> tensor<?x64xbf16>
  %2 = qfuse.gated_activation %g, %u {activated = f16, activation = #qfuse.activation<gelu_erf>} : tensor<?x64xbf16>, tensor<?x64xbf16> -> tensor<?x64xbf16>
  return %0, %1, %2 : tensor<?x64xf32>, tensor<?x64xbf16>, tensor<?x64xbf16>
}

func.func @gather_rows(%q: tensor<?x512xf4E2M1FN>, %s: !qfuse.packed<?x16xf8E8M0FNU, #column>, %i: tensor<?xi32>) -> tensor<?x512xbf16> {
  %0 = qfuse.gather_rows %q, %i : tensor<?x512xf4E2M1FN>, tensor<?xi32> -> tensor<?x512xf4E2M1FN>
  %1 = qfuse.gather_rows %s, %i : !qfuse.packed<?x16xf8E8M0FNU, #column>, tensor<?xi32> -> tensor<?x16xf8E8M0FNU>
  %2 = qfuse.dequantize %0 by %1 {format = #mxfp4} : tensor<?x512xf4E2M1FN>, tensor<?x16xf8E8M0FNU> -> tensor<?x512xbf16>
  return %2 : tensor<?x512xbf16>
}

func.func @zero_rows(%x: tensor<?x64xbf16>) -> tensor<?x1xf32> {
  %0 = qfuse.block_scale %x {format = #per_token, rule = #qfuse.scale_rule<max = 240.0, zero = nan>} : tensor<?x64xbf16> -> tensor<?x1xf32>
  return %0 : tensor<?x1xf32>
}
