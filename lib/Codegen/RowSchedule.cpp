//===- RowSchedule.cpp - Who computes what of a row -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Codegen/RowSchedule.h"

#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace mlir::qfuse;

/// Wave instructions that a row costs, up to a factor: what each wave and each
/// of its chunks takes in add + norm + quantize, and the masks of a chunk that
/// is not all inside the row.
static int64_t estimateCost(const RowSchedule &schedule) {
  int64_t chunk = 70;
  if (schedule.isRagged(schedule.chunks - 1))
    chunk += 10;
  return schedule.waves * (45 + chunk * schedule.chunks);
}

RowSchedule RowSchedule::get(int64_t rowSize, unsigned lanes) {
  assert(rowSize > 0 && rowSize % vectorWidth == 0 && rowSize <= maxRowSize &&
         "no schedule for this size");
  RowSchedule best;
  int64_t needed = llvm::divideCeil(rowSize, int64_t(lanes) * vectorWidth);
  // Three chunks of three tensors fit in 64 registers a lane, four in 128.
  unsigned maxChunks = rowSize <= 8192 ? 3 : 4;
  for (unsigned chunks = 1; chunks <= maxChunks; ++chunks) {
    RowSchedule schedule;
    schedule.rowSize = rowSize;
    schedule.lanes = lanes;
    schedule.chunks = chunks;
    schedule.waves = llvm::divideCeil(needed, chunks);
    if (schedule.getThreads() > maxThreads)
      continue;
    if (best.waves == 0 || estimateCost(schedule) < estimateCost(best))
      best = schedule;
  }
  assert(best.waves != 0 && "four chunks of 1024 threads hold each row");
  return best;
}

unsigned RowSchedule::getLanesOfBlock(int64_t block) const {
  if (block == 0)
    return getThreads();
  int64_t shared = block / vectorWidth;
  if (block % vectorWidth != 0 || shared > lanes ||
      !llvm::isPowerOf2_64(shared))
    return 0;
  return shared;
}
