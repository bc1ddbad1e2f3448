//===- RowReductions.cpp - Sums and maxima over a row ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowEmitter.h"

#include "Detail.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::qfuse;

/// Combines `x` over all lanes of the work-group; each lane gets the result.
/// Each reduction has LDS of its own, so one barrier is enough.
Value RowEmitter::reduceAcrossRow(Value x, Combine how) {
  Value ofWave = hooks.reduceWave(b, x, how);
  if (schedule.waves == 1)
    return hooks.broadcastResult(b, ofWave);

  Value parts = addSharedMemory(b, result.function, schedule.waves);
  Value isLast = b.equals(lane, b.i32(hooks.getResultLane()));
  scf::IfOp::create(b, isLast, [&](OpBuilder &, Location loc) {
    memref::StoreOp::create(b, b.bitcast(ofWave, b.f32()), parts,
                            b.toIndex(wave));
    scf::YieldOp::create(b);
  });
  hooks.barrier(b);
  Value all = vector::LoadOp::create(b, b.vec(schedule.waves, b.f32()), parts,
                                     b.index(0), /*nontemporal=*/false,
                                     llvm::Align(16));
  if (how == Combine::sum)
    return addWaves(all);
  Value combined;
  for (Value part : b.elements(all)) {
    Value magnitude = b.bitcast(part, x.getType());
    combined =
        combined ? hooks.combine(b, combined, magnitude, how) : magnitude;
  }
  return combined;
}

/// Adds by pairs written out: the vectorizer makes its own otherwise, with
/// moves.
Value RowEmitter::addWaves(Value parts) {
  unsigned waves = schedule.waves, paired = waves > 3 ? waves & ~1u : 0;
  Value sum;
  for (unsigned first = 0; first < paired; first += 2)
    sum = sum ? b.addf(sum, b.pair(parts, first)) : b.pair(parts, first);
  if (sum)
    sum = b.addf(b.element(sum, 0), b.element(sum, 1));
  for (unsigned rest = paired; rest < waves; ++rest)
    sum = sum ? b.addf(sum, b.element(parts, rest)) : b.element(parts, rest);
  return sum;
}
