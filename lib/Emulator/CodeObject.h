//===- CodeObject.h - Loads AMDGPU code objects -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_EMULATOR_CODEOBJECT_H
#define QFUSE_LIB_EMULATOR_CODEOBJECT_H

#include "DeviceMemory.h"
#include "qfuse/Support/Result.h"
#include "llvm/Support/AMDHSAKernelDescriptor.h"
#include <map>
#include <memory>

namespace mlir::qfuse::emulator {

/// An argument of a kernel, in bytes of its argument segment.
struct KernelArgument {
  u64 offset, size;
  /// The value kind of the metadata: `global_buffer`, `by_value`, `hidden_...`.
  std::string kind;
};

struct Kernel {
  llvm::amdhsa::kernel_descriptor_t descriptor;
  /// ELF address of the first instruction.
  u64 entry;
  /// Size in bytes of the argument segment.
  u64 argumentBytes;
  /// Empty without metadata.
  std::vector<KernelArgument> arguments;
  bool usesDynamicStack = false;
  /// Work-items that a work-group may have.
  u64 maxThreads = 1024;
};

/// A loaded code object: its image in memory with relocations applied.
struct CodeObject {
  /// `gfx950`.
  std::string target;
  HostBytes image;
  u64 imageBytes = 0;
  Program program;
  std::map<std::string, Kernel> kernels;
};

/// Loads a linked code object of version 4 to 6. Returns an error that says
/// what is wrong with it.
Result<CodeObject> loadCodeObject(const std::vector<u8> &bytes);

} // namespace mlir::qfuse::emulator

#endif // QFUSE_LIB_EMULATOR_CODEOBJECT_H
