// What the matmul template lacks is an error at the op.
// RUN: split-file %s %t
// RUN: not qfuse-compile %t/k.mlir --target=%t/all.mlir --emit=kernels 2>&1 | FileCheck %t/k.mlir
// RUN: not qfuse-compile %t/n.mlir --target=%t/all.mlir --emit=kernels 2>&1 | FileCheck %t/n.mlir
// RUN: not qfuse-compile %t/type.mlir --target=%t/all.mlir --emit=kernels 2>&1 | FileCheck %t/type.mlir
// RUN: not qfuse-compile %t/result.mlir --target=%t/all.mlir --emit=kernels 2>&1 | FileCheck %t/result.mlir
// RUN: not qfuse-compile %t/format.mlir --target=%t/all.mlir --emit=kernels 2>&1 | FileCheck %t/format.mlir

//--- all.mlir
// Rows for what is not generated, so that legality does not refuse it before.
#row = #qfuse.format<block = [1, 0]>
#half = #qfuse.format<block = [1, 64]>
module attributes {qfuse.target = #qfuse.target<device = #rocdl.target<chip = "gfx950">,
    features = {subgroup = 64, lds_bytes = 163840, fp8 = "ocp", scaled_mma = true, bf16_conversion = true, maximum3 = true}, costs = {},
    rows = [#qfuse.matmul_row<name = "fp8", a = <type = f8E4M3FN, format = #row>, b = <type = f8E4M3FN, format = #row>, results = [bf16, f16, f32]>,
            #qfuse.matmul_row<name = "i8", a = <type = i8, format = #row>, b = <type = i8, format = #row>, results = [bf16]>,
            #qfuse.matmul_row<name = "half", a = <type = f8E4M3FN, format = #half>, b = <type = f8E4M3FN, format = #half>, results = [bf16]>]>} {}

//--- k.mlir
// CHECK: error: 'qfuse.scaled_matmul' op cannot be generated yet: expected row-major operands of rank 2 whose K is static and a multiple of 16, got 'tensor<?x40xf8E4M3FN>'
#row = #qfuse.format<block = [1, 0]>
func.func @k(%a: tensor<?x40xf8E4M3FN>, %as: tensor<?x1xf32>, %b: tensor<16x40xf8E4M3FN>, %bs: tensor<16x1xf32>) -> tensor<?x16xbf16> {
  %0 = qfuse.scaled_matmul %a by %as, %b by %bs {a_format = #row, b_format = #row} : tensor<?x40xf8E4M3FN>, tensor<?x1xf32>, tensor<16x40xf8E4M3FN>, tensor<16x1xf32> -> tensor<?x16xbf16>
  return %0 : tensor<?x16xbf16>
}

//--- n.mlir
// CHECK: error: 'qfuse.scaled_matmul' op cannot be generated yet: expected a static N, got 'tensor<?x64xf8E4M3FN>'
#row = #qfuse.format<block = [1, 0]>
func.func @n(%a: tensor<?x64xf8E4M3FN>, %as: tensor<?x1xf32>, %b: tensor<?x64xf8E4M3FN>, %bs: tensor<?x1xf32>) -> tensor<?x?xbf16> {
  %0 = qfuse.scaled_matmul %a by %as, %b by %bs {a_format = #row, b_format = #row} : tensor<?x64xf8E4M3FN>, tensor<?x1xf32>, tensor<?x64xf8E4M3FN>, tensor<?x1xf32> -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}

//--- type.mlir
// CHECK: error: 'qfuse.scaled_matmul' op cannot be generated yet: no matrix unit of the target takes 'tensor<?x64xi8>' and 'tensor<16x64xi8>'
#row = #qfuse.format<block = [1, 0]>
func.func @type(%a: tensor<?x64xi8>, %as: tensor<?x1xf32>, %b: tensor<16x64xi8>, %bs: tensor<16x1xf32>) -> tensor<?x16xbf16> {
  %0 = qfuse.scaled_matmul %a by %as, %b by %bs {a_format = #row, b_format = #row} : tensor<?x64xi8>, tensor<?x1xf32>, tensor<16x64xi8>, tensor<16x1xf32> -> tensor<?x16xbf16>
  return %0 : tensor<?x16xbf16>
}

//--- result.mlir
// CHECK: error: 'qfuse.scaled_matmul' op cannot be generated yet: expected a result of bf16 or f32, got 'tensor<?x16xf16>'
#row = #qfuse.format<block = [1, 0]>
func.func @result(%a: tensor<?x64xf8E4M3FN>, %as: tensor<?x1xf32>, %b: tensor<16x64xf8E4M3FN>, %bs: tensor<16x1xf32>) -> tensor<?x16xf16> {
  %0 = qfuse.scaled_matmul %a by %as, %b by %bs {a_format = #row, b_format = #row} : tensor<?x64xf8E4M3FN>, tensor<?x1xf32>, tensor<16x64xf8E4M3FN>, tensor<16x1xf32> -> tensor<?x16xf16>
  return %0 : tensor<?x16xf16>
}

//--- format.mlir
// CHECK: error: 'qfuse.scaled_matmul' op cannot be generated yet: expected formats with a scale of f32 a row of A and of B, or a block of 1x128 of A and of 128x128 of B, got #qfuse.format<block = [1, 64]> and #qfuse.format<block = [1, 64]>
#half = #qfuse.format<block = [1, 64]>
func.func @format(%a: tensor<?x64xf8E4M3FN>, %as: tensor<?x1xf32>, %b: tensor<16x64xf8E4M3FN>, %bs: tensor<16x1xf32>) -> tensor<?x16xbf16> {
  %0 = qfuse.scaled_matmul %a by %as, %b by %bs {a_format = #half, b_format = #half} : tensor<?x64xf8E4M3FN>, tensor<?x1xf32>, tensor<16x64xf8E4M3FN>, tensor<16x1xf32> -> tensor<?x16xbf16>
  return %0 : tensor<?x16xbf16>
}
