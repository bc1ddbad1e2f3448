//===- MatmulSchedule.cpp - Who computes what of a matmul -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Codegen/MatmulSchedule.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir::qfuse;

MatmulSchedule MatmulSchedule::get(int64_t k) {
  MatmulSchedule schedule;
  schedule.k = k;
  int64_t total = schedule.getTotalUnits();
  schedule.waves = std::min<int64_t>(maxWaves, total);
  // Equal slices, if half of the waves or more can have them.
  for (unsigned waves = schedule.waves; 2 * waves >= schedule.waves; --waves)
    if (total % waves == 0) {
      schedule.waves = waves;
      break;
    }
  schedule.units = llvm::divideCeil(total, schedule.waves);
  // Rounding up can leave a wave without a unit.
  schedule.waves = llvm::divideCeil(total, schedule.units);
  return schedule;
}
