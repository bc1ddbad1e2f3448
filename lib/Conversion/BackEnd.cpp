//===- BackEnd.cpp - LLVM's back end, in process --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BackEnd.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;
using namespace mlir::qfuse;

LogicalResult qfuse::checkIsLowered(gpu::GPUModuleOp module, StringRef device) {
  WalkResult result = module.walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (op == module || dialect == device ||
        dialect == LLVM::LLVMDialect::getDialectNamespace())
      return WalkResult::advance();
    op->emitOpError() << "has no lowering to " << device.upper();
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

BackEnd::BackEnd(Location loc, std::unique_ptr<llvm::TargetMachine> machine)
    : loc(loc), context(std::make_unique<llvm::LLVMContext>()),
      machine(std::move(machine)) {}
BackEnd::BackEnd(BackEnd &&) = default;
BackEnd::~BackEnd() = default;

FailureOr<BackEnd> BackEnd::create(Location loc, StringRef triple,
                                   StringRef chip, StringRef features) {
  std::string message;
  llvm::Triple parsed(triple);
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(parsed, message);
  if (!target)
    return emitError(loc) << message;
  llvm::TargetOptions options;
  options.MCOptions.AsmVerbose = true;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      parsed, chip, features, options, llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return emitError(loc) << "no code generator for " << triple;
  return BackEnd(loc, std::move(machine));
}

LogicalResult BackEnd::translate(gpu::GPUModuleOp source) {
  module = translateModuleToLLVMIR(source, *context, source.getName());
  if (!module)
    return failure(); // has been reported
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  return success();
}

void BackEnd::optimize() {
  llvm::PassBuilder builder(machine.get());
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(*module, modules);
}

std::string BackEnd::getText() const {
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  return text;
}

FailureOr<std::string> BackEnd::emit(llvm::CodeGenFileType type) {
  llvm::SmallString<0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, type))
    return emitError(loc) << "the back end cannot emit this kind of file";
  // Code generation changes the module, which may be emitted twice.
  passes.run(*llvm::CloneModule(*module));
  return buffer.str().str();
}
