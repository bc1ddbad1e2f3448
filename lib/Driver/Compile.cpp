//===- Compile.cpp - From a module to an artifact -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Driver/Compile.h"

#include "qfuse/Transforms/Registration.h"

using namespace mlir;
using namespace mlir::qfuse;

void qfuse::registerCompiler(DialectRegistry &registry) {
  registerToolDialects(registry);
  registerDeviceTranslations(registry);
}

FailureOr<CompiledModule> qfuse::compile(ModuleOp module,
                                         const CompileOptions &options) {
  PassManager manager(module.getContext());
  buildFusionPipeline(manager, options);
  buildOutliningPipeline(manager);
  if (failed(manager.run(module)))
    return failure();
  return compileModule(module);
}

FailureOr<Artifact> qfuse::makeArtifact(const CompiledModule &compiled,
                                        Location loc) {
  Result<Artifact> artifact = Artifact::create(
      compiled.manifest, {{objectFileName.str(), compiled.object.binary}});
  if (!artifact)
    return emitError(loc) << artifact.getError().message;
  return std::move(*artifact);
}
