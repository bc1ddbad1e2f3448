// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_IR_QFUSEDIALECT_TD
#define QFUSE_IR_QFUSEDIALECT_TD

include "mlir/IR/OpBase.td"

def QFuse_Dialect : Dialect {
  let name = "qfuse";
  let cppNamespace = "::mlir::qfuse";
  let summary = "Quantized fusion at graph level";

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
