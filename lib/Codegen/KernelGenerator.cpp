//===- KernelGenerator.cpp - From a kernel body to a device function ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Codegen/KernelGenerator.h"

#include "RowEmitter.h"

using namespace mlir;
using namespace mlir::qfuse;

FailureOr<GeneratedKernel>
qfuse::generateKernel(KernelDefOp kernel, gpu::GPUModuleOp module,
                      const TargetHooks &hooks) {
  FailureOr<RowBody> body = RowBody::analyze(kernel, hooks);
  if (failed(body))
    return failure();
  return RowEmitter(*body, hooks, module).emit();
}
