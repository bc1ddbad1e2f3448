//===- RowScheduleTest.cpp - Properties of row schedules ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Codegen/RowSchedule.h"
#include "gtest/gtest.h"
#include <vector>

using namespace mlir::qfuse;

namespace {
/// Calls `visit` for all sizes that can be scheduled and both kinds of waves.
template <typename Visitor> void forEachSchedule(Visitor visit) {
  for (unsigned lanes : {32u, 64u})
    for (int64_t size = RowSchedule::vectorWidth;
         size <= RowSchedule::maxRowSize; size += RowSchedule::vectorWidth)
      visit(RowSchedule::get(size, lanes));
}

TEST(RowScheduleTest, OwnsEachElementOnce) {
  forEachSchedule([](const RowSchedule &schedule) {
    int64_t vectors = schedule.rowSize / RowSchedule::vectorWidth;
    std::vector<int> owners(vectors);
    for (unsigned wave = 0; wave < schedule.waves; ++wave)
      for (unsigned chunk = 0; chunk < schedule.chunks; ++chunk)
        for (unsigned lane = 0; lane < schedule.lanes; ++lane) {
          int64_t element = schedule.getElement(wave, lane, chunk);
          ASSERT_EQ(element % RowSchedule::vectorWidth, 0);
          if (element < schedule.rowSize)
            ++owners[element / RowSchedule::vectorWidth];
        }
    for (int count : owners)
      ASSERT_EQ(count, 1) << "rows of " << schedule.rowSize;
  });
}

TEST(RowScheduleTest, FitsAWorkGroup) {
  forEachSchedule([](const RowSchedule &schedule) {
    ASSERT_GE(schedule.waves, 1u);
    ASSERT_GE(schedule.chunks, 1u);
    ASSERT_LE(schedule.chunks, 4u);
    ASSERT_LE(schedule.getThreads(), RowSchedule::maxThreads);
  });
}

TEST(RowScheduleTest, HasNoWaveWithoutElements) {
  forEachSchedule([](const RowSchedule &schedule) {
    ASSERT_LT(schedule.getElement(schedule.waves - 1, 0, 0), schedule.rowSize)
        << "rows of " << schedule.rowSize;
  });
}

TEST(RowScheduleTest, KnowsWhichChunksAreRagged) {
  forEachSchedule([](const RowSchedule &schedule) {
    for (unsigned chunk = 0; chunk < schedule.chunks; ++chunk) {
      bool isRagged = false;
      for (unsigned wave = 0; wave < schedule.waves; ++wave)
        for (unsigned lane = 0; lane < schedule.lanes; ++lane)
          isRagged |= schedule.getElement(wave, lane, chunk) >= schedule.rowSize;
      ASSERT_EQ(schedule.isRagged(chunk), isRagged)
          << "chunk " << chunk << " of rows of " << schedule.rowSize;
    }
  });
}

TEST(RowScheduleTest, LanesOfABlockAreNeighbors) {
  forEachSchedule([](const RowSchedule &schedule) {
    for (int64_t block : {8, 16, 32, 64, 128}) {
      unsigned shared = schedule.getLanesOfBlock(block);
      ASSERT_EQ(shared * RowSchedule::vectorWidth, block);
      for (unsigned wave = 0; wave < schedule.waves; ++wave)
        for (unsigned chunk = 0; chunk < schedule.chunks; ++chunk)
          for (unsigned lane = 0; lane < schedule.lanes; ++lane)
            ASSERT_EQ(
                schedule.getElement(wave, lane, chunk) / block,
                schedule.getElement(wave, lane / shared * shared, chunk) /
                    block);
    }
  });
}

TEST(RowScheduleTest, RefusesBlocksThatNoLanesShare) {
  RowSchedule schedule = RowSchedule::get(4096, 64);
  EXPECT_EQ(schedule.getLanesOfBlock(4), 0u);
  EXPECT_EQ(schedule.getLanesOfBlock(24), 0u);
  EXPECT_EQ(schedule.getLanesOfBlock(1024), 0u);
  EXPECT_EQ(schedule.getLanesOfBlock(0), schedule.getThreads());
}

TEST(RowScheduleTest, TakesTheCheapestShape) {
  auto shape = [](int64_t size) {
    RowSchedule schedule = RowSchedule::get(size, 64);
    return std::pair(schedule.waves, schedule.chunks);
  };
  EXPECT_EQ(shape(64), std::pair(1u, 1u));
  EXPECT_EQ(shape(1536), std::pair(1u, 3u)); // no LDS, no barrier
  EXPECT_EQ(shape(4096), std::pair(4u, 2u));
  EXPECT_EQ(shape(7168), std::pair(7u, 2u));
  EXPECT_EQ(shape(16384), std::pair(8u, 4u));
}
} // namespace
