//===- Evaluator.h - Evaluation of single ops -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_INTERPRETER_EVALUATOR_H
#define QFUSE_LIB_INTERPRETER_EVALUATOR_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "qfuse/Interpreter/Interpreter.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace mlir::qfuse {

/// Values are shared, as a kernel or callee sees those of its caller.
using ValueRef = std::shared_ptr<const HostValue>;

/// What is known of the values in a body of scalars, which is evaluated for
/// many points at once: each value is a tensor of rank 1 with an element for
/// each point, or of rank 0 if it is the same for all.
struct ScalarBody {
  /// Indices of the points, by loop.
  std::vector<std::vector<int64_t>> indices;
  /// Of the values that depend on order or approximation; of their extents.
  llvm::DenseMap<Value, Interval> intervals;
};

/// The state of one rank. What it does for an op is an overload of `evaluate`,
/// beside those of its kind.
class Evaluator {
public:
  explicit Evaluator(const InterpreterOptions &options) : options(options) {}

  /// What an operand stands for.
  const HostValue &get(Value value) const { return *values.at(value); }
  const ValueRef &getRef(Value value) const { return values.at(value); }
  void define(Value value, ValueRef ref) { values[value] = std::move(ref); }
  /// Defines `targets` by `sources`, all at once: they may overlap.
  void define(ValueRange targets, ValueRange sources);

  /// Returns the logical elements of a tensor or packed value.
  Tensor getLogical(Value value) const;

  /// Returns the integer that a scalar stands for.
  int64_t getInteger(Value value) const;

  /// Defines `result` by its logical elements, which are packed if its type
  /// says so. Emits an error if the extents are not those of the type.
  LogicalResult set(OpResult result, const Tensor &logical,
                    std::optional<Interval> interval = std::nullopt);

  /// The same for what is packed already, if it is to be.
  LogicalResult setPhysical(OpResult result, HostValue value,
                            const Interval *interval = nullptr);

  bool needsInterval() const {
    return options.observer && options.computeIntervals;
  }
  /// Returns how much of the sum of the magnitudes of `terms` terms the sum of
  /// them in f32 may be off: a rounding of 2^-24 for each term and each level.
  double getSumError(int64_t terms) const {
    int64_t depth = options.getSumDepth ? options.getSumDepth(terms) : terms;
    return static_cast<double>(depth + 1) * 0x1p-24;
  }

  /// Not null while the ops of a body of scalars are evaluated.
  ScalarBody *body = nullptr;

  /// Defines the results of a call of `callee`, which has no body.
  LogicalResult callOpaque(func::CallOp op, func::FuncOp callee);

  /// Returns the integers, the dynamic ones among them taken from `values`.
  std::vector<int64_t> getMixed(ArrayRef<int64_t> integers, ValueRange values);

private:
  InterpreterOptions options;
  DenseMap<Value, ValueRef> values;
  /// How often each function without a body has been called.
  llvm::StringMap<unsigned> numOpaqueCalls;
};

/// Operands of an elementwise op, and the extents of its result.
struct Operands {
  SmallVector<const Tensor *> tensors;
  std::vector<int64_t> shape;

  /// Returns the position of what operand `operand` has for element `index`.
  int64_t at(size_t operand, int64_t index) const {
    return tensors[operand]->shape.empty() ? 0 : index;
  }
};

/// Returns the operands of `op`, or emits an error if their extents differ. In
/// a body of scalars one of rank 0 goes with any.
FailureOr<Operands> getOperands(Evaluator &evaluator, Operation *op);

/// Returns a tensor of bits zero for a result of `op`, or emits an error for
/// extents below 0 and for those that are too large for memory. To be used
/// wherever extents do not follow from those of one operand.
FailureOr<Tensor> allocate(Operation *op, Element element,
                           std::vector<int64_t> shape);

/// Emits by `emitError` what keeps `value` from being one of type `type`:
/// padding that is not what the layout says, which a pack of what an unpack
/// gives would not keep, and half a byte.
LogicalResult checkPadding(Type type, const HostValue &value,
                           llvm::function_ref<InFlightDiagnostic()> emitError);
LogicalResult
checkWholeBytes(Type type, const HostValue &value,
                llvm::function_ref<InFlightDiagnostic()> emitError);

/// Executes an op that has no body, or one of scalars. Emits an error for one
/// that is not known.
LogicalResult evaluateOnRank(Evaluator &evaluator, Operation *op);

// Elementwise.cpp. Returns nothing for an op that is not elementwise.
std::optional<LogicalResult> evaluateElementwise(Evaluator &evaluator,
                                                 Operation *op);
// Integers.cpp. Likewise, for ops on integers and comparisons.
std::optional<LogicalResult> evaluateIntegers(Evaluator &evaluator,
                                              Operation *op);
// Activation.cpp
LogicalResult evaluate(Evaluator &evaluator, GatedActivationOp op);
// Gather.cpp
LogicalResult evaluate(Evaluator &evaluator, GatherRowsOp op);
// Norm.cpp
LogicalResult evaluate(Evaluator &evaluator, RmsNormOp op);
// Quantize.cpp
LogicalResult evaluate(Evaluator &evaluator, BlockScaleOp op);
LogicalResult evaluate(Evaluator &evaluator, QuantizeOp op);
LogicalResult evaluate(Evaluator &evaluator, DequantizeOp op);
// Rope.cpp
LogicalResult evaluate(Evaluator &evaluator, RopeOp op);
// Matmul.cpp
LogicalResult evaluate(Evaluator &evaluator, ScaledMatmulOp op);
// Storage.cpp
LogicalResult evaluate(Evaluator &evaluator, PackOp op);
LogicalResult evaluate(Evaluator &evaluator, UnpackOp op);
LogicalResult evaluate(Evaluator &evaluator, DimOp op);
LogicalResult evaluate(Evaluator &evaluator, FromStorageOp op);
LogicalResult evaluate(Evaluator &evaluator, ToStorageOp op);
// ScalarBody.cpp. Executes the ops of `body`, which has scalars for arguments,
// but for its terminator.
LogicalResult evaluateScalars(Evaluator &evaluator, Block &body);
// Structured.cpp
LogicalResult evaluate(Evaluator &evaluator, linalg::LinalgOp op);
// TensorOps.cpp
LogicalResult evaluate(Evaluator &evaluator, arith::ConstantOp op);
LogicalResult evaluate(Evaluator &evaluator, affine::AffineApplyOp op);
LogicalResult evaluate(Evaluator &evaluator, tensor::DimOp op);
LogicalResult evaluate(Evaluator &evaluator, tensor::EmptyOp op);
LogicalResult evaluate(Evaluator &evaluator, tensor::SplatOp op);
LogicalResult evaluate(Evaluator &evaluator, tensor::CastOp op);
// Slices.cpp
LogicalResult evaluate(Evaluator &evaluator, tensor::ConcatOp op);
LogicalResult evaluate(Evaluator &evaluator, tensor::ExtractOp op);
LogicalResult evaluate(Evaluator &evaluator, tensor::ExtractSliceOp op);
LogicalResult evaluate(Evaluator &evaluator, tensor::FromElementsOp op);
LogicalResult evaluate(Evaluator &evaluator, tensor::InsertOp op);
LogicalResult evaluate(Evaluator &evaluator, tensor::InsertSliceOp op);
LogicalResult evaluate(Evaluator &evaluator, tensor::PadOp op);
LogicalResult evaluate(Evaluator &evaluator, tensor::CollapseShapeOp op);
LogicalResult evaluate(Evaluator &evaluator, tensor::ExpandShapeOp op);

/// Returns all elements as f32, of which each float type of at most 32 bits and
/// i8 is a subset.
std::vector<float> toFloats(const Tensor &tensor);

/// Returns a scalar of the low bits of `bits`.
ValueRef makeScalar(Element element, uint64_t bits);

/// Returns `value` rounded to f32.
inline float toF32(double value) { return static_cast<float>(value); }

/// How far a function may be from its exact value, in units in the last place
/// of f32: The OpenCL C Specification 3.0, 7.4, Relative Error as ULPs: single
/// precision.
namespace ulps {
inline constexpr double exp = 3.0, tanh = 5.0, erf = 16.0, rsqrt = 2.0;
} // namespace ulps

/// Returns the larger one; a NaN if there is one, and +0 of two zeros.
double getMaximum(double a, double b);

/// Prints extents for a message: `[2, 3]`.
std::string printShape(ArrayRef<int64_t> shape);

/// Emits an error unless `scales` are those of a value of extents `shape` in
/// the blocks of `format`. Static extents are the verifier's.
LogicalResult checkScales(Operation *op, ArrayRef<int64_t> scales,
                          FormatAttr format, ArrayRef<int64_t> shape);

/// Where the scales of a value of logical extents `shape` are.
class ScaleIndex {
public:
  ScaleIndex(FormatAttr format, ArrayRef<int64_t> shape);

  /// Returns the extents of the scales.
  const std::vector<int64_t> &getShape() const { return scaleShape; }
  /// Returns the number of rows, and of elements of each.
  int64_t getNumRows() const { return numRows; }
  int64_t getColumns() const { return columns; }
  /// Returns the position of the first scale of row `row`, where a row is one
  /// of the last dimension.
  int64_t getRowBegin(int64_t row) const;
  /// Returns the number of columns that one scale covers, at least 1.
  int64_t getBlockColumns() const { return blockColumns; }

private:
  std::vector<int64_t> shape, block, scaleShape;
  int64_t numRows = 1, columns = 1, blockColumns = 1;
};

} // namespace mlir::qfuse

#endif // QFUSE_LIB_INTERPRETER_EVALUATOR_H
