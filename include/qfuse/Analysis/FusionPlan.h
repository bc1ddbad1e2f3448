//===- FusionPlan.h - What to fuse, and why not more ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_ANALYSIS_FUSIONPLAN_H
#define QFUSE_ANALYSIS_FUSIONPLAN_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::qfuse {

using OpSet = llvm::SetVector<Operation *>;

/// Why a producer of a cluster did not become part of it. The names are those
/// of the remarks.
struct Rejection {
  enum class Kind { ProducerNotFusible, RowSpacesDiffer, NotConvex };
  Kind kind;
  Operation *producer;
  /// The quantize whose cluster asked for the producer.
  Operation *seed;
  /// A phrase that follows "because", in the user's terms.
  std::string reason;
};

/// Which ops of a block are fused. Computed once, changes no IR; valid until
/// the block changes.
class FusionPlan {
public:
  explicit FusionPlan(Block &block);

  /// Disjoint sets of two ops or more, each in block order. A kernel can take
  /// the place of the last op of each, in any order of the clusters, if the ops
  /// before it that depend on it move behind it; none of them has side effects.
  ArrayRef<OpSet> getClusters() const { return clusters; }
  /// At most one for each cluster and producer.
  ArrayRef<Rejection> getRejections() const { return rejections; }

private:
  SmallVector<OpSet> clusters;
  SmallVector<Rejection> rejections;
};

/// Returns whether `op`, or an op in it, has an operand that is a result of one
/// of `producers`.
bool usesAnyOf(Operation *op, const OpSet &producers);

} // namespace mlir::qfuse

#endif // QFUSE_ANALYSIS_FUSIONPLAN_H
