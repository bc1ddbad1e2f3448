//===- MatmulEmitter.h - The scaled matmul template -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_CODEGEN_MATMULEMITTER_H
#define QFUSE_LIB_CODEGEN_MATMULEMITTER_H

#include "qfuse/Codegen/KernelGenerator.h"
#include "qfuse/Codegen/MatmulSchedule.h"
#include "qfuse/Codegen/MatrixHooks.h"
#include "qfuse/Codegen/TargetHooks.h"

namespace mlir::qfuse {

/// A kernel of one scaled_matmul that the template can emit.
struct MatmulBody {
  KernelDefOp kernel;
  ScaledMatmulOp op;
  MatmulSchedule schedule;
  int64_t n = 0;
  /// Whether the scales vary along K, in blocks of a unit.
  bool hasBlocks = false;

  /// Emits an error for types, formats and sizes that the template lacks.
  static FailureOr<MatmulBody> analyze(KernelDefOp kernel, ScaledMatmulOp op,
                                       const TargetHooks &hooks);
};

/// Emits a device function for `A: M x K`, `B: N x K`: a wave loads pieces of
/// both from memory to registers, units ahead of the products, and multiplies.
/// B is the first operand of the matrix unit, so that a lane has neighbouring
/// columns of one row of the result.
class MatmulEmitter {
public:
  MatmulEmitter(const MatmulBody &body, const TargetHooks &hooks,
                gpu::GPUModuleOp module);

  GeneratedKernel emit();

private:
  /// What is loaded for one unit of K.
  struct Unit {
    SmallVector<Value> weights, tokens;
    Value tokenScale, weightScale;
  };

  // MatmulEmitter.cpp
  void createFunction();
  void emitPosition();
  Value getArgument(KernelArgument::Kind kind, Value value);
  Value describeTile(Value pointer, Value firstRow, Value rows, int64_t maxRows,
                     Value stride);
  Unit loadUnit(unsigned unit);
  SmallVector<Value> loadPieces(Value buffer, Value stride, unsigned unit);
  Value emitSum();
  Value combineWaves(Value part);

  // MatmulScales.cpp
  void loadBlockScales(unsigned unit, Unit &loaded);
  Value loadScale(Value scales, Value rows, Value row, Value column);
  Value addProduct(Value accumulator, Value product, const Unit &unit);
  Value finish(Value sum);
  Value loadColumns(Value vector);
  void store(Value sum);

  const MatmulBody &body;
  KernelDefOp kernel;
  ScaledMatmulOp op;
  const MatmulSchedule &schedule;
  const TargetHooks &hooks;
  const MatrixHooks &matrix;
  KernelBuilder b;
  gpu::GPUModuleOp module;
  GeneratedKernel result;

  /// i32. `rows`: M. `m0`, `n0`: the first row and column of the work-group;
  /// `m`, `n`: the lane's row, and the first of its four columns.
  Value rows, m0, n0, m, n, lane, wave, tokenStride;
  /// The operands as buffers of the work-group's rows.
  Value tokens, weights;
};

} // namespace mlir::qfuse

#endif // QFUSE_LIB_CODEGEN_MATMULEMITTER_H
