//===- Module.cpp - Modules of the C ABI ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Handles.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "qfuse/Transforms/Passes.h"
#include "llvm/Support/SourceMgr.h"
#include <mutex>

using namespace mlir;
using namespace mlir::qfuse;

static void registerPassesOnce() {
  static std::once_flag once;
  std::call_once(once, [] {
    registerAllPasses();
    registerQFusePasses();
  });
}

QfuseModule *qfuseModuleParse(QfuseContext *context, QfuseString source,
                              QfuseString name) {
  llvm::SourceMgr sources;
  // A copy, as the lexer reads up to a zero.
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(unwrap(source), unwrap(name)),
      llvm::SMLoc());
  auto module = parseSourceFile<ModuleOp>(sources, &context->context);
  return module ? new QfuseModule{std::move(module)} : nullptr;
}

QfuseModule *qfuseModuleClone(const QfuseModule *module) {
  return new QfuseModule{module->module.get().clone()};
}

void qfuseModuleDestroy(QfuseModule *module) { delete module; }

void qfuseModulePrint(const QfuseModule *module, int with_locations,
                      QfuseWriter writer, void *user) {
  WriterStream stream(writer, user);
  module->module.get().print(stream, OpPrintingFlags().enableDebugInfo(
                                         /*enable=*/with_locations != 0));
  stream << '\n';
}

QfuseStatus qfuseModuleWriteBytecode(const QfuseModule *module,
                                     QfuseWriter writer, void *user) {
  ModuleOp op = module->module.get();
  WriterStream stream(writer, user);
  if (succeeded(writeBytecodeToFile(op, stream)))
    return QFUSE_SUCCESS;
  op.emitError() << "cannot be written as bytecode";
  return QFUSE_FAILURE;
}

QfuseStatus qfuseModuleRunPipeline(QfuseModule *module, QfuseString pipeline) {
  registerPassesOnce();
  ModuleOp op = *module->module;
  std::string mistake;
  llvm::raw_string_ostream stream(mistake);
  FailureOr<OpPassManager> passes = parsePassPipeline(unwrap(pipeline), stream);
  if (failed(passes)) {
    op.emitError() << "expected a pipeline of passes: " << mistake;
    return QFUSE_FAILURE;
  }
  PassManager manager(op.getContext(), passes->getOpAnchorName());
  static_cast<OpPassManager &>(manager) = std::move(*passes);
  return succeeded(manager.run(op)) ? QFUSE_SUCCESS : QFUSE_FAILURE;
}
