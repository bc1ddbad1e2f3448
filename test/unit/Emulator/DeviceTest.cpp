//===- DeviceTest.cpp - Launches, counters and errors ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Assembler.h"
#include "llvm/BinaryFormat/ELF.h"
#include <gtest/gtest.h>

using namespace mlir::qfuse;
using namespace mlir::qfuse::test;

/// Copies the first buffer to the second, a dword each work-item.
static const std::string copyKernel = R"(s_load_dwordx4 s[4:7], s[0:1], 0x0
v_lshlrev_b32 v1, 2, v0
s_waitcnt lgkmcnt(0)
global_load_dword v2, v1, s[4:5]
s_waitcnt vmcnt(0)
global_store_dword v1, v2, s[6:7]
)";

static std::unique_ptr<Device> makeDevice(const std::string &target = "gfx950",
                                          EmulatedDeviceOptions options = {}) {
  return std::move(*createEmulatedDevice(target, options));
}

TEST(EmulatedDevice, CountsInstructionsAndBytes) {
  Outcome outcome = launch({copyKernel}, 128);
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.output[127], 127u);
  EXPECT_EQ(outcome.output[128], 0u);
  const Counters &counters = outcome.counters;
  EXPECT_EQ(counters.kernel, "k");
  EXPECT_EQ(counters.instructions, 2u * 7u);
  EXPECT_EQ(counters.vectorInstructions, 2u);
  // The argument segment does not count.
  EXPECT_EQ(counters.read, 512u);
  EXPECT_EQ(counters.written, 512u);
  EXPECT_EQ(counters.distinctRead, 512u);
  EXPECT_EQ(counters.distinctWritten, 512u);
}

TEST(EmulatedDevice, CountsRepeatedAndScalarReads) {
  Outcome outcome = launch({R"(s_load_dwordx4 s[4:7], s[0:1], 0x0
s_waitcnt lgkmcnt(0)
s_load_dwordx2 s[8:9], s[4:5], 0x0
v_mov_b32 v1, 4
global_load_dword v2, v1, s[4:5]
s_waitcnt vmcnt(0) lgkmcnt(0)
)"});
  EXPECT_EQ(outcome.counters.read, 8u + 64u * 4u);
  EXPECT_EQ(outcome.counters.distinctRead, 8u);
  EXPECT_EQ(outcome.counters.distinctWritten, 0u);
}

TEST(EmulatedDevice, SeedDecidesTheOrderOfWaves) {
  // Each wave takes a number from a counter and stores it.
  const std::string body = R"(s_load_dwordx4 s[4:7], s[0:1], 0x0
v_lshlrev_b32 v1, 2, v0
v_mov_b32 v2, 0
v_mov_b32 v3, 1
s_waitcnt lgkmcnt(0)
global_atomic_add v4, v2, v3, s[4:5] sc0
s_waitcnt vmcnt(0)
global_store_dword v1, v4, s[6:7]
)";
  EmulatedDeviceOptions options;
  Outcome inOrder = launch({body}, 256, options);
  for (unsigned i = 0; i < 256; ++i)
    ASSERT_EQ(inOrder.output[i], i);
  unsigned differing = 0;
  for (options.seed = 1; options.seed <= 8; ++options.seed) {
    Outcome first = launch({body}, 256, options);
    differing += first.output != inOrder.output;
    EXPECT_EQ(first.output, launch({body}, 256, options).output);
  }
  EXPECT_GT(differing, 4u);
}

TEST(EmulatedDevice, BranchesAndPartialWaves) {
  // v2 = sum of 0 .. 9, by a loop; 100 work-items.
  Outcome outcome = launch({R"(s_load_dwordx4 s[4:7], s[0:1], 0x0
s_mov_b32 s8, 0
s_mov_b32 s9, 0
loop:
s_add_u32 s9, s9, s8
s_add_u32 s8, s8, 1
s_cmp_lt_u32 s8, 10
s_cbranch_scc1 loop
s_waitcnt lgkmcnt(0)
v_mov_b32 v2, s9
v_lshlrev_b32 v1, 2, v0
global_store_dword v1, v2, s[6:7]
)"},
                           100);
  EXPECT_EQ(outcome.output[99], 45u);
  EXPECT_EQ(outcome.output[100], 0u);
}

TEST(EmulatedDevice, FaultsAreErrors) {
  EXPECT_EQ(launch({"s_trap 2"}).error.substr(0, 12), "kernel 'k': ");
  EXPECT_NE(launch({"s_trap 2"}).error.find("s_trap 2"), std::string::npos);
  EXPECT_NE(launch({"s_setpc_b64 s[2:3]"}).error.find("outside the code"),
            std::string::npos);
  EXPECT_NE(launch({".long 0xffffffff"}).error.find("is not implemented"),
            std::string::npos);
  EmulatedDeviceOptions options;
  options.maxInstructions = 1000;
  EXPECT_NE(launch({"l: s_branch l"}, 64, options)
                .error.find("the limit of 1000 instructions is reached"),
            std::string::npos);
}

TEST(EmulatedDevice, RefusesOtherTargets) {
  auto device = createEmulatedDevice("sm_90");
  ASSERT_FALSE(bool(device));
  EXPECT_EQ(device.getError().message,
            "expected target gfx942 or gfx950 for the emulated device, got "
            "'sm_90'");
  auto object = makeDevice("gfx942")->load(assemble({copyKernel}));
  ASSERT_FALSE(bool(object));
  EXPECT_EQ(object.getError().message,
            "expected a code object for gfx942, got one for gfx950");
  std::vector<uint8_t> damaged = assemble({copyKernel});
  constexpr size_t flags = offsetof(llvm::ELF::Elf64_Ehdr, e_flags);
  damaged[flags] = 0xff; // No processor has this number.
  object = makeDevice()->load(damaged);
  ASSERT_FALSE(bool(object));
  EXPECT_EQ(object.getError().message,
            "expected a code object for gfx942 or gfx950, got one for "
            "processor number 255");
}

TEST(EmulatedDevice, RefusesWhatIsNoCodeObject) {
  auto device = makeDevice();
  auto getError = [&](const std::vector<uint8_t> &bytes) {
    auto object = device->load(bytes);
    return object ? std::string() : object.getError().message;
  };
  EXPECT_EQ(getError({}), "not a code object: it is no 64-bit ELF file");
  EXPECT_EQ(getError(assemble({copyKernel}, /*link=*/false)),
            "the code object is not linked; link it with ld.lld -shared");
}

TEST(EmulatedDevice, SurvivesDamagedObjects) {
  std::vector<uint8_t> good = assemble({copyKernel});
  ASSERT_GT(good.size(), 1000u);
  for (size_t size = 0; size < good.size(); size += 61) {
    auto device = makeDevice();
    (void)device->load({good.begin(), good.begin() + size});
  }
  // Each byte of the headers and tables set to values that offsets dislike.
  EmulatedDeviceOptions options;
  options.maxInstructions = 1000;
  for (size_t i = 0; i < good.size(); i += 3)
    for (uint8_t value : {0x00, 0x7f, 0xff}) {
      std::vector<uint8_t> bad = good;
      bad[i] = value;
      auto device = makeDevice("gfx950", options);
      if (auto object = device->load(bad))
        (void)device->launch(*object, "k", {}, std::vector<uint8_t>(16));
    }
}

TEST(EmulatedDevice, ChecksLaunches) {
  auto device = makeDevice();
  auto object = device->load(assemble({copyKernel}));
  ASSERT_TRUE(bool(object));
  auto getError = [&](uint64_t handle, const char *kernel, LaunchShape shape,
                      size_t bytes) {
    Status status =
        device->launch(handle, kernel, shape, std::vector<uint8_t>(bytes));
    return status ? std::string() : status.getError().message;
  };
  LaunchShape large;
  large.block[0] = 1025;
  EXPECT_EQ(getError(*object, "k", large, 16),
            "kernel 'k': expected a block of 1 to 1024 threads");
  EXPECT_EQ(getError(*object, "k", {}, 8),
            "kernel 'k': expected 16 bytes of arguments, got 8");
  EXPECT_EQ(getError(*object, "other", {}, 16),
            "the code object has no kernel 'other'");
  EXPECT_EQ(getError(*object + 1, "k", {}, 16),
            "kernel 'k': its code object is not loaded");
  LaunchShape none;
  none.grid[0] = 0;
  EXPECT_EQ(getError(*object, "k", none, 16), "");
  EXPECT_TRUE(device->getHazards().empty());
}

TEST(EmulatedDevice, ChecksCopies) {
  auto device = makeDevice();
  DevicePointer pointer = *device->allocate(100);
  EXPECT_EQ(pointer % 256, 0u);
  char bytes[101] = {};
  EXPECT_TRUE(bool(device->copyToDevice(pointer, bytes, 100)));
  EXPECT_FALSE(bool(device->copyToDevice(pointer, bytes, 101)));
  EXPECT_FALSE(bool(device->copyToHost(bytes, pointer + 1, 100)));
  device->free(pointer);
  EXPECT_FALSE(bool(device->copyToHost(bytes, pointer, 1)));
}

TEST(EmulatedDevice, IsRegistered) {
  registerEmulatedDevice();
  EXPECT_TRUE(bool(createDevice("emulated", "gfx942")));
  auto device = createDevice("nonesuch", "gfx942");
  ASSERT_FALSE(bool(device));
  EXPECT_EQ(device.getError().message,
            "there is no device 'nonesuch'; expected one of emulated");
}
