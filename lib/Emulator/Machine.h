//===- Machine.h - State of the emulated machine ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a wave64 machine of CDNA3 or CDNA4 holds while it executes a kernel.
// Written from AMD's public CDNA3 and CDNA4 instruction set documents.

#ifndef QFUSE_LIB_EMULATOR_MACHINE_H
#define QFUSE_LIB_EMULATOR_MACHINE_H

#include "Bits.h"
#include <deque>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace mlir::qfuse::emulator {

enum class OperandKind : u8 { none, vgpr, sgpr, constant, off, special };

struct Operand {
  OperandKind kind = OperandKind::none;
  /// vgpr: 0-255 are the architectural ones, 256-511 the accumulation ones.
  /// sgpr: the number in the encoding. special: see `special32`.
  u16 reg = 0;
  /// Registers in the range.
  u8 n = 1;
  bool neg = false, abs = false, sext = false, fp = false, lit = false;
  /// A constant as an operand of 32, of 16, and of 64 bits: f64, unsigned and
  /// signed.
  u32 bits32 = 0;
  u16 bits16 = 0;
  u64 asF64 = 0, asB64 = 0, asI64 = 0;
};

struct Wave;
struct Instruction;
using Handler = void (*)(Wave &, const Instruction &);

/// What the wait-count checker has to know of an instruction.
enum class MemoryClass : u8 {
  none,
  vectorLoad,
  vectorStore,
  lds,
  scalar,
  vectorToLds,
};

struct Instruction {
  /// Address in the ELF image, and bytes of the encoding.
  u64 address = 0;
  u32 size = 4;
  u32 words[5] = {0, 0, 0, 0, 0};
  /// Null for what is not implemented.
  Handler handler = nullptr;
  Operand operands[8];
  int numOperands = 0;
  i32 offset = 0;
  u32 offset0 = 0, offset1 = 0;
  u32 opSel = 0, opSelHi = 0xf, negLo = 0, negHi = 0;
  bool clamp = false;
  /// 1: times 2; 2: times 4; 3: halved.
  u8 omod = 0;
  bool dpp = false;
  u16 dppControl = 0, dppArgument = 0;
  u32 rowMask = 0xf, bankMask = 0xf;
  bool boundControl = false;
  bool sdwa = false;
  u8 dstSel = 6, dstUnused = 0, src0Sel = 6, src1Sel = 6;
  bool sc0 = false, sc1 = false, nt = false, offen = false, idxen = false,
       lds = false, gds = false;
  u32 cbsz = 0, abid = 0, blgp = 0, bitop3 = 0;
  std::string text, mnemonic;
  MemoryClass memoryClass = MemoryClass::none;
  /// How many operands, from the first, are results.
  u8 numResults = 0;
  /// Waves that executed it.
  u64 count = 0;
};

/// A range of device memory that kernels may use.
struct Region {
  u64 begin, end;
  /// Whether its traffic counts: argument segments and code do not.
  bool counted = false;
  u64 vectorRead = 0, written = 0, scalarRead = 0;
  /// Per byte: 1 read, 2 written. Empty until the launch touches the region.
  std::vector<u8> touched;
};

/// A memory instruction that no wait has covered yet.
struct Pending {
  MemoryClass kind;
  u16 reg, n;
  bool isScalar;
  /// What takes effect when it is waited for: loads to LDS.
  std::function<void()> commit;
};

struct Group;
struct alignas(64) Wave {
  u32 vgprs[512][64];
  u32 sgprs[136];
  u32 scc = 0;
  /// Address in the ELF image.
  u64 pc = 0;
  /// Number in the work-group.
  u32 id = 0;
  bool done = false, atBarrier = false;
  /// The MODE register: rounding in bits 3:0, denormals in 7:4.
  u32 mode = 0xf0;
  bool gprIndexing = false;
  u32 gprIndexMode = 0;
  Group *group = nullptr;
  std::vector<u8> scratch;
  u32 scratchSize = 0;
  /// Outstanding instructions of vmcnt and of lgkmcnt, and for each register
  /// how many of them will write it.
  std::deque<Pending> vectorQueue, scalarQueue;
  u8 pendingVgprs[512];
  u8 pendingSgprs[136];

  u64 exec() const { return getPair(126); }
  void setExec(u64 x) { setPair(126, x); }
  u64 vcc() const { return getPair(106); }
  void setVcc(u64 x) { setPair(106, x); }
  u64 getPair(int r) const { return (u64)sgprs[r] | ((u64)sgprs[r + 1] << 32); }
  void setPair(int r, u64 x) {
    sgprs[r] = (u32)x;
    sgprs[r + 1] = (u32)(x >> 32);
  }
};

struct Program {
  std::vector<Instruction> instructions;
  /// Address range of the code in the ELF image, and for each 4 bytes of it the
  /// index of the instruction that begins there, or -1.
  u64 begin = ~0ull, end = 0;
  std::vector<int> index;
  /// Load address minus ELF address.
  u64 base = 0;
  /// gfx950 has the OCP formats of fp8, gfx942 the FNUZ ones.
  bool ocp = false;
};

/// How a kernel is launched.
struct LaunchConfig {
  /// Address in the ELF image.
  u64 entry = 0;
  u32 grid[3], block[3];
  std::vector<u32> userSgprs;
  bool groupIdEnabled[3] = {false, false, false};
  bool groupInfoEnabled = false;
  /// Components of the work-item id in v0, less one.
  u32 workItemIds = 0;
  u32 ldsBytes = 0, scratchBytes = 0, mode = 0;
  /// 0: each wave runs to its next barrier, in order. Else: random turns.
  u32 seed = 0;
  u64 maxInstructions = 0;
};

/// What the race checker knows of four bytes of LDS since the last barrier.
struct LdsShadow {
  u32 epoch;
  /// The wave that wrote, plus one.
  u16 writer;
  /// The waves that read, a bit each.
  u16 readers;
};

struct Group {
  u32 id[3];
  std::vector<Wave *> waves;
  std::vector<u32> lds;
  u32 ldsBytes;
  /// Barriers passed, plus one.
  u32 epoch = 1;
  std::vector<LdsShadow> shadow;
};

enum class HazardKind : u8 { waitCount, race, bounds };

struct Finding {
  HazardKind kind;
  std::string detail;
};

/// How MFMA sums products: in f64 with one rounding, or in f32, one fused
/// multiply-add after the other. The hardware's order is not documented.
enum class DotMode : u8 { oneRounding, sequential };

/// A launch in progress.
struct Emulation {
  Program *program = nullptr;
  /// Sorted by address, disjoint.
  std::vector<Region> *regions = nullptr;
  size_t lastRegion = 0;
  std::vector<Finding> findings;
  /// Instructions and kinds that `findings` has already.
  std::set<std::pair<u64, HazardKind>> reported;
  u64 executed = 0;
  DotMode dotMode = DotMode::oneRounding;
};

/// The launch that this thread executes.
extern thread_local Emulation *current;

/// An instruction that cannot be executed; it never leaves the library.
struct Fault : std::runtime_error {
  using runtime_error::runtime_error;
};

/// Records a finding, once for each instruction and kind.
void reportHazard(Wave &wave, const Instruction &inst, HazardKind kind,
                  const char *format, ...)
    __attribute__((format(printf, 4, 5)));
[[noreturn]] void raiseFault(Wave &wave, const Instruction &inst,
                             const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Executes the kernel. Throws `Fault`.
void runGrid(const LaunchConfig &config);

/// The wait-count checker: called before and after each instruction.
void checkBefore(Wave &wave, const Instruction &inst);
void checkAfter(Wave &wave, const Instruction &inst);

/// Sets the denormal controls of the host to those of the MODE register.
void applyMode(const Wave &wave);

/// The semantics of all implemented instructions, by mnemonic.
using InstructionTable = std::unordered_map<std::string, Handler>;
const InstructionTable &getInstructionTable();

} // namespace mlir::qfuse::emulator

#endif // QFUSE_LIB_EMULATOR_MACHINE_H
