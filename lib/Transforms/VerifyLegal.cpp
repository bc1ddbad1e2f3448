//===- VerifyLegal.cpp - Report what the target cannot run ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Target/Target.h"
#include "qfuse/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

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

namespace {
/// An operand of a matmul that is not as a row reads it.
struct Mismatch {
  MatmulRowAttr row;
  /// The name of the error, and of the operand.
  StringRef name, operand;
  Value value;
  /// What the row reads; null is row-major.
  LayoutAttr expected;
};
} // namespace

/// Returns whether `row` is for the types and formats of `op`: what no change
/// of layout gives.
static bool readsTypes(MatmulRowAttr row, ScaledMatmulOp op) {
  auto agrees = [](OperandAttr operand, Value value, FormatAttr format) {
    return operand.getType() == getElementTypeOrSelf(value.getType()) &&
           operand.getFormat() == format;
  };
  return agrees(row.getA(), op.getA(), op.getAFormat()) &&
         agrees(row.getB(), op.getB(), op.getBFormat()) &&
         llvm::is_contained(row.getResults(),
                            getElementTypeOrSelf(op.getResult().getType()));
}

/// Returns the first operand of `op` whose layout `row` does not read.
static std::optional<Mismatch> findMismatch(MatmulRowAttr row,
                                            ScaledMatmulOp op) {
  const Mismatch candidates[] = {
      {row, "WeightLayoutMismatch", "A", op.getA(), row.getA().getLayout()},
      {row, "WeightLayoutMismatch", "B", op.getB(), row.getB().getLayout()},
      {row, "ScaleLayoutMismatch", "scales of A", op.getAScales(),
       row.getA().getScaleLayout()},
      {row, "ScaleLayoutMismatch", "scales of B", op.getBScales(),
       row.getB().getScaleLayout()}};
  for (const Mismatch &mismatch : candidates)
    if (getLayout(mismatch.value) != mismatch.expected)
      return mismatch;
  return std::nullopt;
}

static std::string describe(LayoutAttr layout) {
  return layout ? llvm::formatv("in {0}", Attribute(layout)).str()
                : "in row-major order";
}

/// Emits that layouts keep the rows of `mismatches`, one or more, from `op`.
static LogicalResult emitMismatch(ScaledMatmulOp op,
                                  ArrayRef<Mismatch> mismatches) {
  const Mismatch &first = mismatches.front();
  InFlightDiagnostic error = op.emitOpError()
                             << first.name << ": expected " << first.operand
                             << ' ' << describe(first.expected) << ", as row '"
                             << first.row.getName() << "' of the target reads "
                             << "it, got " << first.value.getType();
  error.attachNote(first.value.getLoc()) << first.operand << " comes from here";
  for (const Mismatch &other : mismatches.drop_front())
    error.attachNote() << "row '" << other.row.getName() << "' reads "
                       << other.operand << ' ' << describe(other.expected)
                       << " (" << other.name << ')';
  return error;
}

/// Emits an error if no row reads `op`, with what comes nearest to it.
static LogicalResult verifyHasRow(ScaledMatmulOp op, TargetAttr target) {
  if (findRow(target, op))
    return success();
  SmallVector<Mismatch> mismatches;
  for (MatmulRowAttr row : target.getRows()) {
    if (!readsTypes(row, op))
      continue;
    std::optional<Mismatch> mismatch = findMismatch(row, op);
    if (!mismatch)
      return op.emitOpError()
             << "ExtentNotMultiple: expected extents (m, n, k) in "
             << row.getWhen() << ", for which row '" << row.getName()
             << "' of the target is, got A of type " << op.getA().getType()
             << " and B of type " << op.getB().getType();
    mismatches.push_back(*mismatch);
  }
  if (!mismatches.empty())
    return emitMismatch(op, mismatches);
  InFlightDiagnostic error =
      op.emitOpError() << "NoMatmulRow: expected operands that a matmul row of "
                          "the target reads, got A of type "
                       << op.getA().getType() << " in " << op.getAFormat()
                       << " and B of type " << op.getB().getType() << " in "
                       << op.getBFormat() << " with a result of type "
                       << op.getResult().getType();
  error.attachNote(op.getA().getLoc()) << "A comes from here";
  error.attachNote(op.getB().getLoc()) << "B comes from here";
  return error;
}

static LogicalResult verifyConstant(arith::ConstantOp op) {
  if (!isa<PackedType>(op.getType()))
    return success();
  return op.emitOpError() << "expected no constant of packed type, whose bytes "
                             "a dense attribute does not state, got "
                          << op.getType();
}

/// Returns the `block_scale` that computes `scales`, or null if it is not in
/// sight or what is between them may round.
static BlockScaleOp findBlockScale(Value scales) {
  while (scales) {
    if (auto argument = dyn_cast<BlockArgument>(scales)) {
      auto kernel = dyn_cast<KernelOp>(argument.getOwner()->getParentOp());
      scales = kernel ? kernel.getInputs()[argument.getArgNumber()] : Value();
      continue;
    }
    auto result = cast<OpResult>(scales);
    if (auto own = dyn_cast<BlockScaleOp>(result.getOwner()))
      return own;
    scales =
        llvm::TypeSwitch<Operation *, Value>(result.getOwner())
            .Case<PackOp, UnpackOp, arith::ExtFOp>(
                [](auto op) { return op->getOperand(0); })
            .Case([&](KernelOp kernel) {
              return kernel.getYield().getValues()[result.getResultNumber()];
            })
            .Default([](Operation *) { return Value(); });
  }
  return {};
}

/// Emits an error if `op` makes NaN of a zero row and nobody says that it is
/// meant.
static LogicalResult verifyZeroRow(QuantizeOp op) {
  BlockScaleOp producer = findBlockScale(op.getScales());
  if (!producer || producer.getRule().getZero() == ZeroRow::nan)
    return success();
  float scale = producer.getRule().getScaleOfZeroBlock(
      cast<FloatType>(getElementTypeOrSelf(producer.getScales())));
  // An outer scale is not known here; by any it is 0 if it is 0.
  if ((producer.getOuter() || op.getOuter()) && scale != 0.0f)
    return success();
  if (!op.getRule().makesNaNOfZeros(
          scale, getElementTypeOrSelf(op.getResult().getType())))
    return success();
  InFlightDiagnostic error =
      op.emitOpError() << "ZeroRowIsNan: expected a scale of a zero row that "
                          "zeros can be divided by, or a rule that says zero = "
                          "nan, got the scale "
                       << scale;
  error.attachNote(producer.getLoc())
      << "by " << producer.getRule() << " of this block_scale";
  return error;
}

namespace {
struct VerifyLegalPass : qfuse::impl::VerifyLegalPassBase<VerifyLegalPass> {
  using VerifyLegalPassBase::VerifyLegalPassBase;

  void runOnOperation() override {
    FailureOr<TargetAttr> target = getTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    bool isLegal = true;
    getOperation()->walk([&](Operation *op) {
      LogicalResult result = success();
      if (auto quantize = dyn_cast<QuantizeOp>(op))
        result = verifyQuantize(quantize, *target);
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

private:
  LogicalResult verifyQuantize(QuantizeOp op, TargetAttr target) const {
    if (failed(verifyFlavor(op, target)))
      return failure();
    return refuseNanRows ? verifyZeroRow(op) : success();
  }
};
} // namespace
