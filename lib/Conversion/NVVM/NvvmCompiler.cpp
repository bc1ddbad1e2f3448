//===- NvvmCompiler.cpp - PTX for NVIDIA devices --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NvvmCompiler.h"

#include "BackEnd.h"
#include "NvvmHooks.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <mutex>

using namespace mlir;
using namespace mlir::qfuse;

namespace {
class NvvmCompiler : public DeviceCompiler {
public:
  NvvmCompiler(TargetAttr target, NVVM::NVVMTargetAttr device)
      : hooks(target), device(device) {}

  const TargetHooks &getHooks() const override { return hooks; }
  StringRef getChip() const override { return device.getChip(); }
  FailureOr<DeviceObject> compile(gpu::GPUModuleOp module,
                                  bool keepStages) const override;

private:
  NvvmHooks hooks;
  NVVM::NVVMTargetAttr device;
};
} // namespace

static void initializeBackEnd() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

static void addPasses(OpPassManager &manager) {
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createLowerAffinePass());
  ConvertGpuOpsToNVVMOpsOptions gpu;
  gpu.useBarePtrCallConv = true;
  manager.addPass(createConvertGpuOpsToNVVMOps(gpu));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
}

/// Returns what is known of the kernels of `module` before they are assembled,
/// in the order of their names: shared memory and threads.
static std::vector<KernelResources> getResources(gpu::GPUModuleOp module) {
  std::vector<KernelResources> kernels;
  for (auto function : module.getOps<gpu::GPUFuncOp>()) {
    KernelResources &kernel = kernels.emplace_back();
    kernel.name = function.getName().str();
    if (auto size = function.getKnownBlockSize())
      kernel.threads = size->front();
    for (BlockArgument memory : function.getWorkgroupAttributions()) {
      auto type = cast<MemRefType>(memory.getType());
      kernel.ldsBytes +=
          type.getNumElements() * type.getElementTypeBitWidth() / 8;
    }
  }
  llvm::sort(kernels, [](const KernelResources &a, const KernelResources &b) {
    return a.name < b.name;
  });
  return kernels;
}

FailureOr<DeviceObject> NvvmCompiler::compile(gpu::GPUModuleOp module,
                                              bool keepStages) const {
  DeviceObject result;
  result.fileName = "kernels.ptx";
  result.kernels = getResources(module);
  PassManager manager(module.getContext(),
                      gpu::GPUModuleOp::getOperationName());
  addPasses(manager);
  if (failed(manager.run(module)) ||
      failed(checkIsLowered(module, NVVM::NVVMDialect::getDialectNamespace())))
    return failure();

  initializeBackEnd();
  auto backEnd = BackEnd::create(module.getLoc(), device.getTriple(),
                                 device.getChip(), device.getFeatures());
  if (failed(backEnd) || failed(backEnd->translate(module)))
    return failure();
  backEnd->optimize();
  if (keepStages)
    result.llvmIR = backEnd->getText();
  FailureOr<std::string> assembly =
      backEnd->emit(llvm::CodeGenFileType::AssemblyFile);
  if (failed(assembly))
    return failure();
  result.binary.assign(assembly->begin(), assembly->end());
  if (keepStages)
    result.assembly = std::move(*assembly);
  return result;
}

std::unique_ptr<DeviceCompiler> qfuse::createNvvmCompiler(TargetAttr target) {
  auto device = dyn_cast<NVVM::NVVMTargetAttr>(target.getDevice());
  if (!device)
    return nullptr;
  // What emitters and hooks build.
  target.getContext()
      ->loadDialect<affine::AffineDialect, arith::ArithDialect, gpu::GPUDialect,
                    LLVM::LLVMDialect, memref::MemRefDialect, NVVM::NVVMDialect,
                    scf::SCFDialect, vector::VectorDialect>();
  return std::make_unique<NvvmCompiler>(target, device);
}
