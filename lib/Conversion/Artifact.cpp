//===- Artifact.cpp - What a module is compiled to ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Conversion/Artifact.h"

#include "LaunchPlan.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "qfuse/Conversion/Files.h"
#include "qfuse/Target/Target.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::qfuse;

namespace json = llvm::json;

/// Fills `functions` with those of all kernels that `module` launches.
static LogicalResult generateKernels(ModuleOp module,
                                     const DeviceCompiler &compiler,
                                     gpu::GPUModuleOp functions,
                                     KernelTable &kernels) {
  for (auto kernel : module.getOps<KernelDefOp>()) {
    FailureOr<GeneratedKernel> generated =
        generateKernel(kernel, functions, compiler.getHooks());
    if (failed(generated))
      return failure();
    kernels[kernel.getSymName()] = std::move(*generated);
  }
  return success();
}

static json::Array describeKernels(const DeviceObject &object) {
  json::Array kernels;
  for (const KernelResources &kernel : object.kernels)
    kernels.push_back(json::Object{{"name", kernel.name},
                                   {"object", object.fileName},
                                   {"vgprs", kernel.vgprs},
                                   {"sgprs", kernel.sgprs},
                                   {"lds_bytes", kernel.ldsBytes},
                                   {"scratch_bytes", kernel.scratchBytes},
                                   {"spills", kernel.spills},
                                   {"threads", kernel.threads}});
  return kernels;
}

static FailureOr<json::Object> planFunctions(ModuleOp module,
                                             const KernelTable &kernels) {
  json::Object functions;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    FailureOr<json::Object> planned = planLaunches(function, kernels);
    if (failed(planned))
      return failure();
    functions[function.getSymName()] = std::move(*planned);
  }
  if (functions.empty())
    return module.emitError() << "expected a function with a body";
  return functions;
}

FailureOr<CompiledModule> qfuse::compileModule(ModuleOp module,
                                               bool keepStages) {
  FailureOr<TargetAttr> target = getTarget(module);
  if (failed(target))
    return failure();
  auto compiler = createDeviceCompiler(*target, module.getLoc());
  if (failed(compiler))
    return failure();

  CompiledModule compiled;
  llvm::raw_string_ostream bytecode(compiled.bytecode);
  if (failed(writeBytecodeToFile(module, bytecode)))
    return module.emitError() << "cannot be written as bytecode";

  OwningOpRef<ModuleOp> device = ModuleOp::create(module.getLoc());
  OpBuilder builder(device->getBodyRegion());
  auto functions =
      gpu::GPUModuleOp::create(builder, module.getLoc(), "kernels");
  KernelTable kernels;
  if (failed(generateKernels(module, **compiler, functions, kernels)))
    return failure();
  FailureOr<json::Object> plans = planFunctions(module, kernels);
  if (failed(plans))
    return failure();
  if (keepStages)
    llvm::raw_string_ostream(compiled.kernels) << *device;
  FailureOr<DeviceObject> object = (*compiler)->compile(functions, keepStages);
  if (failed(object))
    return failure();
  compiled.object = std::move(*object);
  json::Value manifest = json::Object{
      {"schema", 1},
      {"module_bytes", static_cast<int64_t>(compiled.bytecode.size())},
      {"target", (*compiler)->getChip().str()},
      {"functions", std::move(*plans)},
      {"kernels", describeKernels(compiled.object)}};
  llvm::raw_string_ostream(compiled.manifest)
      << llvm::formatv("{0:2}\n", manifest);
  return compiled;
}

SmallVector<ArtifactFile> qfuse::getFiles(const CompiledModule &compiled) {
  StringRef object(
      reinterpret_cast<const char *>(compiled.object.binary.data()),
      compiled.object.binary.size());
  return {{compiled.object.fileName, object},
          {"module.mlirbc", compiled.bytecode},
          {"manifest.json", compiled.manifest}};
}

LogicalResult qfuse::writeArtifact(const CompiledModule &compiled,
                                   StringRef path, Location loc) {
  if (std::error_code code = llvm::sys::fs::create_directories(path))
    return emitError(loc) << "cannot make the directory " << path << ": "
                          << code.message();
  for (auto [name, contents] : getFiles(compiled)) {
    SmallString<128> file(path);
    llvm::sys::path::append(file, name);
    if (failed(writeFile(file, contents, loc)))
      return failure();
  }
  return success();
}
