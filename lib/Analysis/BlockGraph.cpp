//===- BlockGraph.cpp - What the ops of a block need ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockGraph.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::qfuse;

namespace {
/// What an op is sorted by. Positions in the block are the last resort: for ops
/// that nothing but their users tells apart.
struct Entry {
  Operation *op = nullptr;
  /// Number of ops on the longest path of needs to it.
  unsigned depth = 0;
  /// Positions in the block of the ops that it needs.
  SmallVector<unsigned, 4> needs;
  /// For each operand, the node or argument that it is, and which result of it.
  SmallVector<std::pair<int64_t, unsigned>, 4> operands;
  /// Attributes and types, printed if operands tell two ops not apart.
  std::optional<std::string> text;
};
} // namespace

static const std::string &getText(Entry &entry) {
  if (entry.text)
    return *entry.text;
  entry.text.emplace();
  // The value of a constant may be megabytes of text.
  if (entry.op->hasTrait<OpTrait::ConstantLike>())
    return *entry.text;
  llvm::raw_string_ostream stream(*entry.text);
  stream << entry.op->getAttrDictionary();
  llvm::interleaveComma(entry.op->getResultTypes(), stream);
  return *entry.text;
}

/// Fills `needs` and `depth`, in the order of the block.
static void collectNeeds(Block &block, std::vector<Entry> &entries) {
  DenseMap<Operation *, unsigned> positions;
  std::optional<unsigned> lastEffect;
  for (Operation &op : block) {
    Entry entry;
    entry.op = &op;
    op.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (auto found = positions.find(operand.getDefiningOp());
            found != positions.end())
          entry.needs.push_back(found->second);
    });
    unsigned position = entries.size();
    if (!isMemoryEffectFree(&op)) {
      if (lastEffect)
        entry.needs.push_back(*lastEffect);
      lastEffect = position;
    }
    for (unsigned needed : entry.needs)
      entry.depth = std::max(entry.depth, entries[needed].depth + 1);
    positions[&op] = position;
    entries.push_back(std::move(entry));
  }
}

BlockGraph::BlockGraph(Block &block) {
  std::vector<Entry> entries;
  collectNeeds(block, entries);
  std::vector<SmallVector<unsigned>> levels;
  for (auto [position, entry] : llvm::enumerate(entries)) {
    if (entry.depth >= levels.size())
      levels.resize(entry.depth + 1);
    levels[entry.depth].push_back(position);
  }

  // What an op needs is on a lower level and so has its number already.
  std::vector<unsigned> nodeOf(entries.size());
  auto describe = [&](Value operand) -> std::pair<int64_t, unsigned> {
    if (auto argument = dyn_cast<BlockArgument>(operand))
      return {-1, argument.getArgNumber()};
    auto found = nodes.find(operand.getDefiningOp());
    return {found == nodes.end() ? -2 : int64_t(found->second),
            cast<OpResult>(operand).getResultNumber()};
  };
  auto isBefore = [&](unsigned a, unsigned b) {
    Entry &left = entries[a], &right = entries[b];
    if (left.op->getName() != right.op->getName())
      return left.op->getName().getStringRef() <
             right.op->getName().getStringRef();
    if (left.operands != right.operands)
      return left.operands < right.operands;
    if (getText(left) != getText(right))
      return getText(left) < getText(right);
    return a < b;
  };
  for (SmallVector<unsigned> &level : levels) {
    for (unsigned position : level)
      entries[position].operands = llvm::to_vector<4>(
          llvm::map_range(entries[position].op->getOperands(), describe));
    llvm::sort(level, isBefore);
    for (unsigned position : level) {
      nodeOf[position] = ops.size();
      nodes[entries[position].op] = ops.size();
      ops.push_back(entries[position].op);
    }
  }
  users.resize(ops.size());
  for (auto [position, entry] : llvm::enumerate(entries))
    for (unsigned needed : entry.needs)
      users[nodeOf[needed]].push_back(nodeOf[position]);
}

std::optional<unsigned> BlockGraph::getNode(Operation *op) const {
  auto found = nodes.find(op);
  if (found == nodes.end())
    return std::nullopt;
  return found->second;
}
