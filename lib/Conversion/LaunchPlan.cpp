//===- LaunchPlan.cpp - The steps of a function ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchPlan.h"

#include "Strides.h"

using namespace mlir;
using namespace mlir::qfuse;

namespace json = llvm::json;

namespace {
/// Where the bytes of a value are.
struct Buffer {
  enum class Kind { input, output, workspace } kind;
  unsigned index = 0; // of an input or output
  AffineExpr offset;  // in the workspace, in bytes
};

class Planner {
public:
  Planner(func::FuncOp function, const KernelTable &kernels)
      : function(function), kernels(kernels), extents(function),
        workspace(getAffineConstantExpr(0, function.getContext())) {}

  FailureOr<json::Object> plan();

private:
  LogicalResult placeArguments();
  LogicalResult placeOutputs();
  LogicalResult placeIntermediates();
  LogicalResult planSteps();
  FailureOr<json::Object> planLaunch(LaunchOp launch);
  FailureOr<json::Value> planArgument(LaunchOp launch,
                                      const KernelArgument &argument);
  FailureOr<json::Object> describe(Value value, StringRef name);
  /// Returns the argument whose memory `value` takes, or `value`.
  Value getMemory(Value value) const {
    auto donor = donors.find(value);
    return donor == donors.end() ? value : Value(donor->second);
  }
  FailureOr<AffineExpr> getRowStride(Value value);
  void findDonations();
  LogicalResult checkStrides(LaunchOp launch, const GeneratedKernel &kernel);
  FailureOr<AffineExpr> getMeaningfulBytes(Value value);
  FailureOr<AffineExpr> getLeastRead(LaunchOp launch, AffineExpr groups);
  FailureOr<AffineExpr> getLeastWritten(LaunchOp launch);
  json::Object describeBuffer(const Buffer &buffer);

  func::FuncOp function;
  const KernelTable &kernels;
  Extents extents;
  DenseMap<Value, Buffer> buffers;
  /// Arguments whose memory a result takes.
  DenseMap<Value, BlockArgument> donors;
  AffineExpr workspace;
  json::Array inputs, outputs, checks, steps;
};
} // namespace

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

FailureOr<json::Object> Planner::describe(Value value, StringRef name) {
  auto type = cast<ShapedType>(value.getType());
  FailureOr<SmallVector<AffineExpr>> shape = extents.getShape(value);
  FailureOr<AffineExpr> bytes = extents.getBytes(value);
  FailureOr<SmallVector<AffineExpr>> strides =
      extents.getStrides(getMemory(value));
  if (failed(shape) || failed(bytes) || failed(strides))
    return failure();
  // Rows of a strided buffer, with what is between them.
  AffineExpr size = *bytes;
  if (type.getRank() > 1 && extents.getStatedStrides(getMemory(value)))
    size = (shape->front() * strides->front() * type.getElementTypeBitWidth())
               .ceilDiv(8);
  auto toArray = [&](ArrayRef<AffineExpr> exprs) {
    json::Array array;
    for (AffineExpr expr : exprs)
      array.push_back(extents.toJson(expr));
    return array;
  };
  std::string element;
  llvm::raw_string_ostream(element) << type.getElementType();
  json::Value layout = nullptr;
  if (auto packed = dyn_cast<PackedType>(type)) {
    std::string text;
    llvm::raw_string_ostream(text) << packed.getLayout();
    layout = text;
  }
  return json::Object{
      {"name", name.str()},       {"element", element},
      {"shape", toArray(*shape)}, {"strides", toArray(*strides)},
      {"layout", layout},         {"bytes", extents.toJson(size)}};
}

LogicalResult Planner::placeArguments() {
  for (BlockArgument argument : function.getArguments()) {
    unsigned index = argument.getArgNumber();
    if (!isa<ShapedType>(argument.getType()))
      return function.emitOpError()
             << "expected arguments that are tensors or packed values, got "
             << argument.getType() << " for argument " << index;
    FailureOr<json::Object> input =
        describe(argument, llvm::formatv("arg{0}", index).str());
    if (failed(input))
      return failure();
    bool isWeight = function.getArgAttr(index, "qfuse.role") != nullptr;
    (*input)["role"] = isWeight ? "weight" : "activation";
    inputs.push_back(std::move(*input));
    buffers[argument] = {Buffer::Kind::input, index, {}};
  }
  return success();
}

static func::ReturnOp getReturn(func::FuncOp function) {
  return cast<func::ReturnOp>(function.getBody().front().getTerminator());
}

/// A row kernel writes an element of a row after it has read those of the same
/// row, so a result of its can take the place of an input that nothing reads
/// later. A contraction reads what another work-group writes.
void Planner::findDonations() {
  for (BlockArgument argument : function.getArguments()) {
    if (!function.getArgAttr(argument.getArgNumber(), "qfuse.donated") ||
        !argument.hasOneUse())
      continue;
    auto launch = dyn_cast<LaunchOp>(*argument.user_begin());
    if (!launch)
      continue;
    auto kernel = SymbolTable::lookupNearestSymbolFrom<KernelDefOp>(
        launch, launch.getCalleeAttr());
    if (llvm::any_of(kernel.getBody()->without_terminator(), [](Operation &op) {
          return getRole(&op) == Role::contraction;
        }))
      continue;
    for (Value result : launch.getResults())
      if (result.getType() == argument.getType() && !donors.contains(result) &&
          llvm::is_contained(getReturn(function).getOperands(), result)) {
        donors[result] = argument;
        break;
      }
  }
}

LogicalResult Planner::placeOutputs() {
  func::ReturnOp exit = getReturn(function);
  for (auto [index, value] : llvm::enumerate(exit.getOperands())) {
    if (Operation *op = value.getDefiningOp(); op && !isa<LaunchOp>(op))
      return op->emitOpError() << "is computed by no kernel yet, and is result "
                               << index << " of the function";
    if (isa<BlockArgument>(value) || buffers.contains(value))
      return exit.emitOpError()
             << "expected results that are different results of launches, got "
                "another value as result "
             << index;
    FailureOr<json::Object> output =
        describe(value, llvm::formatv("out{0}", index).str());
    if (failed(output))
      return failure();
    if (donors.contains(value))
      (*output)["donated"] = donors.lookup(value).getArgNumber();
    outputs.push_back(std::move(*output));
    buffers[value] = {Buffer::Kind::output, static_cast<unsigned>(index), {}};
  }
  return success();
}

LogicalResult Planner::placeIntermediates() {
  // What allocators of device memory align to.
  constexpr int64_t alignment = 256;
  WalkResult result = function.walk([&](LaunchOp launch) {
    for (Value value : launch.getResults()) {
      if (buffers.contains(value))
        continue;
      FailureOr<AffineExpr> bytes = extents.getBytes(value);
      if (failed(bytes))
        return WalkResult::interrupt();
      buffers[value] = {Buffer::Kind::workspace, 0, workspace};
      workspace = workspace + bytes->ceilDiv(alignment) * alignment;
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

json::Object Planner::describeBuffer(const Buffer &buffer) {
  switch (buffer.kind) {
  case Buffer::Kind::input:
    return json::Object{{"buffer", "input"}, {"index", buffer.index}};
  case Buffer::Kind::output:
    return json::Object{{"buffer", "output"}, {"index", buffer.index}};
  case Buffer::Kind::workspace:
    return json::Object{{"buffer", "workspace"},
                        {"offset", extents.toJson(buffer.offset)}};
  }
  llvm_unreachable("all kinds are handled");
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

FailureOr<AffineExpr> Planner::getRowStride(Value value) {
  FailureOr<SmallVector<AffineExpr>> strides =
      extents.getStrides(getMemory(value));
  if (failed(strides))
    return failure();
  return strides->front();
}

FailureOr<json::Value> Planner::planArgument(LaunchOp launch,
                                             const KernelArgument &argument) {
  auto value = [&](FailureOr<AffineExpr> expr) -> FailureOr<json::Value> {
    if (failed(expr))
      return failure();
    return json::Value(
        json::Object{{"value", extents.toJson(*expr)}, {"type", "i32"}});
  };
  ValueRange in = launch.getInputs(), out = launch.getResults();
  switch (argument.kind) {
  case KernelArgument::Kind::input:
    return json::Value(describeBuffer(buffers.at(in[argument.index])));
  case KernelArgument::Kind::output:
    return json::Value(describeBuffer(buffers.at(out[argument.index])));
  case KernelArgument::Kind::inputExtent:
    return value(extents.getExtent(in[argument.index], argument.dim));
  case KernelArgument::Kind::inputStride:
    return value(getRowStride(in[argument.index]));
  case KernelArgument::Kind::outputStride:
    return value(getRowStride(out[argument.index]));
  }
  llvm_unreachable("all kinds are handled");
}

LogicalResult Planner::checkStrides(LaunchOp launch,
                                    const GeneratedKernel &kernel) {
  auto check = [&](Value value, KernelArgument::Kind kind, unsigned index) {
    auto argument = dyn_cast<BlockArgument>(getMemory(value));
    if (!argument)
      return success();
    bool takesRowStride =
        llvm::any_of(kernel.arguments, [&](const KernelArgument &argument) {
          return argument.kind == kind && argument.index == index;
        });
    return qfuse::checkStrides(
        argument, {takesRowStride, kernel.strideMultiple, launch.getLoc()},
        extents, checks);
  };
  for (auto [index, input] : llvm::enumerate(launch.getInputs()))
    if (failed(check(input, KernelArgument::Kind::inputStride, index)))
      return failure();
  for (auto [index, output] : llvm::enumerate(launch.getResults()))
    if (failed(check(output, KernelArgument::Kind::outputStride, index)))
      return failure();
  return success();
}

/// Returns the bytes of the elements of `value`, of its padding only if that
/// has a meaning.
FailureOr<AffineExpr> Planner::getMeaningfulBytes(Value value) {
  auto packed = dyn_cast<PackedType>(value.getType());
  if (!packed || packed.getLayout().getPad() != Pad::undef)
    return extents.getBytes(value);
  FailureOr<SmallVector<AffineExpr>> shape = extents.getShape(value);
  if (failed(shape))
    return failure();
  AffineExpr bits = getAffineConstantExpr(packed.getElementTypeBitWidth(),
                                          function.getContext());
  for (AffineExpr extent : *shape)
    bits = bits * extent;
  return bits.ceilDiv(8);
}

/// Returns whether each work-group needs all of `input`, an argument of a
/// kernel: it is a weight of the normalization of the rows that they share out
/// among them.
static bool isReadByEachGroup(BlockArgument input) {
  return llvm::all_of(input.getUses(), [](OpOperand &use) {
    auto norm = dyn_cast<RmsNormOp>(use.getOwner());
    return norm && norm.getWeight() == use.get();
  });
}

/// Returns the bytes that `launch` has to read from device memory: each input
/// once, and norm weights once for each of `groups` work-groups, which share no
/// memory that is nearer.
FailureOr<AffineExpr> Planner::getLeastRead(LaunchOp launch,
                                            AffineExpr groups) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<KernelDefOp>(
      launch, launch.getCalleeAttr());
  AffineExpr sum = getAffineConstantExpr(0, function.getContext());
  llvm::SmallDenseSet<Value> seen;
  for (auto [value, input] :
       llvm::zip_equal(launch.getInputs(), kernel.getBody()->getArguments())) {
    if (input.use_empty() || !seen.insert(value).second)
      continue;
    FailureOr<AffineExpr> bytes = getMeaningfulBytes(value);
    if (failed(bytes))
      return failure();
    sum = sum + (isReadByEachGroup(input) ? groups * *bytes : *bytes);
  }
  return sum;
}

/// Returns the bytes that `launch` has to write: each result once.
FailureOr<AffineExpr> Planner::getLeastWritten(LaunchOp launch) {
  AffineExpr sum = getAffineConstantExpr(0, function.getContext());
  for (Value result : launch.getResults()) {
    FailureOr<AffineExpr> bytes = getMeaningfulBytes(result);
    if (failed(bytes))
      return failure();
    sum = sum + *bytes;
  }
  return sum;
}

FailureOr<json::Object> Planner::planLaunch(LaunchOp launch) {
  const GeneratedKernel &kernel = kernels.at(launch.getCallee());
  json::Array arguments;
  for (const KernelArgument &argument : kernel.arguments) {
    FailureOr<json::Value> planned = planArgument(launch, argument);
    if (failed(planned))
      return failure();
    arguments.push_back(std::move(*planned));
  }
  SmallVector<AffineExpr> symbols;
  for (const KernelExtent &extent : kernel.extents) {
    FailureOr<AffineExpr> expr =
        extents.getExtent(launch.getInputs()[extent.input], extent.dim);
    if (failed(expr))
      return failure();
    symbols.push_back(*expr);
  }
  json::Array grid;
  AffineExpr groups = getAffineConstantExpr(1, function.getContext());
  for (AffineExpr extent : kernel.grid.getResults()) {
    AffineExpr expr = extent.replaceSymbols(symbols);
    grid.push_back(extents.toJson(expr));
    groups = groups * expr;
  }
  FailureOr<AffineExpr> leastRead = getLeastRead(launch, groups);
  FailureOr<AffineExpr> leastWritten = getLeastWritten(launch);
  if (failed(leastRead) || failed(leastWritten))
    return failure();
  if (failed(checkStrides(launch, kernel)))
    return failure();
  return json::Object{{"kind", "launch"},
                      {"kernel", launch.getCallee()},
                      {"grid", std::move(grid)},
                      {"block", json::Array{kernel.threads, 1, 1}},
                      {"args", std::move(arguments)},
                      {"least_read", extents.toJson(*leastRead)},
                      {"least_written", extents.toJson(*leastWritten)}};
}

LogicalResult Planner::planSteps() {
  for (Operation &op : function.getBody().front().without_terminator()) {
    auto launch = dyn_cast<LaunchOp>(op);
    if (!launch) {
      if (isMemoryEffectFree(&op) && op.use_empty())
        continue;
      return op.emitOpError() << "has no step in a launch plan";
    }
    FailureOr<json::Object> step = planLaunch(launch);
    if (failed(step))
      return failure();
    steps.push_back(std::move(*step));
  }
  return success();
}

FailureOr<json::Object> Planner::plan() {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError() << "expected one block, got "
                                  << function.getBody().getBlocks().size();
  findDonations();
  if (failed(placeArguments()) || failed(placeOutputs()) ||
      failed(placeIntermediates()) || failed(planSteps()))
    return failure();
  return json::Object{{"dims", extents.getDims()},
                      {"inputs", std::move(inputs)},
                      {"outputs", std::move(outputs)},
                      {"checks", std::move(checks)},
                      {"workspace", extents.toJson(workspace)},
                      {"intervals", json::Array{}},
                      {"steps", std::move(steps)}};
}

FailureOr<json::Object> qfuse::planLaunches(func::FuncOp function,
                                            const KernelTable &kernels) {
  return Planner(function, kernels).plan();
}
