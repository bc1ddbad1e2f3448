//===- Execute.cpp - One call of a compiled function ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Driver/Execute.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::qfuse;

Result<Execution> mlir::qfuse::execute(const Artifact &artifact,
                                       const ExecuteOptions &options) {
  Result<const Function *> function = artifact.getFunction(options.function);
  if (!function)
    return function.getError();
  Result<std::unique_ptr<Device>> device =
      createDevice(options.device, artifact.target);
  if (!device)
    return device.getError();
  Result<Executable> executable = Executable::create(artifact, **device);
  if (!executable)
    return executable.getError();
  Result<std::vector<Tensor>> arguments =
      options.inputs.empty() ? makeArguments(**function, options.extents,
                                             InputKind::random, options.seed)
                             : readArguments(**function, options.inputs);
  if (!arguments)
    return arguments.getError();

  Result<Symbols> symbols =
      bindArguments(**function, *arguments, options.extents);
  if (!symbols)
    return symbols.getError();
  Result<std::vector<TrafficBytes>> least =
      getLeastTraffic(**function, *symbols);
  if (!least)
    return least.getError();
  std::vector<HostArgument> host;
  for (const Tensor &argument : *arguments)
    host.push_back({&argument, {}});
  Result<std::vector<Tensor>> results =
      run(*executable, (*function)->name, host);
  if (!results)
    return results.getError();
  return Execution{std::move(*results), (*device)->getHazards(),
                   (*device)->getCounters(), std::move(*least)};
}

void mlir::qfuse::printCounters(llvm::raw_ostream &stream,
                                const Execution &execution) {
  for (const auto &[counted, least] :
       llvm::zip(execution.counters, execution.least))
    stream << "counters " << counted.kernel
           << " instructions=" << counted.instructions
           << " valu=" << counted.vectorInstructions << " read=" << counted.read
           << " written=" << counted.written << " least_read=" << least.read
           << " least_written=" << least.written << '\n';
}

void mlir::qfuse::printHazards(llvm::raw_ostream &stream,
                               const Execution &execution) {
  for (const Hazard &hazard : execution.hazards)
    stream << "hazard " << hazard.kernel << " kind=" << hazard.kind << ' '
           << hazard.detail << '\n';
}
