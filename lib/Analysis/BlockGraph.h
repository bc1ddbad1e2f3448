//===- BlockGraph.h - What the ops of a block need --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_ANALYSIS_BLOCKGRAPH_H
#define QFUSE_LIB_ANALYSIS_BLOCKGRAPH_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::qfuse {

/// The ops of a block as nodes 0, 1, ...: each behind what it needs, and
/// numbered by what it computes and not by where the block lists it, so that an
/// analysis that visits nodes in their order decides alike for each order of
/// the block. An op needs the ops whose results it or an op in it uses; one
/// with side effects also needs the one with side effects before it.
class BlockGraph {
public:
  explicit BlockGraph(Block &block);

  unsigned getNumNodes() const { return ops.size(); }
  Operation *getOp(unsigned node) const { return ops[node]; }
  /// Returns the node of `op`, or nothing if it is not one of the block.
  std::optional<unsigned> getNode(Operation *op) const;
  /// Returns the nodes that need `node`, each at least once.
  ArrayRef<unsigned> getUsers(unsigned node) const { return users[node]; }

private:
  SmallVector<Operation *> ops;
  DenseMap<Operation *, unsigned> nodes;
  std::vector<SmallVector<unsigned, 2>> users;
};

} // namespace mlir::qfuse

#endif // QFUSE_LIB_ANALYSIS_BLOCKGRAPH_H
