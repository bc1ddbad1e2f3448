//===- FusionPlan.cpp - What to fuse, and why not more --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Analysis/FusionPlan.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "qfuse/IR/QFuse.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::qfuse;

using Kind = Rejection::Kind;

bool qfuse::usesAnyOf(Operation *op, const OpSet &producers) {
  auto uses = [&](Value operand) {
    return producers.contains(operand.getDefiningOp());
  };
  WalkResult result = op->walk([&](Operation *nested) {
    return llvm::any_of(nested->getOperands(), uses) ? WalkResult::interrupt()
                                                     : WalkResult::advance();
  });
  return result.wasInterrupted();
}

static bool isBefore(Operation *a, Operation *b) {
  return a->isBeforeInBlock(b);
}

static const OpSet *findCluster(ArrayRef<OpSet> clusters, Operation *op) {
  const OpSet *found = llvm::find_if(
      clusters, [&](const OpSet &cluster) { return cluster.contains(op); });
  return found == clusters.end() ? nullptr : found;
}

/// Returns the ops outside `ops` that depend on it. A cluster of `others`
/// counts as one op, which it is going to be: all of it depends if one op does.
static OpSet getDependents(const OpSet &ops, ArrayRef<OpSet> others) {
  OpSet reached = ops;
  for (size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (Operation &op : *ops.front()->getBlock()) {
      if (reached.contains(&op) || !usesAnyOf(&op, reached))
        continue;
      reached.insert(&op);
      if (const OpSet *cluster = findCluster(others, &op))
        reached.insert_range(*cluster);
    }
  }
  reached.set_subtract(ops);
  return reached;
}

/// Returns why no kernel can take the place of `ops`, or an empty string.
static std::string findObstacle(const OpSet &ops, ArrayRef<OpSet> others) {
  OpSet dependents = getDependents(ops, others);
  for (Operation *op : ops)
    if (usesAnyOf(op, dependents))
      return llvm::formatv("{0} needs it and a value computed from it outside",
                           op->getName());
  Operation *last = *llvm::max_element(ops, isBefore);
  for (Operation *op : dependents)
    if (op->isBeforeInBlock(last) && !isMemoryEffectFree(op))
      return llvm::formatv("{0} uses it and cannot move behind {1}",
                           op->getName(), last->getName());
  return {};
}

/// Returns the extents of all dimensions but the last: what the ops of a kernel
/// have in common.
static ArrayRef<int64_t> getRows(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  return type && type.getRank() > 0 ? type.getShape().drop_back()
                                    : ArrayRef<int64_t>();
}

namespace {
/// Grows the cluster of one seed over its producers, latest op first: an op
/// between a producer and the cluster is then decided before the producer is.
/// Then over users that read nothing else, such as the rounding of a sum that
/// the norm reads unrounded.
class Grower {
public:
  Grower(Operation *seed, SmallVectorImpl<OpSet> &clusters,
         SmallVectorImpl<Rejection> &rejections)
      : seed(seed), clusters(clusters), rejections(rejections) {}

  void run() {
    OpSet own;
    own.insert(seed);
    add(own);
    while (!candidates.empty()) {
      Operation *producer = *llvm::max_element(candidates, isBefore);
      candidates.remove(producer);
      if (!ops.contains(producer) && !isRejected(producer))
        decide(producer);
    }
    while (takeUser())
      ;
    clusters.push_back(std::move(ops));
  }

private:
  void add(const OpSet &more) {
    ops.insert_range(more);
    for (Operation *op : more)
      for (Value operand : op->getOperands())
        if (Operation *producer = operand.getDefiningOp();
            producer && producer->getBlock() == seed->getBlock() &&
            !producer->hasTrait<OpTrait::ConstantLike>())
          candidates.insert(producer);
  }

  bool isRejected(Operation *producer) const {
    return llvm::any_of(rejections, [&](const Rejection &rejection) {
      return rejection.producer == producer && ops.contains(rejection.seed);
    });
  }

  void decide(Operation *producer);
  bool canTakeUser(Operation *user) const;
  bool takeUser();

  Operation *seed;
  SmallVectorImpl<OpSet> &clusters;
  SmallVectorImpl<Rejection> &rejections;
  OpSet ops, candidates;
};
} // namespace

void Grower::decide(Operation *producer) {
  auto reject = [&](Kind kind, std::string reason) {
    rejections.push_back({kind, producer, seed, std::move(reason)});
  };
  std::optional<Role> role = getRole(producer);
  if (!role)
    return reject(Kind::ProducerNotFusible,
                  llvm::formatv("{0} is not fusible", producer->getName()));
  if (role == Role::contraction)
    return reject(
        Kind::ProducerNotFusible,
        llvm::formatv("{0} has a kernel of its own", producer->getName()));
  Value result = producer->getResult(0), input = seed->getOperand(0);
  if (getRows(result) != getRows(input))
    return reject(Kind::RowSpacesDiffer,
                  llvm::formatv("its rows are those of {0}, not of {1}",
                                result.getType(), input.getType()));

  // The producer may be in the cluster of an earlier seed: a fan-out.
  OpSet more;
  more.insert(producer);
  const OpSet *cluster = findCluster(clusters, producer);
  if (cluster)
    more = *cluster;
  OpSet grown = ops;
  grown.insert_range(more);
  if (std::string reason = findObstacle(grown, clusters); !reason.empty())
    return reject(Kind::NotConvex, std::move(reason));
  if (cluster)
    clusters.erase(const_cast<OpSet *>(cluster));
  add(more);
}

/// Returns whether `user` saves a load, and costs no other, in the cluster.
bool Grower::canTakeUser(Operation *user) const {
  if (ops.contains(user) || user->getBlock() != seed->getBlock() ||
      findCluster(clusters, user) || getRole(user) != Role::elementwise)
    return false;
  auto isInside = [&](Value operand) {
    return ops.contains(operand.getDefiningOp());
  };
  if (!llvm::all_of(user->getOperands(), isInside) ||
      getRows(user->getResult(0)) != getRows(seed->getOperand(0)))
    return false;
  OpSet grown = ops;
  grown.insert(user);
  return findObstacle(grown, clusters).empty();
}

bool Grower::takeUser() {
  for (Operation *op : ops)
    for (Operation *user : op->getUsers())
      if (canTakeUser(user))
        return ops.insert(user);
  return false;
}

FusionPlan::FusionPlan(Block &block) {
  for (auto seed : block.getOps<QuantizeOp>())
    Grower(seed, clusters, rejections).run();
  llvm::erase_if(clusters, [](const OpSet &ops) { return ops.size() < 2; });
  for (OpSet &cluster : clusters) {
    SmallVector<Operation *> sorted = cluster.takeVector();
    llvm::sort(sorted, isBefore);
    cluster.insert_range(sorted);
  }
}
