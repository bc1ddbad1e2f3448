//===- MatmulEmitter.cpp - The scaled matmul template ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatmulEmitter.h"

#include "Detail.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::qfuse;

using Kind = KernelArgument::Kind;

static constexpr int64_t tile = MatrixHooks::tile;

MatrixHooks::~MatrixHooks() = default;

//===----------------------------------------------------------------------===//
// What can be emitted
//===----------------------------------------------------------------------===//

static LogicalResult checkOperands(ScaledMatmulOp op,
                                   const TargetHooks &hooks) {
  Type type = getElementTypeOrSelf(op.getA().getType());
  if (!hooks.getMatrixHooks() || !hooks.getMatrixHooks()->takes(type) ||
      getElementTypeOrSelf(op.getB().getType()) != type)
    return emitMissing(op) << "no matrix unit of the target takes "
                           << op.getA().getType() << " and "
                           << op.getB().getType();
  for (Value operand : {op.getA(), op.getB()}) {
    auto tensor = dyn_cast<RankedTensorType>(operand.getType());
    if (!tensor || tensor.getRank() != 2 || tensor.isDynamicDim(1) ||
        tensor.getDimSize(1) % MatrixHooks::laneBytes != 0 ||
        tensor.getDimSize(1) == 0)
      return emitMissing(op) << "expected row-major operands of rank 2 whose K "
                                "is static and a multiple of 16, got "
                             << operand.getType();
  }
  if (cast<ShapedType>(op.getB().getType()).isDynamicDim(0))
    return emitMissing(op) << "expected a static N, got "
                           << op.getB().getType();
  Type resultType = getElementTypeOrSelf(op.getResult().getType());
  if (!resultType.isBF16() && !resultType.isF32())
    return emitMissing(op) << "expected a result of bf16 or f32, got "
                           << op.getResult().getType();
  return success();
}

/// Returns whether `format` has blocks of `block`, f32 scales and nothing else.
static bool hasBlock(FormatAttr format, ArrayRef<int64_t> block) {
  return format.getBlock() == block && format.getScaleType().isF32() &&
         !format.getOuterScale();
}

FailureOr<MatmulBody> MatmulBody::analyze(KernelDefOp kernel, ScaledMatmulOp op,
                                          const TargetHooks &hooks) {
  if (failed(checkOperands(op, hooks)))
    return failure();
  if (!llvm::hasSingleElement(kernel.getBody()->without_terminator()) ||
      llvm::any_of(op->getOperands(),
                   [](Value operand) { return !isa<BlockArgument>(operand); }))
    return FailureOr<MatmulBody>(
        emitMissing(op) << "other ops in the kernel of a scaled_matmul");
  MatmulBody body;
  body.kernel = kernel;
  body.op = op;
  int64_t k = cast<ShapedType>(op.getA().getType()).getDimSize(1);
  body.n = cast<ShapedType>(op.getB().getType()).getDimSize(0);
  body.schedule = MatmulSchedule::get(k);
  constexpr int64_t unit = MatmulSchedule::unit;
  body.hasBlocks = hasBlock(op.getAFormat(), {1, unit}) &&
                   hasBlock(op.getBFormat(), {unit, unit});
  if (!body.hasBlocks &&
      !(hasBlock(op.getAFormat(), {1, 0}) && hasBlock(op.getBFormat(), {1, 0})))
    return FailureOr<MatmulBody>(
        emitMissing(op)
        << "expected formats with a scale of f32 a row of A and of B, or a "
           "block of 1x128 of A and of 128x128 of B, got "
        << op.getAFormat() << " and " << op.getBFormat());
  return body;
}

//===----------------------------------------------------------------------===//
// Signature and position
//===----------------------------------------------------------------------===//

MatmulEmitter::MatmulEmitter(const MatmulBody &body, const TargetHooks &hooks,
                             gpu::GPUModuleOp module)
    : body(body), kernel(body.kernel), op(body.op), schedule(body.schedule),
      hooks(hooks), matrix(*hooks.getMatrixHooks()),
      b(op.getLoc(), op.getContext()), module(module) {}

GeneratedKernel MatmulEmitter::emit() {
  createFunction();
  emitPosition();
  Value sum = emitSum();
  if (schedule.waves == 1) {
    store(sum);
  } else {
    sum = combineWaves(sum);
    Value isFirst = b.equals(wave, b.i32(0));
    scf::IfOp::create(b, isFirst, [&](OpBuilder &, Location) {
      store(sum);
      scf::YieldOp::create(b);
    });
  }
  gpu::ReturnOp::create(b);
  return std::move(result);
}

void MatmulEmitter::createFunction() {
  unsigned a = cast<BlockArgument>(op.getA()).getArgNumber();
  SmallVector<Type> types;
  auto add = [&](Kind kind, unsigned index, Type type) {
    result.arguments.push_back({kind, index, 0});
    types.push_back(type);
  };
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  for (BlockArgument argument : kernel.getBody()->getArguments()) {
    // Operands and result are described as buffers; the rest is indexed.
    Type type = pointer;
    if (argument != op.getA() && argument != op.getB())
      type = MemRefType::get({}, getElementTypeOrSelf(argument.getType()));
    add(Kind::input, argument.getArgNumber(), type);
  }
  add(Kind::output, 0, pointer);
  add(Kind::inputStride, a, b.i32());
  add(Kind::inputExtent, a, b.i32());

  result.threads = schedule.waves * hooks.getLanes();
  result.strideMultiple = MatrixHooks::laneBytes;
  result.extents.push_back({a, 0});
  AffineExpr rowTiles = b.getAffineSymbolExpr(0).ceilDiv(tile);
  AffineExpr columnTiles =
      b.getAffineConstantExpr(llvm::divideCeil(body.n, tile));
  result.grid =
      AffineMap::get(0, 1, {columnTiles, rowTiles, b.getAffineConstantExpr(1)},
                     b.getContext());
  result.function = createDeviceFunction(b, module, kernel.getSymName(), types,
                                         result.threads);
}

/// Returns the argument of the function that has `kind` of input `value`.
Value MatmulEmitter::getArgument(Kind kind, Value value) {
  unsigned index = cast<BlockArgument>(value).getArgNumber();
  for (auto [position, argument] : llvm::enumerate(result.arguments))
    if (argument.kind == kind && argument.index == index)
      return result.function.getArgument(position);
  llvm_unreachable("each input has its arguments");
}

/// Returns the rows of an operand from `firstRow` on as a buffer, at most
/// `tile` of the `rows` that there are: its offsets fit in 32 bits for any
/// number of rows, and rows that do not exist are read as 0.
Value MatmulEmitter::describeTile(Value pointer, Value firstRow, Value rows,
                                  int64_t maxRows, Value stride) {
  auto wide = [&](Value x) -> Value {
    return arith::ExtUIOp::create(b, b.getI64Type(), x);
  };
  Value start = arith::MulIOp::create(b, wide(firstRow), wide(stride));
  Value base = LLVM::GEPOp::create(b, pointer.getType(), b.getI8Type(), pointer,
                                   ArrayRef<LLVM::GEPArg>{start});
  Value left = arith::SubIOp::create(b, rows, firstRow);
  left = arith::MinUIOp::create(b, left, b.i32(maxRows));
  return matrix.describeBuffer(b, base, b.muli(left, stride));
}

void MatmulEmitter::emitPosition() {
  Value thread = b.toI32(gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  Value column = b.toI32(gpu::BlockIdOp::create(b, gpu::Dimension::x));
  Value row = b.toI32(gpu::BlockIdOp::create(b, gpu::Dimension::y));
  lane = b.andi(thread, hooks.getLanes() - 1);
  wave = matrix.getUniform(b, b.shrui(thread, llvm::Log2_32(hooks.getLanes())));
  n0 = b.muli(column, b.i32(tile));
  m0 = b.muli(row, b.i32(tile));
  m = b.addi(m0, b.andi(lane, tile - 1));
  n = b.addi(n0, b.shli(b.shrui(lane, 4), 2));
  rows = getArgument(Kind::inputExtent, op.getA());
  tokenStride = getArgument(Kind::inputStride, op.getA());
  tokens = describeTile(getArgument(Kind::input, op.getA()), m0, rows, tile,
                        tokenStride);
  weights = describeTile(getArgument(Kind::input, op.getB()), n0, b.i32(body.n),
                         tile, b.i32(schedule.k));
}

//===----------------------------------------------------------------------===//
// The sum over K
//===----------------------------------------------------------------------===//

/// Loads a unit of an operand. What is behind K is read beyond the buffer, and
/// so is 0: K is a multiple of what a lane loads.
SmallVector<Value> MatmulEmitter::loadPieces(Value buffer, Value stride,
                                             unsigned unit) {
  Value rowStart = b.muli(b.andi(lane, tile - 1), stride);
  Value first =
      b.addi(b.muli(wave, b.i32(schedule.units * MatmulSchedule::unit)),
             b.shli(b.shrui(lane, 4), 4));
  SmallVector<Value> pieces;
  for (unsigned piece = 0; piece < matrix.getPieces(); ++piece) {
    int64_t distance =
        unit * MatmulSchedule::unit + piece * MatrixHooks::pieceBytes;
    Value k = b.addi(first, b.i32(distance));
    Value offset = b.addi(rowStart, k);
    if (schedule.isRagged(unit))
      offset = b.select(b.lessThan(k, b.i32(schedule.k)), offset, b.i32(-1));
    pieces.push_back(matrix.loadBuffer(b, b.vec(4, b.i32()), buffer, offset));
  }
  return pieces;
}

MatmulEmitter::Unit MatmulEmitter::loadUnit(unsigned unit) {
  Unit loaded;
  loaded.weights = loadPieces(weights, b.i32(schedule.k), unit);
  loaded.tokens = loadPieces(tokens, tokenStride, unit);
  if (body.hasBlocks)
    loadBlockScales(unit, loaded);
  return loaded;
}

/// Loads are as far ahead of the products as the registers for them allow.
Value MatmulEmitter::emitSum() {
  constexpr unsigned registersInFlight = 160, registersOfPiece = 4;
  unsigned ofUnit = registersOfPiece * 2 * matrix.getPieces();
  unsigned ahead = std::min(schedule.units, registersInFlight / ofUnit);
  Type type = getElementTypeOrSelf(op.getA().getType());
  VectorType sumType = b.vec(4, b.f32());
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(sumType));
  Value sum = zero;
  SmallVector<Unit> units;
  for (unsigned unit = 0; unit < ahead; ++unit)
    units.push_back(loadUnit(unit));
  for (unsigned unit = 0; unit < schedule.units; ++unit) {
    // Loads would sink to their uses.
    matrix.schedulingBarrier(b);
    const Unit current = units[unit];
    if (body.hasBlocks)
      sum = addProduct(
          sum, matrix.multiply(b, current.weights, current.tokens, zero, type),
          current);
    else
      sum = matrix.multiply(b, current.weights, current.tokens, sum, type);
    if (unit + ahead < schedule.units)
      units.push_back(loadUnit(unit + ahead));
  }
  return sum;
}

/// Adds the parts of the waves through LDS, in their order.
Value MatmulEmitter::combineWaves(Value part) {
  VectorType type = b.vec(4, b.f32());
  int64_t partSize = hooks.getLanes() * type.getNumElements();
  Value parts = addSharedMemory(b, result.function, schedule.waves * partSize);
  Value own = b.shli(lane, 2);
  Value slot = b.addi(b.muli(wave, b.i32(partSize)), own);
  vector::StoreOp::create(b, part, parts, b.toIndex(slot),
                          /*nontemporal=*/false, llvm::Align(16));
  hooks.barrier(b);
  Value sum;
  for (unsigned other = 0; other < schedule.waves; ++other) {
    Value index = b.addi(b.toIndex(own), b.index(other * partSize));
    Value loaded =
        vector::LoadOp::create(b, type, parts, index,
                               /*nontemporal=*/false, llvm::Align(16));
    sum = sum ? b.addf(sum, loaded) : loaded;
  }
  return sum;
}
