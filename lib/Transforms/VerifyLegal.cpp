//===- VerifyLegal.cpp - Report what the target cannot run ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Target/Target.h"
#include "qfuse/Transforms/Passes.h"

namespace mlir::qfuse {
#define GEN_PASS_DEF_VERIFYLEGALPASS
#include "qfuse/Transforms/Passes.h.inc"
} // namespace mlir::qfuse

using namespace mlir;
using namespace mlir::qfuse;

static bool isOcp(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

static bool isFnuz(Type type) {
  return isa<Float8E4M3FNUZType, Float8E5M2FNUZType>(type);
}

/// Emits an error if `op` computes codes of an fp8 flavor that the conversions
/// of the target do not have.
static LogicalResult verifyFlavor(QuantizeOp op, TargetAttr target) {
  Type type = getElementTypeOrSelf(op.getResult().getType());
  StringRef flavor = getStringFeature(target, "fp8");
  if ((isOcp(type) && flavor == "fnuz") || (isFnuz(type) && flavor == "ocp"))
    return op.emitOpError()
           << "Fp8FlavorUnsupported: expected codes of the " << flavor
           << " flavor of fp8, which is that of the target, got " << type;
  return success();
}

static LayoutAttr getLayout(Value value) {
  auto packed = dyn_cast<PackedType>(value.getType());
  return packed ? packed.getLayout() : LayoutAttr();
}

/// Returns why `row` does not read `op`, if layouts are all that keeps it from
/// doing so, as the name of a remark; else an empty string.
static StringRef getLayoutMismatch(MatmulRowAttr row, ScaledMatmulOp op) {
  auto agrees = [](OperandAttr operand, Value value, FormatAttr format) {
    return operand.getType() == getElementTypeOrSelf(value.getType()) &&
           operand.getFormat() == format;
  };
  if (!agrees(row.getA(), op.getA(), op.getAFormat()) ||
      !agrees(row.getB(), op.getB(), op.getBFormat()))
    return {};
  if (row.getA().getLayout() != getLayout(op.getA()) ||
      row.getB().getLayout() != getLayout(op.getB()))
    return "WeightLayoutMismatch";
  if (row.getA().getScaleLayout() != getLayout(op.getAScales()) ||
      row.getB().getScaleLayout() != getLayout(op.getBScales()))
    return "ScaleLayoutMismatch";
  return {};
}

/// Emits an error if no row reads `op`. Where one would with other layouts, the
/// notes say so.
static LogicalResult verifyHasRow(ScaledMatmulOp op, TargetAttr target) {
  if (findRow(target, op))
    return success();
  SmallVector<std::pair<StringRef, StringRef>> near;
  for (MatmulRowAttr row : target.getRows())
    if (StringRef mismatch = getLayoutMismatch(row, op); !mismatch.empty())
      near.push_back({mismatch, row.getName()});
  StringRef name = near.empty() ? "NoMatmulRow" : near.front().first;
  InFlightDiagnostic error = op.emitOpError()
                             << name
                             << ": no matmul row of the target reads these "
                                "operands, scales and formats";
  for (auto [mismatch, row] : near)
    error.attachNote() << "row '" << row << "' reads other layouts ("
                       << mismatch << ")";
  return error;
}

static LogicalResult verifyConstant(arith::ConstantOp op) {
  if (!isa<PackedType>(op.getType()))
    return success();
  return op.emitOpError() << "expected no constant of packed type, whose bytes "
                             "a dense attribute does not state, got "
                          << op.getType();
}

namespace {
struct VerifyLegalPass : qfuse::impl::VerifyLegalPassBase<VerifyLegalPass> {
  void runOnOperation() override {
    FailureOr<TargetAttr> target = getTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    bool isLegal = true;
    getOperation()->walk([&](Operation *op) {
      LogicalResult result = success();
      if (auto quantize = dyn_cast<QuantizeOp>(op))
        result = verifyFlavor(quantize, *target);
      else if (auto matmul = dyn_cast<ScaledMatmulOp>(op))
        result = verifyHasRow(matmul, *target);
      else if (auto constant = dyn_cast<arith::ConstantOp>(op))
        result = verifyConstant(constant);
      isLegal &= succeeded(result);
    });
    if (!isLegal)
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
