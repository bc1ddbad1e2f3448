//===- KernelLaunch.cpp - The launch ABI of AMD's runtime -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelLaunch.h"
#include <algorithm>

namespace mlir::qfuse::emulator {

/// Stack that a kernel gets whose needs are not known.
constexpr u32 dynamicStackBytes = 16384;
/// More is taken for a damaged descriptor.
constexpr u32 maxScratchBytes = 1 << 18;

static u32 getField(u32 word, u32 shift, u32 width) {
  return (word >> shift) & ((1u << width) - 1);
}

Status checkShape(const Kernel &kernel, const LaunchShape &shape,
                  bool isGfx950) {
  u64 threads = 1;
  for (u32 extent : shape.block) {
    threads *= std::min<u64>(extent, 1025);
    if (extent == 0 || threads > 1024)
      return Error{"expected a block of 1 to 1024 threads"};
  }
  if (threads > kernel.maxThreads)
    return Error{"expected a block of at most " +
                 std::to_string(kernel.maxThreads) + " threads, got " +
                 std::to_string(threads)};
  // CDNA3: 64 KiB of LDS; CDNA4 instruction set document: 160 KiB.
  u32 limit = isGfx950 ? 160 * 1024 : 64 * 1024;
  if (kernel.descriptor.group_segment_fixed_size > limit)
    return Error{"expected at most " + std::to_string(limit) +
                 " bytes of LDS, got " +
                 std::to_string(kernel.descriptor.group_segment_fixed_size)};
  if (kernel.descriptor.private_segment_fixed_size > maxScratchBytes)
    return Error{"damaged code object: the scratch memory of a kernel is too "
                 "large"};
  return okStatus();
}

static bool isHidden(const KernelArgument &argument) {
  return argument.kind.compare(0, 7, "hidden_") == 0;
}

/// Returns the value of a hidden argument; 0 for what the device has not.
static u64 getHiddenValue(const std::string &kind, const LaunchShape &shape) {
  for (int i = 0; i < 3; i++) {
    std::string axis = std::string("_") + "xyz"[i];
    if (kind == "hidden_block_count" + axis)
      return shape.grid[i];
    if (kind == "hidden_group_size" + axis)
      return shape.block[i];
  }
  if (kind != "hidden_grid_dims")
    return 0;
  if (u64(shape.grid[2]) * shape.block[2] > 1)
    return 3;
  return u64(shape.grid[1]) * shape.block[1] > 1 ? 2 : 1;
}

Result<std::vector<u8>> buildArguments(const Kernel &kernel,
                                       const LaunchShape &shape,
                                       const std::vector<u8> &arguments) {
  u64 explicitBytes = 0;
  for (const KernelArgument &argument : kernel.arguments) {
    if (argument.size > 1 << 20 || argument.offset > 1 << 20)
      return Error{"damaged code object: an argument is out of bounds"};
    if (!isHidden(argument))
      explicitBytes = std::max(explicitBytes, argument.offset + argument.size);
  }
  if (kernel.arguments.empty())
    explicitBytes = kernel.argumentBytes;
  // A tail of padding is welcome.
  u64 padded = (explicitBytes + 7) / 8 * 8;
  if (arguments.size() < explicitBytes || arguments.size() > padded)
    return Error{"expected " + std::to_string(explicitBytes) +
                 " bytes of arguments, got " +
                 std::to_string(arguments.size())};
  u64 bytes = std::max<u64>(kernel.argumentBytes, arguments.size());
  for (const KernelArgument &argument : kernel.arguments)
    bytes = std::max(bytes, argument.offset + argument.size);
  std::vector<u8> segment(arguments);
  // Wide scalar loads may read beyond the last argument.
  segment.resize((bytes + 63) / 64 * 64 + 64, 0);
  for (const KernelArgument &argument : kernel.arguments) {
    u64 value = getHiddenValue(argument.kind, shape);
    if (isHidden(argument))
      memcpy(segment.data() + argument.offset, &value,
             std::min<u64>(argument.size, 8));
  }
  return segment;
}

static std::vector<u32> getUserSgprs(const Kernel &kernel,
                                     const std::vector<u8> &segment,
                                     u64 address) {
  u32 properties = kernel.descriptor.kernel_code_properties;
  std::vector<u32> sgprs;
  auto append = [&](u64 value) {
    sgprs.push_back((u32)value);
    sgprs.push_back((u32)(value >> 32));
  };
  // Private segment buffer, dispatch packet, queue: not there.
  if (properties & 1)
    sgprs.insert(sgprs.end(), 4, 0);
  if (properties & 2)
    append(0);
  if (properties & 4)
    append(0);
  if (properties & 8)
    append(address);
  // Dispatch id and initial flat scratch.
  if (properties & 16)
    append(0);
  if (properties & 32)
    append(0);
  if (properties & 64)
    sgprs.push_back(kernel.descriptor.private_segment_fixed_size);
  u32 length = getField(kernel.descriptor.kernarg_preload, 0, 7);
  u32 offset = getField(kernel.descriptor.kernarg_preload, 7, 9);
  for (u32 i = offset; i < offset + length; i++) {
    u32 word = 0;
    if (4 * i + 4 <= segment.size())
      memcpy(&word, segment.data() + 4 * i, 4);
    sgprs.push_back(word);
  }
  u32 count = getField(kernel.descriptor.compute_pgm_rsrc2, 1, 5);
  sgprs.resize(std::max<size_t>(count, std::min<size_t>(sgprs.size(), 32)), 0);
  return sgprs;
}

LaunchConfig makeConfig(const Kernel &kernel, const LaunchShape &shape,
                        const std::vector<u8> &segment, u64 address) {
  u32 rsrc1 = kernel.descriptor.compute_pgm_rsrc1;
  u32 rsrc2 = kernel.descriptor.compute_pgm_rsrc2;
  LaunchConfig config;
  config.entry = kernel.entry;
  std::copy_n(shape.grid, 3, config.grid);
  std::copy_n(shape.block, 3, config.block);
  config.userSgprs = getUserSgprs(kernel, segment, address);
  for (int i = 0; i < 3; i++)
    config.groupIdEnabled[i] = getField(rsrc2, 7 + i, 1);
  config.groupInfoEnabled = getField(rsrc2, 10, 1);
  config.workItemIds = getField(rsrc2, 11, 2);
  config.ldsBytes = kernel.descriptor.group_segment_fixed_size;
  config.scratchBytes = kernel.descriptor.private_segment_fixed_size;
  if (kernel.usesDynamicStack)
    config.scratchBytes = std::max(config.scratchBytes, dynamicStackBytes);
  // MODE: FLOAT_MODE, DX10_CLAMP, IEEE_MODE and FP16_OVFL.
  config.mode = getField(rsrc1, 12, 8) | getField(rsrc1, 21, 1) << 8 |
                getField(rsrc1, 23, 1) << 9 | getField(rsrc1, 26, 1) << 23;
  return config;
}

} // namespace mlir::qfuse::emulator
