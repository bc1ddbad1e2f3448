//===- Compiled.cpp - A function on a device ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compiled.h"

#include "qfuse/Driver/Compile.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace mlir::qfuse;

/// Writes `compiled` to a directory of its own and reads it back: what is
/// verified is what would be deployed.
static FailureOr<Artifact> roundTrip(const CompiledModule &compiled,
                                     Location loc) {
  SmallString<128> path;
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("qfuse-verify", path))
    return emitError(loc) << "cannot make a temporary directory: "
                          << code.message();
  LogicalResult written = writeArtifact(compiled, path, loc);
  Result<Artifact> artifact = Error{"has not been written"};
  if (succeeded(written))
    artifact = Artifact::load(path.str().str());
  llvm::sys::fs::remove_directories(path);
  if (failed(written))
    return failure();
  if (!artifact)
    return emitError(loc) << artifact.getError().message;
  return std::move(*artifact);
}

FailureOr<std::unique_ptr<Compiled>>
Compiled::create(ModuleOp module, const VerifyOptions &options, bool fuse) {
  Location loc = module.getLoc();
  OwningOpRef<ModuleOp> copy = module.clone();
  CompileOptions compileOptions;
  compileOptions.target = options.target;
  compileOptions.provide = options.provide;
  compileOptions.fuse = fuse;
  FailureOr<CompiledModule> object = compile(*copy, compileOptions);
  if (failed(object))
    return failure();
  FailureOr<Artifact> artifact = roundTrip(*object, loc);
  if (failed(artifact))
    return failure();

  std::unique_ptr<Compiled> compiled(new Compiled);
  compiled->artifact = std::move(*artifact);
  auto device = createDevice(options.device, compiled->artifact.target);
  if (!device) {
    emitError(loc) << device.getError().message;
    return failure();
  }
  compiled->device = std::move(*device);
  auto executable = Executable::create(compiled->artifact, *compiled->device);
  if (!executable) {
    emitError(loc) << executable.getError().message;
    return failure();
  }
  compiled->executable.emplace(std::move(*executable));
  return compiled;
}

FailureOr<std::vector<Tensor>>
Compiled::run(StringRef name, ArrayRef<HostValue> arguments, Location loc) {
  // A multiple of what each kernel loads by.
  constexpr int64_t padding = 64;
  Result<const Function *> function = artifact.getFunction(name.str());
  if (!function) {
    emitError(loc) << function.getError().message;
    return failure();
  }
  std::vector<HostArgument> host(arguments.size());
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    host[index].tensor = &argument.tensor;
    const Port &port = (*function)->inputs[index];
    if (port.layout || port.strides.empty() || !port.strides[0].getSymbol() ||
        argument.shape.size() != 2)
      continue;
    // A stride that is open; each argument has its own.
    int64_t rowSize = argument.shape[1];
    int64_t stride = llvm::alignTo(rowSize, int64_t(16)) +
                     padding * static_cast<int64_t>(index + 1);
    host[index].strides = {stride, 1};
  }
  Result<std::vector<Tensor>> results =
      qfuse::run(*executable, name.str(), host);
  if (!results) {
    emitError(loc) << results.getError().message;
    return failure();
  }
  return std::move(*results);
}
