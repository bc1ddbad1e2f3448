//===- RowEmitter.cpp - Emits the body of a row kernel --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowEmitter.h"

#include "Detail.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::qfuse;

using Kind = KernelArgument::Kind;

RowEmitter::RowEmitter(const RowBody &body, const TargetHooks &hooks,
                       gpu::GPUModuleOp module)
    : body(body), kernel(body.kernel), schedule(body.schedule), hooks(hooks),
      b(kernel.getLoc(), kernel.getContext()), module(module) {}

GeneratedKernel RowEmitter::emit() {
  createFunction();
  emitPosition();
  emitLoads();
  for (Operation &op : kernel.getBody()->without_terminator()) {
    b.setLoc(op.getLoc());
    emitOp(&op);
    if (hooks.storesEarly())
      emitStores([&](Value value) { return value.getDefiningOp() == &op; });
  }
  b.setLoc(kernel.getYield().getLoc());
  if (!hooks.storesEarly())
    emitStores([](Value) { return true; });
  gpu::ReturnOp::create(b);
  return std::move(result);
}

void RowEmitter::emitStores(function_ref<bool(Value)> isChosen) {
  for (auto [output, value] : llvm::enumerate(kernel.getYield().getValues()))
    if (isChosen(value))
      emitStore(output);
}

//===----------------------------------------------------------------------===//
// Signature and position
//===----------------------------------------------------------------------===//

/// Returns the type of the elements of a buffer: floats of up to 8 bits are
/// bytes.
static Type getStorageElement(Type type) {
  Type element = cast<ShapedType>(type).getElementType();
  if (element.isIntOrFloat() && element.getIntOrFloatBitWidth() <= 8)
    return IntegerType::get(type.getContext(), 8);
  return element;
}

void RowEmitter::createFunction() {
  SmallVector<Type> types;
  auto add = [&](Kind kind, unsigned index, unsigned dim, Type type) {
    result.arguments.push_back({kind, index, dim});
    types.push_back(type);
  };
  auto addPointers = [&](Kind kind, TypeRange values) {
    for (auto [index, type] : llvm::enumerate(values))
      add(kind, index, 0, MemRefType::get({}, getStorageElement(type)));
  };
  auto addStrides = [&](Kind kind, ValueRange values) {
    for (auto [index, value] : llvm::enumerate(values))
      if (body.kinds.lookup(value) == RowValueKind::row &&
          body.kinds.contains(value))
        add(kind, index, 0, b.i32());
  };
  ValueRange inputs = kernel.getBody()->getArguments();
  ValueRange outputs = kernel.getYield().getValues();
  addPointers(Kind::input, kernel.getArgumentTypes());
  addPointers(Kind::output, kernel.getResultTypes());
  addStrides(Kind::inputStride, inputs);
  addStrides(Kind::outputStride, outputs);
  add(Kind::inputExtent, body.rowsInput, 0, b.i32());

  result.threads = schedule.getThreads();
  result.strideMultiple = RowSchedule::vectorWidth;
  result.extents.push_back({body.rowsInput, 0});
  AffineExpr one = b.getAffineConstantExpr(1);
  result.grid = AffineMap::get(0, 1, {b.getAffineSymbolExpr(0), one, one},
                               b.getContext());
  result.function = createDeviceFunction(b, module, kernel.getSymName(), types,
                                         result.threads);
  for (auto [index, argument] : llvm::enumerate(result.arguments))
    if (argument.kind == Kind::input || argument.kind == Kind::output)
      result.function.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(),
                                 b.getI64IntegerAttr(16));
}

void RowEmitter::emitPosition() {
  inputStrides.resize(kernel.getNumArguments());
  outputStrides.resize(kernel.getNumResults());
  for (auto [argument, value] :
       llvm::zip_equal(result.arguments, result.function.getArguments())) {
    if (argument.kind == Kind::inputStride)
      inputStrides[argument.index] = value;
    if (argument.kind == Kind::outputStride)
      outputStrides[argument.index] = value;
    if (argument.kind == Kind::inputExtent)
      rows = value;
  }
  // Unsigned, so that no sign is extended and the product with a stride is one
  // of 32 bits.
  row = b.toI32(gpu::BlockIdOp::create(b, gpu::Dimension::x));
  thread = b.toI32(gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  lane = b.andi(thread, schedule.lanes - 1);
  wave = b.shrui(thread, llvm::Log2_32(schedule.lanes));
  // (wave * chunks * lanes + lane) * 8, which the waves' part of `thread` has
  // already for one chunk.
  Value vectorIndex = thread;
  if (schedule.chunks > 1)
    vectorIndex =
        b.addi(thread, b.muli(b.andi(thread, -int64_t(schedule.lanes)),
                              b.i32(schedule.chunks - 1)));
  Value first = b.toIndex(b.muli(vectorIndex, b.i32(RowSchedule::vectorWidth)));
  for (unsigned chunk = 0; chunk < schedule.chunks; ++chunk)
    elements.push_back(
        chunk == 0 ? first
                   : b.addi(first, b.index(chunk * schedule.getChunkSize())));
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

void RowEmitter::emitOp(Operation *op) {
  values[op->getResult(0)] =
      llvm::TypeSwitch<Operation *, LaneValue>(op)
#define ROW_OP(OP, CHECK, VISIT, EMIT)                                         \
  .Case([&](OP each) { return EMIT(each); })
#include "qfuse/Analysis/RowOps.def"
          .DefaultUnreachable("the body has been analyzed");
}

LaneValue RowEmitter::round(ArrayRef<Value> chunks, Type elementType) {
  LaneValue value;
  if (elementType.isF32()) {
    llvm::append_range(value.chunks, chunks);
    return value;
  }
  for (Value chunk : chunks) {
    RoundedVector rounded = hooks.roundToBf16(b, chunk, body.cleanNaNs);
    value.chunks.push_back(rounded.wide);
    value.packed.push_back(rounded.packed);
  }
  return value;
}

/// An op on bf16 is one on f32 that is rounded again: f32 has more than twice
/// the precision, so the second rounding finds what a single one would.
LaneValue
RowEmitter::emitElementwise(Operation *op,
                            function_ref<Value(ArrayRef<Value>)> emit) {
  SmallVector<Value> chunks;
  for (unsigned chunk = 0; chunk < schedule.chunks; ++chunk)
    chunks.push_back(
        emit(llvm::map_to_vector(op->getOperands(), [&](Value operand) {
          return values.at(operand).chunks[chunk];
        })));
  return round(chunks, getElementTypeOrSelf(op->getResult(0).getType()));
}

LaneValue RowEmitter::emitAdd(arith::AddFOp op) {
  return emitElementwise(
      op, [&](ArrayRef<Value> x) { return b.addf(x[0], x[1]); });
}

LaneValue RowEmitter::emitSub(arith::SubFOp op) {
  return emitElementwise(op, [&](ArrayRef<Value> x) -> Value {
    return arith::SubFOp::create(b, x[0], x[1]);
  });
}

LaneValue RowEmitter::emitMul(arith::MulFOp op) {
  return emitElementwise(
      op, [&](ArrayRef<Value> x) { return b.mulf(x[0], x[1]); });
}

LaneValue RowEmitter::emitExtend(arith::ExtFOp op) {
  return emitElementwise(op, [](ArrayRef<Value> x) { return x[0]; });
}

/// Toward zero, the bits that bf16 lacks are dropped before it is rounded.
LaneValue RowEmitter::emitTruncate(arith::TruncFOp op) {
  bool isTowardZero = op.getRoundingmode() == arith::RoundingMode::toward_zero;
  return emitElementwise(op, [&](ArrayRef<Value> x) {
    return isTowardZero ? dropLowHalf(x[0]) : x[0];
  });
}

/// Returns `chunk` with the bits that bf16 lacks cleared. A NaN stays one.
Value RowEmitter::dropLowHalf(Value chunk) {
  VectorType words = b.vec(8, b.i32());
  Value upper = arith::AndIOp::create(b, b.bitcast(chunk, words),
                                      b.splat(b.i32(0xffff0000)));
  Value isNaN =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, chunk, chunk);
  return b.select(isNaN, chunk, b.bitcast(upper, b.v8f32()));
}

/// The order is part of the contract: over the chunks of a lane, the eight
/// elements by pairs, then the lanes and waves.
Value RowEmitter::emitSumOfSquares(const LaneValue &value) {
  Value squares = b.mulf(value.chunks[0], value.chunks[0]);
  for (Value chunk : ArrayRef(value.chunks).drop_front())
    squares = b.fma(chunk, chunk, squares);
  Value sum = b.addf(b.addf(b.pair(squares, 0), b.pair(squares, 2)),
                     b.addf(b.pair(squares, 4), b.pair(squares, 6)));
  return b.addf(b.element(sum, 0), b.element(sum, 1));
}

LaneValue RowEmitter::emitNorm(RmsNormOp op) {
  const LaneValue &input = values.at(op.getInput());
  Value total = reduceAcrossRow(emitSumOfSquares(input), Combine::sum);
  Value mean = b.mulf(total, b.f32(static_cast<float>(1.0 / schedule.rowSize)));
  Value rstd =
      hooks.rsqrt(b, b.addf(mean, b.f32(op.getEpsilon().convertToFloat())));
  SmallVector<Value> normalized;
  for (Value chunk : input.chunks)
    normalized.push_back(b.mulf(chunk, b.splat(rstd)));
  Type resultType = op.getResult().getType().getElementType();
  if (!op.getWeight())
    return round(round(normalized, op.getNormalized()).chunks, resultType);

  SmallVector<Value> weighted;
  LaneValue rounded = round(normalized, op.getNormalized());
  for (auto [chunk, weight] :
       llvm::zip_equal(rounded.chunks, values.at(op.getWeight()).chunks)) {
    Value factor = weight;
    if (!op.getWeightOffset().isZero())
      factor =
          b.addf(weight, b.splat(b.f32(op.getWeightOffset().convertToFloat())));
    weighted.push_back(b.mulf(chunk, factor));
  }
  return round(weighted, resultType);
}
