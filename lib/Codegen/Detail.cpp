//===- Detail.cpp - What the emitters share -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Detail.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::qfuse;

InFlightDiagnostic qfuse::emitMissing(Operation *op) {
  return op->emitOpError() << "cannot be generated yet: ";
}

gpu::GPUFuncOp qfuse::createDeviceFunction(KernelBuilder &b,
                                           gpu::GPUModuleOp module,
                                           StringRef name, TypeRange arguments,
                                           unsigned threads) {
  b.setInsertionPointToEnd(module.getBody());
  auto function = gpu::GPUFuncOp::create(
      b, name, b.getFunctionType(arguments, /*results=*/{}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  function.setKnownBlockSizeAttr(
      b.getDenseI32ArrayAttr({static_cast<int32_t>(threads), 1, 1}));
  b.setInsertionPointToStart(&function.getBody().front());
  return function;
}

Value qfuse::addSharedMemory(KernelBuilder &b, gpu::GPUFuncOp function,
                             int64_t elements) {
  auto type = MemRefType::get(
      {elements}, b.f32(), MemRefLayoutAttrInterface(),
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup));
  unsigned index = function.getNumWorkgroupAttributions();
  Value memory = function.addWorkgroupAttribution(type, b.getLoc());
  // It is read by vectors of 16 bytes, which not each back end aligns it for.
  function.setWorkgroupAttributionAttr(
      index, LLVM::LLVMDialect::getAlignAttrName(), b.getI64IntegerAttr(16));
  return memory;
}
