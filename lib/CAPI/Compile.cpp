//===- Compile.cpp - Compilation through the C ABI ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Driver/Compile.h"
#include "Handles.h"
#include <cstring>
#include <type_traits>

using namespace mlir;
using namespace mlir::qfuse;

static FailureOr<CompileOptions> read(const QfuseCompileOptions &options,
                                      Location loc) {
  CompileOptions read;
  // A caller in C may have put any int there, which is no value of the enum.
  std::underlying_type_t<QfuseFusion> fusion;
  std::memcpy(&fusion, &options.fusion, sizeof(fusion));
  if (fusion > QFUSE_DO_NOT_FUSE)
    return emitError(loc) << "expected fusion to be a QfuseFusion, got "
                          << fusion;
  read.target = unwrap(options.target).str();
  for (size_t i = 0; i < options.num_provide; ++i)
    read.provide.push_back(unwrap(options.provide[i]).str());
  read.fuse = options.fusion != QFUSE_DO_NOT_FUSE;
  if (read.target.empty() && !read.provide.empty())
    return emitError(loc) << "expected a target beside what is provided, as "
                             "the module's own has its rows already";
  return read;
}

/// Fuses `module` as `options` say.
static FailureOr<FusionReport> fuse(ModuleOp module,
                                    const QfuseCompileOptions &options) {
  FailureOr<CompileOptions> read = ::read(options, module.getLoc());
  if (failed(read))
    return failure();
  FailureOr<FusionReport> report = qfuse::fuse(module, *read);
  if (failed(report))
    return failure();
  if (options.fusion == QFUSE_REQUIRE_FUSION &&
      failed(requireWholeChains(*report, module.getLoc())))
    return failure();
  return report;
}

QfuseArtifact *qfuseModuleCompile(const QfuseModule *module,
                                  const QfuseCompileOptions *options) {
  OwningOpRef<ModuleOp> copy = module->module.get().clone();
  if (failed(fuse(*copy, *options)))
    return nullptr;
  FailureOr<CompiledModule> compiled = compileFused(*copy);
  return succeeded(compiled) ? new QfuseArtifact{std::move(*compiled)}
                             : nullptr;
}

QfuseStatus qfuseModuleExplain(const QfuseModule *module,
                               const QfuseCompileOptions *options,
                               QfuseWriter writer, void *user) {
  OwningOpRef<ModuleOp> copy = module->module.get().clone();
  FailureOr<FusionReport> report = fuse(*copy, *options);
  if (failed(report))
    return QFUSE_FAILURE;
  WriterStream stream(writer, user);
  report->print(stream);
  return QFUSE_SUCCESS;
}

void qfuseArtifactDestroy(QfuseArtifact *artifact) { delete artifact; }

size_t qfuseArtifactGetNumFiles(const QfuseArtifact *artifact) {
  return getFiles(artifact->compiled).size();
}

static ArtifactFile getFile(const QfuseArtifact *artifact, size_t index) {
  SmallVector<ArtifactFile> files = getFiles(artifact->compiled);
  return index < files.size() ? files[index] : ArtifactFile{"", ""};
}

QfuseString qfuseArtifactGetFileName(const QfuseArtifact *artifact,
                                     size_t index) {
  return wrap(getFile(artifact, index).name);
}

QfuseString qfuseArtifactGetFileContents(const QfuseArtifact *artifact,
                                         size_t index) {
  return wrap(getFile(artifact, index).contents);
}
