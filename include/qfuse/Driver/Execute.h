//===- Execute.h - One call of a compiled function --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_DRIVER_EXECUTE_H
#define QFUSE_DRIVER_EXECUTE_H

#include "qfuse/Runtime/Arguments.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::qfuse {

struct ExecuteOptions {
  /// Name of a registered device.
  std::string device;
  /// Empty for the only function there is.
  std::string function;
  /// `.npy` files of the arguments; without them random ones are made up.
  std::vector<std::string> inputs;
  /// Values of dims.
  Symbols extents;
  /// Of made-up arguments.
  uint64_t seed = 1;
};

/// What a call gave.
struct Execution {
  std::vector<Tensor> results;
  std::vector<Hazard> hazards;
  /// One for each launch, of a device that counts.
  std::vector<Counters> counters;
  /// One for each launch.
  std::vector<TrafficBytes> least;
};

/// Calls a function of `artifact` on a device made for the purpose.
Result<Execution> execute(const Artifact &artifact,
                          const ExecuteOptions &options);

/// Prints a line `counters NAME instructions=I ...` for each launch.
void printCounters(llvm::raw_ostream &stream, const Execution &execution);

/// Prints a line `hazard NAME kind=K ...` for each finding.
void printHazards(llvm::raw_ostream &stream, const Execution &execution);

} // namespace mlir::qfuse

#endif // QFUSE_DRIVER_EXECUTE_H
