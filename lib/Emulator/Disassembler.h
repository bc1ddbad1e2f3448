//===- Disassembler.h - Machine code to instructions ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_EMULATOR_DISASSEMBLER_H
#define QFUSE_LIB_EMULATOR_DISASSEMBLER_H

#include "Machine.h"
#include "qfuse/Support/Result.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::qfuse::emulator {

/// A run of code in an ELF image.
struct CodeRange {
  u64 address;
  llvm::ArrayRef<u8> bytes;
};

/// Decodes `code` with LLVM's disassembler for `target`. What it cannot decode,
/// or what the emulator lacks, becomes an instruction without handler. Each
/// range is decoded on its own, from its first byte.
Result<Program> disassemble(llvm::StringRef target,
                            llvm::ArrayRef<CodeRange> code);

} // namespace mlir::qfuse::emulator

#endif // QFUSE_LIB_EMULATOR_DISASSEMBLER_H
