//===- Binding.cpp - Values of symbols from the shapes of arguments -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Runtime/Artifact.h"

using namespace mlir::qfuse;

namespace {

/// Collects the symbols of one call.
class Binder {
public:
  explicit Binder(const Function &function) : function(function) {}

  Result<Symbols> bind(const std::vector<ArgumentShape> &arguments);

private:
  std::string describe(size_t argument) const;
  Error makeError(size_t argument, const std::string &what,
                  const std::string &expected, int64_t got) const;
  Status bindShape(size_t argument, const std::vector<int64_t> &shape);
  Status bindSymbol(size_t argument, const std::string &what,
                    const std::string &name, int64_t value);
  Status checkShape(size_t argument, const ArgumentShape &got) const;
  Status checkPacked(size_t argument, const ArgumentShape &got) const;
  Status bindStrides(size_t argument, const ArgumentShape &got);
  Status checkFunction() const;

  const Function &function;
  Symbols symbols;
  /// The argument that gave a symbol its value.
  std::map<std::string, size_t> origins;
};

} // namespace

std::string Binder::describe(size_t argument) const {
  return "argument " + std::to_string(argument) + " ('" +
         function.inputs[argument].name + "')";
}

Error Binder::makeError(size_t argument, const std::string &what,
                        const std::string &expected, int64_t got) const {
  return Error{describe(argument) + ": expected " + what + " to be " +
               expected + ", got " + std::to_string(got)};
}

Status Binder::bindSymbol(size_t argument, const std::string &what,
                          const std::string &name, int64_t value) {
  auto [entry, isNew] = symbols.emplace(name, value);
  if (!isNew && entry->second != value)
    return makeError(argument, what,
                     std::to_string(entry->second) + " (" + name + " of " +
                         describe(origins[name]) + ")",
                     value);
  origins.emplace(name, argument);
  auto range = function.dims.find(name);
  if (range != function.dims.end() &&
      (value < range->second.least || value > range->second.most))
    return makeError(argument, what,
                     "from " + std::to_string(range->second.least) + " to " +
                         std::to_string(range->second.most) + " (" + name + ")",
                     value);
  if (value < 0)
    return makeError(argument, what, "0 or more", value);
  return okStatus();
}

static std::string nameDimension(size_t d) {
  return "dimension " + std::to_string(d);
}

/// Binds the extents that are symbols.
Status Binder::bindShape(size_t argument, const std::vector<int64_t> &shape) {
  const Port &port = function.inputs[argument];
  if (port.layout)
    return okStatus();
  if (shape.size() != port.shape.size())
    return Error{describe(argument) + ": expected " +
                 std::to_string(port.shape.size()) + " dimensions, got " +
                 std::to_string(shape.size())};
  for (size_t d = 0; d < shape.size(); ++d)
    if (const std::string *name = port.shape[d].getSymbol())
      if (Status status =
              bindSymbol(argument, nameDimension(d), *name, shape[d]);
          !status)
        return status;
  return okStatus();
}

/// A packed value is an array of its physical elements.
Status Binder::checkPacked(size_t argument, const ArgumentShape &got) const {
  const Port &port = function.inputs[argument];
  Result<int64_t> bytes = port.bytes.evaluate(symbols);
  if (!bytes)
    return bytes.getError();
  if (got.shape.size() != 1 || !got.strides.empty())
    return Error{describe(argument) + ": expected its " +
                 std::to_string(*bytes) +
                 " packed bytes as an array of rank "
                 "1, got rank " +
                 std::to_string(got.shape.size())};
  int64_t gotBytes = getByteSize(port.element, got.shape[0]);
  if (gotBytes != *bytes)
    return makeError(argument, "the size in bytes", std::to_string(*bytes),
                     gotBytes);
  return okStatus();
}

/// Checks the extents that are not just symbols.
Status Binder::checkShape(size_t argument, const ArgumentShape &got) const {
  const Port &port = function.inputs[argument];
  if (port.layout)
    return checkPacked(argument, got);
  for (size_t d = 0; d < got.shape.size(); ++d) {
    Result<int64_t> expected = port.shape[d].evaluate(symbols);
    if (!expected)
      return Error{describe(argument) + ": " + expected.getError().message};
    if (*expected != got.shape[d])
      return makeError(argument, nameDimension(d), std::to_string(*expected),
                       got.shape[d]);
  }
  return okStatus();
}

/// Binds strides that are symbols and checks the others. Rows may be padded;
/// they must not overlap.
Status Binder::bindStrides(size_t argument, const ArgumentShape &got) {
  const Port &port = function.inputs[argument];
  if (port.layout)
    return okStatus();
  size_t rank = got.shape.size();
  if (!got.strides.empty() && got.strides.size() != rank)
    return Error{describe(argument) + ": expected " + std::to_string(rank) +
                 " strides, got " + std::to_string(got.strides.size())};
  int64_t dense = 1;
  for (size_t d = rank; d--;) {
    std::string what = "stride " + std::to_string(d);
    int64_t stride = got.strides.empty() ? dense : got.strides[d];
    if (stride < dense)
      return makeError(argument, what, std::to_string(dense) + " or more",
                       stride);
    if (const std::string *name = port.strides[d].getSymbol()) {
      if (Status status = bindSymbol(argument, what, *name, stride); !status)
        return status;
    } else if (Result<int64_t> expected = port.strides[d].evaluate(symbols);
               !expected) {
      return Error{describe(argument) + ": " + expected.getError().message};
    } else if (*expected != stride && got.shape[d] > 1) {
      return makeError(argument, what, std::to_string(*expected), stride);
    }
    if (__builtin_mul_overflow(stride, std::max<int64_t>(got.shape[d], 1),
                               &dense))
      return Error{describe(argument) + ": it is too large"};
  }
  return okStatus();
}

/// Evaluates the checks of the function.
Status Binder::checkFunction() const {
  for (const auto &[name, range] : function.dims)
    if (!symbols.count(name))
      return Error{"the value of dim '" + name +
                   "' does not follow from the arguments of '" + function.name +
                   "'"};
  for (const EqualCheck &check : function.checks) {
    Result<int64_t> lhs = check.lhs.evaluate(symbols);
    Result<int64_t> rhs = check.rhs.evaluate(symbols);
    if (!lhs || !rhs)
      return (lhs ? rhs : lhs).getError();
    if (*lhs != *rhs)
      return Error{check.message + ": " + check.lhs.toString() + " is " +
                   std::to_string(*lhs) + ", " + check.rhs.toString() + " is " +
                   std::to_string(*rhs)};
  }
  return okStatus();
}

Result<Symbols> Binder::bind(const std::vector<ArgumentShape> &arguments) {
  if (arguments.size() != function.inputs.size())
    return Error{"expected " + std::to_string(function.inputs.size()) +
                 " arguments of '" + function.name + "', got " +
                 std::to_string(arguments.size())};
  for (size_t i = 0; i < arguments.size(); ++i)
    if (Status status = bindShape(i, arguments[i].shape); !status)
      return status.getError();
  for (size_t i = 0; i < arguments.size(); ++i) {
    // The shape first: strides of another shape are another mistake.
    if (Status status = checkShape(i, arguments[i]); !status)
      return status.getError();
    if (Status status = bindStrides(i, arguments[i]); !status)
      return status.getError();
  }
  if (Status status = checkFunction(); !status)
    return status.getError();
  return symbols;
}

Result<Symbols>
mlir::qfuse::bindSymbols(const Function &function,
                         const std::vector<ArgumentShape> &arguments) {
  return Binder(function).bind(arguments);
}
