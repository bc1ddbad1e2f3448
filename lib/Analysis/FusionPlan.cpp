//===- FusionPlan.cpp - What to fuse, and why not more --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Analysis/FusionPlan.h"

#include "Convexity.h"
#include "mlir/IR/BuiltinOps.h"
#include "qfuse/Analysis/RowKernel.h"
#include "qfuse/IR/QFuse.h"
#include "qfuse/Target/Target.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace mlir;
using namespace mlir::qfuse;

using Kind = RejectionKind;

StringLiteral qfuse::getRemarkName(RejectionKind kind) {
  switch (kind) {
  case Kind::ProducerNotFusible:
    return "ProducerNotFusible";
  case Kind::UnknownOp:
    return "UnknownOp";
  case Kind::RowSpacesDiffer:
    return "RowSpacesDiffer";
  case Kind::NotConvex:
    return "NotConvex";
  case Kind::ResourceLimit:
    return "ResourceLimit";
  case Kind::WeightTypeUnsupported:
    return "WeightTypeUnsupported";
  case Kind::ConsumerNotScaledMatmul:
    return "ConsumerNotScaledMatmul";
  case Kind::FormatsDisagree:
    return "FormatsDisagree";
  }
  llvm_unreachable("all kinds are handled");
}

static bool isConstant(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>();
}

std::string qfuse::getStem(ArrayRef<Operation *> ops) {
  // Long enough to be told apart, short enough for a table.
  constexpr size_t longest = 64;
  std::string stem;
  for (Operation *op : ops) {
    StringRef name = op->getName().stripDialect();
    if (!isConstant(op) && stem.size() + name.size() < longest)
      stem += (stem.empty() ? "" : "_") + name.str();
  }
  return stem.empty() ? "kernel" : stem;
}

/// Returns the extents of all dimensions but the last: what the ops of a kernel
/// have in common.
static ArrayRef<int64_t> getRows(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  return type && type.hasRank() && type.getRank() > 0
             ? type.getShape().drop_back()
             : ArrayRef<int64_t>();
}

//===----------------------------------------------------------------------===//
// Planner
//===----------------------------------------------------------------------===//

namespace {
/// Grows the cluster of each seed over its producers, latest op first: an op
/// between a producer and the cluster is then decided before the producer is.
/// Then over users that read nothing else, such as the rounding of a sum that
/// the norm reads unrounded.
class Planner {
public:
  Planner(Block &block, SmallVectorImpl<Rejection> &rejections)
      : graph(block), clusters(graph), rejections(rejections) {
    // Without a target nobody has asked for kernels yet, and only the meaning
    // of the ops counts.
    auto module = block.getParentOp()->getParentOfType<ModuleOp>();
    if (auto own = dyn_cast<ModuleOp>(block.getParentOp()))
      module = own;
    if (module)
      target = module->getAttrOfType<TargetAttr>(targetAttrName);
  }

  SmallVector<Chain> run();

private:
  void growFrom(unsigned seed);
  void addCandidates(ArrayRef<unsigned> nodes);
  void decide(unsigned node);
  std::optional<Rejection> findRejection(Operation *op) const;
  std::optional<std::string> findTooManyRows(unsigned node) const;
  bool canTakeUser(unsigned user);
  bool takeUser();

  bool isRejected(unsigned node) const;
  void reject(Rejection rejection);
  void checkConsumers(Operation *seed);
  void checkReaders(QuantizeOp quantize);
  void dropOvertaken();
  bool isLoss(const Rejection &rejection) const;
  Chain makeChain(unsigned cluster) const;

  BlockGraph graph;
  Clusters clusters;
  SmallVectorImpl<Rejection> &rejections;
  /// Null if there are no limits.
  TargetAttr target;
  /// The seed that each cluster started with.
  SmallVector<Operation *> seeds;
  /// Rejections of each op, as positions in `rejections`.
  DenseMap<Operation *, SmallVector<unsigned, 2>> rejectionsOf;

  Operation *seed = nullptr;
  unsigned cluster = 0;
  std::set<unsigned> candidates;
};
} // namespace

void Planner::reject(Rejection rejection) {
  rejectionsOf[rejection.op].push_back(rejections.size());
  rejections.push_back(std::move(rejection));
}

/// A seed that this cluster has taken in may have rejected the op before. For
/// good, unless only the ops that were outside then were the reason.
bool Planner::isRejected(unsigned node) const {
  auto found = rejectionsOf.find(graph.getOp(node));
  if (found == rejectionsOf.end())
    return false;
  return llvm::any_of(found->second, [&](unsigned index) {
    const Rejection &rejection = rejections[index];
    return rejection.seed == seed ||
           (rejection.kind != Kind::NotConvex &&
            clusters.find(*graph.getNode(rejection.seed)) == cluster);
  });
}

void Planner::addCandidates(ArrayRef<unsigned> nodes) {
  for (unsigned node : nodes)
    for (Value operand : graph.getOp(node)->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        if (auto found = graph.getNode(producer);
            found && !isConstant(producer))
          candidates.insert(*found);
}

//===----------------------------------------------------------------------===//
// Decisions
//===----------------------------------------------------------------------===//

/// Returns why `op` fits no kernel of the rows that `seed` reads.
std::optional<Rejection> Planner::findRejection(Operation *op) const {
  auto because = [&](Kind kind, auto &&...text) {
    std::string reason = llvm::formatv(text...);
    if (op == seed)
      reason =
          llvm::formatv("not compiled to a row kernel, because {0}", reason);
    else
      reason = llvm::formatv("not fused into the kernel of {0}, because {1}",
                             seed->getName(), reason);
    return Rejection{kind, op, seed, std::move(reason)};
  };
  std::optional<Role> role = getRole(op);
  if (!role)
    return because(Kind::UnknownOp, "{0} is not fusible", op->getName());
  if (role == Role::contraction || role == Role::collective)
    return because(Kind::ProducerNotFusible, "{0} has a kernel of its own",
                   op->getName());
  Value result = op->getResult(0), input = seed->getOperand(0);
  if (getRows(result) != getRows(input))
    return because(Kind::RowSpacesDiffer,
                   "its rows are those of {0}, not of {1}", result.getType(),
                   input.getType());
  if (!target)
    return std::nullopt;
  if (auto obstacle = findRowKernelObstacle(op))
    return because(obstacle->isWeight ? Kind::WeightTypeUnsupported
                                      : Kind::ResourceLimit,
                   "{0}", obstacle->reason);
  if (getRowSize(op) != getRowSize(seed))
    return because(Kind::RowSpacesDiffer,
                   "its rows are those of {0}, not of {1}",
                   op->getOperand(0).getType(), input.getType());
  return std::nullopt;
}

/// Returns why the lanes cannot hold the rows of the cluster with `node`.
std::optional<std::string> Planner::findTooManyRows(unsigned node) const {
  if (!target)
    return std::nullopt;
  SmallVector<unsigned> nodes = clusters.get(cluster).nodes;
  if (auto other = clusters.find(node))
    llvm::append_range(nodes, clusters.get(*other).nodes);
  else
    nodes.push_back(node);
  llvm::sort(nodes);
  unsigned rows = countLiveRows(llvm::map_to_vector(
      nodes, [&](unsigned each) { return graph.getOp(each); }));
  unsigned limit = getMaxLiveRows(target, getRowSize(seed));
  if (rows <= limit)
    return std::nullopt;
  return llvm::formatv("expected registers for {0} rows at most, got {1} rows "
                       "of {2}",
                       limit, rows, seed->getOperand(0).getType());
}

void Planner::decide(unsigned node) {
  Operation *op = graph.getOp(node);
  if (auto rejection = findRejection(op))
    return reject(std::move(*rejection));
  if (auto reason = findTooManyRows(node))
    return reject(
        {Kind::ResourceLimit, op, seed,
         llvm::formatv("not fused into the kernel of {0}, because {1}",
                       seed->getName(), *reason)});
  if (auto entry = clusters.findCycle(cluster, node)) {
    // It has been said where a seed of this cluster was decided.
    for (unsigned index : rejectionsOf.lookup(op))
      if (clusters.find(*graph.getNode(rejections[index].seed)) == cluster)
        return;
    return reject(
        {Kind::NotConvex, op, seed,
         llvm::formatv("not fused into the kernel of {0}, because {1} "
                       "needs it and a value computed from it outside",
                       seed->getName(), graph.getOp(*entry)->getName())});
  }
  // The producer may be in the cluster of an earlier seed: a fan-out.
  SmallVector<unsigned> more = {node};
  if (auto other = clusters.find(node))
    more = clusters.get(*other).nodes;
  clusters.merge(cluster, node);
  addCandidates(more);
}

/// Returns whether `user` saves a load, and costs no other, in the cluster.
bool Planner::canTakeUser(unsigned user) {
  Operation *op = graph.getOp(user);
  auto isInside = [&](Value operand) {
    auto found = graph.getNode(operand.getDefiningOp());
    return found && clusters.find(*found) == cluster;
  };
  return !clusters.find(user) && getRole(op) == Role::elementwise &&
         !isConstant(op) && llvm::all_of(op->getOperands(), isInside) &&
         !findRejection(op) && !findTooManyRows(user) &&
         !clusters.findCycle(cluster, user);
}

bool Planner::takeUser() {
  for (unsigned node : clusters.get(cluster).nodes)
    for (unsigned user : graph.getUsers(node))
      if (canTakeUser(user)) {
        clusters.merge(cluster, user);
        return true;
      }
  return false;
}

void Planner::growFrom(unsigned node) {
  seed = graph.getOp(node);
  if (clusters.find(node))
    return;
  std::optional<Rejection> rejection = findRejection(seed);
  // It is said, and counted, where an earlier seed asked for it.
  for (unsigned index : rejectionsOf.lookup(seed))
    if (rejection && rejections[index].kind == rejection->kind)
      return;
  cluster = clusters.create(node);
  seeds.push_back(seed);
  if (rejection)
    return reject(std::move(*rejection));
  addCandidates(node);
  while (!candidates.empty()) {
    unsigned producer = *candidates.rbegin();
    candidates.erase(producer);
    if (clusters.find(producer) != cluster && !isRejected(producer))
      decide(producer);
  }
  while (takeUser())
    ;
}

//===----------------------------------------------------------------------===//
// Consumers
//===----------------------------------------------------------------------===//

/// Reports the scaled matmuls that decode the codes of `quantize` in another
/// way than they were made, and the other ops that read them.
void Planner::checkReaders(QuantizeOp quantize) {
  for (OpOperand &use : quantize.getResult().getUses()) {
    Operation *user = use.getOwner();
    auto matmul = dyn_cast<ScaledMatmulOp>(user);
    if (!matmul) {
      std::optional<unsigned> node = graph.getNode(user);
      if (getRole(user) && node &&
          clusters.find(*node) != clusters.find(*graph.getNode(quantize)))
        reject({Kind::ConsumerNotScaledMatmul, user, quantize,
                llvm::formatv("not fused, because {0} reads the codes of {1} "
                              "and is no qfuse.scaled_matmul",
                              user->getName(), quantize->getName())});
      continue;
    }
    FormatAttr format =
        use.get() == matmul.getA() ? matmul.getAFormat() : matmul.getBFormat();
    if (format != quantize.getFormat())
      reject({Kind::FormatsDisagree, user, quantize,
              llvm::formatv("it decodes in {0} what {1} encodes in {2}", format,
                            quantize->getName(), quantize.getFormat())});
  }
}

/// Reports the norm of a chain that has no quantize, and who reads it instead;
/// unless a quantize has rejected it.
void Planner::checkConsumers(Operation *norm) {
  auto found = clusters.find(*graph.getNode(norm));
  if (!found || seeds[*found] != norm || rejectionsOf.contains(norm))
    return;
  auto isQuantize = [&](unsigned node) {
    return isa<QuantizeOp>(graph.getOp(node));
  };
  if (norm->use_empty() || llvm::any_of(clusters.get(*found).nodes, isQuantize))
    return;
  // The use list has no order of its own.
  StringRef reader;
  for (Operation *user : norm->getUsers())
    if (isa<QuantizeOp>(user))
      return;
    else if (reader.empty() || user->getName().getStringRef() < reader)
      reader = user->getName().getStringRef();
  reject({Kind::ConsumerNotScaledMatmul, norm, norm,
          llvm::formatv("not quantized, because {0} reads it and is no "
                        "qfuse.scaled_matmul",
                        reader)});
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Drops the rejections of ops that came into the same cluster later on.
void Planner::dropOvertaken() {
  llvm::erase_if(rejections, [&](const Rejection &rejection) {
    auto node = graph.getNode(rejection.op);
    auto own = clusters.find(*graph.getNode(rejection.seed));
    return rejection.kind == Kind::NotConvex && clusters.find(*node) == own;
  });
}

bool Planner::isLoss(const Rejection &rejection) const {
  switch (rejection.kind) {
  case Kind::ProducerNotFusible:
  case Kind::ConsumerNotScaledMatmul:
    return false;
  case Kind::FormatsDisagree:
    return true;
  case Kind::UnknownOp:
    // Others, such as calls, are where a chain starts.
    return OpTrait::hasElementwiseMappableTraits(rejection.op);
  default:
    auto found = clusters.find(*graph.getNode(rejection.op));
    return !found || clusters.get(*found).nodes.size() == 1;
  }
}

Chain Planner::makeChain(unsigned index) const {
  SmallVector<unsigned> nodes = clusters.get(index).nodes;
  llvm::sort(nodes);
  Chain chain{{}, seeds[index]};
  for (unsigned node : nodes)
    chain.ops.insert(graph.getOp(node));
  return chain;
}

SmallVector<Chain> Planner::run() {
  SmallVector<unsigned> quantizes, norms;
  for (unsigned node : llvm::seq(graph.getNumNodes()))
    if (isa<QuantizeOp>(graph.getOp(node)))
      quantizes.push_back(node);
    else if (isa<RmsNormOp>(graph.getOp(node)))
      norms.push_back(node);
  for (unsigned node : llvm::concat<unsigned>(quantizes, norms))
    growFrom(node);
  dropOvertaken();
  for (unsigned node : quantizes)
    checkReaders(cast<QuantizeOp>(graph.getOp(node)));
  for (unsigned node : norms)
    checkConsumers(graph.getOp(node));

  SmallVector<Chain> chains;
  DenseMap<unsigned, unsigned> chainOf;
  for (unsigned index : llvm::seq(clusters.size()))
    if (!clusters.get(index).nodes.empty()) {
      chainOf[index] = chains.size();
      chains.push_back(makeChain(index));
    }
  for (const Rejection &rejection : rejections)
    if (isLoss(rejection))
      chains[chainOf.at(*clusters.find(*graph.getNode(rejection.seed)))]
          .isWhole = false;
  return chains;
}

FusionPlan::FusionPlan(Block &block) {
  chains = Planner(block, rejections).run();
}
