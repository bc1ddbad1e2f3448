//===- Arguments.h - Arguments and results of a function --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_INTERPRETER_ARGUMENTS_H
#define QFUSE_INTERPRETER_ARGUMENTS_H

#include "qfuse/Interpreter/Interpreter.h"
#include "qfuse/Support/Inputs.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::qfuse {

/// Extents by name: those of `qfuse.dims`, and `arg0.1` for a dynamic one
/// without a name.
using NamedExtents = llvm::StringMap<int64_t>;

/// Returns the function `name` of `module`; with an empty name, its only
/// function that has a body and is not private. Emits an error that lists the
/// functions if there is no such one.
FailureOr<func::FuncOp> findFunction(ModuleOp module, StringRef name);

/// Returns made-up arguments: `fillInput` of `kind` and `seed`, weights for all
/// arguments with `qfuse.role = "weight"`. Emits an error for an extent that
/// `dims` lacks, has beyond `qfuse.ranges` or gives to no argument.
FailureOr<std::vector<HostValue>> makeArguments(func::FuncOp function,
                                                const NamedExtents &dims,
                                                InputKind kind, uint64_t seed);

/// Returns the arguments in the `.npy` files `paths`, one each. `dims` has the
/// extents of packed ones that no other argument shows. Emits an error for a
/// file that cannot be read, or is of another element type or other extents
/// than its argument.
FailureOr<std::vector<HostValue>> readArguments(func::FuncOp function,
                                                ArrayRef<std::string> paths,
                                                const NamedExtents &dims);

/// Returns how many ranks execute `function`: those of `qfuse.groups` if it, or
/// what it calls, has a collective, else 1.
int64_t getNumExecutingRanks(func::FuncOp function);

/// Returns made-up arguments of `numRanks` ranks: rank r has those that
/// `makeArguments` gives for `seed + r`, but for what `qfuse.uniform` says is
/// equal, where it has those of the first rank of its group.
FailureOr<std::vector<RankCall>>
makeRankArguments(func::FuncOp function, int64_t numRanks,
                  const NamedExtents &dims, InputKind kind, uint64_t seed);

/// Returns the arguments of `numRanks` ranks in the `.npy` files `paths`, one
/// each. With several ranks, `%r` in a path is the number of the rank.
FailureOr<std::vector<RankCall>> readRankArguments(func::FuncOp function,
                                                   int64_t numRanks,
                                                   ArrayRef<std::string> paths,
                                                   const NamedExtents &dims);

/// Writes `out0.npy`, `out1.npy` and so on to `directory`, which is made if it
/// is missing.
Status writeResults(StringRef directory, ArrayRef<HostValue> results);

/// Prints a line for each result: its name, extents, element type and a
/// checksum of its bytes (FNV-1a, 64 bits).
void printResults(raw_ostream &stream, ArrayRef<HostValue> results);

} // namespace mlir::qfuse

#endif // QFUSE_INTERPRETER_ARGUMENTS_H
