//===- Artifact.h - Compiled functions --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An artifact is a directory with `manifest.json` and the code objects that it
// names; docs/artifact.md describes it.

#ifndef QFUSE_RUNTIME_ARTIFACT_H
#define QFUSE_RUNTIME_ARTIFACT_H

#include "qfuse/Runtime/Device.h"
#include "qfuse/Runtime/Expression.h"
#include "qfuse/Support/Tensor.h"

namespace mlir::qfuse {

/// An input or output of a function.
struct Port {
  std::string name;
  Element element = Element::f32;
  /// Logical extents, and strides in elements.
  std::vector<Expression> shape, strides;
  /// How the value is packed; without one it is strided. A packed value is
  /// passed as its physical elements, an array of rank 1.
  std::optional<std::string> layout;
  /// Whether it has the same contents in every call.
  bool isWeight = false;
  Expression bytes;
  /// For an output: the input whose memory it shares.
  std::optional<unsigned> donated;
};

/// Two expressions that have to be equal.
struct EqualCheck {
  Expression lhs, rhs;
  std::string message;
};

struct LaunchArgument {
  enum class Kind : uint8_t { input, output, workspace, value };
  enum class Type : uint8_t { i32, i64, f32, f64 };
  Kind kind = Kind::value;
  /// Number of the input or output.
  unsigned index = 0;
  /// Offset in the workspace in bytes, or the value.
  Expression expression;
  Type type = Type::i64;
  /// A floating-point value that is not an expression.
  std::optional<double> constant;
};

/// A launch of one kernel. A grid of zero launches nothing.
struct LaunchStep {
  /// Index into `Artifact::kernels`.
  unsigned kernel = 0;
  Expression grid[3];
  uint32_t block[3] = {1, 1, 1};
  std::vector<LaunchArgument> arguments;
  /// Bytes of device memory that it has to read and write at least.
  Expression leastRead, leastWritten;
};

struct DimRange {
  /// Both included.
  int64_t least = 0, most = 0;
};

struct Function {
  std::string name;
  std::map<std::string, DimRange> dims;
  std::vector<Port> inputs, outputs;
  std::vector<EqualCheck> checks;
  /// Bytes of scratch memory that the steps need.
  Expression workspace;
  std::vector<LaunchStep> steps;
};

/// A kernel and what the compiler says of it.
struct KernelInfo {
  std::string name;
  /// Index into `Artifact::objects`.
  unsigned object = 0;
  int64_t vgprs = 0, sgprs = 0, ldsBytes = 0, scratchBytes = 0, spills = 0,
          threads = 0;
};

struct Artifact {
  std::string target;
  std::map<std::string, Function> functions;
  std::vector<KernelInfo> kernels;
  /// Contents of the object files.
  std::vector<std::vector<uint8_t>> objects;

  /// Reads the artifact in the directory `path`. Returns an error that names
  /// the file, and for the manifest the place in it (`$.functions.f.steps[0]`).
  static Result<Artifact> load(const std::string &path);

  /// Reads the text of a manifest; `objects` has the contents of the files that
  /// it names. The error begins with the place in the manifest.
  static Result<Artifact>
  create(const std::string &manifest,
         const std::map<std::string, std::vector<uint8_t>> &objects);

  /// Returns the function `name`, or the only one there is for an empty name.
  /// The error lists all names.
  Result<const Function *> getFunction(const std::string &name) const;
};

/// The shape of an argument, and its strides in elements; no strides: dense.
struct ArgumentShape {
  std::vector<int64_t> shape, strides;
};

/// Returns the values of all symbols of `function` for arguments of these
/// shapes. Equal names have to have equal values in range, and the checks of
/// the function have to hold; the error names argument, expected and got.
Result<Symbols> bindSymbols(const Function &function,
                            const std::vector<ArgumentShape> &arguments);

/// An artifact whose objects a device has loaded. Both have to outlive it.
class Executable {
public:
  static Result<Executable> create(const Artifact &artifact, Device &device);

  /// Executes the steps of `function` on device memory: what an engine calls
  /// that has its own. Allocates and copies nothing. `workspace` is of
  /// `function.workspace` bytes.
  Status launch(const Function &function, const Symbols &symbols,
                const std::vector<DevicePointer> &inputs,
                const std::vector<DevicePointer> &outputs,
                DevicePointer workspace) const;

  const Artifact &getArtifact() const { return *artifact; }
  Device &getDevice() const { return *device; }

private:
  Executable(const Artifact &artifact, Device &device)
      : artifact(&artifact), device(&device) {}

  const Artifact *artifact;
  Device *device;
  /// The device's handle of each object.
  std::vector<uint64_t> objects;
};

/// An argument in host memory. `tensor` is dense; with `strides` (in elements)
/// the device gets it padded so, without them as the manifest states.
struct HostArgument {
  const Tensor *tensor = nullptr;
  std::vector<int64_t> strides;
};

/// Executes the function `name` on copies of `inputs` and returns its results.
/// Padding, workspace and outputs hold all-ones bits before the launch.
Result<std::vector<Tensor>> run(const Executable &executable,
                                const std::string &name,
                                const std::vector<HostArgument> &inputs);

/// The same, on dense inputs and with the objects loaded for this one call.
Result<std::vector<Tensor>> run(const Artifact &artifact,
                                const std::string &name,
                                const std::vector<Tensor> &inputs,
                                Device &device);

} // namespace mlir::qfuse

#endif // QFUSE_RUNTIME_ARTIFACT_H
