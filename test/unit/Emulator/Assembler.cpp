//===- Assembler.cpp - Code objects from assembly -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Assembler.h"
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <numeric>
#include <unistd.h>

using namespace mlir::qfuse;

static std::string makeSource(const test::KernelText &text) {
  return ".amdgcn_target \"amdgcn-amd-amdhsa--" + text.target +
         "\"\n.text\n.globl k\n.p2align 8\n.type k,@function\nk:\n" +
         text.body +
         "\ns_endpgm\n.rodata\n.p2align 6\n.amdhsa_kernel k\n"
         ".amdhsa_next_free_vgpr 64\n.amdhsa_next_free_sgpr 64\n"
         ".amdhsa_accum_offset 64\n"
         ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
         ".amdhsa_group_segment_fixed_size " +
         std::to_string(text.ldsBytes) + "\n.amdhsa_kernarg_size " +
         std::to_string(text.argumentBytes) + "\n.end_amdhsa_kernel\n";
}

static std::vector<uint8_t> readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<uint8_t> test::assemble(const KernelText &text, bool link) {
  char directory[] = "/tmp/qfuse-emulator-XXXXXX";
  if (!mkdtemp(directory)) {
    ADD_FAILURE() << "no temporary directory";
    return {};
  }
  std::string base = std::string(directory) + "/k";
  std::ofstream(base + ".s") << makeSource(text);
  std::string tools = QFUSE_LLVM_TOOLS;
  std::string command =
      tools + "/llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=" + text.target +
      " -filetype=obj " + base + ".s -o " + base + ".o && " + tools +
      "/ld.lld -shared " + base + ".o -o " + base + ".hsaco";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::vector<uint8_t> bytes = readFile(base + (link ? ".hsaco" : ".o"));
  for (const char *extension : {".s", ".o", ".hsaco"})
    std::remove((base + extension).c_str());
  rmdir(directory);
  return bytes;
}

test::Outcome test::launch(const KernelText &text, unsigned threads,
                           EmulatedDeviceOptions options) {
  Outcome outcome;
  auto device = createEmulatedDevice(text.target, options);
  EXPECT_TRUE(bool(device));
  std::vector<uint32_t> data(256);
  std::iota(data.begin(), data.end(), 0);
  outcome.output.resize(256);
  DevicePointer input = *(*device)->allocate(1024);
  DevicePointer output = *(*device)->allocate(1024);
  EXPECT_TRUE(bool((*device)->copyToDevice(input, data.data(), 1024)));
  EXPECT_TRUE(
      bool((*device)->copyToDevice(output, outcome.output.data(), 1024)));
  auto object = (*device)->load(assemble(text));
  if (!object) {
    outcome.error = object.getError().message;
    return outcome;
  }
  std::vector<uint8_t> arguments;
  append(arguments, input);
  append(arguments, output);
  LaunchShape shape;
  shape.block[0] = threads;
  Status status = (*device)->launch(*object, "k", shape, arguments);
  if (!status)
    outcome.error = status.getError().message;
  outcome.hazards = (*device)->getHazards();
  if (!(*device)->getCounters().empty())
    outcome.counters = (*device)->getCounters().back();
  EXPECT_TRUE(bool((*device)->copyToHost(outcome.output.data(), output, 1024)));
  return outcome;
}
