//===- qfuse-verify.cpp - Compare compiled kernels with their meaning -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "qfuse/Driver/CommandLine.h"
#include "qfuse/Driver/Compile.h"
#include "qfuse/Emulator/EmulatedDevice.h"
#include "qfuse/Target/Target.h"
#include "qfuse/Transforms/Registration.h"
#include "qfuse/Verify/Verify.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::qfuse;

namespace cl = llvm::cl;

static cl::OptionCategory category("qfuse-verify options");
static cl::opt<std::string> input(cl::Positional, cl::desc("IN.mlir"),
                                  cl::cat(category));
static cl::opt<std::string>
    referenceFile("reference",
                  cl::desc("Where the meaning is taken from, instead of IN"),
                  cl::value_desc("REF.mlir"), cl::cat(category));
static cl::opt<std::string>
    target("target", cl::desc("Name of a target, or a file that ends in .mlir"),
           cl::value_desc("NAME|FILE.mlir"), cl::cat(category));
static cl::opt<std::string> device("device", cl::desc("emulated"),
                                   cl::init("emulated"), cl::cat(category));
static cl::list<std::string> provide("provide", cl::CommaSeparated,
                                     cl::desc("What there is on the device"),
                                     cl::value_desc("NAME=VERSION,..."),
                                     cl::cat(category));
static cl::opt<std::string>
    functionName("function", cl::desc("Function to verify (default: all)"),
                 cl::cat(category));
static cl::list<std::string> dims("dim",
                                  cl::desc("Extents to try, like M=0,1,5"),
                                  cl::value_desc("NAME=N,..."),
                                  cl::cat(category));
static cl::list<std::string>
    inputKinds("inputs", cl::CommaSeparated,
               cl::desc("random, zero_rows, outlier, ties, denormal, nan, inf"),
               cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::desc("Of made-up values"),
                              cl::init(1), cl::cat(category));

/// Fills `options` from the command line; returns what is wrong with it. The
/// values are copied: lld, which runs in process, resets all options.
static std::optional<std::string> readOptions(VerifyOptions &options) {
  options.target = target;
  options.device = device;
  options.function = functionName;
  options.seed = seed;
  options.provide.assign(provide.begin(), provide.end());
  for (StringRef dim : dims) {
    auto [name, values] = dim.split('=');
    SmallVector<StringRef> texts;
    values.split(texts, ',');
    SmallVector<int64_t> &extents = options.dims[name.str()];
    for (StringRef text : texts)
      if (int64_t value; name.empty() || text.getAsInteger(10, value))
        return "expected --dim like M=0,1,5, got '" + dim.str() + "'";
      else
        extents.push_back(value);
  }
  if (!inputKinds.empty())
    options.inputs.clear();
  for (const std::string &name : inputKinds) {
    std::optional<InputKind> kind = parseInputKind(name);
    if (!kind)
      return "expected --inputs of random, zero_rows, outlier, ties, denormal, "
             "nan and inf, got '" +
             name + "'";
    options.inputs.push_back(*kind);
  }
  return std::nullopt;
}

static OwningOpRef<ModuleOp> parse(StringRef path, llvm::SourceMgr &sources,
                                   MLIRContext &context) {
  std::string message;
  auto file = openInputFile(path, &message);
  if (!file) {
    fail(message);
    return {};
  }
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sources, &context);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  if (!parseCommandLine(argc, argv, category,
                        "Compares compiled kernels with their meaning.\n"))
    return refused;
  if (input.empty())
    return fail("expected a file to verify; usage: qfuse-verify IN.mlir "
                "--target=NAME");
  if (target.empty())
    return fail("expected --target=NAME, one of " +
                llvm::join(getTargetNames(), ", ") + ", or a file");
  VerifyOptions options;
  if (auto mistake = readOptions(options))
    return fail(*mistake);
  std::string path = input, referencePath = referenceFile;

  DialectRegistry registry;
  registerCompiler(registry);
  registerEmulatedDevice();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources, referenceSources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parse(path, sources, context), reference;
  if (!module)
    return refused;
  if (!referencePath.empty()) {
    SourceMgrDiagnosticHandler inner(referenceSources, &context);
    reference = parse(referencePath, referenceSources, context);
    if (!reference)
      return refused;
  }
  FailureOr<VerifySummary> summary = verifyModule(
      *module, reference ? *reference : *module, options, llvm::outs());
  if (failed(summary))
    return refused;
  return summary->different || summary->hazards ? answerIsNo : 0;
}
