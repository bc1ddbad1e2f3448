//===- FusionReport.h - What is fused, for people ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_ANALYSIS_FUSIONREPORT_H
#define QFUSE_ANALYSIS_FUSIONREPORT_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::qfuse {

/// What the fusion plans of a module say, as text.
struct FusionReport {
  struct Kernel {
    /// Function and ops: `layer: rms_norm_quantize`.
    std::string name;
    unsigned numOps;
    /// Bytes that the ops read and write if each is a kernel of its own, and
    /// those of the one kernel: expressions in the named extents. Without
    /// padding, and each value counted once for each op that reads it.
    std::string readBefore, writtenBefore, read, written;
  };
  SmallVector<Kernel> kernels;
  /// `LOCATION: NAME: why`, one for each decision against an op.
  SmallVector<std::string> rejections;
  unsigned numChains = 0;
  /// Chains that lost no op.
  unsigned numWhole = 0;

  /// Plans each function of `module`, which is in the state in which
  /// `qfuse-fuse` gets it. Changes nothing.
  static FusionReport get(ModuleOp module);

  /// Prints a table of the kernels, the rejections, and last the line
  /// `fused N of N chains`.
  void print(raw_ostream &os) const;
};

} // namespace mlir::qfuse

#endif // QFUSE_ANALYSIS_FUSIONREPORT_H
