//===- Compile.cpp - From a module to an artifact -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Driver/Compile.h"

#include "qfuse/Transforms/Passes.h"
#include "qfuse/Transforms/Registration.h"

using namespace mlir;
using namespace mlir::qfuse;

void qfuse::registerCompiler(DialectRegistry &registry) {
  registerToolDialects(registry);
  registerDeviceTranslations(registry);
}

static LogicalResult prepare(ModuleOp module, const CompileOptions &options) {
  PassManager manager(module.getContext());
  buildPreparationPipeline(manager, options);
  return manager.run(module);
}

static LogicalResult fusePrepared(ModuleOp module,
                                  const CompileOptions &options) {
  PassManager manager(module.getContext());
  if (options.fuse)
    manager.addPass(createFusePass());
  return manager.run(module);
}

FailureOr<FusionReport> qfuse::fuse(ModuleOp module,
                                    const CompileOptions &options) {
  if (failed(prepare(module, options)))
    return failure();
  auto report = FusionReport::get(module);
  if (failed(fusePrepared(module, options)))
    return failure();
  return report;
}

LogicalResult qfuse::requireWholeChains(const FusionReport &report,
                                        Location loc) {
  if (report.numWhole == report.numChains)
    return success();
  return emitError(loc) << "expected all chains to be fused, got "
                        << report.numWhole << " of " << report.numChains
                        << "; the remarks say why";
}

FailureOr<CompiledModule> qfuse::compileFused(ModuleOp module,
                                              bool keepStages) {
  PassManager manager(module.getContext());
  buildOutliningPipeline(manager);
  if (failed(manager.run(module)))
    return failure();
  return compileModule(module, keepStages);
}

FailureOr<CompiledModule> qfuse::compile(ModuleOp module,
                                         const CompileOptions &options) {
  // Without a report, which plans once more.
  if (failed(prepare(module, options)) || failed(fusePrepared(module, options)))
    return failure();
  return compileFused(module);
}

FailureOr<Artifact> qfuse::makeArtifact(const CompiledModule &compiled,
                                        Location loc) {
  Result<Artifact> artifact = Artifact::create(
      compiled.manifest, {{compiled.object.fileName, compiled.object.binary}});
  if (!artifact)
    return emitError(loc) << artifact.getError().message;
  return std::move(*artifact);
}
