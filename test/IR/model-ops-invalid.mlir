// RUN: qfuse-opt %s --split-input-file --verify-diagnostics

func.func @dynamic_heads(%x: tensor<4x?xf32>, %t: tensor<4x8xf32>) {
  // expected-error @below {{'qfuse.rope' op expected heads and tables of a static size, got 'tensor<4x?xf32>' and 'tensor<4x8xf32>'}}
  %0 = qfuse.rope %x, %t, %t {style = #qfuse.rope_style<half>} : tensor<4x?xf32>, tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x?xf32>
  return
}

// -----

func.func @dynamic_tables(%x: tensor<4x16xf32>, %t: tensor<4x?xf32>) {
  // expected-error @below {{'qfuse.rope' op expected heads and tables of a static size, got 'tensor<4x16xf32>' and 'tensor<4x?xf32>'}}
  %0 = qfuse.rope %x, %t, %t {style = #qfuse.rope_style<half>} : tensor<4x16xf32>, tensor<4x?xf32>, tensor<4x?xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @tables_of_more_rank(%x: tensor<4x16xf32>, %t: tensor<4x1x8xf32>) {
  // expected-error @below {{'qfuse.rope' op expected tables of the rank of the input, 'tensor<4x16xf32>', or less, got 'tensor<4x1x8xf32>'}}
  %0 = qfuse.rope %x, %t, %t {style = #qfuse.rope_style<half>} : tensor<4x16xf32>, tensor<4x1x8xf32>, tensor<4x1x8xf32> -> tensor<4x16xf32>
  return
}

// -----

// Extents are matched from the front: these tables are by head.
func.func @tables_of_heads(%x: tensor<?x4x16xf32>, %t: tensor<4x8xf32>) {
  // expected-error @below {{'qfuse.rope' op expected tables whose extents before the last are 1 or those of the input, 'tensor<?x4x16xf32>', got 'tensor<4x8xf32>'}}
  %0 = qfuse.rope %x, %t, %t {style = #qfuse.rope_style<half>} : tensor<?x4x16xf32>, tensor<4x8xf32>, tensor<4x8xf32> -> tensor<?x4x16xf32>
  return
}

// -----

func.func @tables_wider_than_heads(%x: tensor<4x16xf32>, %t: tensor<4x32xf32>) {
  // expected-error @below {{'qfuse.rope' op expected tables of 16 columns at most, as a head has elements, got 'tensor<4x32xf32>'}}
  %0 = qfuse.rope %x, %t, %t {style = #qfuse.rope_style<half>} : tensor<4x16xf32>, tensor<4x32xf32>, tensor<4x32xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @odd_width(%x: tensor<4x7xf32>, %t: tensor<4x7xf32>) {
  // expected-error @below {{'qfuse.rope' op expected a positive even number of rotated elements, got 7 by 'tensor<4x7xf32>'}}
  %0 = qfuse.rope %x, %t, %t {style = #qfuse.rope_style<half>} : tensor<4x7xf32>, tensor<4x7xf32>, tensor<4x7xf32> -> tensor<4x7xf32>
  return
}

// -----

func.func @no_width(%x: tensor<4x8xf32>, %t: tensor<4x0xf32>) {
  // expected-error @below {{'qfuse.rope' op expected a positive even number of rotated elements, got 0 by 'tensor<4x0xf32>'}}
  %0 = qfuse.rope %x, %t, %t {style = #qfuse.rope_style<half>} : tensor<4x8xf32>, tensor<4x0xf32>, tensor<4x0xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @another_width(%x: tensor<4x64xf32>, %t: tensor<4x24xf32>) {
  // expected-error @below {{'qfuse.rope' op expected tables of 16 or 32 columns for a width of 32, got 'tensor<4x24xf32>'}}
  %0 = qfuse.rope %x, %t, %t {style = #qfuse.rope_style<half>, width = 32} : tensor<4x64xf32>, tensor<4x24xf32>, tensor<4x24xf32> -> tensor<4x64xf32>
  return
}

// -----

func.func @outside(%x: tensor<4x64xf32>, %t: tensor<4x16xf32>) {
  // expected-error @below {{'qfuse.rope' op expected the rotated part inside of the 64 elements of a head, got 32 elements from 33 on}}
  %0 = qfuse.rope %x, %t, %t {offset = 33, style = #qfuse.rope_style<half>} : tensor<4x64xf32>, tensor<4x16xf32>, tensor<4x16xf32> -> tensor<4x64xf32>
  return
}

// -----

func.func @wider_than_heads(%x: tensor<4x12xf32>, %t: tensor<4x8xf32>) {
  // expected-error @below {{'qfuse.rope' op expected the rotated part inside of the 12 elements of a head, got 16 elements from 0 on}}
  %0 = qfuse.rope %x, %t, %t {style = #qfuse.rope_style<half>} : tensor<4x12xf32>, tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x12xf32>
  return
}

// -----

func.func @negative_offset(%x: tensor<4x64xf32>, %t: tensor<4x16xf32>) {
  // expected-error @below {{attribute 'offset' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %0 = qfuse.rope %x, %t, %t {offset = -1, style = #qfuse.rope_style<half>} : tensor<4x64xf32>, tensor<4x16xf32>, tensor<4x16xf32> -> tensor<4x64xf32>
  return
}

// -----

func.func @tables_of_two_types(%x: tensor<4x64xf32>, %c: tensor<4x32xf32>, %s: tensor<4x32xbf16>) {
  // expected-error @below {{'qfuse.rope' op failed to verify that all of {cos, sin} have same type}}
  %0 = qfuse.rope %x, %c, %s {style = #qfuse.rope_style<half>} : tensor<4x64xf32>, tensor<4x32xf32>, tensor<4x32xbf16> -> tensor<4x64xf32>
  return
}

// -----

func.func @another_shape(%x: tensor<?x64xf32>, %t: tensor<?x32xf32>) {
  // expected-error @below {{'qfuse.rope' op failed to verify that all of {input, result} have same shape}}
  %0 = qfuse.rope %x, %t, %t {style = #qfuse.rope_style<half>} : tensor<?x64xf32>, tensor<?x32xf32>, tensor<?x32xf32> -> tensor<4x64xf32>
  return
}

// -----

func.func @unranked(%x: tensor<*xbf16>, %t: tensor<?x32xf32>) {
  // expected-error @below {{'qfuse.rope' op operand #0 must be tensor of rank 1 or more of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<*xbf16>'}}
  %0 = "qfuse.rope"(%x, %t, %t) {style = #qfuse.rope_style<half>} : (tensor<*xbf16>, tensor<?x32xf32>, tensor<?x32xf32>) -> tensor<*xbf16>
  return
}

// -----

func.func @rank_of_tables(%x: tensor<64xbf16>, %t: tensor<f32>) {
  // expected-error @below {{'qfuse.rope' op operand #1 must be tensor of rank 1 or more of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<f32>'}}
  %0 = qfuse.rope %x, %t, %t {style = #qfuse.rope_style<half>} : tensor<64xbf16>, tensor<f32>, tensor<f32> -> tensor<64xbf16>
  return
}

// -----

func.func @no_style(%x: tensor<4x64xf32>, %t: tensor<4x32xf32>) {
  // expected-error @below {{'qfuse.rope' op requires attribute 'style'}}
  %0 = "qfuse.rope"(%x, %t, %t) : (tensor<4x64xf32>, tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x64xf32>
  return
}

// -----

func.func @product_of_codes(%x: tensor<4x64xf32>, %t: tensor<4x32xf32>) {
  // expected-error @below {{attribute 'product' failed to satisfy constraint: type attribute of 32-bit float or bfloat16 type or 16-bit float}}
  %0 = qfuse.rope %x, %t, %t {product = f8E4M3FN, style = #qfuse.rope_style<half>} : tensor<4x64xf32>, tensor<4x32xf32>, tensor<4x32xf32> -> tensor<4x64xf32>
  return
}

// -----

func.func @up_of_another_shape(%g: tensor<?x64xf32>, %u: tensor<?x32xf32>) {
  // expected-error @below {{'qfuse.gated_activation' op failed to verify that all of {gate, up, result} have same shape}}
  %0 = qfuse.gated_activation %g, %u {activation = #qfuse.activation<silu>} : tensor<?x64xf32>, tensor<?x32xf32> -> tensor<?x64xf32>
  return
}

// -----

func.func @up_of_another_extent(%g: tensor<?x64xf32>, %u: tensor<4x64xf32>) {
  // expected-error @below {{'qfuse.gated_activation' op failed to verify that all of {gate, up, result} have same shape}}
  %0 = qfuse.gated_activation %g, %u {activation = #qfuse.activation<silu>} : tensor<?x64xf32>, tensor<4x64xf32> -> tensor<?x64xf32>
  return
}

// -----

func.func @gate_without_rank(%g: tensor<f32>) {
  // expected-error @below {{'qfuse.gated_activation' op operand #0 must be tensor of rank 1 or more of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<f32>'}}
  %0 = qfuse.gated_activation %g, %g {activation = #qfuse.activation<silu>} : tensor<f32>, tensor<f32> -> tensor<f32>
  return
}

// -----

func.func @gate_of_codes(%g: tensor<4xi8>) {
  // expected-error @below {{'qfuse.gated_activation' op operand #0 must be tensor of rank 1 or more of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<4xi8>'}}
  %0 = qfuse.gated_activation %g, %g {activation = #qfuse.activation<silu>} : tensor<4xi8>, tensor<4xi8> -> tensor<4xf32>
  return
}

// -----

func.func @unknown_activation(%g: tensor<4xf32>) {
  // expected-error @+2 {{expected one of [silu, gelu_tanh, gelu_erf] for function of a gate, got: relu}}
  // expected-error @below {{failed to parse QFuse_ActivationAttr}}
  %0 = qfuse.gated_activation %g, %g {activation = #qfuse.activation<relu>} : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

func.func @gathered_shape(%x: tensor<?x64xf32>, %i: tensor<8x?xi32>) {
  // expected-error @below {{'qfuse.gather_rows' op expected result of type 'tensor<8x?x64xf32>', got 'tensor<8x64xf32>'}}
  %0 = qfuse.gather_rows %x, %i : tensor<?x64xf32>, tensor<8x?xi32> -> tensor<8x64xf32>
  return
}

// -----

func.func @gathered_type(%x: tensor<?x64xf8E4M3FN>, %i: tensor<?xi32>) {
  // expected-error @below {{'qfuse.gather_rows' op expected result of type 'tensor<?x64xf8E4M3FN>', got 'tensor<?x64xbf16>'}}
  %0 = qfuse.gather_rows %x, %i : tensor<?x64xf8E4M3FN>, tensor<?xi32> -> tensor<?x64xbf16>
  return
}

// -----

func.func @half_bytes(%x: tensor<8x63xf4E2M1FN>, %i: tensor<?xi32>) {
  // expected-error @below {{'qfuse.gather_rows' op expected an even last extent of source, as a byte holds two 'f4E2M1FN', got 'tensor<8x63xf4E2M1FN>'}}
  %0 = qfuse.gather_rows %x, %i : tensor<8x63xf4E2M1FN>, tensor<?xi32> -> tensor<?x63xf4E2M1FN>
  return
}

// -----

func.func @half_bytes_of_result(%x: tensor<8xf4E2M1FN>, %i: tensor<3xi32>) {
  // expected-error @below {{'qfuse.gather_rows' op expected an even last extent of result, as a byte holds two 'f4E2M1FN', got 'tensor<3xf4E2M1FN>'}}
  %0 = qfuse.gather_rows %x, %i : tensor<8xf4E2M1FN>, tensor<3xi32> -> tensor<3xf4E2M1FN>
  return
}

// -----

func.func @wide_indices(%x: tensor<8x64xf32>, %i: tensor<?xi64>) {
  // expected-error @below {{'qfuse.gather_rows' op operand #1 must be tensor of rank 1 or more of 32-bit signless integer values, but got 'tensor<?xi64>'}}
  %0 = qfuse.gather_rows %x, %i : tensor<8x64xf32>, tensor<?xi64> -> tensor<?x64xf32>
  return
}

// -----

func.func @one_index(%x: tensor<8x64xf32>, %i: tensor<i32>) {
  // expected-error @below {{'qfuse.gather_rows' op operand #1 must be tensor of rank 1 or more of 32-bit signless integer values, but got 'tensor<i32>'}}
  %0 = qfuse.gather_rows %x, %i : tensor<8x64xf32>, tensor<i32> -> tensor<64xf32>
  return
}

// -----

func.func @no_rows(%x: tensor<f32>, %i: tensor<?xi32>) {
  // expected-error @below {{'qfuse.gather_rows' op operand #0 must be tensor or packed value of rank 1 or more, but got 'tensor<f32>'}}
  %0 = qfuse.gather_rows %x, %i : tensor<f32>, tensor<?xi32> -> tensor<?xf32>
  return
}
