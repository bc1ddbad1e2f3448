//===- qfuse-run.cpp - Execution of a function on a device ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Parser/Parser.h"
#include "qfuse/Interpreter/Arguments.h"
#include "qfuse/Transforms/Registration.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::qfuse;
namespace cl = llvm::cl;

static cl::OptionCategory category("qfuse-run");
// Not cl::Required: what is missing is reported like any other mistake.
static cl::opt<std::string> input(cl::Positional, cl::desc("IN.mlir"),
                                  cl::cat(category));
static cl::opt<std::string> device("device", cl::desc("interpreter"),
                                   cl::cat(category));
static cl::opt<std::string>
    functionName("function",
                 cl::desc("Function to execute, where there are several"),
                 cl::cat(category));
static cl::list<std::string> inputs("input",
                                    cl::desc(".npy file of the next argument"),
                                    cl::value_desc("FILE.npy"),
                                    cl::cat(category));
static cl::list<std::string>
    dims("dim", cl::desc("Extent of made-up arguments, like M=5"),
         cl::value_desc("NAME=N"), cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::desc("Of made-up values"),
                              cl::init(1), cl::cat(category));
static cl::opt<std::string>
    outputDirectory("output-dir", cl::desc("Where out0.npy and so on go"),
                    cl::cat(category));

/// It ran, but could not do what it was asked for.
static constexpr int refused = 2;

static int fail(const Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return refused;
}

/// Parses `M=5` of each `--dim`; returns the one that is not like this, or
/// nothing.
static std::optional<std::string> parseDims(NamedExtents &extents) {
  for (const std::string &dim : dims) {
    auto [name, value] = StringRef(dim).split('=');
    int64_t extent;
    if (name.empty() || value.getAsInteger(10, extent))
      return dim;
    extents[name] = extent;
  }
  return std::nullopt;
}

static LogicalResult run(ModuleOp module, const NamedExtents &extents,
                         std::vector<HostValue> &results) {
  FailureOr<func::FuncOp> function = findFunction(module, functionName);
  if (failed(function))
    return failure();
  auto arguments = inputs.empty() ? makeArguments(*function, extents,
                                                  InputKind::random, seed)
                                  : readArguments(*function, inputs, extents);
  if (failed(arguments))
    return failure();
  InterpreterOptions options;
  options.seed = seed;
  auto outputs = interpret(*function, *arguments, options);
  if (failed(outputs))
    return failure();
  results = std::move(*outputs);
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  std::string usageErrors;
  llvm::raw_string_ostream usage(usageErrors);
  if (!cl::ParseCommandLineOptions(argc, argv, "Executes a function.\n",
                                   &usage))
    return fail(StringRef(usageErrors).split('\n').first);
  if (input.empty())
    return fail("expected a file to execute; usage: qfuse-run IN.mlir "
                "--device=interpreter");
  if (device.empty())
    return fail("expected a device; there is: --device=interpreter");
  if (device != "interpreter")
    return fail("unknown device '" + device + "'; there is: interpreter");
  NamedExtents extents;
  if (auto bad = parseDims(extents))
    return fail("expected --dim like M=5, got '" + *bad + "'");

  DialectRegistry registry;
  registerToolDialects(registry);
  MLIRContext context(registry);
  // A message is one line and where it is from, not a whole function.
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(input);
  if (!file)
    return fail("cannot read '" + input + "': " + file.getError().message());
  sources.AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
  auto module = parseSourceFile<ModuleOp>(sources, &context);
  std::vector<HostValue> results;
  if (!module || failed(run(*module, extents, results)))
    return refused;
  if (outputDirectory.empty()) {
    printResults(llvm::outs(), results);
    return 0;
  }
  Status written = writeResults(outputDirectory, results);
  return written ? 0 : fail(written.getError().message);
}
