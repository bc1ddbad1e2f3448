//===- Convexity.cpp - Whether ops can become one -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Convexity.h"

using namespace mlir;
using namespace mlir::qfuse;

Clusters::Clusters(const BlockGraph &graph)
    : graph(graph), clusterOf(graph.getNumNodes()), inside(graph.getNumNodes()),
      reached(graph.getNumNodes()) {}

void Clusters::add(unsigned cluster, unsigned node) {
  Cluster &into = clusters[cluster];
  into.first = std::min(into.first, node);
  into.last = std::max(into.last, node);
  into.nodes.push_back(node);
  clusterOf[node] = cluster + 1;
}

unsigned Clusters::create(unsigned node) {
  clusters.push_back({{}, node, node});
  add(clusters.size() - 1, node);
  return clusters.size() - 1;
}

void Clusters::merge(unsigned cluster, unsigned node) {
  std::optional<unsigned> other = find(node);
  if (!other)
    return add(cluster, node);
  for (unsigned each : std::exchange(clusters[*other].nodes, {}))
    add(cluster, each);
}

std::optional<unsigned> Clusters::find(unsigned node) const {
  if (clusterOf[node] == 0)
    return std::nullopt;
  return clusterOf[node] - 1;
}

unsigned Clusters::getBound(unsigned last) const {
  // Clusters overlap few others, so few rounds change anything.
  for (unsigned before = last;; before = last) {
    for (const Cluster &cluster : clusters)
      if (!cluster.nodes.empty() && cluster.first <= last)
        last = std::max(last, cluster.last);
    if (last == before)
      return last;
  }
}

std::optional<unsigned> Clusters::findCycle(unsigned cluster, unsigned node) {
  ++search;
  SmallVector<unsigned> worklist(clusters[cluster].nodes);
  std::optional<unsigned> other = find(node);
  if (other)
    llvm::append_range(worklist, clusters[*other].nodes);
  else
    worklist.push_back(node);
  for (unsigned each : worklist)
    inside[each] = search;
  unsigned bound = getBound(
      std::max(clusters[cluster].last, other ? clusters[*other].last : node));

  std::optional<unsigned> entry;
  auto reach = [&](unsigned each) {
    if (each > bound || reached[each] == search)
      return;
    reached[each] = search;
    worklist.push_back(each);
  };
  while (!worklist.empty()) {
    unsigned from = worklist.pop_back_val();
    for (unsigned user : graph.getUsers(from)) {
      if (inside[user] == search) {
        if (reached[from] == search)
          entry = std::min(entry.value_or(user), user);
        continue;
      }
      reach(user);
      if (std::optional<unsigned> contracted = find(user))
        for (unsigned each : clusters[*contracted].nodes)
          reach(each);
    }
  }
  return entry;
}
