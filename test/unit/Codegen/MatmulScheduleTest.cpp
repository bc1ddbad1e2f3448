//===- MatmulScheduleTest.cpp - Properties of matmul schedules ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Codegen/MatmulSchedule.h"
#include "gtest/gtest.h"

using namespace mlir::qfuse;

namespace {
template <typename Visitor> void forEachSchedule(Visitor visit) {
  for (int64_t k = 16; k <= 65536; k += 16)
    visit(MatmulSchedule::get(k));
}

TEST(MatmulScheduleTest, SlicesHoldAllOfK) {
  forEachSchedule([](const MatmulSchedule &schedule) {
    ASSERT_GE(int64_t(schedule.waves) * schedule.units,
              schedule.getTotalUnits());
    ASSERT_LE(schedule.waves, MatmulSchedule::maxWaves);
  });
}

TEST(MatmulScheduleTest, EachWaveHasAUnit) {
  forEachSchedule([](const MatmulSchedule &schedule) {
    ASSERT_LT(int64_t(schedule.waves - 1) * schedule.units,
              schedule.getTotalUnits())
        << "K = " << schedule.k;
  });
}

TEST(MatmulScheduleTest, OnlyUnitsThatReachBeyondKAreRagged) {
  forEachSchedule([](const MatmulSchedule &schedule) {
    for (unsigned unit = 0; unit < schedule.units; ++unit) {
      int64_t end = (int64_t(schedule.waves - 1) * schedule.units + unit + 1) *
                    MatmulSchedule::unit;
      ASSERT_EQ(schedule.isRagged(unit), end > schedule.k);
    }
  });
}

TEST(MatmulScheduleTest, SlicesAreEqualWhereTheyCanBe) {
  EXPECT_EQ(MatmulSchedule::get(7168).waves, 8u);
  EXPECT_EQ(MatmulSchedule::get(7168).units, 7u);
  EXPECT_EQ(MatmulSchedule::get(1536).waves, 6u);
  EXPECT_EQ(MatmulSchedule::get(1536).units, 2u);
  EXPECT_EQ(MatmulSchedule::get(64).waves, 1u);
}
} // namespace
