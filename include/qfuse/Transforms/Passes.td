// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_TRANSFORMS_PASSES_TD
#define QFUSE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def FusePass : Pass<"qfuse-fuse", "::mlir::ModuleOp"> {
  let summary = "Move chains that end in a quantize into kernels";
  let description = [{
    Plans each block once and moves each planned chain into one `qfuse.kernel`.
    A value that is used outside its chain is one more result of the kernel. A
    `scaled_matmul` is not fused. `qfuse-inline-kernels` is the inverse.

    Example: test/Transforms/fuse.mlir

    Remarks: `ChainFused`, `ProducerNotFusible`, `RowSpacesDiffer`, `NotConvex`.
  }];
  let dependentDialects = ["::mlir::qfuse::QFuseDialect"];
}

def InlineKernelsPass : Pass<"qfuse-inline-kernels", "::mlir::ModuleOp"> {
  let summary = "Replace each kernel and each launch by its body";
  let description = [{
    Gives back the unfused graph, which is the meaning of the kernels. Each
    `qfuse.kernel_def` is erased.

    Example: test/Transforms/inline-kernels.mlir
  }];
  let dependentDialects = ["::mlir::qfuse::QFuseDialect"];
}

#endif // QFUSE_TRANSFORMS_PASSES_TD
