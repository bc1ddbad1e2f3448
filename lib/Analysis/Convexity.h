//===- Convexity.h - Whether ops can become one ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_ANALYSIS_CONVEXITY_H
#define QFUSE_LIB_ANALYSIS_CONVEXITY_H

#include "BlockGraph.h"

namespace mlir::qfuse {

/// Nodes that are going to be one op. Empty if it was merged into another.
struct Cluster {
  SmallVector<unsigned> nodes;
  unsigned first = 0;
  unsigned last = 0;
};

/// Disjoint clusters of nodes, such that with each contracted to one node the
/// graph still has no cycle.
class Clusters {
public:
  explicit Clusters(const BlockGraph &graph);

  /// Adds a cluster of `node`, which is in none, and returns its number.
  unsigned create(unsigned node);
  /// Adds `node`, and the cluster that it is in, to `cluster`.
  void merge(unsigned cluster, unsigned node);

  /// Returns the number of the cluster of `node`, or nothing.
  std::optional<unsigned> find(unsigned node) const;
  const Cluster &get(unsigned cluster) const { return clusters[cluster]; }
  unsigned size() const { return clusters.size(); }

  /// Returns the first node that would need what the merged cluster computes by
  /// way of a node outside it, while it is inside: what makes a cycle. Nothing
  /// if `merge` keeps the graph free of cycles.
  std::optional<unsigned> findCycle(unsigned cluster, unsigned node);

private:
  /// Returns the largest node through which a path from the nodes in `inside`
  /// back to them can lead. Users have larger numbers than what they use, so
  /// that only a cluster leads back.
  unsigned getBound(unsigned last) const;
  void add(unsigned cluster, unsigned node);

  const BlockGraph &graph;
  SmallVector<Cluster> clusters;
  /// For each node, its cluster plus 1, or 0.
  std::vector<unsigned> clusterOf;
  /// Marks of the current search: those of earlier ones are smaller.
  std::vector<unsigned> inside, reached;
  unsigned search = 0;
};

} // namespace mlir::qfuse

#endif // QFUSE_LIB_ANALYSIS_CONVEXITY_H
