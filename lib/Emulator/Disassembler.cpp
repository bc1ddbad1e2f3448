//===- Disassembler.cpp - Machine code to instructions --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Disassembler.h"
#include "Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUDisassembler();
}

namespace mlir::qfuse::emulator {

namespace {

/// LLVM's disassembler and instruction printer for one processor.
class Decoder {
public:
  static Result<std::unique_ptr<Decoder>> create(llvm::StringRef cpu);

  /// Decodes the instruction at the start of `bytes`, which are not empty.
  Instruction decode(llvm::ArrayRef<u8> bytes, u64 address);

private:
  bool initialize(const llvm::Target &target, const llvm::Triple &triple,
                  llvm::StringRef cpu);
  std::string print(const llvm::MCInst &inst, u64 address);

  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> assembly;
  std::unique_ptr<llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCInstPrinter> printer;
};

} // namespace

Result<std::unique_ptr<Decoder>> Decoder::create(llvm::StringRef cpu) {
  static const bool initialized = [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
    return true;
  }();
  (void)initialized;
  llvm::Triple triple("amdgcn-amd-amdhsa");
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return Error{"LLVM has no AMDGPU target: " + error};
  auto decoder = std::make_unique<Decoder>();
  if (!decoder->initialize(*target, triple, cpu))
    return Error{"LLVM has no disassembler for '" + cpu.str() + "'"};
  return decoder;
}

bool Decoder::initialize(const llvm::Target &target, const llvm::Triple &triple,
                         llvm::StringRef cpu) {
  registers.reset(target.createMCRegInfo(triple));
  if (!registers)
    return false;
  assembly.reset(target.createMCAsmInfo(*registers, triple, options));
  instructions.reset(target.createMCInstrInfo());
  subtarget.reset(target.createMCSubtargetInfo(triple, cpu, ""));
  if (!assembly || !instructions || !subtarget)
    return false;
  context = std::make_unique<llvm::MCContext>(triple, assembly.get(),
                                              registers.get(), subtarget.get());
  disassembler.reset(target.createMCDisassembler(*subtarget, *context));
  printer.reset(
      target.createMCInstPrinter(triple, assembly->getAssemblerDialect(),
                                 *assembly, *instructions, *registers));
  if (!disassembler || !printer)
    return false;
  printer->setPrintImmHex(true);
  return true;
}

std::string Decoder::print(const llvm::MCInst &inst, u64 address) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  printer->printInst(&inst, address, /*Annot=*/"", *subtarget, stream);
  return text;
}

Instruction Decoder::decode(llvm::ArrayRef<u8> bytes, u64 address) {
  Instruction result;
  llvm::MCInst inst;
  u64 size = 0;
  bool valid =
      disassembler->getInstruction(inst, size, bytes, address, llvm::nulls()) ==
      llvm::MCDisassembler::Success;
  if (!valid || size == 0 || size % 4 || size > sizeof result.words ||
      size > bytes.size()) {
    valid = false;
    size = std::min<u64>(4, bytes.size());
  }
  result.address = address;
  result.size = size;
  for (u64 i = 0; i + 4 <= size; i += 4)
    result.words[i / 4] = llvm::support::endian::read32le(bytes.data() + i);
  std::string error;
  if (!valid) {
    result.text = ".long 0x" + llvm::utohexstr(result.words[0]);
  } else if (parseInstruction(print(inst, address), result, error)) {
    auto found = getInstructionTable().find(result.mnemonic);
    if (found != getInstructionTable().end())
      result.handler = found->second;
  }
  finishInstruction(result);
  return result;
}

/// Fills `program.index`.
static void indexInstructions(Program &program) {
  for (const Instruction &inst : program.instructions) {
    program.begin = std::min(program.begin, inst.address);
    program.end = std::max(program.end, inst.address + inst.size);
  }
  if (program.instructions.empty())
    program.begin = 0;
  program.index.assign((program.end - program.begin) / 4 + 1, -1);
  for (size_t i = 0; i < program.instructions.size(); i++)
    program.index[(program.instructions[i].address - program.begin) / 4] = i;
}

Result<Program> disassemble(llvm::StringRef target,
                            llvm::ArrayRef<CodeRange> code) {
  Result<std::unique_ptr<Decoder>> decoder = Decoder::create(target);
  if (!decoder)
    return decoder.getError();
  Program program;
  program.ocp = target == "gfx950";
  for (const CodeRange &range : code)
    for (u64 done = 0; done < range.bytes.size();) {
      program.instructions.push_back((*decoder)->decode(
          range.bytes.drop_front(done), range.address + done));
      done += program.instructions.back().size;
    }
  indexInstructions(program);
  return program;
}

} // namespace mlir::qfuse::emulator
