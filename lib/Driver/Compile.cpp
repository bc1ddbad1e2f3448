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

FailureOr<FusionReport> qfuse::fuse(ModuleOp module,
                                    const CompileOptions &options) {
  PassManager preparation(module.getContext());
  buildPreparationPipeline(preparation, options);
  if (failed(preparation.run(module)))
    return failure();
  auto report = FusionReport::get(module);
  PassManager fusion(module.getContext());
  if (options.fuse)
    fusion.addPass(createFusePass());
  if (failed(fusion.run(module)))
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
  if (failed(fuse(module, options)))
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
