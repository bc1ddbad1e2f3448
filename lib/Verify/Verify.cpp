//===- Verify.cpp - Compiled kernels against their meaning ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Verify/Verify.h"

#include "Compare.h"
#include "Compiled.h"
#include "Probes.h"
#include "mlir/Pass/PassManager.h"
#include "qfuse/Interpreter/Arguments.h"
#include "qfuse/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::qfuse;

namespace {
/// The meaning of a function: unfused, and with probes.
struct Meaning {
  OwningOpRef<ModuleOp> module;
  llvm::StringMap<SmallVector<Probe>> probes;

  static FailureOr<Meaning> get(ModuleOp reference, ArrayRef<StringRef> names);
};

/// Verifies the functions of a module, case by case.
class Verifier {
public:
  Verifier(ModuleOp module, ModuleOp reference, const VerifyOptions &options,
           raw_ostream &report)
      : module(module), reference(reference), options(options), report(report) {
  }

  FailureOr<VerifySummary> run();

private:
  LogicalResult prepare();
  LogicalResult verifyFunction(StringRef name);
  LogicalResult verifyCase(StringRef name, const NamedExtents &dims,
                           InputKind kind);
  FailureOr<std::optional<Difference>>
  findDifference(StringRef name, ArrayRef<HostValue> arguments);
  FailureOr<std::optional<Difference>>
  compareWithMeaning(StringRef name, ArrayRef<HostValue> arguments,
                     ArrayRef<Tensor> probed);
  FailureOr<std::optional<Difference>>
  compareUnfused(StringRef name, ArrayRef<HostValue> arguments,
                 ArrayRef<Tensor> plain);
  FailureOr<std::optional<Difference>>
  compareRows(StringRef name, ArrayRef<HostValue> arguments,
              ArrayRef<Tensor> plain);
  std::optional<Difference> compareOutputs(StringRef name, char check,
                                           ArrayRef<Tensor> got,
                                           ArrayRef<Tensor> expected);
  void reportHazards();

  ModuleOp module, reference;
  const VerifyOptions &options;
  raw_ostream &report;
  VerifySummary summary;
  SmallVector<StringRef> names;
  OwningOpRef<ModuleOp> probedModule;
  Meaning meaning;
  /// As it is deployed; with probes; without fusion.
  std::unique_ptr<Compiled> plain, probed, unfused;
  /// Logical extents of the results of the current case.
  std::vector<std::vector<int64_t>> outputShapes;
};
} // namespace

static func::FuncOp getFunction(ModuleOp module, StringRef name) {
  return module.lookupSymbol<func::FuncOp>(name);
}

/// Returns the op that defines result `index` of `function`, if one does.
static void setSource(Difference &difference, func::FuncOp function,
                      unsigned index) {
  Operation *exit = function.getBody().back().getTerminator();
  auto result = dyn_cast<OpResult>(exit->getOperand(index));
  if (!result)
    return;
  difference.op = result.getOwner();
  difference.result = result.getResultNumber();
}

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

FailureOr<Meaning> Meaning::get(ModuleOp reference, ArrayRef<StringRef> names) {
  Meaning meaning;
  meaning.module = reference.clone();
  PassManager manager(reference.getContext());
  manager.addPass(createInlineKernelsPass());
  if (failed(manager.run(*meaning.module)))
    return failure();
  for (StringRef name : names) {
    func::FuncOp function = getFunction(*meaning.module, name);
    if (!function || function.isExternal())
      return FailureOr<Meaning>(reference.emitError()
                                << "expected a function '" << name
                                << "' in the reference");
    auto probes = addProbes(function);
    if (failed(probes))
      return failure();
    meaning.probes[name] = std::move(*probes);
  }
  return meaning;
}

/// A meaning has to take the same arguments and to compute the same ops that
/// depend on order.
static LogicalResult checkProbes(func::FuncOp function, func::FuncOp meaning,
                                 ArrayRef<Probe> own,
                                 ArrayRef<Probe> expected) {
  if (function.getArgumentTypes() != meaning.getArgumentTypes())
    return function.emitOpError()
           << "expected the argument types of the reference, which are ("
           << meaning.getArgumentTypes() << ")";
  auto isSame = [](const Probe &a, const Probe &b) {
    return a.op->getName() == b.op->getName() && a.output == b.output &&
           a.op->getResultTypes() == b.op->getResultTypes();
  };
  if (own.size() == expected.size() &&
      llvm::all_of(llvm::zip_equal(own, expected), [&](auto pair) {
        return isSame(std::get<0>(pair), std::get<1>(pair));
      }))
    return success();
  return function.emitOpError()
         << "expected the same norms, matmuls and math functions as in the "
            "reference, of the same types";
}

LogicalResult Verifier::prepare() {
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() &&
        (options.function.empty() || function.getSymName() == options.function))
      names.push_back(function.getSymName());
  if (names.empty())
    return module.emitError()
           << "expected a function with a body"
           << (options.function.empty() ? "" : " named ") << options.function;
  auto found = Meaning::get(reference, names);
  if (failed(found))
    return failure();
  meaning = std::move(*found);
  probedModule = module.clone();
  for (StringRef name : names) {
    func::FuncOp function = getFunction(*probedModule, name);
    auto probes = addProbes(function);
    if (failed(probes) ||
        failed(checkProbes(function, getFunction(*meaning.module, name),
                           *probes, meaning.probes[name])))
      return failure();
  }
  auto compile = [&](ModuleOp from, bool fuse,
                     std::unique_ptr<Compiled> &into) {
    auto compiled = Compiled::create(from, options, fuse);
    if (succeeded(compiled))
      into = std::move(*compiled);
    return compiled;
  };
  return failure(failed(compile(module, /*fuse=*/true, plain)) ||
                 failed(compile(*probedModule, /*fuse=*/true, probed)) ||
                 failed(compile(module, /*fuse=*/false, unfused)));
}

//===----------------------------------------------------------------------===//
// Checks A and B
//===----------------------------------------------------------------------===//

namespace {
/// Gives each probed result the value that the device computed, after checking
/// that it is inside of its interval.
class ProbeObserver : public Observer {
public:
  ProbeObserver(ArrayRef<Probe> probes, ArrayRef<Tensor> outputs)
      : outputs(outputs) {
    for (const Probe &probe : probes)
      positions[probe.op] = probe.output;
  }

  void observe(OpResult result, const HostValue &value,
               const Interval *interval) override {
    auto found = positions.find(result.getOwner());
    if (found == positions.end() || difference)
      return;
    assert(interval && "an op that depends on order has an interval");
    difference = compareInterval(outputs[found->second], *interval);
    if (difference) {
      difference->op = result.getOwner();
      difference->result = result.getResultNumber();
    }
  }

  std::optional<Tensor> substitute(OpResult result) override {
    auto found = positions.find(result.getOwner());
    if (found == positions.end())
      return std::nullopt;
    return outputs[found->second];
  }

  std::optional<Difference> difference;

private:
  ArrayRef<Tensor> outputs;
  DenseMap<Operation *, unsigned> positions;
};
} // namespace

std::optional<Difference> Verifier::compareOutputs(StringRef name, char check,
                                                   ArrayRef<Tensor> got,
                                                   ArrayRef<Tensor> expected) {
  func::FuncOp function = getFunction(*meaning.module, name);
  for (auto [index, pair] : llvm::enumerate(llvm::zip(got, expected))) {
    auto [left, right] = pair;
    auto type = cast<ShapedType>(function.getResultTypes()[index]);
    auto difference = compareBits(left, right, type, outputShapes[index]);
    if (!difference)
      continue;
    difference->check = check;
    setSource(*difference, function, index);
    return difference;
  }
  return std::nullopt;
}

FailureOr<std::optional<Difference>>
Verifier::compareWithMeaning(StringRef name, ArrayRef<HostValue> arguments,
                             ArrayRef<Tensor> probed) {
  ProbeObserver observer(meaning.probes[name], probed);
  InterpreterOptions interpreter;
  interpreter.seed = options.seed;
  interpreter.observer = &observer;
  interpreter.computeIntervals = true;
  auto results =
      interpret(getFunction(*meaning.module, name), arguments, interpreter);
  if (failed(results))
    return failure();
  outputShapes.clear();
  std::vector<Tensor> expected;
  for (HostValue &value : *results) {
    outputShapes.push_back(value.shape);
    expected.push_back(std::move(value.tensor));
  }
  if (observer.difference)
    return observer.difference;
  return compareOutputs(name, 'A', probed, expected);
}

//===----------------------------------------------------------------------===//
// Check C
//===----------------------------------------------------------------------===//

FailureOr<std::optional<Difference>>
Verifier::compareUnfused(StringRef name, ArrayRef<HostValue> arguments,
                         ArrayRef<Tensor> plain) {
  auto results = unfused->run(name, arguments, module.getLoc());
  if (failed(results))
    return failure();
  return compareOutputs(name, 'C', plain, *results);
}

/// Returns row `row` of `value`, of type `type`, as a value of one row.
static HostValue takeRow(const HostValue &value, ShapedType type, int64_t row) {
  auto packed = dyn_cast<PackedType>(type);
  Tensor logical =
      packed ? unpackTensor(value.tensor, packed.getLayout(), value.shape)
             : value.tensor;
  std::vector<int64_t> shape = value.shape;
  shape[0] = 1;
  Tensor taken(logical.element, shape);
  int64_t bytes = taken.bytes.size();
  std::copy_n(logical.bytes.begin() + row * bytes, bytes, taken.bytes.begin());
  if (packed)
    return HostValue(packTensor(taken, packed.getLayout()), shape);
  return HostValue(std::move(taken));
}

/// Returns the name of the extent that is the first of `argument`, if it is
/// dynamic.
static StringRef getRowsName(func::FuncOp function, unsigned argument) {
  auto type = dyn_cast<ShapedType>(function.getArgumentTypes()[argument]);
  if (!type || type.getRank() == 0 || !type.isDynamicDim(0))
    return {};
  auto dims = function.getArgAttrOfType<ArrayAttr>(argument, "qfuse.dims");
  return dims ? cast<StringAttr>(dims[0]).getValue() : StringRef();
}

/// Executes rows alone: the first, the last and one in between.
FailureOr<std::optional<Difference>>
Verifier::compareRows(StringRef name, ArrayRef<HostValue> arguments,
                      ArrayRef<Tensor> plainOutputs) {
  func::FuncOp function = getFunction(module, name);
  StringRef rows;
  int64_t count = 0;
  for (unsigned index : llvm::seq(function.getNumArguments()))
    if (rows.empty() && !(rows = getRowsName(function, index)).empty())
      count = arguments[index].shape[0];
  if (rows.empty() || count < 2)
    return std::optional<Difference>();
  llvm::SmallSetVector<int64_t, 3> tried;
  tried.insert_range(SmallVector<int64_t>{0, count / 2, count - 1});
  for (int64_t row : tried) {
    std::vector<HostValue> alone;
    for (auto [index, argument] : llvm::enumerate(arguments))
      alone.push_back(
          getRowsName(function, index) == rows
              ? takeRow(argument,
                        cast<ShapedType>(function.getArgumentTypes()[index]),
                        row)
              : argument);
    auto results = plain->run(name, alone, module.getLoc());
    if (failed(results))
      return failure();
    for (auto [index, result] : llvm::enumerate(*results)) {
      auto type = cast<ShapedType>(function.getResultTypes()[index]);
      if (type.getRank() == 0 || !type.isDynamicDim(0))
        continue;
      HostValue whole(plainOutputs[index], outputShapes[index]);
      std::vector<int64_t> shape = outputShapes[index];
      shape[0] = 1;
      auto difference =
          compareBits(takeRow(whole, type, row).tensor, result, type, shape);
      if (!difference)
        continue;
      difference->check = 'C';
      difference->index[0] = row;
      setSource(*difference, function, index);
      return difference;
    }
  }
  return std::optional<Difference>();
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

FailureOr<std::optional<Difference>>
Verifier::findDifference(StringRef name, ArrayRef<HostValue> arguments) {
  Location loc = module.getLoc();
  auto outputs = plain->run(name, arguments, loc);
  if (failed(outputs))
    return failure(); // the others would fail alike
  auto withProbes = probed->run(name, arguments, loc);
  if (failed(withProbes))
    return failure();
  // First, as it gives the extents of the results.
  auto difference = compareWithMeaning(name, arguments, *withProbes);
  if (failed(difference) || *difference)
    return difference;
  if (auto changed = compareOutputs(name, 'B', *outputs, *withProbes))
    return changed;
  difference = compareUnfused(name, arguments, *outputs);
  if (failed(difference) || *difference)
    return difference;
  return compareRows(name, arguments, *outputs);
}

/// Returns the extents of `function` by name, each once.
static llvm::SmallSetVector<StringRef, 2> getDimNames(func::FuncOp function) {
  llvm::SmallSetVector<StringRef, 2> names;
  for (unsigned index : llvm::seq(function.getNumArguments()))
    if (auto dims = function.getArgAttrOfType<ArrayAttr>(index, "qfuse.dims"))
      for (Attribute dim : dims)
        if (StringRef name = cast<StringAttr>(dim).getValue(); !name.empty())
          names.insert(name);
  return names;
}

LogicalResult Verifier::verifyCase(StringRef name, const NamedExtents &dims,
                                   InputKind kind) {
  func::FuncOp function = getFunction(module, name);
  auto arguments = makeArguments(function, dims, kind, options.seed);
  if (failed(arguments))
    return failure();
  auto difference = findDifference(name, *arguments);
  if (failed(difference))
    return failure();
  ++(*difference ? summary.different : summary.equal);
  report << (*difference ? "different " : "equal ") << name
         << " target=" << options.target << " device=" << options.device;
  for (StringRef dim : getDimNames(function))
    report << ' ' << dim << '=' << dims.lookup(dim);
  report << " inputs=" << getName(kind) << ' '
         << (*difference ? (*difference)->toString()
                         : std::string("checks=A,B,C"))
         << '\n';
  report.flush();
  return success();
}

LogicalResult Verifier::verifyFunction(StringRef name) {
  constexpr int64_t unlisted = 4;
  SmallVector<NamedExtents> cases(1);
  for (StringRef dim : getDimNames(getFunction(module, name))) {
    auto listed = options.dims.find(dim.str());
    SmallVector<int64_t> values{unlisted};
    if (listed != options.dims.end())
      values = listed->second;
    SmallVector<NamedExtents> all;
    for (const NamedExtents &dims : cases)
      for (int64_t value : values)
        all.emplace_back(dims)[dim] = value;
    cases = std::move(all);
  }
  for (const NamedExtents &dims : cases)
    for (InputKind kind : options.inputs)
      if (failed(verifyCase(name, dims, kind)))
        return failure();
  return success();
}

void Verifier::reportHazards() {
  for (const auto *compiled : {&plain, &probed, &unfused})
    for (const Hazard &hazard : (*compiled)->getDevice().getHazards()) {
      report << "hazard " << hazard.kernel << " kind=" << hazard.kind << ' '
             << hazard.detail << '\n';
      ++summary.hazards;
    }
}

FailureOr<VerifySummary> Verifier::run() {
  if (failed(prepare()))
    return failure();
  for (StringRef name : names)
    if (failed(verifyFunction(name)))
      return failure();
  reportHazards();
  report << summary.equal << " equal, " << summary.different << " different\n";
  return summary;
}

FailureOr<VerifySummary> qfuse::verifyModule(ModuleOp module,
                                             ModuleOp reference,
                                             const VerifyOptions &options,
                                             raw_ostream &report) {
  return Verifier(module, reference, options, report).run();
}
