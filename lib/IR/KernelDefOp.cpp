//===- KernelDefOp.cpp - Kernels outlined under a name --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Detail.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace mlir::qfuse;

//===----------------------------------------------------------------------===//
// kernel_def
//===----------------------------------------------------------------------===//

ParseResult KernelDefOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> inputs,
                      ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(inputs, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void KernelDefOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

void KernelDefOp::getAsmBlockArgumentNames(Region &region,
                                           OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, "in");
}

YieldOp KernelDefOp::getYield() {
  return cast<YieldOp>(getBody()->getTerminator());
}

LogicalResult KernelDefOp::verifyRegions() {
  return verifyKernelBody(*this, *getBody(), getResultTypes());
}

//===----------------------------------------------------------------------===//
// launch
//===----------------------------------------------------------------------===//

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel =
      symbols.lookupNearestSymbolFrom<KernelDefOp>(*this, getCalleeAttr());
  if (!kernel)
    return emitOpError() << "expected " << getCalleeAttr()
                         << " to be a qfuse.kernel_def";
  auto type = FunctionType::get(getContext(), getInputs().getTypes(),
                                getOutputs().getTypes());
  if (type == kernel.getFunctionType())
    return success();
  InFlightDiagnostic error = emitOpError()
                             << "expected type " << kernel.getFunctionType()
                             << ", got " << type;
  error.attachNote(kernel.getLoc()) << "of this kernel";
  return error;
}

/// Returns the kernel that `op` launches, or null before it is verified.
static KernelDefOp getKernel(LaunchOp op) {
  return SymbolTable::lookupNearestSymbolFrom<KernelDefOp>(op,
                                                           op.getCalleeAttr());
}

void LaunchOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (KernelDefOp kernel = getKernel(*this))
    for (Operation &op : *kernel.getBody())
      if (auto nested = dyn_cast<MemoryEffectOpInterface>(op))
        nested.getEffects(effects);
}

Speculation::Speculatability LaunchOp::getSpeculatability() {
  KernelDefOp kernel = getKernel(*this);
  return kernel &&
                 llvm::all_of(*kernel.getBody(),
                              [](Operation &op) { return isSpeculatable(&op); })
             ? Speculation::Speculatable
             : Speculation::NotSpeculatable;
}

LogicalResult LaunchOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  return reifyKernelBody(builder, getLoc(), getKernel(*this).getYield(),
                         getInputs(), shapes);
}
