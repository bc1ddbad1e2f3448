// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_TRANSFORMS_PASSES_TD
#define QFUSE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttachTargetPass : Pass<"qfuse-attach-target", "::mlir::ModuleOp"> {
  let summary = "State the device that a module is compiled for";
  let description = [{
    Sets `qfuse.target` of the module to a built-in target, or to that of a
    file. Matmul rows that need a provider, or a version of one, that `provide`
    does not list are left out. The only pass that names a target.

    Example: test/Transforms/attach-target.mlir
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"",
           "Name of a built-in target, or a file that ends in .mlir">,
    ListOption<"provide", "provide", "std::string",
               "What there is on the device, as NAME=VERSION">
  ];
  let dependentDialects = [
    "::mlir::qfuse::QFuseDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::ROCDL::ROCDLDialect"
  ];
}

def FusePass : Pass<"qfuse-fuse", "::mlir::ModuleOp"> {
  let summary = "Move chains around a quantize or a norm into kernels";
  let description = [{
    Plans each block once and moves each planned chain into one `qfuse.kernel`.
    A value that is used outside its chain is one more result of the kernel. A
    `scaled_matmul` is not fused. If the module has a target, no chain holds an
    op that the generator of row kernels refuses. The result does not depend on
    the order of the ops in a block. `qfuse-inline-kernels` is the inverse.

    Example: test/Transforms/fuse.mlir

    Remarks: `ChainFused`, `ProducerNotFusible`, `UnknownOp`, `RowSpacesDiffer`,
    `NotConvex`, `ResourceLimit`, `WeightTypeUnsupported`,
    `ConsumerNotScaledMatmul`, `FormatsDisagree`; see docs/remarks.md.
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

def OutlineKernelsPass : Pass<"qfuse-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Give each kernel a definition, and launch it";
  let description = [{
    Moves the body of each `qfuse.kernel` into a `qfuse.kernel_def`, one for
    equal bodies, and each fusible op on tensors that is in no kernel into one
    of its own. Names are the ops of the body and a hash of it, and so do not
    change from run to run. `qfuse-inline-kernels` is the inverse.

    Example: test/Transforms/outline-kernels.mlir

    Remarks: `KernelShared`.
  }];
  let dependentDialects = ["::mlir::qfuse::QFuseDialect"];
}

def VerifyLegalPass : Pass<"qfuse-verify-legal", "::mlir::ModuleOp"> {
  let summary = "Report what the target cannot run";
  let description = [{
    Emits an error for each `scaled_matmul` that no row of the target reads, for
    each value of a type that the target has not, and for a constant of packed
    type. Needs a target. Changes nothing.

    A `quantize` that makes NaN of a zero row is an error too, unless the rule of
    its scales says `zero = nan`: rows of padding tokens are zero. Scales that do
    not come from a `block_scale` in sight are not judged. With
    `refuse-nan-rows=false` nothing is.

    Example: test/Transforms/verify-legal.mlir

    Errors: `NoMatmulRow`, `ScaleLayoutMismatch`, `WeightLayoutMismatch`,
    `ExtentNotMultiple`, `Fp8FlavorUnsupported`, `ZeroRowIsNan`.
  }];
  let options = [
    Option<"refuseNanRows", "refuse-nan-rows", "bool", /*default=*/"true",
           "Whether a quantize that makes NaN of a zero row is an error">];
}

#endif // QFUSE_TRANSFORMS_PASSES_TD
