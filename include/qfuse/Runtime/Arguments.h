//===- Arguments.h - Arguments and counts of a compiled function -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_RUNTIME_ARGUMENTS_H
#define QFUSE_RUNTIME_ARGUMENTS_H

#include "qfuse/Runtime/Artifact.h"
#include "qfuse/Support/Inputs.h"

namespace mlir::qfuse {

/// Returns made-up arguments of `function`, dense: `fillInput` of `kind` and
/// `seed`. `extents` has the value of each dim. Returns an error for one that
/// is missing, and for one that no input has.
Result<std::vector<Tensor>> makeArguments(const Function &function,
                                          const Symbols &extents,
                                          InputKind kind, uint64_t seed);

/// Returns the arguments in the `.npy` files `paths`, one for each input.
/// Returns an error that names the file for one that cannot be read or has
/// other elements. Whether the shapes fit is for `bindSymbols` to say.
Result<std::vector<Tensor>>
readArguments(const Function &function, const std::vector<std::string> &paths);

/// Returns the values of the symbols of `function` for dense `arguments`; as
/// `bindSymbols`, and an error too if one in `extents` has another value.
Result<Symbols> bindArguments(const Function &function,
                              const std::vector<Tensor> &arguments,
                              const Symbols &extents);

/// Bytes of device memory.
struct TrafficBytes {
  int64_t read = 0, written = 0;
};

/// Returns the least that each launch has to read and write, in the order of
/// the launches; steps with an empty grid are none. docs/artifact.md defines
/// it.
Result<std::vector<TrafficBytes>> getLeastTraffic(const Function &function,
                                                  const Symbols &symbols);

} // namespace mlir::qfuse

#endif // QFUSE_RUNTIME_ARGUMENTS_H
