// RUN: qfuse-opt %s | FileCheck %s
// RUN: qfuse-opt %s | qfuse-opt | FileCheck %s
// RUN: qfuse-opt %s --emit-bytecode | qfuse-opt | FileCheck %s
// RUN: qfuse-opt %s --mlir-print-op-generic | qfuse-opt | FileCheck %s

#mx_shuffle = #qfuse.layout<map = (m, k) -> (m floordiv 32, k floordiv 8, k mod 4, m mod 16, (k floordiv 4) mod 2, (m floordiv 16) mod 2), align = [256, 8]>
#mxfp4 = #qfuse.format<block = [1, 32], scale_type = f8E8M0FNU>

// What has its default is not printed.
// CHECK-LABEL: func.func @rope
func.func @rope(%x: tensor<?x16x512xbf16>, %c: tensor<?x32xf32>, %s: tensor<?x32xf32>) -> tensor<?x16x512xbf16> {
  // CHECK: qfuse.rope %{{.+}}, %{{.+}}, %{{.+}} {inverse, offset = 448 : i64, style = #qfuse.rope_style<interleaved>} : tensor<?x16x512xbf16>, tensor<?x32xf32>, tensor<?x32xf32> -> tensor<?x16x512xf32>
  %0 = qfuse.rope %x, %c, %s {inverse, offset = 448 : i64, style = #qfuse.rope_style<interleaved>} : tensor<?x16x512xbf16>, tensor<?x32xf32>, tensor<?x32xf32> -> tensor<?x16x512xf32>
  // CHECK: qfuse.rope %{{.+}}, %{{.+}}, %{{.+}} {style = #qfuse.rope_style<half>} : tensor<?x16x512xf32>, tensor<?x32xf32>, tensor<?x32xf32> -> tensor<?x16x512xbf16>
  %1 = qfuse.rope %0, %c, %s {offset = 0 : i64, product = f32, style = #qfuse.rope_style<half>} : tensor<?x16x512xf32>, tensor<?x32xf32>, tensor<?x32xf32> -> tensor<?x16x512xbf16>
  return %1 : tensor<?x16x512xbf16>
}

// Llama, heads in front of the sequence; Qwen and vLLM, behind it; keys without
// heads; GPT-NeoX, a quarter of each head by an entry an element.
// CHECK-LABEL: func.func @tables
func.func @tables(%q: tensor<2x32x?x128xbf16>, %a: tensor<2x1x?x128xbf16>, %p: tensor<?x4x128xf16>, %b: tensor<?x64xf32>,
                  %k: tensor<?x64xf32>, %d: tensor<?x32xf32>, %n: tensor<2x?x8x96xbf16>, %e: tensor<1x?x24xbf16>, %t: tensor<32xf32>) {
  // CHECK: {style = #qfuse.rope_style<half>} : tensor<2x32x?x128xbf16>, tensor<2x1x?x128xbf16>,
  %0 = qfuse.rope %q, %a, %a {style = #qfuse.rope_style<half>} : tensor<2x32x?x128xbf16>, tensor<2x1x?x128xbf16>, tensor<2x1x?x128xbf16> -> tensor<2x32x?x128xbf16>
  // CHECK: {style = #qfuse.rope_style<half>} : tensor<?x4x128xf16>, tensor<?x64xf32>,
  %1 = qfuse.rope %p, %b, %b {style = #qfuse.rope_style<half>} : tensor<?x4x128xf16>, tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?x4x128xf16>
  // CHECK: {style = #qfuse.rope_style<interleaved>} : tensor<?x64xf32>, tensor<?x32xf32>,
  %2 = qfuse.rope %k, %d, %d {style = #qfuse.rope_style<interleaved>} : tensor<?x64xf32>, tensor<?x32xf32>, tensor<?x32xf32> -> tensor<?x64xf32>
  // CHECK: {product = bf16, style = #qfuse.rope_style<half>, width = 24 : i64} : tensor<2x?x8x96xbf16>, tensor<1x?x24xbf16>,
  %3 = qfuse.rope %n, %e, %e {product = bf16, style = #qfuse.rope_style<half>, width = 24} : tensor<2x?x8x96xbf16>, tensor<1x?x24xbf16>, tensor<1x?x24xbf16> -> tensor<2x?x8x96xbf16>
  // CHECK: : tensor<?x64xf32>, tensor<32xf32>, tensor<32xf32>
  %4 = qfuse.rope %k, %t, %t {style = #qfuse.rope_style<half>} : tensor<?x64xf32>, tensor<32xf32>, tensor<32xf32> -> tensor<?x64xf32>
  return
}

// CHECK-LABEL: func.func @gated_activation
func.func @gated_activation(%g: tensor<?x64xbf16>, %u: tensor<?x64xbf16>, %v: tensor<8xf16>) {
  // CHECK: qfuse.gated_activation %{{.+}}, %{{.+}} {activation = #qfuse.activation<silu>} : tensor<?x64xbf16>, tensor<?x64xbf16> -> tensor<?x64xf32>
  %0 = qfuse.gated_activation %g, %u {activated = f32, activation = #qfuse.activation<silu>} : tensor<?x64xbf16>, tensor<?x64xbf16> -> tensor<?x64xf32>
  // CHECK: {activated = bf16, activation = #qfuse.activation<gelu_tanh>}
  %1 = qfuse.gated_activation %g, %u {activated = bf16, activation = #qfuse.activation<gelu_tanh>} : tensor<?x64xbf16>, tensor<?x64xbf16> -> tensor<?x64xbf16>
  // CHECK: {activated = f16, activation = #qfuse.activation<gelu_erf>} : tensor<8xf16>,
  %2 = qfuse.gated_activation %v, %v {activated = f16, activation = #qfuse.activation<gelu_erf>} : tensor<8xf16>, tensor<8xf16> -> tensor<8xf16>
  return
}

// Rows of a cache, read and decoded in one kernel.
// CHECK-LABEL: func.func @gather_rows
func.func @gather_rows(%codes: tensor<?x512xf4E2M1FN>, %scales: !qfuse.packed<?x16xf8E8M0FNU, #mx_shuffle>, %slots: tensor<?xi32>) -> tensor<?x512xbf16> {
  %0 = qfuse.kernel ins(%q = %codes : tensor<?x512xf4E2M1FN>, %s = %scales : !qfuse.packed<?x16xf8E8M0FNU, #mx_shuffle>, %i = %slots : tensor<?xi32>) -> (tensor<?x512xbf16>) {
    // CHECK: %[[Q:.+]] = qfuse.gather_rows %{{.+}}, %[[I:.+]] : tensor<?x512xf4E2M1FN>, tensor<?xi32> -> tensor<?x512xf4E2M1FN>
    %1 = qfuse.gather_rows %q, %i : tensor<?x512xf4E2M1FN>, tensor<?xi32> -> tensor<?x512xf4E2M1FN>
    // CHECK: %[[S:.+]] = qfuse.gather_rows %{{.+}}, %[[I]] : !qfuse.packed<?x16xf8E8M0FNU, #mx_shuffle>, tensor<?xi32> -> tensor<?x16xf8E8M0FNU>
    %2 = qfuse.gather_rows %s, %i : !qfuse.packed<?x16xf8E8M0FNU, #mx_shuffle>, tensor<?xi32> -> tensor<?x16xf8E8M0FNU>
    // CHECK: qfuse.dequantize %[[Q]] by %[[S]]
    %3 = qfuse.dequantize %1 by %2 {format = #mxfp4} : tensor<?x512xf4E2M1FN>, tensor<?x16xf8E8M0FNU> -> tensor<?x512xbf16>
    qfuse.yield %3 : tensor<?x512xbf16>
  }
  return %0 : tensor<?x512xbf16>
}

// CHECK-LABEL: func.func @gather_pages
func.func @gather_pages(%x: tensor<?x64x2xbf16>, %i: tensor<?x8xi32>, %y: tensor<16xf32>) {
  // CHECK: qfuse.gather_rows %{{.+}}, %{{.+}} : tensor<?x64x2xbf16>, tensor<?x8xi32> -> tensor<?x8x64x2xbf16>
  %0 = qfuse.gather_rows %x, %i : tensor<?x64x2xbf16>, tensor<?x8xi32> -> tensor<?x8x64x2xbf16>
  // CHECK: qfuse.gather_rows %{{.+}}, %{{.+}} : tensor<16xf32>, tensor<?x8xi32> -> tensor<?x8xf32>
  %1 = qfuse.gather_rows %y, %i : tensor<16xf32>, tensor<?x8xi32> -> tensor<?x8xf32>
  return
}
