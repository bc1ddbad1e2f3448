//===- WaitCounts.cpp - The wait-count checker ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Machine.h"

namespace mlir::qfuse::emulator {

/// Whether the instruction counts in lgkmcnt rather than in vmcnt.
static bool countsAsScalar(MemoryClass kind) {
  return kind == MemoryClass::lds || kind == MemoryClass::scalar;
}

static void retire(Wave &wave, const Pending &pending) {
  if (pending.commit)
    pending.commit();
  for (int k = 0; k < pending.n; k++)
    (pending.isScalar ? wave.pendingSgprs
                      : wave.pendingVgprs)[pending.reg + k]--;
}

/// Retires all but the last `n` of `queue`.
static void waitFor(Wave &wave, std::deque<Pending> &queue, u32 n) {
  while (queue.size() > n) {
    Pending pending = std::move(queue.front());
    queue.pop_front();
    retire(wave, pending);
  }
}

static void waitForScalar(Wave &wave, u32 n) {
  // Scalar loads return out of order: only a count of 0 guarantees anything.
  bool hasScalarLoad = false;
  for (const Pending &pending : wave.scalarQueue)
    hasScalarLoad |= pending.kind == MemoryClass::scalar;
  if (!hasScalarLoad || n == 0)
    waitFor(wave, wave.scalarQueue, n);
}

/// Reports an operand that an outstanding load will still write.
static void checkOperands(Wave &wave, const Instruction &inst) {
  for (int k = 0; k < inst.numOperands; k++) {
    const Operand &o = inst.operands[k];
    bool isVgpr = o.kind == OperandKind::vgpr;
    if (!isVgpr && o.kind != OperandKind::sgpr)
      continue;
    for (int r = o.reg; r < o.reg + o.n; r++) {
      if (isVgpr ? !wave.pendingVgprs[r] : r >= 128 || !wave.pendingSgprs[r])
        continue;
      reportHazard(wave, inst, HazardKind::waitCount,
                   "operand %d: %c%d has an outstanding load (missing "
                   "s_waitcnt)",
                   k,
                   !isVgpr    ? 's'
                   : r >= 256 ? 'a'
                              : 'v',
                   isVgpr ? r & 255 : r);
      return;
    }
  }
}

static void enqueue(Wave &wave, const Instruction &inst) {
  Pending pending{inst.memoryClass, 0, 0, false, nullptr};
  const Operand &result = inst.operands[0];
  bool isScalar = result.kind == OperandKind::sgpr;
  if (inst.numResults && (isScalar || result.kind == OperandKind::vgpr)) {
    pending.reg = result.reg;
    pending.n = result.n;
    pending.isScalar = isScalar;
  }
  (countsAsScalar(inst.memoryClass) ? wave.scalarQueue : wave.vectorQueue)
      .push_back(pending);
  if (inst.mnemonic.compare(0, 5, "flat_") == 0) {
    // May be LDS: counts in both.
    pending.n = 0;
    wave.scalarQueue.push_back(pending);
  }
}

void checkBefore(Wave &wave, const Instruction &inst) {
  checkOperands(wave, inst);
  if (inst.memoryClass != MemoryClass::none)
    enqueue(wave, inst);
  if (inst.mnemonic == "s_waitcnt") {
    u32 x = inst.words[0] & 0xffff;
    waitFor(wave, wave.vectorQueue, (x & 15) | ((x >> 14) & 3) << 4);
    waitForScalar(wave, (x >> 8) & 15);
  } else if (inst.mnemonic == "s_barrier") {
    for (const Pending &pending : wave.scalarQueue)
      if (pending.kind == MemoryClass::lds && pending.n == 0) {
        reportHazard(wave, inst, HazardKind::waitCount,
                     "s_barrier with an outstanding LDS write (missing "
                     "s_waitcnt lgkmcnt(0))");
        break;
      }
  } else if (inst.mnemonic == "s_endpgm") {
    waitFor(wave, wave.vectorQueue, 0);
    waitForScalar(wave, 0);
  }
}

void checkAfter(Wave &wave, const Instruction &inst) {
  if (inst.memoryClass == MemoryClass::none)
    return;
  const Pending &pending =
      (countsAsScalar(inst.memoryClass) ? wave.scalarQueue : wave.vectorQueue)
          .back();
  for (int k = 0; k < pending.n; k++)
    (pending.isScalar ? wave.pendingSgprs
                      : wave.pendingVgprs)[pending.reg + k]++;
}

} // namespace mlir::qfuse::emulator
