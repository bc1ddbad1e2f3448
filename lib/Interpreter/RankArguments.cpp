//===- RankArguments.cpp - Arguments and results of several ranks ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Execution.h"
#include "mlir/IR/BuiltinOps.h"
#include "qfuse/Interpreter/Arguments.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::qfuse;

/// Returns whether `op`, or what it calls, has a collective. `seen` are the
/// callees that have been searched.
static bool hasCollective(Operation *op,
                          llvm::SmallPtrSetImpl<Operation *> &seen) {
  WalkResult found = op->walk([&](Operation *nested) {
    if (isa<AllReduceOp, ReduceScatterOp, AllGatherOp>(nested))
      return WalkResult::interrupt();
    FlatSymbolRefAttr callee;
    if (auto call = dyn_cast<func::CallOp>(nested))
      callee = call.getCalleeAttr();
    else if (auto launch = dyn_cast<LaunchOp>(nested))
      callee = launch.getCalleeAttr();
    Operation *target =
        callee ? SymbolTable::lookupNearestSymbolFrom(nested, callee) : nullptr;
    if (target && seen.insert(target).second && hasCollective(target, seen))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return found.wasInterrupted();
}

int64_t qfuse::getNumExecutingRanks(func::FuncOp function) {
  llvm::SmallPtrSet<Operation *, 8> seen = {function};
  return hasCollective(function, seen) ? getNumRanks(function) : 1;
}

/// Calls `visit` for each argument that is uniform, and each of `numRanks`
/// ranks, with that rank and the first one of its group. Emits an error for a
/// group that there is not.
static LogicalResult
forEachUniform(func::FuncOp function, unsigned numRanks,
               function_ref<LogicalResult(unsigned index, StringAttr group,
                                          unsigned rank, unsigned first)>
                   visit) {
  for (unsigned index : llvm::seq(function.getNumArguments())) {
    auto name = function.getArgAttrOfType<StringAttr>(index, "qfuse.uniform");
    if (!name)
      continue;
    std::optional<RankGroup> group = findGroup(function, name.getValue());
    if (!group)
      return function.emitError()
             << "expected group " << name << " of argument " << index
             << " in qfuse.groups of the module";
    for (unsigned rank : llvm::seq(numRanks))
      if (failed(visit(index, name, rank, group->getMember(rank, 0))))
        return failure();
  }
  return success();
}

LogicalResult qfuse::checkUniform(func::FuncOp function,
                                  ArrayRef<RankCall> ranks) {
  // A function of one rank may be executed by that rank alone.
  if (ranks.size() == 1)
    return success();
  return forEachUniform(
      function, ranks.size(),
      [&](unsigned index, StringAttr group, unsigned rank,
          unsigned first) -> LogicalResult {
        const Tensor &tensor = ranks[rank].arguments[index].tensor;
        const Tensor &expected = ranks[first].arguments[index].tensor;
        if (tensor.bytes == expected.bytes && tensor.shape == expected.shape)
          return success();
        return function.emitError()
               << "expected argument " << index << " to be equal on all ranks "
               << "of group " << group << ", as qfuse.uniform says, got others "
               << "on ranks " << first << " and " << rank;
      });
}

/// Gives each rank what the first rank of its group has for arguments that are
/// uniform. Emits an error for a group that there is not.
static LogicalResult unify(func::FuncOp function,
                           MutableArrayRef<RankCall> ranks) {
  return forEachUniform(
      function, ranks.size(),
      [&](unsigned index, StringAttr, unsigned rank, unsigned first) {
        ranks[rank].arguments[index] = ranks[first].arguments[index];
        return success();
      });
}

FailureOr<std::vector<RankCall>>
qfuse::makeRankArguments(func::FuncOp function, int64_t numRanks,
                         const NamedExtents &dims, InputKind kind,
                         uint64_t seed) {
  std::vector<RankCall> ranks(numRanks);
  for (auto [index, rank] : llvm::enumerate(ranks)) {
    auto arguments = makeArguments(function, dims, kind, seed + index);
    if (failed(arguments))
      return failure();
    rank.arguments = std::move(*arguments);
  }
  if (numRanks > 1 && failed(unify(function, ranks)))
    return failure();
  return ranks;
}

/// Returns `path` with the number of the rank in the place of each `%r`.
static std::string getRankPath(StringRef path, unsigned rank) {
  SmallVector<StringRef> parts;
  path.split(parts, "%r");
  return llvm::join(parts, std::to_string(rank));
}

FailureOr<std::vector<RankCall>>
qfuse::readRankArguments(func::FuncOp function, int64_t numRanks,
                         ArrayRef<std::string> paths,
                         const NamedExtents &dims) {
  std::vector<RankCall> ranks(numRanks);
  for (auto [index, rank] : llvm::enumerate(ranks)) {
    std::vector<std::string> ofRank(paths);
    if (numRanks > 1)
      for (std::string &path : ofRank)
        path = getRankPath(path, index);
    auto arguments = readArguments(function, ofRank, dims);
    if (failed(arguments))
      return failure();
    rank.arguments = std::move(*arguments);
  }
  return ranks;
}
