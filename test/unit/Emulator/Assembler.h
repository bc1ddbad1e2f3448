//===- Assembler.h - Code objects from assembly -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_TEST_UNIT_EMULATOR_ASSEMBLER_H
#define QFUSE_TEST_UNIT_EMULATOR_ASSEMBLER_H

#include "qfuse/Emulator/EmulatedDevice.h"

namespace mlir::qfuse::test {

struct KernelText {
  /// Instructions before the last `s_endpgm`. s[0:1] is the argument segment,
  /// s2 the work-group, v0 the work-item.
  std::string body;
  unsigned ldsBytes = 0;
  unsigned argumentBytes = 16;
  std::string target = "gfx950";
};

/// Assembles and, with `link`, links a code object with the kernel `k`.
std::vector<uint8_t> assemble(const KernelText &text, bool link = true);

/// Appends the bytes of `value` to `arguments`.
template <typename T>
void append(std::vector<uint8_t> &arguments, T value) {
  auto *bytes = reinterpret_cast<const uint8_t *>(&value);
  arguments.insert(arguments.end(), bytes, bytes + sizeof value);
}

/// What a launch of `text` left behind.
struct Outcome {
  /// Empty if it succeeded.
  std::string error;
  std::vector<Hazard> hazards;
  Counters counters;
  /// The second argument.
  std::vector<uint32_t> output;
};

/// Launches `text` on one work-group of `threads`, with two buffers of 256
/// dwords as arguments: 0, 1, 2 ... and zeros.
Outcome launch(const KernelText &text, unsigned threads = 64,
               EmulatedDeviceOptions options = {});

} // namespace mlir::qfuse::test

#endif // QFUSE_TEST_UNIT_EMULATOR_ASSEMBLER_H
