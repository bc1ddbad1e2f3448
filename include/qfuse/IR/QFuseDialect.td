// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_IR_QFUSEDIALECT_TD
#define QFUSE_IR_QFUSEDIALECT_TD

include "mlir/IR/OpBase.td"

def QFuse_Dialect : Dialect {
  let name = "qfuse";
  let cppNamespace = "::mlir::qfuse";
  let summary = "Quantized fusion at graph level";
  let description = [{
    The quantized parts of a graph, with formats, scale rules, roundings and
    physical layouts stated where they apply. A builtin ranked tensor is
    row-major and unpadded; bytes in any other order are a `!qfuse.packed`.
    `A : M x K` and `B : N x K` in all of it. A scale multiplies: a value is
    `code * scale`. Arithmetic is in f32 unless an op says otherwise, and rounds
    to nearest even.

    Everything else in a graph is `arith`, `math`, `tensor`, `scf` and `func`.
    An op on tensors of a narrow type rounds each result to that type, so the
    roundings of a graph are its casts and its result types.

    The examples use these names:

    ```mlir
    #fp8_block = #qfuse.format<block = [1, 128]>
    #fp8_weight = #qfuse.format<block = [128, 128]>
    #fp8_per_token = #qfuse.format<block = [1, 0]>
    #mxfp4 = #qfuse.format<block = [1, 32], scale_type = f8E8M0FNU>
    #nvfp4 = #qfuse.format<block = [1, 16], scale_type = f8E4M3FN, outer_scale = f32>
    #rule = #qfuse.scale_rule<max = 448.0, amax_floor = 1.0e-10>
    #mx_shuffle = #qfuse.layout<
      map = (m, k) -> (m floordiv 32, k floordiv 8, k mod 4, m mod 16,
                       (k floordiv 4) mod 2, (m floordiv 16) mod 2),
      align = [256, 8]>
    ```
  }];

  // What `reifyResultShapes` and the folders create.
  let dependentDialects = [
    "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect"
  ];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerBytecode();
    void registerTypes();
    void registerOps();
  }];
}

#endif // QFUSE_IR_QFUSEDIALECT_TD
