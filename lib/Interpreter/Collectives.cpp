//===- Collectives.cpp - Ops that the ranks of a group share --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Execution.h"
#include "Indexing.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace mlir::qfuse;

/// Ranks of one group, in their order in it.
using Members = SmallVector<unsigned>;

static std::string printRanks(ArrayRef<unsigned> ranks) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(ranks, stream);
  return text;
}

/// Returns the ranks that share `group` with `rank`.
static Members getMembers(RankGroup group, unsigned rank) {
  Members members;
  for (int64_t index : llvm::seq(group.size))
    members.push_back(group.getMember(rank, index));
  return members;
}

/// Returns the groups of which `active` are the ranks, or emits an error if one
/// lacks a rank, which would wait for ever.
static FailureOr<SmallVector<Members>> getInstances(Execution &execution,
                                                    Operation *op,
                                                    StringRef name,
                                                    Execution::Ranks active) {
  if (execution.getNumRanks() != getNumRanks(op))
    return op->emitOpError()
           << "is executed by " << execution.getNumRanks()
           << " ranks, expected the " << getNumRanks(op) << " of qfuse.groups";
  SmallVector<Members> instances;
  llvm::SmallSet<unsigned, 8> seen;
  for (unsigned rank : active) {
    Members members = getMembers(*findGroup(op, name), rank);
    if (!seen.insert(members.front()).second)
      continue;
    Members there, missing;
    for (unsigned member : members)
      (llvm::is_contained(active, member) ? there : missing).push_back(member);
    if (!missing.empty())
      return op->emitOpError()
             << "is reached by ranks " << printRanks(there) << " of group \""
             << name << "\" and not by ranks " << printRanks(missing)
             << ", which take another branch and would leave them waiting";
    instances.push_back(std::move(members));
  }
  return instances;
}

/// Returns what each member has as the operand of `op`, or emits an error if
/// extents differ. Of a packed value, the logical elements.
static FailureOr<std::vector<Tensor>>
getValues(Execution &execution, Operation *op, ArrayRef<unsigned> members) {
  std::vector<Tensor> values;
  for (unsigned rank : members) {
    values.push_back(
        execution.getEvaluator(rank).getLogical(op->getOperand(0)));
    if (values.back().shape != values.front().shape)
      return op->emitOpError()
             << "expected operands of equal extents on all ranks, got "
             << printShape(values.front().shape) << " on rank "
             << members.front() << " and " << printShape(values.back().shape)
             << " on rank " << rank;
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Sums and largest values
//===----------------------------------------------------------------------===//

namespace {
/// Reduces single elements of the values of a group.
class Reducer {
public:
  Reducer(ArrayRef<Tensor> values, Reduction reduction)
      : values(values), reduction(reduction), element(values.front().element) {}

  /// Returns the bits of the element at `position`, reduced from the value of
  /// rank `first` on.
  uint64_t reduce(int64_t position, unsigned first) const;

  /// Writes the ends between which a sum in any order lies.
  void bound(int64_t position, Interval &interval, int64_t to) const;

  /// Returns whether there is but one result.
  bool isExact() const {
    return reduction == Reduction::max || !isFloat(element);
  }

private:
  ArrayRef<Tensor> values;
  Reduction reduction;
  Element element;
};
} // namespace

uint64_t Reducer::reduce(int64_t position, unsigned first) const {
  auto at = [&](size_t index) -> const Tensor & {
    return values[(first + index) % values.size()];
  };
  double result = at(0).get(position);
  // Exact in f64 for integers but for wrapping.
  uint64_t bits = at(0).getBits(position);
  for (size_t index = 1; index < values.size(); ++index) {
    double value = at(index).get(position);
    bits += at(index).getBits(position);
    result = reduction == Reduction::max ? getMaximum(result, value)
                                         : toF32(result + value);
  }
  if (!isFloat(element) && reduction == Reduction::sum)
    return bits;
  return encode(element, result);
}

void Reducer::bound(int64_t position, Interval &interval, int64_t to) const {
  double sum = 0.0, magnitude = 0.0;
  for (const Tensor &value : values) {
    sum += value.get(position);
    magnitude += std::abs(value.get(position));
  }
  // One rounding of f32 for each addition.
  double slack = static_cast<double>(values.size()) * 0x1p-24 * magnitude;
  if (!std::isfinite(slack))
    slack = 0.0;
  interval.low.setBits(to, encode(element, sum - slack));
  interval.high.setBits(to, encode(element, sum + slack));
}

/// Defines the result of `op` on rank `rank`: its element i is that at
/// `getPosition(i)` of the values, reduced from the value of `getFirst(i)` on.
static LogicalResult
setReduced(Evaluator &evaluator, Operation *op, const Reducer &reducer,
           Tensor result, llvm::function_ref<int64_t(int64_t)> getPosition,
           llvm::function_ref<unsigned(int64_t)> getFirst) {
  std::optional<Interval> interval;
  if (evaluator.needsInterval() && !reducer.isExact())
    interval = Interval{result, result};
  for (int64_t i = 0, e = result.getNumElements(); i < e; ++i) {
    int64_t position = getPosition(i);
    result.setBits(i, reducer.reduce(position, getFirst(i)));
    if (interval)
      reducer.bound(position, *interval, i);
  }
  return evaluator.set(op->getResult(0), result, std::move(interval));
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Returns the rank of a group of `ranks` that adds up element `index` of a
/// tensor in two stages, as the description of the attribute says.
static unsigned getOwner(const Tensor &tensor, int64_t index, int64_t ranks) {
  constexpr int64_t unitBytes = 16;
  int64_t bytes = getBitWidth(tensor.element) / 8;
  int64_t units = llvm::divideCeil(tensor.getNumElements() * bytes, unitBytes);
  int64_t perRank = units / ranks;
  if (perRank == 0)
    return ranks - 1;
  return std::min(index * bytes / unitBytes / perRank, ranks - 1);
}

static LogicalResult evaluate(Execution &execution, AllReduceOp op,
                              ArrayRef<unsigned> members) {
  FailureOr<std::vector<Tensor>> values = getValues(execution, op, members);
  if (failed(values))
    return failure();
  Reducer reducer(*values, op.getReduction());
  bool isTwoStage = op.getAlgorithm() == Algorithm::two_stage;
  for (unsigned rank : members)
    if (failed(setReduced(
            execution.getEvaluator(rank), op, reducer, values->front(),
            [](int64_t index) { return index; },
            [&](int64_t index) {
              return isTwoStage
                         ? getOwner(values->front(), index, members.size())
                         : 0u;
            })))
      return failure();
  return success();
}

static LogicalResult evaluate(Execution &execution, ReduceScatterOp op,
                              ArrayRef<unsigned> members) {
  FailureOr<std::vector<Tensor>> values = getValues(execution, op, members);
  if (failed(values))
    return failure();
  std::vector<int64_t> whole = values->front().shape, shape = whole;
  int64_t ranks = members.size(), extent = whole[op.getDim()];
  if (extent % ranks != 0)
    return op.emitOpError() << "expected an extent of dimension " << op.getDim()
                            << " that is a multiple of " << ranks << ", got "
                            << printShape(whole);
  shape[op.getDim()] = extent / ranks;
  Reducer reducer(*values, op.getReduction());
  bool isTwoStage = op.getAlgorithm() == Algorithm::two_stage;
  for (auto [index, rank] : llvm::enumerate(members)) {
    Slice part{std::vector<int64_t>(shape.size(), 0), shape,
               std::vector<int64_t>(shape.size(), 1)};
    part.offsets[op.getDim()] = index * shape[op.getDim()];
    unsigned first = isTwoStage ? index : 0;
    if (failed(setReduced(
            execution.getEvaluator(rank), op, reducer,
            Tensor(values->front().element, shape),
            [&](int64_t i) { return part.getPosition(i, whole); },
            [&](int64_t) { return first; })))
      return failure();
  }
  return success();
}

/// Returns the elements of `parts`, one after the other along `dim`, or emits
/// an error if they are too many.
static FailureOr<Tensor> concatenate(Operation *op, ArrayRef<Tensor> parts,
                                     size_t dim) {
  std::vector<int64_t> shape = parts.front().shape;
  Slice slice{std::vector<int64_t>(shape.size(), 0), shape,
              std::vector<int64_t>(shape.size(), 1)};
  shape[dim] *= static_cast<int64_t>(parts.size());
  FailureOr<Tensor> whole = allocate(op, parts.front().element, shape);
  if (failed(whole))
    return failure();
  for (const Tensor &part : parts) {
    for (int64_t i = 0, e = part.getNumElements(); i < e; ++i)
      whole->setBits(slice.getPosition(i, shape), part.getBits(i));
    slice.offsets[dim] += slice.sizes[dim];
  }
  return whole;
}

static LogicalResult evaluate(Execution &execution, AllGatherOp op,
                              ArrayRef<unsigned> members) {
  if (failed(getValues(execution, op, members)))
    return failure();
  // The bytes as they are: those of packed parts follow one another too.
  std::vector<Tensor> parts;
  for (unsigned rank : members)
    parts.push_back(execution.getEvaluator(rank).get(op.getInput()).tensor);
  std::vector<int64_t> shape =
      execution.getEvaluator(members.front()).get(op.getInput()).shape;
  shape[op.getDim()] *= static_cast<int64_t>(members.size());
  bool isPacked = isa<PackedType>(op.getInput().getType());
  FailureOr<Tensor> elements =
      concatenate(op, parts, isPacked ? 0 : op.getDim());
  if (failed(elements))
    return failure();
  HostValue whole(std::move(*elements), shape);
  for (unsigned rank : members)
    if (failed(
            execution.getEvaluator(rank).setPhysical(op->getResult(0), whole)))
      return failure();
  return success();
}

std::optional<LogicalResult>
qfuse::evaluateCollective(Execution &execution, Operation *op,
                          Execution::Ranks active) {
  return llvm::TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case<AllReduceOp, ReduceScatterOp, AllGatherOp>(
          [&](auto collective) -> LogicalResult {
            auto instances =
                getInstances(execution, op, collective.getGroup(), active);
            if (failed(instances))
              return failure();
            for (const Members &members : *instances)
              if (failed(::evaluate(execution, collective, members)))
                return failure();
            return success();
          })
      .Default([](Operation *) { return std::nullopt; });
}
