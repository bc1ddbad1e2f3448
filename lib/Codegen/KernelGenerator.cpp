//===- KernelGenerator.cpp - From a kernel body to a device function ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Codegen/KernelGenerator.h"

#include "MatmulEmitter.h"
#include "RowEmitter.h"

using namespace mlir;
using namespace mlir::qfuse;

FailureOr<GeneratedKernel> qfuse::generateKernel(KernelDefOp kernel,
                                                 gpu::GPUModuleOp module,
                                                 const TargetHooks &hooks) {
  auto matmuls = kernel.getBody()->getOps<ScaledMatmulOp>();
  if (!matmuls.empty()) {
    FailureOr<MatmulBody> body =
        MatmulBody::analyze(kernel, *matmuls.begin(), hooks);
    if (failed(body))
      return failure();
    return MatmulEmitter(*body, hooks, module).emit();
  }
  FailureOr<RowBody> body = RowBody::analyze(kernel, hooks);
  if (failed(body))
    return failure();
  return RowEmitter(*body, hooks, module).emit();
}
