//===- RocdlCompiler.cpp - Code objects for AMD devices -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RocdlCompiler.h"

#include "AmdHooks.h"
#include "BackEnd.h"
#include "Object.h"
#include "mlir/Conversion/AMDGPUToROCDL/AMDGPUToROCDL.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/GPUToROCDL/GPUToROCDLPass.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::qfuse;

namespace {
class RocdlCompiler : public DeviceCompiler {
public:
  RocdlCompiler(TargetAttr target, ROCDL::ROCDLTargetAttr device)
      : hooks(target), device(device) {}

  const TargetHooks &getHooks() const override { return hooks; }
  StringRef getChip() const override { return device.getChip(); }
  FailureOr<DeviceObject> compile(gpu::GPUModuleOp module,
                                  bool keepStages) const override;

private:
  void addPasses(OpPassManager &manager) const;

  AmdHooks hooks;
  ROCDL::ROCDLTargetAttr device;
};
} // namespace

void RocdlCompiler::addPasses(OpPassManager &manager) const {
  std::string chip = device.getChip().str();
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  ConvertAMDGPUToROCDLPassOptions amdgpu;
  amdgpu.chipset = chip;
  manager.addPass(createConvertAMDGPUToROCDLPass(amdgpu));
  ConvertGpuOpsToROCDLOpsOptions gpu;
  gpu.chipset = chip;
  gpu.useBarePtrCallConv = true;
  gpu.runtime = gpu::amd::Runtime::HIP;
  manager.addPass(createConvertGpuOpsToROCDLOps(gpu));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
}

FailureOr<DeviceObject> RocdlCompiler::compile(gpu::GPUModuleOp module,
                                               bool keepStages) const {
  PassManager manager(module.getContext(),
                      gpu::GPUModuleOp::getOperationName());
  addPasses(manager);
  if (failed(manager.run(module)) ||
      failed(
          checkIsLowered(module, ROCDL::ROCDLDialect::getDialectNamespace())))
    return failure();
  return serializeToCodeObject(module, device.getTriple(), device.getChip(),
                               keepStages);
}

std::unique_ptr<DeviceCompiler> qfuse::createRocdlCompiler(TargetAttr target) {
  auto device = dyn_cast<ROCDL::ROCDLTargetAttr>(target.getDevice());
  if (!device)
    return nullptr;
  // What emitters and hooks build.
  target.getContext()
      ->loadDialect<affine::AffineDialect, amdgpu::AMDGPUDialect,
                    arith::ArithDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                    memref::MemRefDialect, ROCDL::ROCDLDialect, scf::SCFDialect,
                    vector::VectorDialect>();
  return std::make_unique<RocdlCompiler>(target, device);
}
