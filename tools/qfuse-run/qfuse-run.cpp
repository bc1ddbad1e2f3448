//===- qfuse-run.cpp - Execution of a function on a device ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Parser/Parser.h"
#include "qfuse/Driver/CommandLine.h"
#include "qfuse/Driver/Compile.h"
#include "qfuse/Driver/Execute.h"
#include "qfuse/Emulator/EmulatedDevice.h"
#include "qfuse/Interpreter/Arguments.h"
#include "qfuse/Target/Target.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::qfuse;
namespace cl = llvm::cl;

static cl::OptionCategory category("qfuse-run options");
// Not cl::Required: what is missing is reported like any other mistake.
static cl::opt<std::string> input(cl::Positional, cl::desc("ARTIFACT|IN.mlir"),
                                  cl::cat(category));
static cl::opt<std::string> device("device",
                                   cl::desc("interpreter, emulated, cuda, hip"),
                                   cl::value_desc("NAME"), cl::cat(category));
static cl::opt<std::string> target("target",
                                   cl::desc("What IN.mlir is compiled for"),
                                   cl::value_desc("NAME|FILE.mlir"),
                                   cl::cat(category));
static cl::list<std::string> provide("provide", cl::CommaSeparated,
                                     cl::desc("What there is on the device"),
                                     cl::value_desc("NAME=VERSION,..."),
                                     cl::cat(category));
static cl::opt<std::string>
    functionName("function",
                 cl::desc("Function to execute, where there are several"),
                 cl::cat(category));
static cl::list<std::string>
    inputs("input",
           cl::desc(".npy file of the next argument; with "
                    "several ranks, %r in it is the rank"),
           cl::value_desc("FILE.npy"), cl::cat(category));
static cl::list<std::string>
    dims("dim", cl::desc("Extent of made-up arguments, like M=5"),
         cl::value_desc("NAME=N"), cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::desc("Of made-up values"),
                              cl::init(1), cl::cat(category));
static cl::opt<std::string>
    outputDirectory("output-dir",
                    cl::desc("Where out0.npy and so on go; with several "
                             "ranks, rank0/out0.npy and so on"),
                    cl::cat(category));
static cl::opt<bool> counters("counters",
                              cl::desc("Print what each kernel did"),
                              cl::cat(category));

namespace {
/// The options as values: lld, which runs in process, resets all options.
struct Options {
  std::string input = ::input, target = ::target,
              outputDirectory = ::outputDirectory;
  bool counters = ::counters;
  CompileOptions compile;
  ExecuteOptions execute;

  Options() {
    compile.target = target;
    compile.provide.assign(provide.begin(), provide.end());
    execute.device = device;
    execute.function = functionName;
    execute.inputs.assign(inputs.begin(), inputs.end());
    execute.seed = seed;
  }

  bool isArtifact() const { return llvm::sys::fs::is_directory(input); }
};
} // namespace

/// Parses `M=5` of each `--dim`; returns the one that is not like this, or
/// nothing.
static std::optional<std::string> parseDims(Symbols &extents) {
  for (const std::string &dim : dims) {
    auto [name, value] = StringRef(dim).split('=');
    int64_t extent;
    if (name.empty() || value.getAsInteger(10, extent))
      return dim;
    extents[name.str()] = extent;
  }
  return std::nullopt;
}

/// Returns what is wrong with the options, or an empty text.
static std::string checkOptions(const Options &options) {
  static constexpr StringLiteral devices[] = {"interpreter", "emulated", "cuda",
                                              "hip"};
  StringRef name = options.execute.device;
  if (options.input.empty())
    return "expected what to execute; usage: qfuse-run ARTIFACT|IN.mlir "
           "--device=NAME";
  if (!llvm::is_contained(devices, name))
    return (name.empty() ? std::string("expected a device")
                         : "unknown device '" + name.str() + "'") +
           "; there are: interpreter, emulated, cuda, hip";
  if (name == "cuda" || name == "hip")
    return "the device '" + name.str() +
           "' is not in this build; use --device=emulated or "
           "--device=interpreter";
  if (name == "interpreter" && options.counters)
    return "--counters needs a device that counts: --device=emulated";
  if (name != "interpreter" && !options.isArtifact() && options.target.empty())
    return "expected --target=NAME, which '" + options.input +
           "' is to be compiled for, one of " +
           llvm::join(getTargetNames(), ", ") + ", or --target=FILE.mlir";
  return "";
}

static OwningOpRef<ModuleOp> parse(StringRef path, llvm::SourceMgr &sources,
                                   MLIRContext &context) {
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!file) {
    fail("cannot read '" + path + "': " + file.getError().message());
    return {};
  }
  sources.AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, &context);
}

/// Prints or writes the results, those of a rank under its name. Returns the
/// exit code.
static int finish(ArrayRef<HostValue> results, const Options &options,
                  const std::string &rank = "") {
  if (options.outputDirectory.empty()) {
    if (!rank.empty())
      llvm::outs() << rank << ":\n";
    printResults(llvm::outs(), results);
    return 0;
  }
  std::string directory = options.outputDirectory;
  if (!rank.empty())
    directory += "/" + rank;
  Status written = writeResults(directory, results);
  return written ? 0 : fail(written.getError().message);
}

static int runInterpreter(ModuleOp module, const Options &options) {
  const ExecuteOptions &call = options.execute;
  FailureOr<func::FuncOp> function = findFunction(module, call.function);
  if (failed(function))
    return refused;
  NamedExtents extents;
  for (const auto &[name, extent] : call.extents)
    extents[name] = extent;
  int64_t numRanks = getNumExecutingRanks(*function);
  auto ranks =
      call.inputs.empty()
          ? makeRankArguments(*function, numRanks, extents, InputKind::random,
                              call.seed)
          : readRankArguments(*function, numRanks, call.inputs, extents);
  if (failed(ranks))
    return refused;
  InterpreterOptions interpreterOptions;
  interpreterOptions.seed = call.seed;
  auto results = interpretRanks(*function, *ranks, interpreterOptions);
  if (failed(results))
    return refused;
  if (numRanks == 1)
    return finish(results->front(), options);
  for (auto [rank, ofRank] : llvm::enumerate(*results))
    if (int code = finish(ofRank, options, ("rank" + Twine(rank)).str()))
      return code;
  return 0;
}

static int runDevice(const Artifact &artifact, const Options &options) {
  Result<Execution> execution = execute(artifact, options.execute);
  if (!execution)
    return fail(options.input + ": " + execution.getError().message);
  std::vector<HostValue> results(execution->results.begin(),
                                 execution->results.end());
  if (int code = finish(results, options))
    return code;
  if (options.counters)
    printCounters(llvm::outs(), *execution);
  printHazards(llvm::outs(), *execution);
  return execution->hazards.empty() ? 0 : answerIsNo;
}

static int runArtifact(const Options &options) {
  Result<Artifact> artifact = Artifact::load(options.input);
  if (!artifact)
    return fail(artifact.getError().message);
  if (!options.target.empty() && options.target != artifact->target)
    return fail(options.input + ": expected an artifact for " + options.target +
                ", got one for " + artifact->target);
  return runDevice(*artifact, options);
}

/// Executes what has to be parsed first.
static int runModule(const Options &options) {
  DialectRegistry registry;
  registerCompiler(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  // A message is one line and where it is from, not a whole function.
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  std::string path = options.input;
  if (options.isArtifact())
    path += "/module.mlirbc";
  OwningOpRef<ModuleOp> module = parse(path, sources, context);
  if (!module)
    return refused;
  if (options.execute.device == "interpreter")
    return runInterpreter(*module, options);
  FailureOr<CompiledModule> compiled = compile(*module, options.compile);
  if (failed(compiled))
    return refused;
  FailureOr<Artifact> artifact = makeArtifact(*compiled, module->getLoc());
  return failed(artifact) ? refused : runDevice(*artifact, options);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  if (!parseCommandLine(argc, argv, category, "Executes a function.\n"))
    return refused;
  Options options;
  if (auto bad = parseDims(options.execute.extents))
    return fail("expected --dim like M=5, got '" + *bad + "'");
  if (std::string mistake = checkOptions(options); !mistake.empty())
    return fail(mistake);
  registerEmulatedDevice();
  bool isInterpreted = options.execute.device == "interpreter";
  return options.isArtifact() && !isInterpreted ? runArtifact(options)
                                                : runModule(options);
}
