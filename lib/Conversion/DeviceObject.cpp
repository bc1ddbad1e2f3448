//===- DeviceObject.cpp - From device functions to code objects -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Conversion/DeviceObject.h"

#include "NVVM/NvvmCompiler.h"
#include "ROCDL/RocdlCompiler.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

using namespace mlir;
using namespace mlir::qfuse;

DeviceCompiler::~DeviceCompiler() = default;

FailureOr<std::unique_ptr<DeviceCompiler>>
qfuse::createDeviceCompiler(TargetAttr target, Location loc) {
  if (std::unique_ptr<DeviceCompiler> compiler = createRocdlCompiler(target))
    return compiler;
  if (std::unique_ptr<DeviceCompiler> compiler = createNvvmCompiler(target))
    return compiler;
  return emitError(loc) << "expected a target whose device is a "
                           "#rocdl.target or an #nvvm.target, got "
                        << target.getDevice();
}

void qfuse::registerDeviceTranslations(DialectRegistry &registry) {
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
}
