//===- qfuse-compile.cpp - Compiler driver --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/ToolUtilities.h"
#include "qfuse/Conversion/CSource.h"
#include "qfuse/Target/Target.h"
#include "qfuse/Transforms/Pipelines.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::qfuse;

namespace cl = llvm::cl;

namespace {
enum class Emit { fused, kernels, llvm, assembly, object, artifact, c };
} // namespace

/// Exit code of what was refused or failed.
static constexpr int refused = 2;

static cl::OptionCategory category("qfuse-compile options");
static cl::opt<std::string> input(cl::Positional, cl::desc("IN.mlir"),
                                  cl::init("-"), cl::cat(category));
static cl::opt<std::string> output("o", cl::desc("File or directory to write"),
                                   cl::value_desc("PATH"), cl::cat(category));
static cl::opt<std::string>
    target("target", cl::desc("Name of a target, or a file that ends in .mlir"),
           cl::value_desc("NAME|FILE.mlir"), cl::cat(category));
static cl::list<std::string> provide("provide", cl::CommaSeparated,
                                     cl::desc("What there is on the device"),
                                     cl::value_desc("NAME=VERSION,..."),
                                     cl::cat(category));
static cl::opt<Emit> emitStage(
    "emit", cl::desc("The stage to write"), cl::init(Emit::artifact),
    cl::values(clEnumValN(Emit::fused, "fused", "graph with kernels"),
               clEnumValN(Emit::kernels, "kernels", "device functions"),
               clEnumValN(Emit::llvm, "llvm", "optimized LLVM IR"),
               clEnumValN(Emit::assembly, "asm", "assembly"),
               clEnumValN(Emit::object, "obj", "code object"),
               clEnumValN(Emit::artifact, "artifact", "directory (default)"),
               clEnumValN(Emit::c, "c", "one C file")),
    cl::cat(category));
static cl::opt<bool> listTargets("list-targets",
                                 cl::desc("Print the built-in targets"),
                                 cl::cat(category));

namespace {
/// The options as values: lld, which runs in process, resets all options.
struct Options {
  Emit stage = emitStage;
  std::string path = output;
  CompileOptions compile;

  Options() {
    compile.target = target;
    compile.provide.assign(provide.begin(), provide.end());
  }
};
} // namespace

static LogicalResult writeText(StringRef path, StringRef text) {
  std::string message;
  auto file = openOutputFile(path.empty() ? "-" : path, &message);
  if (!file) {
    llvm::errs() << "error: " << message << "\n";
    return failure();
  }
  file->os() << text;
  file->keep();
  return success();
}

static LogicalResult emitCompiled(ModuleOp module, const Options &options) {
  FailureOr<CompiledModule> compiled =
      compileModule(module, options.compile.target);
  if (failed(compiled))
    return failure();
  const DeviceObject &object = compiled->object;
  switch (options.stage) {
  case Emit::kernels:
    return writeText(options.path, compiled->kernels);
  case Emit::llvm:
    return writeText(options.path, object.llvmIR);
  case Emit::assembly:
    return writeText(options.path, object.assembly);
  case Emit::object:
    return writeText(options.path, StringRef(reinterpret_cast<const char *>(
                                                 object.binary.data()),
                                             object.binary.size()));
  case Emit::artifact:
    return writeArtifact(*compiled, options.path, module.getLoc());
  case Emit::c:
    return writeText(options.path, emitCSource(*compiled));
  case Emit::fused:
    break; // written before
  }
  llvm_unreachable("all stages are handled");
}

static LogicalResult compile(ModuleOp module, const Options &options) {
  PassManager fusion(module.getContext());
  buildFusionPipeline(fusion, options.compile);
  if (failed(fusion.run(module)))
    return failure();
  if (options.stage == Emit::fused) {
    std::string text;
    llvm::raw_string_ostream(text) << module << "\n";
    return writeText(options.path, text);
  }
  PassManager outlining(module.getContext());
  buildOutliningPipeline(outlining);
  return failure(failed(outlining.run(module)) ||
                 failed(emitCompiled(module, options)));
}

static int fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return refused;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(argc, argv, "QFuse compiler\n",
                                   &llvm::errs()))
    return refused;
  if (listTargets) {
    for (StringRef name : getTargetNames())
      llvm::outs() << name << "\n";
    return 0;
  }
  if (target.empty())
    return fail("expected --target=NAME, one of " +
                llvm::join(getTargetNames(), ", ") + ", or --target=FILE.mlir");
  if (emitStage == Emit::artifact && output.empty())
    return fail("expected -o PATH, the directory to write");

  DialectRegistry registry;
  registerAllDialects(registry);
  registerTargetDialects(registry);
  registerDeviceTranslations(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  std::string message;
  auto file = openInputFile(input, &message);
  if (!file)
    return fail(message);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module || failed(compile(*module, Options())))
    return refused;
  return 0;
}
