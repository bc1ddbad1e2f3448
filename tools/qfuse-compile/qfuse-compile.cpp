//===- qfuse-compile.cpp - Compiler driver --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/ToolUtilities.h"
#include "qfuse/Conversion/CSource.h"
#include "qfuse/Driver/CommandLine.h"
#include "qfuse/Driver/Compile.h"
#include "qfuse/IR/Presets.h"
#include "qfuse/Target/Target.h"
#include "qfuse/Transforms/Registration.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::qfuse;

namespace cl = llvm::cl;

namespace {
enum class Emit { fused, kernels, llvm, assembly, object, artifact, c };
} // namespace

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
static cl::opt<bool>
    printPresets("print-presets",
                 cl::desc("Print the table of presets and layouts"),
                 cl::cat(category));
static cl::opt<bool> explain(
    "explain",
    cl::desc("Print what is fused, and why not more; compiles only with -o"),
    cl::cat(category));
static cl::opt<bool>
    requireFusion("require-fusion",
                  cl::desc("Exit with 1 if a chain is not fused as a whole"),
                  cl::cat(category));
static cl::opt<std::string>
    remarks("remarks", cl::desc("File to which remarks are written as YAML"),
            cl::value_desc("OUT.yaml"), cl::cat(category));

namespace {
/// The options as values: lld, which runs in process, resets all options.
struct Options {
  Emit stage = emitStage;
  std::string path = output;
  bool printsReport = explain;
  bool requiresFusion = requireFusion;
  CompileOptions compile;

  /// Whether it ends behind the report.
  bool onlyReports() const {
    return printsReport && path.empty() && stage == Emit::artifact;
  }

  /// Whether it is text of a stage on the way to the object.
  bool keepsStages() const {
    return stage == Emit::kernels || stage == Emit::llvm ||
           stage == Emit::assembly;
  }

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
      compileFused(module, options.keepsStages());
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
  case Emit::c: {
    FailureOr<std::string> source = emitCSource(*compiled, module.getLoc());
    return failed(source) ? failure() : writeText(options.path, *source);
  }
  case Emit::fused:
    break; // written before
  }
  llvm_unreachable("all stages are handled");
}

/// Writes the stage of the fused `module` that the options ask for.
static LogicalResult emitStageOf(ModuleOp module, const Options &options) {
  if (options.stage == Emit::fused) {
    std::string text;
    llvm::raw_string_ostream(text) << module << "\n";
    return writeText(options.path, text);
  }
  return emitCompiled(module, options);
}

static int compile(ModuleOp module, const Options &options) {
  FailureOr<FusionReport> report = fuse(module, options.compile);
  if (failed(report))
    return refused;
  bool isMet = !options.requiresFusion ||
               succeeded(requireWholeChains(*report, module.getLoc()));
  bool isWritten = !isMet || options.onlyReports() ||
                   succeeded(emitStageOf(module, options));
  // Last: a text stage may go to the standard output too.
  if (options.printsReport)
    report->print(llvm::outs());
  if (!isMet)
    return answerIsNo;
  return isWritten ? 0 : refused;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  if (!parseCommandLine(argc, argv, category, "QFuse compiler\n"))
    return refused;
  if (listTargets) {
    for (StringRef name : getTargetNames())
      llvm::outs() << name << "\n";
    return 0;
  }
  if (printPresets) {
    llvm::outs() << getPresetTable();
    return 0;
  }
  if (target.empty())
    return fail("expected --target=NAME, one of " +
                llvm::join(getTargetNames(), ", ") + ", or --target=FILE.mlir");
  if (emitStage == Emit::artifact && output.empty() && !explain)
    return fail("expected -o PATH, the directory to write");

  DialectRegistry registry;
  registerCompiler(registry);
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
  if (!module || failed(enableRemarks(context, remarks)))
    return refused;
  return compile(*module, Options());
}
