//===- KernelGenerator.h - From a body to a function ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_CODEGEN_KERNELGENERATOR_H
#define QFUSE_CODEGEN_KERNELGENERATOR_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "qfuse/IR/QFuse.h"

namespace mlir::qfuse {

class TargetHooks;

/// What a device function expects in one of its arguments.
struct KernelArgument {
  enum class Kind {
    input,        // pointer to input `index` of the kernel
    output,       // pointer to output `index`
    inputExtent,  // i32: extent `dim` of input `index`
    inputStride,  // i32: elements from one row of input `index` to the next
    outputStride, // i32: the same of output `index`
  };
  Kind kind;
  unsigned index = 0;
  unsigned dim = 0;
};

/// An extent that the grid of a kernel depends on.
struct KernelExtent {
  unsigned input;
  unsigned dim;
};

/// A device function, and how it is launched.
struct GeneratedKernel {
  gpu::GPUFuncOp function;
  SmallVector<KernelArgument> arguments;
  /// `()[s0, ...] -> (x, y, z)`: the number of work-groups, where `s_i` is the
  /// extent `extents[i]`. Nothing is launched if one of them is 0.
  AffineMap grid;
  SmallVector<KernelExtent> extents;
  /// Work-items of a work-group, along x.
  unsigned threads = 0;
  /// Row strides have to be multiples of this number of elements, and pointers
  /// of 16 bytes.
  unsigned strideMultiple = 1;
};

/// Generates the device function of `kernel` in `module`, which is for the
/// device that `hooks` describes. Emits an error, and changes nothing, where an
/// op, a type or a size of the body has no emitter yet.
FailureOr<GeneratedKernel> generateKernel(KernelDefOp kernel,
                                          gpu::GPUModuleOp module,
                                          const TargetHooks &hooks);

} // namespace mlir::qfuse

#endif // QFUSE_CODEGEN_KERNELGENERATOR_H
