// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_IR_QFUSEINTERFACES_TD
#define QFUSE_IR_QFUSEINTERFACES_TD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def QFuse_Role : I32Enum<"Role", "what an op does to a row in a fused body", [
    I32EnumCase<"elementwise", 0>, I32EnumCase<"row_reduction", 1>,
    I32EnumCase<"block_reduction", 2>, I32EnumCase<"quantize", 3>,
    I32EnumCase<"view", 4>, I32EnumCase<"contraction", 5>,
    I32EnumCase<"collective", 6>]> {
  let cppNamespace = "::mlir::qfuse";
}

def QFuse_FusibleOpInterface : OpInterface<"FusibleOpInterface"> {
  let cppNamespace = "::mlir::qfuse";
  let description = [{
    An op that may stand in the body of a `qfuse.kernel`. Upstream ops cannot
    implement it: `getRole(Operation *)` knows which of them are fusible too.
  }];
  let methods = [
    InterfaceMethod<"Returns the role of the op in a fused body.",
      "::mlir::qfuse::Role", "getRole">,
    InterfaceMethod<[{
        Returns where the extent of dimension `dim` of result `result` comes
        from. A pure function, so that a kernel can follow it from its yield to
        its operands without creating ops. By default the extent is that of the
        same dimension of the first operand.
      }],
      "::mlir::qfuse::ExtentSource", "getExtentSource",
      (ins "unsigned":$result, "unsigned":$dim), "", [{
        return ExtentSource{$_op->getOperand(0), dim, /*divisor=*/1};
      }]>
  ];
}

#endif // QFUSE_IR_QFUSEINTERFACES_TD
