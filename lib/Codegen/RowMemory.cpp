//===- RowMemory.cpp - Loads and stores of a row kernel -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Places.h"
#include "RowEmitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::qfuse;

/// Rows are moved to by products of 32 by 32 bits.
Value RowEmitter::getRow(Value pointer, Value stride) {
  Value start = b.muli(b.toIndex(row), b.toIndex(stride));
  return moveTo(b, pointer, start, schedule.rowSize);
}

/// Returns whether the lane's vector of `chunk` is inside the row; null if that
/// of each lane is. Row sizes are multiples of a vector.
Value RowEmitter::getInsideMask(unsigned chunk) {
  if (!schedule.isRagged(chunk))
    return {};
  return b.lessThan(elements[chunk], b.index(schedule.rowSize));
}

//===----------------------------------------------------------------------===//
// Places of scales
//===----------------------------------------------------------------------===//

/// Returns the column, as i32, of the scale of the lane's block in `chunk`.
Value RowEmitter::getScaleColumn(int64_t block, Value chunk) {
  unsigned shared = schedule.getLanesOfBlock(block);
  Value slot = b.addi(b.muli(wave, b.i32(schedule.chunks)), chunk);
  return b.addi(b.muli(slot, b.i32(schedule.lanes / shared)),
                b.shrui(lane, llvm::Log2_32(shared)));
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// All inputs are loaded first, chunk by chunk, so that the loads are in flight
/// together; what is behind the row is 0.
void RowEmitter::emitLoads() {
  SmallVector<BlockArgument> inputs;
  for (BlockArgument argument : kernel.getBody()->getArguments())
    if (body.kinds.contains(argument))
      inputs.push_back(argument);
  for (unsigned chunk = 0; chunk < schedule.chunks; ++chunk) {
    auto loadAll = [&] {
      return llvm::map_to_vector(inputs, [&](BlockArgument argument) {
        return emitLoad(argument, chunk);
      });
    };
    SmallVector<Value> loaded;
    if (Value inside = getInsideMask(chunk)) {
      auto guarded = scf::IfOp::create(
          b, inside,
          [&](OpBuilder &, Location) { scf::YieldOp::create(b, loadAll()); },
          [&](OpBuilder &, Location) {
            SmallVector<Value> zeros;
            for (BlockArgument argument : inputs)
              zeros.push_back(arith::ConstantOp::create(
                  b, b.getZeroAttr(getLoadedType(argument))));
            scf::YieldOp::create(b, zeros);
          });
      loaded = guarded.getResults();
    } else {
      loaded = loadAll();
    }
    for (auto [argument, value] : llvm::zip_equal(inputs, loaded))
      values[argument].chunks.push_back(value);
  }
  // After all loads, so that none of them waits for another.
  for (BlockArgument argument : inputs)
    for (Value &chunk : values[argument].chunks)
      if (auto type = dyn_cast<VectorType>(chunk.getType());
          type && type.getElementType().isBF16())
        chunk = arith::ExtFOp::create(b, b.v8f32(), chunk);
}

Type RowEmitter::getLoadedType(BlockArgument argument) {
  Type element = getElementTypeOrSelf(argument.getType());
  if (body.getKind(argument) == RowValueKind::scales)
    return hasPowersOfTwo(argument.getType()) ? b.i32() : element;
  return b.vec(RowSchedule::vectorWidth, element);
}

Value RowEmitter::emitLoad(BlockArgument argument, unsigned chunk) {
  RowValueKind kind = body.getKind(argument);
  if (kind == RowValueKind::scales)
    return emitScaleLoad(argument, chunk);
  Value pointer = result.function.getArgument(argument.getArgNumber());
  bool isRow = kind == RowValueKind::row;
  Value base = isRow ? getRow(pointer, inputStrides[argument.getArgNumber()])
                     : moveTo(b, pointer, b.index(0), schedule.rowSize);
  // A row is read once; a weight by each work-group.
  return vector::LoadOp::create(b, cast<VectorType>(getLoadedType(argument)),
                                base, elements[chunk], /*nontemporal=*/isRow,
                                llvm::Align(16));
}

Value RowEmitter::emitScaleLoad(BlockArgument argument, unsigned chunk) {
  auto quantize = cast<QuantizeOp>(*argument.user_begin());
  int64_t block = getBlockSize(quantize.getFormat());
  Value column = block == 0 ? b.i32(0) : getScaleColumn(block, b.i32(chunk));
  Place place =
      getPlace(b, result.function.getArgument(argument.getArgNumber()),
               cast<ShapedType>(argument.getType()), b.toIndex(rows),
               b.toIndex(row), b.toIndex(column));
  Value loaded = memref::LoadOp::create(b, place.base, place.index);
  if (!hasPowersOfTwo(argument.getType()))
    return loaded;
  return arith::ExtUIOp::create(b, b.i32(), loaded);
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

void RowEmitter::emitStore(unsigned output) {
  Value value = kernel.getYield().getValues()[output];
  if (body.getKind(value) != RowValueKind::scales)
    return emitRowStore(output, values.at(value));
  auto scale = value.getDefiningOp<BlockScaleOp>();
  emitScaleStore(output, values.at(value), getBlockSize(scale.getFormat()));
}

void RowEmitter::emitRowStore(unsigned output, const LaneValue &value) {
  ArrayRef<Value> chunks = value.packed.empty() ? value.chunks : value.packed;
  // Two codes of fp4 are one byte.
  int64_t packing = RowSchedule::vectorWidth /
                    cast<VectorType>(chunks.front().getType()).getNumElements();
  Value stride = outputStrides[output];
  if (!stride)
    stride = b.i32(schedule.rowSize / packing); // codes
  Value base = getRow(getOutput(output), stride);
  for (auto [chunk, data] : llvm::enumerate(chunks)) {
    auto type = cast<VectorType>(data.getType());
    // As wide as a vector, whose size divides that of a row.
    int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
    auto store = [&, chunk = chunk, data = data] {
      Value position = elements[chunk];
      if (packing != 1)
        position = arith::DivUIOp::create(b, position, b.index(packing));
      vector::StoreOp::create(b, data, base, position,
                              /*nontemporal=*/true,
                              llvm::Align(std::min<int64_t>(bytes, 16)));
    };
    guard(getInsideMask(chunk), store);
  }
}

/// One store a wave: of the lanes that share a block, lane c has the scale of
/// chunk c.
void RowEmitter::emitScaleStore(unsigned output, const LaneValue &value,
                                int64_t block) {
  auto type = cast<ShapedType>(kernel.getYield().getValues()[output].getType());
  Value mine, column, scale = value.chunks[0];
  if (block == 0) {
    mine = b.equals(thread, b.i32(0));
    column = b.i32(0);
  } else {
    Value chunk = b.andi(lane, schedule.getLanesOfBlock(block) - 1);
    for (unsigned c = 1; c < schedule.chunks; ++c)
      scale = b.select(b.equals(chunk, b.i32(c)), value.chunks[c], scale);
    column = getScaleColumn(block, chunk);
    mine = b.lessThan(chunk, b.i32(schedule.chunks));
    if (schedule.isRagged(schedule.chunks - 1))
      mine = arith::AndIOp::create(
          b, mine, b.lessThan(column, b.i32(type.getDimSize(1))));
  }
  guard(mine, [&] {
    Place place = getPlace(b, getOutput(output), type, b.toIndex(rows),
                           b.toIndex(row), b.toIndex(column));
    if (hasPowersOfTwo(type))
      scale = arith::TruncIOp::create(b, b.getI8Type(), scale);
    memref::StoreOp::create(b, scale, place.base, place.index);
  });
}

Value RowEmitter::getOutput(unsigned output) {
  return result.function.getArgument(kernel.getNumArguments() + output);
}

void RowEmitter::guard(Value condition, function_ref<void()> emit) {
  if (!condition)
    return emit();
  scf::IfOp::create(b, condition, [&](OpBuilder &, Location) {
    emit();
    scf::YieldOp::create(b);
  });
}
