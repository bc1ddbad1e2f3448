//===- Arguments.cpp - Arguments and counts of a compiled function --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Runtime/Arguments.h"

using namespace mlir::qfuse;

static std::string describe(const Function &function, size_t argument) {
  return "argument " + std::to_string(argument) + " ('" +
         function.inputs[argument].name + "')";
}

static Status checkNames(const Function &function, const Symbols &extents) {
  for (const auto &[name, value] : extents)
    if (!function.dims.count(name))
      return Error{"no argument of '" + function.name + "' has an extent " +
                   name};
  return okStatus();
}

/// Returns the shape of the tensor that holds an input.
static Result<std::vector<int64_t>>
makeShape(const Function &function, size_t argument, const Symbols &extents) {
  const Port &port = function.inputs[argument];
  std::vector<int64_t> shape;
  for (const Expression &extent : port.shape) {
    const std::string *name = extent.getSymbol();
    if (name && !extents.count(*name))
      return Error{"the extent " + *name + " of " +
                   describe(function, argument) +
                   " is unknown; give it with --dim=" + *name + "=N"};
    Result<int64_t> value = extent.evaluate(extents);
    if (!value)
      return Error{describe(function, argument) + ": " +
                   value.getError().message};
    if (*value < 0)
      return Error{describe(function, argument) +
                   ": expected an extent of 0 or more, got " +
                   std::to_string(*value)};
    shape.push_back(*value);
  }
  if (!port.layout)
    return shape;
  Result<int64_t> bytes = port.bytes.evaluate(extents);
  if (!bytes)
    return Error{describe(function, argument) + ": " +
                 bytes.getError().message};
  return std::vector<int64_t>{*bytes * 8 / getBitWidth(port.element)};
}

/// Before memory is taken for them.
static Status checkRanges(const Function &function, const Symbols &extents) {
  for (const auto &[name, value] : extents) {
    auto range = function.dims.find(name);
    if (range != function.dims.end() &&
        (value < range->second.least || value > range->second.most))
      return Error{"expected " + name + " to be from " +
                   std::to_string(range->second.least) + " to " +
                   std::to_string(range->second.most) + ", got " +
                   std::to_string(value)};
  }
  return okStatus();
}

Result<std::vector<Tensor>> mlir::qfuse::makeArguments(const Function &function,
                                                       const Symbols &extents,
                                                       InputKind kind,
                                                       uint64_t seed) {
  if (Status status = checkNames(function, extents); !status)
    return status.getError();
  if (Status status = checkRanges(function, extents); !status)
    return status.getError();
  std::vector<Tensor> arguments;
  for (size_t i = 0; i < function.inputs.size(); ++i) {
    Result<std::vector<int64_t>> shape = makeShape(function, i, extents);
    if (!shape)
      return shape.getError();
    const Port &port = function.inputs[i];
    Result<Tensor> tensor = allocateTensor(port.element, std::move(*shape));
    if (!tensor)
      return Error{"argument " + std::to_string(i) + " ('" + port.name +
                   "'): " + tensor.getError().message};
    arguments.push_back(std::move(*tensor));
    fillInput(arguments.back(), kind, seed, i, port.isWeight);
  }
  return arguments;
}

Result<std::vector<Tensor>>
mlir::qfuse::readArguments(const Function &function,
                           const std::vector<std::string> &paths) {
  if (paths.size() != function.inputs.size())
    return Error{"expected " + std::to_string(function.inputs.size()) +
                 " files, one for each argument of '" + function.name +
                 "', got " + std::to_string(paths.size())};
  std::vector<Tensor> arguments;
  for (size_t i = 0; i < paths.size(); ++i) {
    Result<Tensor> tensor = readNpy(paths[i], function.inputs[i].element);
    if (!tensor)
      return tensor.getError();
    arguments.push_back(std::move(*tensor));
  }
  return arguments;
}

Result<Symbols> mlir::qfuse::bindArguments(const Function &function,
                                           const std::vector<Tensor> &arguments,
                                           const Symbols &extents) {
  if (Status status = checkNames(function, extents); !status)
    return status.getError();
  std::vector<ArgumentShape> shapes;
  for (const Tensor &argument : arguments)
    shapes.push_back({argument.shape, {}});
  Result<Symbols> symbols = bindSymbols(function, shapes);
  if (!symbols)
    return symbols;
  for (const auto &[name, value] : extents)
    if (symbols->at(name) != value)
      return Error{"expected the extent " + name + " to be " +
                   std::to_string(value) + ", got " +
                   std::to_string(symbols->at(name)) + " from the arguments"};
  return symbols;
}

Result<std::vector<TrafficBytes>>
mlir::qfuse::getLeastTraffic(const Function &function, const Symbols &symbols) {
  std::vector<TrafficBytes> launches;
  for (const LaunchStep &step : function.steps) {
    bool isEmpty = false;
    for (const Expression &groups : step.grid) {
      Result<int64_t> value = groups.evaluate(symbols);
      if (!value)
        return value.getError();
      isEmpty |= *value == 0;
    }
    if (isEmpty)
      continue;
    Result<int64_t> read = step.leastRead.evaluate(symbols);
    Result<int64_t> written = step.leastWritten.evaluate(symbols);
    if (!read || !written)
      return (read ? written : read).getError();
    launches.push_back({*read, *written});
  }
  return launches;
}
