//===- Arguments.cpp - Arguments and results of a function ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Interpreter/Arguments.h"
#include "Evaluator.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::qfuse;

FailureOr<func::FuncOp> qfuse::findFunction(ModuleOp module, StringRef name) {
  SmallVector<func::FuncOp> candidates;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() &&
        (name.empty() ? function.isPublic() : function.getName() == name))
      candidates.push_back(function);
  if (candidates.size() == 1)
    return candidates.front();
  InFlightDiagnostic error = module.emitError();
  if (name.empty())
    error << "expected one public function, got " << candidates.size()
          << (candidates.empty() ? "" : "; name one with --function");
  else
    error << "no function '" << name << "' with a body";
  SmallVector<StringRef> names;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal())
      names.push_back(function.getName());
  if (!names.empty())
    error << " (there are: " << llvm::join(names, ", ") << ")";
  return error;
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

namespace {
/// The extents of the arguments of a function, as they become known.
class ExtentBinder {
public:
  explicit ExtentBinder(func::FuncOp function) : function(function) {}

  /// Gives `dims` and the static extents their names.
  LogicalResult bindKnown(const NamedExtents &dims);

  /// Gives the extents of argument `argument` their names.
  LogicalResult bind(unsigned argument, ArrayRef<int64_t> shape);

  /// Returns the extents of argument `argument`.
  FailureOr<std::vector<int64_t>> getShape(unsigned argument);

  /// Emits an error if an extent is beyond `qfuse.ranges`.
  LogicalResult checkRanges();

private:
  /// Returns the name of an extent, or nothing if it is static and has none.
  std::string getName(unsigned argument, unsigned dim);

  func::FuncOp function;
  NamedExtents extents;
};
} // namespace

static ArrayRef<int64_t> getTypeShape(func::FuncOp function,
                                      unsigned argument) {
  auto type = dyn_cast<ShapedType>(function.getArgumentTypes()[argument]);
  return type ? type.getShape() : ArrayRef<int64_t>();
}

std::string ExtentBinder::getName(unsigned argument, unsigned dim) {
  auto names = function.getArgAttrOfType<ArrayAttr>(argument, "qfuse.dims");
  if (names && !cast<StringAttr>(names[dim]).empty())
    return cast<StringAttr>(names[dim]).str();
  if (ShapedType::isStatic(getTypeShape(function, argument)[dim]))
    return "";
  return llvm::formatv("arg{0}.{1}", argument, dim);
}

LogicalResult ExtentBinder::bind(unsigned argument, ArrayRef<int64_t> shape) {
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    std::string name = getName(argument, dim);
    if (name.empty() || ShapedType::isDynamic(extent))
      continue;
    auto [entry, isNew] = extents.try_emplace(name, extent);
    if (!isNew && entry->second != extent)
      return function.emitError()
             << "expected one extent " << name << ", got " << entry->second
             << " and, in argument " << argument << ", " << extent;
  }
  return success();
}

LogicalResult ExtentBinder::bindKnown(const NamedExtents &dims) {
  llvm::StringSet<> names;
  for (unsigned argument : llvm::seq(function.getNumArguments()))
    for (unsigned dim :
         llvm::seq<unsigned>(getTypeShape(function, argument).size()))
      names.insert(getName(argument, dim));
  for (const auto &entry : dims) {
    if (!names.contains(entry.first()))
      return function.emitError()
             << "no argument has an extent " << entry.first();
    if (entry.second < 0)
      return function.emitError() << "expected an extent " << entry.first()
                                  << " of 0 or more, got " << entry.second;
    extents[entry.first()] = entry.second;
  }
  for (unsigned argument : llvm::seq(function.getNumArguments()))
    if (failed(bind(argument, getTypeShape(function, argument))))
      return failure();
  return success();
}

FailureOr<std::vector<int64_t>> ExtentBinder::getShape(unsigned argument) {
  std::vector<int64_t> shape(getTypeShape(function, argument));
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    if (ShapedType::isStatic(extent))
      continue;
    std::string name = getName(argument, dim);
    auto entry = extents.find(name);
    if (entry == extents.end())
      return function.emitError()
             << "the extent " << name << " of argument " << argument
             << " is unknown; give it with --dim=" << name << "=N";
    extent = entry->second;
  }
  return shape;
}

LogicalResult ExtentBinder::checkRanges() {
  auto ranges = function->getAttrOfType<DictionaryAttr>("qfuse.ranges");
  if (!ranges)
    return success();
  for (NamedAttribute range : ranges) {
    auto entry = extents.find(range.getName().getValue());
    auto ends = cast<ArrayAttr>(range.getValue());
    if (entry == extents.end())
      continue;
    if (entry->second < cast<IntegerAttr>(ends[0]).getInt() ||
        entry->second > cast<IntegerAttr>(ends[1]).getInt())
      return function.emitError()
             << "expected the extent " << entry->first() << " to be in " << ends
             << ", got " << entry->second;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Returns the extents of the tensor that holds an argument.
static std::vector<int64_t>
getPhysicalShape(Type type, const std::vector<int64_t> &shape) {
  if (auto packed = dyn_cast<PackedType>(type))
    return {packed.getLayout().physicalSize(shape)};
  return shape;
}

static FailureOr<Element> getArgumentElement(func::FuncOp function,
                                             unsigned argument) {
  Type type = function.getArgumentTypes()[argument];
  auto shaped = dyn_cast<ShapedType>(type);
  auto element = getElement(getElementTypeOrSelf(type));
  if (!element || (shaped && !shaped.hasRank()))
    return function.emitError()
           << "argument " << argument
           << " is of a type that has no values here: " << type;
  return *element;
}

FailureOr<std::vector<HostValue>> qfuse::makeArguments(func::FuncOp function,
                                                       const NamedExtents &dims,
                                                       InputKind kind,
                                                       uint64_t seed) {
  ExtentBinder binder(function);
  if (failed(binder.bindKnown(dims)) || failed(binder.checkRanges()))
    return failure();
  std::vector<HostValue> arguments;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    FailureOr<Element> element = getArgumentElement(function, index);
    if (failed(element))
      return failure();
    FailureOr<std::vector<int64_t>> shape = binder.getShape(index);
    if (failed(shape))
      return failure();
    Result<Tensor> tensor =
        allocateTensor(*element, getPhysicalShape(type, *shape));
    if (!tensor) {
      function.emitError() << "argument " << index << ": "
                           << tensor.getError().message;
      return failure();
    }
    fillInput(*tensor, kind, seed, index,
              function.getArgAttr(index, "qfuse.role") != nullptr);
    // What is packed has the padding of its layout.
    if (auto packed = dyn_cast<PackedType>(type))
      tensor = packTensor(unpackTensor(*tensor, packed.getLayout(), *shape),
                          packed.getLayout());
    arguments.emplace_back(std::move(*tensor), *shape);
  }
  return arguments;
}

/// Reads the file of argument `index`, and gives its extents their names unless
/// it is packed.
static FailureOr<Tensor> readArgument(func::FuncOp function, unsigned index,
                                      const std::string &path,
                                      ExtentBinder &binder) {
  FailureOr<Element> element = getArgumentElement(function, index);
  if (failed(element))
    return failure();
  Result<Tensor> tensor = readNpy(path, *element);
  if (!tensor)
    return function.emitError() << tensor.getError().message;
  Type type = function.getArgumentTypes()[index];
  if (isa<PackedType>(type))
    return *tensor;
  if (failed(
          verifyCompatibleShape(getTypeShape(function, index), tensor->shape)))
    return function.emitError()
           << path << ": expected extents of " << type << " for argument "
           << index << ", got " << printShape(tensor->shape);
  if (failed(binder.bind(index, tensor->shape)))
    return failure();
  return *tensor;
}

FailureOr<std::vector<HostValue>>
qfuse::readArguments(func::FuncOp function, ArrayRef<std::string> paths,
                     const NamedExtents &dims) {
  if (paths.size() != function.getNumArguments())
    return function.emitError()
           << "expected " << function.getNumArguments()
           << " files, one for each argument, got " << paths.size();
  ExtentBinder binder(function);
  if (failed(binder.bindKnown(dims)))
    return failure();
  std::vector<Tensor> tensors;
  for (auto [index, path] : llvm::enumerate(paths)) {
    FailureOr<Tensor> tensor = readArgument(function, index, path, binder);
    if (failed(tensor))
      return failure();
    tensors.push_back(std::move(*tensor));
  }
  if (failed(binder.checkRanges()))
    return failure();
  std::vector<HostValue> arguments;
  for (auto [index, tensor] : llvm::enumerate(tensors)) {
    FailureOr<std::vector<int64_t>> shape = binder.getShape(index);
    if (failed(shape))
      return failure();
    auto physical =
        getPhysicalShape(function.getArgumentTypes()[index], *shape);
    if (tensor.shape != physical)
      return function.emitError()
             << paths[index] << ": expected extents " << printShape(physical)
             << " for argument " << index << ", which is packed, got "
             << printShape(tensor.shape);
    arguments.emplace_back(std::move(tensor), *shape);
  }
  return arguments;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Status qfuse::writeResults(StringRef directory, ArrayRef<HostValue> results) {
  if (std::error_code error = llvm::sys::fs::create_directories(directory))
    return Error{(directory + ": cannot be made: " + error.message()).str()};
  for (auto [index, result] : llvm::enumerate(results)) {
    Status written = writeNpy(llvm::formatv("{0}/out{1}.npy", directory, index),
                              result.tensor);
    if (!written)
      return written;
  }
  return okStatus();
}

/// FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/.
static uint64_t getChecksum(ArrayRef<uint8_t> bytes) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (uint8_t byte : bytes)
    hash = (hash ^ byte) * 0x100000001b3ull;
  return hash;
}

void qfuse::printResults(raw_ostream &stream, ArrayRef<HostValue> results) {
  for (auto [index, result] : llvm::enumerate(results))
    stream << "out" << index << ' ' << printShape(result.tensor.shape) << ' '
           << std::string(getName(result.tensor.element)) << ' '
           << llvm::format_hex_no_prefix(getChecksum(result.tensor.bytes), 16)
           << '\n';
}
