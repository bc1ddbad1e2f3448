//===- RowEmitter.h - Emits the body of a row kernel ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_CODEGEN_ROWEMITTER_H
#define QFUSE_LIB_CODEGEN_ROWEMITTER_H

#include "RowBody.h"
#include "qfuse/Codegen/KernelGenerator.h"
#include "qfuse/Codegen/TargetHooks.h"

namespace mlir::qfuse {

/// What a lane holds of a value of the body, one entry a chunk.
struct LaneValue {
  /// `row` and `vector`: vector<8xf32>, numbers of the element type. `scales`:
  /// the scale of the chunk's block as f32, or the byte of an f8E8M0FNU as i32.
  /// `codes`: vector<8xi8>, or vector<4xi8> of two codes each.
  SmallVector<Value> chunks;
  /// `row` of bf16 that has been rounded: the same as vector<8xbf16>.
  SmallVector<Value> packed;
};

/// Emits a device function for a body in which each work-group has one row:
/// loads first, then one emit function a role, stores last or where their
/// values are computed. Values stay in registers in between.
class RowEmitter {
public:
  RowEmitter(const RowBody &body, const TargetHooks &hooks,
             gpu::GPUModuleOp module);

  GeneratedKernel emit();

private:
  /// Stores the results that `isChosen` holds for.
  void emitStores(function_ref<bool(Value)> isChosen);

  // RowEmitter.cpp: signature and roles.
  void createFunction();
  void emitPosition();
  void emitOp(Operation *op);
  /// Applies `emit` to the operands of each chunk and rounds.
  LaneValue emitElementwise(Operation *op,
                            function_ref<Value(ArrayRef<Value>)> emit);
  LaneValue emitAdd(arith::AddFOp op);
  LaneValue emitSub(arith::SubFOp op);
  LaneValue emitMul(arith::MulFOp op);
  LaneValue emitExtend(arith::ExtFOp op);
  LaneValue emitTruncate(arith::TruncFOp op);
  Value dropLowHalf(Value chunk);
  LaneValue emitNorm(RmsNormOp op);
  LaneValue round(ArrayRef<Value> chunks, Type elementType);
  Value emitSumOfSquares(const LaneValue &value);

  // Quantization.cpp.
  LaneValue emitBlockScale(BlockScaleOp op);
  Value emitScale(ScaleRuleAttr rule, Value magnitude);
  Value emitPower(ScaleRuleAttr rule, Value amax);
  LaneValue emitQuantize(QuantizeOp op);
  /// The values of a lane divided by their scales; `areNegative`: and negated.
  struct Quotients {
    SmallVector<Value> chunks;
    bool areNegative = false;
  };
  Quotients emitQuotients(QuantizeOp op);

  // RowMemory.cpp.
  void emitLoads();
  Type getLoadedType(BlockArgument argument);
  Value emitLoad(BlockArgument argument, unsigned chunk);
  Value emitScaleLoad(BlockArgument argument, unsigned chunk);
  void emitStore(unsigned output);
  void emitRowStore(unsigned output, const LaneValue &value);
  void emitScaleStore(unsigned output, const LaneValue &value, int64_t block);
  Value getOutput(unsigned output);
  void guard(Value condition, function_ref<void()> emit);
  Value getRow(Value pointer, Value stride);
  Value getInsideMask(unsigned chunk);
  Value getScaleColumn(int64_t block, Value chunk);

  // RowReductions.cpp.
  Value reduceAcrossRow(Value x, Combine how);
  Value addWaves(Value parts);

  const RowBody &body;
  KernelDefOp kernel;
  const RowSchedule &schedule;
  const TargetHooks &hooks;
  KernelBuilder b;
  gpu::GPUModuleOp module;
  GeneratedKernel result;

  /// i32: the row of the work-group; the number of rows; the thread; its lane
  /// and, the same in all lanes of a wave, its wave.
  Value row, rows, thread, lane, wave;
  /// Index: the first element of each chunk.
  SmallVector<Value> elements;
  DenseMap<Value, LaneValue> values;
  SmallVector<Value> inputStrides, outputStrides;
};

} // namespace mlir::qfuse

#endif // QFUSE_LIB_CODEGEN_ROWEMITTER_H
