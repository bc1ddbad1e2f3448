//===- Machine.cpp - Executes waves and work-groups -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Machine.h"
#include "Tables.h"
#include <cstdarg>
#include <cstdio>
#include <memory>

namespace mlir::qfuse::emulator {

thread_local Emulation *current = nullptr;

/// What registers, LDS and scratch memory hold at the start: values that show
/// when they are used.
constexpr u32 registerPoison = 0xffc0dead, ldsPoison = 0xffc1dead;
constexpr u8 scratchPoison = 0xcd;

/// Findings of one launch that are kept.
constexpr size_t maxFindings = 100;

const InstructionTable &getInstructionTable() {
  static const InstructionTable table = [] {
    InstructionTable table;
    TableBuilder add(table);
    for (auto *addGroup : {addVop1, addVop2, addVop3, addVop3p, addCompares,
                           addConversions, addScalarAlu, addScalarControl,
                           addGlobalMemory, addBufferMemory, addLds, addMatrix})
      addGroup(add);
    return table;
  }();
  return table;
}

static std::string describe(const Wave &wave, const Instruction &inst,
                            const char *format, va_list arguments) {
  char place[128], text[512];
  snprintf(place, sizeof place,
           "work-group (%u,%u,%u) wave %u pc 0x%llx: ", wave.group->id[0],
           wave.group->id[1], wave.group->id[2], wave.id,
           (unsigned long long)inst.address);
  vsnprintf(text, sizeof text, format, arguments);
  return place + inst.text.substr(0, 120) + ": " + text;
}

void reportHazard(Wave &wave, const Instruction &inst, HazardKind kind,
                  const char *format, ...) {
  if (current->findings.size() >= maxFindings ||
      !current->reported.insert({inst.address, kind}).second)
    return;
  va_list arguments;
  va_start(arguments, format);
  current->findings.push_back({kind, describe(wave, inst, format, arguments)});
  va_end(arguments);
}

void raiseFault(Wave &wave, const Instruction &inst, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::string text = describe(wave, inst, format, arguments);
  va_end(arguments);
  throw Fault(text);
}

void applyMode(const Wave &wave) {
  // MXCSR: flush results to zero in bit 15, denormal sources are zero in bit 6.
  u32 csr = _mm_getcsr() & ~0x8040u;
  if (!((wave.mode >> 5) & 1))
    csr |= 0x8000;
  if (!((wave.mode >> 4) & 1))
    csr |= 0x40;
  _mm_setcsr(csr);
}

static Instruction &fetch(const Wave &wave) {
  Program &program = *current->program;
  u64 offset = wave.pc - program.begin;
  int index = offset % 4 == 0 && offset / 4 < program.index.size()
                  ? program.index[offset / 4]
                  : -1;
  if (index < 0) {
    char text[128];
    snprintf(text, sizeof text, "wave %u: pc 0x%llx is outside the code",
             wave.id, (unsigned long long)wave.pc);
    throw Fault(text);
  }
  return program.instructions[index];
}

/// Executes up to `quantum` instructions, to the next barrier or the end.
static void runWave(Wave &wave, const LaunchConfig &config, u64 quantum) {
  applyMode(wave);
  for (u64 n = 0; n < quantum; n++) {
    Instruction &inst = fetch(wave);
    if (!inst.handler)
      raiseFault(wave, inst, "instruction is not implemented");
    checkBefore(wave, inst);
    wave.pc = inst.address + inst.size;
    inst.count++;
    current->executed++;
    inst.handler(wave, inst);
    checkAfter(wave, inst);
    if (wave.done || wave.atBarrier)
      return;
    if (current->executed > config.maxInstructions)
      raiseFault(wave, inst, "the limit of %llu instructions is reached",
                 (unsigned long long)config.maxInstructions);
  }
}

/// Sets the scalar registers that the hardware sets at the start.
static void initializeSgprs(Wave &wave, const LaunchConfig &config) {
  for (u32 &x : wave.sgprs)
    x = registerPoison;
  u32 next = 0;
  for (u32 x : config.userSgprs)
    wave.sgprs[next++] = x;
  for (int i = 0; i < 3; i++)
    if (config.groupIdEnabled[i])
      wave.sgprs[next++] = wave.group->id[i];
  if (config.groupInfoEnabled)
    wave.sgprs[next++] = 0;
  wave.setVcc(0);
  wave.sgprs[124] = 0xffffffff; // M0
}

/// Sets v0 to the packed work-item ids, and EXEC to the lanes that have one.
static void initializeLanes(Wave &wave, const LaunchConfig &config) {
  for (auto &lanes : wave.vgprs)
    for (u32 &x : lanes)
      x = registerPoison;
  const u32 *block = config.block;
  u64 exec = 0;
  for (u32 lane = 0; lane < 64; lane++) {
    u32 t = wave.id * 64 + lane;
    if (t >= block[0] * block[1] * block[2])
      break;
    exec |= 1ull << lane;
    u32 x = t % block[0], y = t / block[0] % block[1],
        z = t / (block[0] * block[1]);
    wave.vgprs[0][lane] = x | (config.workItemIds >= 1 ? y << 10 : 0) |
                          (config.workItemIds >= 2 ? z << 20 : 0);
  }
  wave.setExec(exec);
}

static void initializeWave(Wave &wave, Group &group, u32 id,
                           const LaunchConfig &config) {
  wave.group = &group;
  wave.id = id;
  wave.done = wave.atBarrier = wave.gprIndexing = false;
  wave.pc = config.entry;
  wave.scc = 0;
  wave.mode = config.mode;
  wave.vectorQueue.clear();
  wave.scalarQueue.clear();
  memset(wave.pendingVgprs, 0, sizeof wave.pendingVgprs);
  memset(wave.pendingSgprs, 0, sizeof wave.pendingSgprs);
  wave.scratchSize = config.scratchBytes;
  wave.scratch.assign((size_t)config.scratchBytes * 64, scratchPoison);
  initializeSgprs(wave, config);
  initializeLanes(wave, config);
}

/// Gives the waves of `group` turns until all are done.
static void scheduleWaves(Group &group, const LaunchConfig &config) {
  // A linear congruential generator: the order depends on the seed alone.
  u32 state = config.seed * 2654435761u + 12345;
  auto random = [&] {
    state = state * 1664525 + 1013904223;
    return state >> 8;
  };
  for (;;) {
    std::vector<Wave *> ready;
    bool running = false;
    for (Wave *wave : group.waves) {
      running |= !wave->done;
      if (!wave->done && !wave->atBarrier)
        ready.push_back(wave);
    }
    if (!running)
      return;
    if (ready.empty()) {
      for (Wave *wave : group.waves)
        wave->atBarrier = false;
      group.epoch++;
    } else if (config.seed) {
      Wave &wave = *ready[random() % ready.size()];
      runWave(wave, config, 1 + random() % 50);
    } else {
      for (Wave *wave : ready)
        runWave(*wave, config, ~0ull);
    }
  }
}

void runGrid(const LaunchConfig &config) {
  u32 threads = config.block[0] * config.block[1] * config.block[2];
  std::vector<std::unique_ptr<Wave>> waves;
  for (u32 k = 0; k < (threads + 63) / 64; k++)
    waves.push_back(std::make_unique<Wave>());
  for (u32 z = 0; z < config.grid[2]; z++)
    for (u32 y = 0; y < config.grid[1]; y++)
      for (u32 x = 0; x < config.grid[0]; x++) {
        Group group;
        group.id[0] = x;
        group.id[1] = y;
        group.id[2] = z;
        group.ldsBytes = config.ldsBytes;
        // An access that ends in the last bytes may cover part of a dword.
        group.lds.assign(config.ldsBytes / 4 + 8, ldsPoison);
        group.shadow.assign(config.ldsBytes / 4 + 8, {0, 0, 0});
        for (u32 k = 0; k < waves.size(); k++) {
          initializeWave(*waves[k], group, k, config);
          group.waves.push_back(waves[k].get());
        }
        scheduleWaves(group, config);
      }
}

} // namespace mlir::qfuse::emulator
