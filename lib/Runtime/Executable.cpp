//===- Executable.cpp - Executes launch plans -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Runtime/Artifact.h"
#include <cstring>
#include <limits>

using namespace mlir::qfuse;

namespace {

/// The memory of one call.
struct Buffers {
  const std::vector<DevicePointer> &inputs, &outputs;
  DevicePointer workspace;
};

} // namespace

/// Appends `value` at a multiple of its size, as kernel arguments are laid out.
template <typename T>
static void append(std::vector<uint8_t> &arguments, T value) {
  arguments.resize((arguments.size() + sizeof value - 1) / sizeof value *
                   sizeof value);
  arguments.resize(arguments.size() + sizeof value);
  std::memcpy(arguments.data() + arguments.size() - sizeof value, &value,
              sizeof value);
}

static Status appendValue(std::vector<uint8_t> &arguments,
                          const LaunchArgument &argument,
                          const Symbols &symbols) {
  Result<int64_t> value = argument.expression.evaluate(symbols);
  if (!value)
    return value.getError();
  double number = argument.constant.value_or(static_cast<double>(*value));
  switch (argument.type) {
  case LaunchArgument::Type::i32:
    if (*value < std::numeric_limits<int32_t>::min() ||
        *value > std::numeric_limits<int32_t>::max())
      return Error{"'" + argument.expression.toString() +
                   "' does not fit into i32: " + std::to_string(*value)};
    append(arguments, static_cast<int32_t>(*value));
    break;
  case LaunchArgument::Type::i64:
    append(arguments, *value);
    break;
  case LaunchArgument::Type::f32:
    append(arguments, static_cast<float>(number));
    break;
  case LaunchArgument::Type::f64:
    append(arguments, number);
    break;
  }
  return okStatus();
}

static Result<std::vector<uint8_t>> packArguments(const LaunchStep &step,
                                                  const Symbols &symbols,
                                                  const Buffers &buffers) {
  std::vector<uint8_t> arguments;
  for (const LaunchArgument &argument : step.arguments) {
    switch (argument.kind) {
    case LaunchArgument::Kind::input:
      append(arguments, buffers.inputs[argument.index]);
      break;
    case LaunchArgument::Kind::output:
      append(arguments, buffers.outputs[argument.index]);
      break;
    case LaunchArgument::Kind::workspace: {
      Result<int64_t> offset = argument.expression.evaluate(symbols);
      if (!offset)
        return offset.getError();
      append(arguments, buffers.workspace + *offset);
      break;
    }
    case LaunchArgument::Kind::value:
      if (Status status = appendValue(arguments, argument, symbols); !status)
        return status.getError();
      break;
    }
  }
  return arguments;
}

static Result<LaunchShape> evaluateShape(const LaunchStep &step,
                                         const Symbols &symbols) {
  LaunchShape shape;
  for (int i = 0; i < 3; ++i) {
    Result<int64_t> extent = step.grid[i].evaluate(symbols);
    if (!extent)
      return extent.getError();
    // What both HIP and CUDA take.
    if (*extent < 0 || *extent > std::numeric_limits<int32_t>::max())
      return Error{"expected a grid from 0 to 2147483647, got " +
                   std::to_string(*extent)};
    shape.grid[i] = static_cast<uint32_t>(*extent);
    shape.block[i] = step.block[i];
  }
  return shape;
}

Result<Executable> Executable::create(const Artifact &artifact,
                                      Device &device) {
  Executable executable(artifact, device);
  for (const std::vector<uint8_t> &object : artifact.objects) {
    Result<uint64_t> handle = device.load(object);
    if (!handle)
      return handle.getError();
    executable.objects.push_back(*handle);
  }
  return executable;
}

Status Executable::launch(const Function &function, const Symbols &symbols,
                          const std::vector<DevicePointer> &inputs,
                          const std::vector<DevicePointer> &outputs,
                          DevicePointer workspace) const {
  if (inputs.size() != function.inputs.size() ||
      outputs.size() != function.outputs.size())
    return Error{"expected " + std::to_string(function.inputs.size()) +
                 " inputs and " + std::to_string(function.outputs.size()) +
                 " outputs of '" + function.name + "', got " +
                 std::to_string(inputs.size()) + " and " +
                 std::to_string(outputs.size())};
  for (const LaunchStep &step : function.steps) {
    const KernelInfo &kernel = artifact->kernels[step.kernel];
    Result<LaunchShape> shape = evaluateShape(step, symbols);
    if (!shape)
      return Error{"kernel '" + kernel.name + "': " + shape.getError().message};
    if (!shape->grid[0] || !shape->grid[1] || !shape->grid[2])
      continue;
    Result<std::vector<uint8_t>> arguments =
        packArguments(step, symbols, {inputs, outputs, workspace});
    if (!arguments)
      return Error{"kernel '" + kernel.name +
                   "': " + arguments.getError().message};
    if (Status status = device->launch(objects[kernel.object], kernel.name,
                                       *shape, *arguments);
        !status)
      return status;
  }
  return okStatus();
}
