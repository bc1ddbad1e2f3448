//===- Parser.h - Reads the text of an instruction --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_EMULATOR_PARSER_H
#define QFUSE_LIB_EMULATOR_PARSER_H

#include "Machine.h"

namespace mlir::qfuse::emulator {

/// Fills `inst`, whose encoding is known, from its assembly text as LLVM's
/// instruction printer writes it. Returns false and what is not understood.
bool parseInstruction(const std::string &body, Instruction &inst,
                      std::string &err);

/// Derives from the encoding and the mnemonic what the text does not say.
void finishInstruction(Instruction &inst);

} // namespace mlir::qfuse::emulator

#endif // QFUSE_LIB_EMULATOR_PARSER_H
