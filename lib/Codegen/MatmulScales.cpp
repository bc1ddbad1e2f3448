//===- MatmulScales.cpp - Scales and result of a scaled matmul ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatmulEmitter.h"

#include "Places.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::qfuse;

using Kind = KernelArgument::Kind;

static constexpr int64_t tile = MatrixHooks::tile;

/// Loads the scale at (`row`, `column`), both i32 and inside.
Value MatmulEmitter::loadScale(Value scales, Value rows, Value row,
                               Value column) {
  // The rows of a tile differ from lane to lane, so all of the offset is an
  // index.
  Place place = getPlace(b, getArgument(Kind::input, scales),
                         cast<ShapedType>(scales.getType()), b.toIndex(rows),
                         b.toIndex(row), b.toIndex(column));
  return memref::LoadOp::create(b, place.base, place.index);
}

/// Returns `x`, at most `last`: what does not exist repeats what does, and is
/// not stored.
static Value clampTo(KernelBuilder &b, Value x, Value last) {
  return arith::MinUIOp::create(b, x, last);
}

/// Rows that a tile of A has beyond the last are those of the last; a unit
/// behind K has the scale 0, as it must not meet an infinite one.
void MatmulEmitter::loadBlockScales(unsigned unit, Unit &loaded) {
  Value column = b.addi(b.muli(wave, b.i32(schedule.units)), b.i32(unit));
  Value last = b.i32(schedule.getTotalUnits() - 1);
  Value inside = clampTo(b, column, last);
  Value row = clampTo(b, m, arith::SubIOp::create(b, rows, b.i32(1)));
  int64_t blocks = llvm::divideCeil(body.n, MatmulSchedule::unit);
  // 16 columns are in one block of rows of B.
  Value block = b.shrui(n0, llvm::Log2_64(MatmulSchedule::unit));
  loaded.tokenScale = loadScale(op.getAScales(), rows, row, inside);
  loaded.weightScale = loadScale(op.getBScales(), b.i32(blocks), block, inside);
  if (!schedule.isRagged(unit))
    return;
  Value exists =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ule, column, last);
  loaded.tokenScale = b.select(exists, loaded.tokenScale, b.f32(0.0f));
  loaded.weightScale = b.select(exists, loaded.weightScale, b.f32(0.0f));
}

Value MatmulEmitter::addProduct(Value accumulator, Value product,
                                const Unit &unit) {
  if (op.getScaleOrder() == ScaleOrder::per_block_product) {
    Value scale = b.mulf(unit.tokenScale, unit.weightScale);
    return b.fma(product, b.splat(scale, 4), accumulator);
  }
  Value scaled = b.mulf(product, b.splat(unit.tokenScale, 4));
  return b.fma(scaled, b.splat(unit.weightScale, 4), accumulator);
}

/// Returns the lane's four columns of `vector`, a row of N: as vector<4xf32>.
Value MatmulEmitter::loadColumns(Value vector) {
  Type element = getElementTypeOrSelf(vector.getType());
  Value base = moveTo(b, getArgument(Kind::input, vector), b.index(0), body.n);
  SmallVector<Value> columns;
  for (int64_t column = 0; column < 4; ++column) {
    Value position = clampTo(b, b.addi(n, b.i32(column)), b.i32(body.n - 1));
    Value loaded = memref::LoadOp::create(b, base, b.toIndex(position));
    if (!element.isF32())
      loaded = arith::ExtFOp::create(b, b.f32(), loaded);
    columns.push_back(loaded);
  }
  return b.vector(columns);
}

/// Applies what is left of the scales, and the bias.
Value MatmulEmitter::finish(Value sum) {
  if (!body.hasBlocks) {
    Value row = clampTo(b, m, arith::SubIOp::create(b, rows, b.i32(1)));
    Value tokenScale =
        b.splat(loadScale(op.getAScales(), rows, row, b.i32(0)), 4);
    SmallVector<Value> scales;
    for (int64_t column = 0; column < 4; ++column) {
      Value channel = clampTo(b, b.addi(n, b.i32(column)), b.i32(body.n - 1));
      scales.push_back(
          loadScale(op.getBScales(), b.i32(body.n), channel, b.i32(0)));
    }
    Value weightScale = b.vector(scales);
    switch (op.getScaleOrder()) {
    case ScaleOrder::per_block: // K is one block
    case ScaleOrder::a_then_b:
      sum = b.mulf(b.mulf(sum, tokenScale), weightScale);
      break;
    case ScaleOrder::b_then_a:
      sum = b.mulf(b.mulf(sum, weightScale), tokenScale);
      break;
    case ScaleOrder::per_block_product:
    case ScaleOrder::product:
      sum = b.mulf(sum, b.mulf(tokenScale, weightScale));
      break;
    }
  }
  if (op.getBias())
    sum = b.addf(sum, loadColumns(op.getBias()));
  return sum;
}

/// Stores the lane's four columns: at once where rows are aligned for that,
/// else one by one. A column that does not exist is stored beyond the buffer.
void MatmulEmitter::store(Value sum) {
  Type element = getElementTypeOrSelf(op.getResult().getType());
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  Value pointer = result.function.getArgument(kernel.getNumArguments());
  Value buffer = describeTile(pointer, m0, rows, tile, b.i32(body.n * bytes));
  Value value = finish(sum);
  if (element.isBF16())
    value = arith::TruncFOp::create(b, b.vec(4, element), value);
  Value offset = b.addi(b.muli(b.andi(lane, tile - 1), b.i32(body.n * bytes)),
                        b.muli(n, b.i32(bytes)));
  auto place = [&](int64_t column) {
    Value at = b.addi(offset, b.i32(column * bytes));
    if (body.n % tile == 0)
      return at;
    Value exists = b.lessThan(b.addi(n, b.i32(column)), b.i32(body.n));
    return b.select(exists, at, b.i32(-1));
  };
  if (body.n % 4 == 0) {
    Value words = b.bitcast(value, b.vec(bytes, b.i32()));
    return matrix.storeBuffer(b, words, buffer, place(0));
  }
  Type integer = b.getIntegerType(8 * bytes);
  for (auto [column, each] : llvm::enumerate(b.elements(value)))
    matrix.storeBuffer(b, b.bitcast(each, integer), buffer, place(column));
}
