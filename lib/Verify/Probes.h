//===- Probes.h - Order-dependent results as outputs ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_VERIFY_PROBES_H
#define QFUSE_LIB_VERIFY_PROBES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::qfuse {

/// A result whose value depends on order or approximation, and the result of
/// the function that returns it.
struct Probe {
  Operation *op;
  unsigned output;
};

/// Returns whether the value of `op` depends on the order of a sum or on an
/// approximation.
bool dependsOnOrder(Operation *op);

/// Makes `function` return the results of all ops that depend on order, in the
/// bodies of kernels too; those that it returns already stay as they are.
/// Returns them in the order of the ops. Emits an error for an op that is
/// neither in the function nor in a kernel of it.
FailureOr<SmallVector<Probe>> addProbes(func::FuncOp function);

} // namespace mlir::qfuse

#endif // QFUSE_LIB_VERIFY_PROBES_H
