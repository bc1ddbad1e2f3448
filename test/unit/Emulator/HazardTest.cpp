//===- HazardTest.cpp - What the checkers must and must not report --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Assembler.h"
#include <gtest/gtest.h>

using namespace mlir::qfuse;
using namespace mlir::qfuse::test;

namespace {

struct Case {
  const char *name;
  std::string body;
  /// The kind of the only finding and a part of its text; null for none.
  const char *kind, *detail;
  unsigned threads, ldsBytes;
};

void PrintTo(const Case &c, std::ostream *stream) { *stream << c.name; }

class HazardTest : public testing::TestWithParam<Case> {};

/// Loads both pointers into s[4:7]; v1 is the byte offset of the work-item.
const std::string prologue = R"(s_load_dwordx4 s[4:7], s[0:1], 0x0
s_waitcnt lgkmcnt(0)
v_lshlrev_b32 v1, 2, v0
)";
/// Stores v2 or v3 of the work-item.
const std::string store2 = "global_store_dword v1, v2, s[6:7]\n";
const std::string store3 = "global_store_dword v1, v3, s[6:7]\n";
const std::string load2 = "global_load_dword v2, v1, s[4:5]\n";
const std::string load3 = "global_load_dword v3, v1, s[4:5]\n";
const std::string ldsWrite = "ds_write_b32 v1, v0\n";
const std::string waitLds = "s_waitcnt lgkmcnt(0)\n";
/// Reads what the other of two waves has written.
const std::string ldsExchange =
    "v_xor_b32 v2, 0x100, v1\nds_read_b32 v3, v2\ns_waitcnt lgkmcnt(0)\n";

std::vector<Case> makeCases() {
  return {
      {"LoadWithoutWait", prologue + load2 + "v_add_f32 v2, v2, v2\n" + store2,
       "wait_count", "v2 has an outstanding load", 64, 0},
      {"LoadWithWait",
       prologue + load2 + "s_waitcnt vmcnt(0)\nv_add_f32 v2, v2, v2\n" + store2,
       nullptr, nullptr, 64, 0},
      {"UseOfFirstOfTwoLoads",
       prologue + load2 + load3 +
           "s_waitcnt vmcnt(1)\nv_add_f32 v2, v2, v2\ns_waitcnt vmcnt(0)\n",
       nullptr, nullptr, 64, 0},
      {"UseOfSecondOfTwoLoads",
       prologue + load2 + load3 +
           "s_waitcnt vmcnt(1)\nv_add_f32 v3, v3, v3\ns_waitcnt vmcnt(0)\n",
       "wait_count", "v3 has an outstanding load", 64, 0},
      {"ScalarLoadWithoutWait",
       "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_add_u32 s8, s4, s5\n",
       "wait_count", "s4 has an outstanding load", 64, 0},
      {"ScalarLoadsNeedCountZero",
       "s_load_dword s4, s[0:1], 0x0\ns_load_dword s5, s[0:1], 0x4\n"
       "s_waitcnt lgkmcnt(1)\ns_add_u32 s8, s4, s4\n",
       "wait_count", "s4 has an outstanding load", 64, 0},
      {"ExchangeWithoutBarrier",
       prologue + ldsWrite + waitLds + ldsExchange + store3, "race",
       "LDS race: ", 128, 512},
      {"ExchangeWithBarrier",
       prologue + ldsWrite + waitLds + "s_barrier\n" + ldsExchange + store3,
       nullptr, nullptr, 128, 512},
      {"OverwriteOfWhatIsRead",
       prologue + ldsWrite + waitLds + "s_barrier\n" + ldsExchange + ldsWrite,
       "race", "LDS race: ", 128, 512},
      {"BarrierWithOutstandingWrite",
       prologue + ldsWrite + "s_barrier\n" + waitLds, "wait_count",
       "outstanding LDS write", 128, 512},
      {"LdsBounds", prologue + "v_lshlrev_b32 v1, 4, v0\n" + ldsWrite, "bounds",
       "LDS write out of bounds: address 0x200", 64, 512},
      {"GlobalLoadBounds",
       prologue + "global_load_dword v2, v1, s[4:5] offset:1020\n"
                  "s_waitcnt vmcnt(0)\n",
       "bounds", "lane 1: global read out of bounds", 64, 0},
      {"GlobalStoreBounds",
       prologue + "global_store_dword v1, v0, s[6:7] offset:-4\n", "bounds",
       "lane 0: global write out of bounds", 64, 0},
      {"FlatAddressZero",
       "v_mov_b32 v2, 0\nv_mov_b32 v3, 0\nflat_load_dword v4, v[2:3]\n"
       "s_waitcnt vmcnt(0) lgkmcnt(0)\n",
       "bounds", "address 0x0", 64, 0},
      {"FlatAddressAtTheEnd",
       "v_mov_b32 v2, -4\nv_mov_b32 v3, -1\nflat_load_dwordx2 v[4:5], v[2:3]\n"
       "s_waitcnt vmcnt(0) lgkmcnt(0)\n",
       "bounds", "address 0xfffffffffffffffc", 64, 0},
      {"ScalarLoadBounds",
       prologue + "s_load_dword s8, s[4:5], 0x400\ns_waitcnt lgkmcnt(0)\n",
       "bounds", "lane -1: global read", 64, 0},
      {"ScratchBounds",
       "v_mov_b32 v2, 0x1000\nscratch_store_dword v2, v0, off\n", "bounds",
       "scratch access out of bounds", 64, 0},
      {"LoadToLdsReadEarly",
       prologue +
           "s_mov_b32 m0, 0\nglobal_load_lds_dword v1, s[4:5]\n"
           "ds_read_b32 v3, v1\ns_waitcnt lgkmcnt(0) vmcnt(0)\n" +
           store3,
       nullptr, nullptr, 64, 512},
  };
}

} // namespace

TEST_P(HazardTest, FindsExactlyThat) {
  const Case &c = GetParam();
  Outcome outcome = launch({c.body, c.ldsBytes}, c.threads);
  EXPECT_EQ(outcome.error, "");
  if (!c.kind) {
    EXPECT_TRUE(outcome.hazards.empty()) << outcome.hazards.front().kind << " "
                                         << outcome.hazards.front().detail;
    return;
  }
  ASSERT_FALSE(outcome.hazards.empty());
  for (const Hazard &hazard : outcome.hazards) {
    EXPECT_EQ(hazard.kind, c.kind);
    EXPECT_EQ(hazard.kernel, "k");
    EXPECT_NE(hazard.detail.find(c.detail), std::string::npos) << hazard.detail;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, HazardTest, testing::ValuesIn(makeCases()),
                         [](const auto &info) { return info.param.name; });

TEST(EmulatedDevice, LoadToLdsTakesEffectAtTheWait) {
  const std::string load = prologue + "s_mov_b32 m0, 0\nds_write_b32 v1, v1\n"
                                      "s_waitcnt lgkmcnt(0)\n"
                                      "global_load_lds_dword v1, s[4:5]\n";
  const std::string read = "ds_read_b32 v3, v1\ns_waitcnt lgkmcnt(0)\n";
  const std::string wait = "s_waitcnt vmcnt(0)\n";
  Outcome early = launch({load + read + wait + store3, 512});
  Outcome late = launch({load + wait + read + store3, 512});
  EXPECT_EQ(early.output[5], 20u);
  EXPECT_EQ(late.output[5], 5u);
}

TEST(EmulatedDevice, OutOfBoundsAccessesHaveNoEffect) {
  Outcome outcome = launch({prologue +
                            "global_load_dword v2, v1, s[4:5] offset:1020\n"
                            "s_waitcnt vmcnt(0)\n" +
                            store2});
  EXPECT_EQ(outcome.output[0], 255u);
  EXPECT_EQ(outcome.output[1], 0u);
}
