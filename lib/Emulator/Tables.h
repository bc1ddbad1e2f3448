//===- Tables.h - Registration of instructions ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_EMULATOR_TABLES_H
#define QFUSE_LIB_EMULATOR_TABLES_H

#include "Machine.h"

namespace mlir::qfuse::emulator {

/// Collects the semantics of instructions.
class TableBuilder {
public:
  explicit TableBuilder(InstructionTable &table) : table(table) {}

  void operator()(const std::string &mnemonic, Handler handler) const {
    table[mnemonic] = handler;
  }

private:
  InstructionTable &table;
};

/// Each adds a group of instructions.
void addVop1(const TableBuilder &add);
void addVop2(const TableBuilder &add);
void addVop3(const TableBuilder &add);
void addVop3p(const TableBuilder &add);
void addCompares(const TableBuilder &add);
void addConversions(const TableBuilder &add);
void addScalarAlu(const TableBuilder &add);
void addScalarControl(const TableBuilder &add);
void addGlobalMemory(const TableBuilder &add);
void addBufferMemory(const TableBuilder &add);
void addLds(const TableBuilder &add);
void addMatrix(const TableBuilder &add);

} // namespace mlir::qfuse::emulator

/// Adds the instruction `name`, which executes the statements that follow; for
/// use in other macros.
#define DEFINE(name, ...)                                                      \
  add(name, [](Wave &wave, const Instruction &inst) {                          \
    (void)wave;                                                                \
    (void)inst;                                                                \
    __VA_ARGS__;                                                               \
  })

#endif // QFUSE_LIB_EMULATOR_TABLES_H
