//===- FusionPlan.h - What to fuse, and why not more ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_ANALYSIS_FUSIONPLAN_H
#define QFUSE_ANALYSIS_FUSIONPLAN_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::qfuse {

using OpSet = llvm::SetVector<Operation *>;

/// Why an op did not become part of a chain. Each kind is the name of a remark.
enum class RejectionKind {
  ProducerNotFusible,
  UnknownOp,
  RowSpacesDiffer,
  NotConvex,
  ResourceLimit,
  WeightTypeUnsupported,
  ConsumerNotScaledMatmul,
  FormatsDisagree
};

/// Returns the name of the remark for `kind`.
StringLiteral getRemarkName(RejectionKind kind);

/// A decision against an op.
struct Rejection {
  RejectionKind kind;
  /// The op that is not part of the chain, or that reads it in another way than
  /// it was made for. `seed` itself if it cannot be in a kernel.
  Operation *op;
  /// The quantize or norm whose chain it is about.
  Operation *seed;
  /// A whole sentence without full stop, in the user's terms.
  std::string reason;
};

/// A seed and what is fused with it.
struct Chain {
  /// In an order in which they can be computed, which does not depend on the
  /// order of the block.
  OpSet ops;
  Operation *seed;
  /// Whether nothing was lost: each rejected op is an end of the chain, such as
  /// a matmul, or in the kernel of another one.
  bool isWhole = true;
};

/// Returns the names of `ops` in short, `addf_rms_norm_quantize`: where the
/// name of their kernel begins.
std::string getStem(ArrayRef<Operation *> ops);

/// Which ops of a block are fused. Computed once, changes no IR; valid until
/// the block changes. Where the module around the block has a target, no chain
/// holds an op that the generator of its kernels refuses.
class FusionPlan {
public:
  explicit FusionPlan(Block &block);

  /// All chains, disjoint. A kernel can take the place of each that has two ops
  /// or more, in any order of the chains, if the ops before its last one that
  /// depend on it move behind it; no op of a chain has side effects.
  ArrayRef<Chain> getChains() const { return chains; }
  /// At most one for each chain and op.
  ArrayRef<Rejection> getRejections() const { return rejections; }

private:
  SmallVector<Chain> chains;
  SmallVector<Rejection> rejections;
};

} // namespace mlir::qfuse

#endif // QFUSE_ANALYSIS_FUSIONPLAN_H
