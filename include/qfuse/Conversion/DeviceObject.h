//===- DeviceObject.h - From device functions to code objects ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_CONVERSION_DEVICEOBJECT_H
#define QFUSE_CONVERSION_DEVICEOBJECT_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "qfuse/Codegen/TargetHooks.h"
#include "qfuse/IR/QFuse.h"
#include <memory>

namespace mlir::qfuse {

/// What the compiler reports of a kernel in an object. What only an assembler
/// outside of it finds out is 0: registers and spills of a kernel in PTX.
struct KernelResources {
  std::string name;
  unsigned vgprs = 0, sgprs = 0, spills = 0, threads = 0;
  /// Bytes of LDS of a work-group, and of scratch memory of a work-item.
  unsigned ldsBytes = 0, scratchBytes = 0;
};

/// What the runtime of one device loads, a linked code object or PTX, and the
/// stages before it as text if they were asked for.
struct DeviceObject {
  /// Name of its file in an artifact.
  std::string fileName;
  std::vector<uint8_t> binary;
  std::string llvmIR;
  std::string assembly;
  std::vector<KernelResources> kernels;
};

/// Compiles for the device of a target: what is known of it during generation,
/// and the way from device functions to an object.
class DeviceCompiler {
public:
  virtual ~DeviceCompiler();

  virtual const TargetHooks &getHooks() const = 0;

  /// Returns the name of the chip: what the manifest states as target.
  virtual StringRef getChip() const = 0;

  /// Compiles the functions of `module`, which a RowEmitter or another emitter
  /// has filled and which is lowered in place. Emits an error where an op is
  /// left that has no lowering, or where the back end reports one. Needs no
  /// installation of a vendor's toolkit.
  virtual FailureOr<DeviceObject> compile(gpu::GPUModuleOp module,
                                          bool keepStages) const = 0;
};

/// Returns the compiler for `target`; emits an error at `loc` if there is none.
FailureOr<std::unique_ptr<DeviceCompiler>>
createDeviceCompiler(TargetAttr target, Location loc);

/// Adds what DeviceCompiler::compile needs to translate modules: call before
/// the context is made.
void registerDeviceTranslations(DialectRegistry &registry);

} // namespace mlir::qfuse

#endif // QFUSE_CONVERSION_DEVICEOBJECT_H
