//===- Run.cpp - Calls on tensors in host memory --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Runtime/Artifact.h"
#include <algorithm>
#include <cstring>

using namespace mlir::qfuse;

namespace {

/// A value of `element` in memory that has padding between its rows.
struct Strided {
  Element element;
  std::vector<int64_t> shape, strides;

  int64_t getRowBytes() const {
    return getByteSize(element, shape.empty() ? 1 : shape.back());
  }
  int64_t getNumRows() const {
    int64_t rows = 1;
    for (size_t d = 0; d + 1 < shape.size(); ++d)
      rows *= shape[d];
    return rows;
  }
  /// Returns where row number `row` begins, in bytes.
  int64_t getRowOffset(int64_t row) const {
    int64_t elements = 0;
    for (size_t d = shape.size(); d-- > 1;) {
      elements += row % shape[d - 1] * strides[d - 1];
      row /= shape[d - 1];
    }
    return getByteSize(element, elements);
  }
  /// Returns the size in bytes, without padding behind the last row.
  int64_t getSpan() const {
    int64_t rows = getNumRows();
    return rows && getRowBytes() ? getRowOffset(rows - 1) + getRowBytes() : 0;
  }
};

/// Device memory that is freed at the end.
class Allocations {
public:
  explicit Allocations(Device &device) : device(device) {}
  ~Allocations() {
    for (DevicePointer pointer : pointers)
      device.free(pointer);
  }
  Allocations(const Allocations &) = delete;

  /// Allocates memory with the contents `bytes`.
  Result<DevicePointer> upload(const std::vector<uint8_t> &bytes) {
    Result<DevicePointer> pointer = device.allocate(bytes.size());
    if (!pointer)
      return pointer;
    pointers.push_back(*pointer);
    if (Status status =
            device.copyToDevice(*pointer, bytes.data(), bytes.size());
        !status)
      return status.getError();
    return pointer;
  }

private:
  Device &device;
  std::vector<DevicePointer> pointers;
};

/// One call of a function.
class Call {
public:
  Call(const Executable &executable, const Function &function)
      : executable(executable), function(function),
        allocations(executable.getDevice()) {}

  Result<std::vector<Tensor>> run(const std::vector<HostArgument> &arguments);

private:
  Status bind(const std::vector<HostArgument> &arguments);
  Status uploadInput(const Port &port, const HostArgument &argument);
  Status allocateOutput(const Port &port);
  Result<Tensor> download(const Port &port, DevicePointer pointer);
  Result<int64_t> getSize(const Expression &bytes) const;
  Result<std::vector<int64_t>>
  evaluate(const std::vector<Expression> &expressions) const;

  const Executable &executable;
  const Function &function;
  Allocations allocations;
  Symbols symbols;
  std::vector<DevicePointer> inputs, outputs;
};

} // namespace

/// What memory holds that nobody has written: NaN in most formats.
static constexpr uint8_t poison = 0xff;

/// More is taken for a mistake.
static constexpr int64_t maxBytes = int64_t(1) << 36;

/// Returns whether offsets and sizes of `value` are numbers of 64 bits.
static bool isAddressable(const Strided &value) {
  int64_t elements = 1;
  for (size_t d = 0; d < value.shape.size(); ++d) {
    int64_t extent = value.shape[d], stride = value.strides[d], reach;
    if (extent < 0 || stride < 0 ||
        __builtin_mul_overflow(extent, stride, &reach) || reach > maxBytes ||
        __builtin_mul_overflow(elements, extent, &elements) ||
        elements > maxBytes)
      return false;
  }
  return true;
}

Result<int64_t> Call::getSize(const Expression &bytes) const {
  Result<int64_t> size = bytes.evaluate(symbols);
  if (size && (*size < 0 || *size > maxBytes))
    return Error{"'" + bytes.toString() +
                 "' is not a size: " + std::to_string(*size)};
  return size;
}

Result<std::vector<int64_t>>
Call::evaluate(const std::vector<Expression> &expressions) const {
  std::vector<int64_t> values;
  for (const Expression &expression : expressions) {
    Result<int64_t> value = expression.evaluate(symbols);
    if (!value)
      return value.getError();
    values.push_back(*value);
  }
  return values;
}

/// Returns the strides in which the device gets `argument`: those that the
/// caller asks for, else the numbers that the manifest states. None if these
/// are the strides of a dense array.
static std::vector<int64_t> getDeviceStrides(const Port &port,
                                             const HostArgument &argument) {
  const std::vector<int64_t> &shape = argument.tensor->shape;
  if (!argument.strides.empty() || port.layout ||
      port.strides.size() != shape.size())
    return argument.strides;
  std::vector<int64_t> strides(shape.size());
  int64_t dense = 1;
  bool isDense = true;
  for (size_t d = shape.size(); d--;) {
    // What depends on a symbol is the stride of a dense array, or open.
    Result<int64_t> stated = port.strides[d].evaluate({});
    strides[d] = stated ? *stated : dense;
    isDense &= strides[d] == dense;
    if (__builtin_mul_overflow(strides[d], shape[d], &dense))
      return {};
  }
  return isDense ? std::vector<int64_t>() : strides;
}

Status Call::bind(const std::vector<HostArgument> &arguments) {
  std::vector<ArgumentShape> shapes;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Tensor &tensor = *arguments[i].tensor;
    if (i < function.inputs.size() &&
        tensor.element != function.inputs[i].element)
      return Error{"argument " + std::to_string(i) + " ('" +
                   function.inputs[i].name + "'): expected elements of type " +
                   std::string(getName(function.inputs[i].element)) + ", got " +
                   std::string(getName(tensor.element))};
    if (static_cast<int64_t>(tensor.bytes.size()) !=
        getByteSize(tensor.element, tensor.getNumElements()))
      return Error{"argument " + std::to_string(i) + " has " +
                   std::to_string(tensor.bytes.size()) +
                   " bytes, which is not the size of its shape"};
    shapes.push_back(
        {tensor.shape, i < function.inputs.size()
                           ? getDeviceStrides(function.inputs[i], arguments[i])
                           : arguments[i].strides});
  }
  Result<Symbols> bound = bindSymbols(function, shapes);
  if (!bound)
    return bound.getError();
  symbols = std::move(*bound);
  return okStatus();
}

Status Call::uploadInput(const Port &port, const HostArgument &argument) {
  const Tensor &tensor = *argument.tensor;
  Result<int64_t> size = getSize(port.bytes);
  if (!size)
    return size.getError();
  std::vector<uint8_t> bytes = tensor.bytes;
  std::vector<int64_t> strides = getDeviceStrides(port, argument);
  if (!strides.empty()) {
    Strided padded{port.element, tensor.shape, strides};
    int64_t rowBytes = padded.getRowBytes();
    // The size that the manifest states may be that of dense rows.
    size = std::max(*size, padded.getSpan());
    if (*size > maxBytes)
      return Error{"input '" + port.name + "': its strides are too large"};
    bytes.assign(*size, poison);
    for (int64_t row = 0; row < padded.getNumRows(); ++row)
      std::memcpy(bytes.data() + padded.getRowOffset(row),
                  tensor.bytes.data() + row * rowBytes, rowBytes);
  }
  if (static_cast<int64_t>(bytes.size()) != *size)
    return Error{"input '" + port.name + "': expected " +
                 std::to_string(*size) + " bytes, got " +
                 std::to_string(bytes.size())};
  Result<DevicePointer> pointer = allocations.upload(bytes);
  if (!pointer)
    return pointer.getError();
  inputs.push_back(*pointer);
  return okStatus();
}

Status Call::allocateOutput(const Port &port) {
  if (port.donated) {
    outputs.push_back(inputs[*port.donated]);
    return okStatus();
  }
  Result<int64_t> size = getSize(port.bytes);
  if (!size)
    return size.getError();
  Result<DevicePointer> pointer =
      allocations.upload(std::vector<uint8_t>(*size, poison));
  if (!pointer)
    return pointer.getError();
  outputs.push_back(*pointer);
  return okStatus();
}

Result<Tensor> Call::download(const Port &port, DevicePointer pointer) {
  Result<int64_t> size = getSize(port.bytes);
  Result<std::vector<int64_t>> shape = evaluate(port.shape);
  Result<std::vector<int64_t>> strides = evaluate(port.strides);
  if (!size)
    return size.getError();
  if (!shape || !strides)
    return (shape ? strides : shape).getError();
  std::vector<uint8_t> bytes(*size);
  if (Status status =
          executable.getDevice().copyToHost(bytes.data(), pointer, *size);
      !status)
    return status.getError();
  if (port.layout) {
    Tensor packed(port.element, {*size * 8 / getBitWidth(port.element)});
    packed.bytes = std::move(bytes);
    return packed;
  }
  Strided padded{port.element, *shape, *strides};
  if (!isAddressable(padded) || padded.getSpan() > *size)
    return Error{"output '" + port.name + "': " + std::to_string(*size) +
                 " bytes do not hold its shape"};
  Tensor tensor(port.element, *shape);
  int64_t rowBytes = padded.getRowBytes();
  for (int64_t row = 0; row < padded.getNumRows(); ++row)
    std::memcpy(tensor.bytes.data() + row * rowBytes,
                bytes.data() + padded.getRowOffset(row), rowBytes);
  return tensor;
}

Result<std::vector<Tensor>>
Call::run(const std::vector<HostArgument> &arguments) {
  if (Status status = bind(arguments); !status)
    return status.getError();
  for (size_t i = 0; i < arguments.size(); ++i)
    if (Status status = uploadInput(function.inputs[i], arguments[i]); !status)
      return status.getError();
  for (const Port &port : function.outputs)
    if (Status status = allocateOutput(port); !status)
      return status.getError();
  Result<int64_t> workspaceBytes = getSize(function.workspace);
  if (!workspaceBytes)
    return workspaceBytes.getError();
  Result<DevicePointer> workspace =
      allocations.upload(std::vector<uint8_t>(*workspaceBytes, poison));
  if (!workspace)
    return workspace.getError();
  if (Status status =
          executable.launch(function, symbols, inputs, outputs, *workspace);
      !status)
    return status.getError();
  std::vector<Tensor> results;
  for (size_t i = 0; i < outputs.size(); ++i) {
    Result<Tensor> result = download(function.outputs[i], outputs[i]);
    if (!result)
      return result.getError();
    results.push_back(std::move(*result));
  }
  return results;
}

Result<std::vector<Tensor>>
mlir::qfuse::run(const Executable &executable, const std::string &name,
                 const std::vector<HostArgument> &inputs) {
  Result<const Function *> function =
      executable.getArtifact().getFunction(name);
  if (!function)
    return function.getError();
  return Call(executable, **function).run(inputs);
}

Result<std::vector<Tensor>> mlir::qfuse::run(const Artifact &artifact,
                                             const std::string &name,
                                             const std::vector<Tensor> &inputs,
                                             Device &device) {
  Result<Executable> executable = Executable::create(artifact, device);
  if (!executable)
    return executable.getError();
  std::vector<HostArgument> arguments;
  for (const Tensor &input : inputs)
    arguments.push_back({&input, {}});
  return run(*executable, name, arguments);
}
