//===- Structured.cpp - Ops of linalg -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A named op is what its body says. A reduction takes its terms in row-major
// order, with each rounding of the body; that of a sum has an interval too,
// which holds for every order.

#include "Evaluator.h"
#include "Indexing.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace mlir::qfuse;

namespace {
/// A sum of a body: `terms` is what it adds to result `result`.
struct SumOf {
  unsigned result;
  Value terms;
  std::vector<double> low, high, magnitude;
};

class StructuredOp {
public:
  StructuredOp(Evaluator &evaluator, linalg::LinalgOp op)
      : evaluator(evaluator), op(op), maps(op.getIndexingMapsArray()) {}

  LogicalResult run();

private:
  LogicalResult findExtents();
  int64_t countPoints(ArrayRef<unsigned> loops) const;
  LogicalResult findSums();
  void startChunk(int64_t begin, int64_t size);
  void startSums();
  LogicalResult runChunk();
  LogicalResult gather(OpOperand &operand);
  void setPoint(ArrayRef<int64_t> reduced);
  void accumulate();
  void carry();
  LogicalResult scatter();
  void finishSums();

  Evaluator &evaluator;
  linalg::LinalgOp op;
  SmallVector<AffineMap> maps;
  std::vector<int64_t> extents;
  SmallVector<unsigned> parallel, reduction;
  std::vector<IndexMap> indexMaps;
  std::vector<Tensor> results;
  std::vector<std::optional<Interval>> intervals;
  SmallVector<SumOf> sums;
  ScalarBody body;
  int64_t numPoints = 0, numTerms = 1, numParallel = 1;
};
} // namespace

/// Points that are evaluated at once: few enough for their values to stay in a
/// cache.
static constexpr int64_t chunkSize = 4096;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Returns the number of points of `loops`, or -1 if it does not fit.
int64_t StructuredOp::countPoints(ArrayRef<unsigned> loops) const {
  int64_t count = 1;
  for (unsigned loop : loops)
    if (llvm::MulOverflow(count, extents[loop], count))
      return -1;
  return count;
}

/// Each loop is a dimension of an operand.
LogicalResult StructuredOp::findExtents() {
  unsigned numLoops = maps.front().getNumDims();
  extents.assign(numLoops, -1);
  for (auto [operand, map] : llvm::zip_equal(op->getOpOperands(), maps)) {
    const auto &shape = evaluator.get(operand.get()).shape;
    for (auto [expr, extent] : llvm::zip_equal(map.getResults(), shape)) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        continue;
      int64_t &known = extents[dim.getPosition()];
      if (known >= 0 && known != extent)
        return op->emitOpError()
               << "expected operands of one extent in loop "
               << dim.getPosition() << ", got " << known << " and " << extent;
      known = extent;
    }
    indexMaps.emplace_back(map, shape);
  }
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (extents[loop] < 0)
      return op->emitOpError()
             << "has no operand that shows the extent of loop " << loop;
    (type == utils::IteratorType::parallel ? parallel : reduction)
        .push_back(loop);
  }
  numTerms = countPoints(reduction);
  numParallel = countPoints(parallel);
  if (numTerms < 0 || numParallel < 0)
    return op->emitOpError() << "is too large: expected less than 2^63 points, "
                                "got loops of extents "
                             << printShape(extents);
  return success();
}

/// Gives the loops that are reduced the indices `reduced`.
void StructuredOp::setPoint(ArrayRef<int64_t> reduced) {
  for (auto [loop, index] : llvm::zip_equal(reduction, reduced))
    std::fill(body.indices[loop].begin(), body.indices[loop].end(), index);
}

/// Defines the argument of the body for `operand` by its elements at the
/// points.
LogicalResult StructuredOp::gather(OpOperand &operand) {
  Block &block = *op.getBlock();
  BlockArgument argument = block.getArgument(operand.getOperandNumber());
  const Tensor &source = evaluator.get(operand.get()).tensor;
  const IndexMap &map = indexMaps[operand.getOperandNumber()];
  // What is the same at all points is read once.
  const auto &strides = map.getStrides();
  bool isOne =
      strides && numPoints > 0 && llvm::all_of(parallel, [&](unsigned loop) {
        return (*strides)[loop] == 0;
      });
  Tensor values(source.element,
                isOne ? std::vector<int64_t>() : std::vector{numPoints});
  SmallVector<int64_t> point(extents.size());
  for (int64_t i = 0, e = values.getNumElements(); i < e; ++i) {
    for (auto [loop, index] : llvm::enumerate(point))
      index = body.indices[loop][i];
    std::optional<int64_t> position = map.getPosition(point);
    if (!position)
      return op->emitOpError()
             << "reads operand " << operand.getOperandNumber() << " of extents "
             << printShape(source.shape) << " outside of it, at point "
             << printShape(point);
    values.setBits(i, source.getBits(*position));
  }
  evaluator.define(argument, std::make_shared<HostValue>(std::move(values)));
  body.intervals.erase(argument);
  return success();
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Looks through tensors that are made up of one scalar.
static Value getScalar(Value value) {
  while (Operation *definition = value.getDefiningOp()) {
    if (auto extract = dyn_cast<tensor::ExtractOp>(definition);
        extract && extract.getIndices().empty())
      value = extract.getTensor();
    else if (auto from = dyn_cast<tensor::FromElementsOp>(definition);
             from && from.getElements().size() == 1)
      value = from.getElements().front();
    else
      break;
  }
  return value;
}

/// Returns whether `value` is computed from `source` in the body.
static bool dependsOn(Value value, Value source) {
  // Each value once: the ways to one may be exponentially many.
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t next = 0; next < values.size(); ++next) {
    if (values[next] == source)
      return true;
    Operation *definition = values[next].getDefiningOp();
    if (definition && definition->getBlock() == source.getParentBlock())
      values.insert_range(definition->getOperands());
  }
  return false;
}

/// Finds the results that are sums of terms. Emits an error for one that
/// depends on order in another way.
LogicalResult StructuredOp::findSums() {
  if (reduction.empty() || !evaluator.needsInterval())
    return success();
  Block &block = *op.getBlock();
  for (auto [index, yielded] :
       llvm::enumerate(block.getTerminator()->getOperands())) {
    Value carried = op.getRegionOutputArgs()[index];
    Value value = getScalar(yielded);
    Operation *definition = value.getDefiningOp();
    if (!definition ||
        !isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
             math::FmaOp>(definition) ||
        !dependsOn(value, carried))
      continue;
    auto isCarried = [&](unsigned operand) {
      return getScalar(definition->getOperand(operand)) == carried;
    };
    unsigned other = isCarried(0) ? 1 : 0;
    if (!isa<arith::AddFOp>(definition) || !isCarried(1 - other) ||
        dependsOn(definition->getOperand(other), carried))
      return definition->emitOpError(
          "reduces in a way that depends on order and is no sum, of which no "
          "interval follows");
    sums.push_back({static_cast<unsigned>(index),
                    definition->getOperand(other),
                    {},
                    {},
                    {}});
  }
  return success();
}

/// Returns the largest relative error of one rounding to `element`.
static double getUnit(Element element) {
  switch (element) {
  case Element::bf16:
    return 0x1p-8;
  case Element::f16:
    return 0x1p-11;
  case Element::f64:
    return 0x1p-53;
  default:
    return 0x1p-24;
  }
}

/// Rounds the sums of the points to their intervals.
void StructuredOp::finishSums() {
  for (SumOf &sum : sums) {
    BlockArgument carried = op.getRegionOutputArgs()[sum.result];
    Element element = results[sum.result].element;
    // getSumError is that of f32.
    double error =
        evaluator.getSumError(numTerms + 1) * (getUnit(element) / 0x1p-24);
    Tensor low(element, {numPoints}), high = low;
    for (int64_t i = 0; i < numPoints; ++i) {
      double slack = error * sum.magnitude[i];
      if (!std::isfinite(slack))
        slack = 0.0;
      low.setBits(i, encode(element, sum.low[i] - slack));
      high.setBits(i, encode(element, sum.high[i] + slack));
    }
    body.intervals[carried] = {std::move(low), std::move(high)};
  }
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// Adds the terms of one point of the reduction to the sums.
void StructuredOp::accumulate() {
  for (SumOf &sum : sums) {
    const Tensor &terms = evaluator.get(sum.terms).tensor;
    auto interval = body.intervals.find(sum.terms);
    bool isKnown = interval == body.intervals.end();
    const Tensor &low = isKnown ? terms : interval->second.low;
    const Tensor &high = isKnown ? terms : interval->second.high;
    for (int64_t i = 0; i < numPoints; ++i) {
      int64_t at = terms.shape.empty() ? 0 : i;
      sum.low[i] += low.get(at);
      sum.high[i] += high.get(at);
      sum.magnitude[i] +=
          std::max(std::abs(low.get(at)), std::abs(high.get(at)));
    }
  }
}

/// Makes what the body yields its next arguments, with the intervals. Those of
/// a sum are its own.
void StructuredOp::carry() {
  OperandRange yielded = op.getBlock()->getTerminator()->getOperands();
  SmallVector<std::optional<Interval>> next(yielded.size());
  for (auto [index, value] : llvm::enumerate(yielded)) {
    auto interval = body.intervals.find(value);
    if (interval != body.intervals.end())
      next[index] = interval->second;
  }
  for (const SumOf &sum : sums)
    next[sum.result].reset();
  for (auto [carried, interval] :
       llvm::zip_equal(op.getRegionOutputArgs(), next)) {
    body.intervals.erase(carried);
    if (interval)
      body.intervals[carried] = std::move(*interval);
  }
  evaluator.define(ValueRange(op.getRegionOutputArgs()), yielded);
}

/// Writes the arguments for the results, which are final, to their elements.
LogicalResult StructuredOp::scatter() {
  SmallVector<int64_t> point(extents.size(), 0);
  for (auto [index, carried] : llvm::enumerate(op.getRegionOutputArgs())) {
    const IndexMap &map = indexMaps[op.getNumDpsInputs() + index];
    const Tensor &values = evaluator.get(carried).tensor;
    auto interval = body.intervals.find(carried);
    bool isKnown = interval == body.intervals.end();
    if (!isKnown && !intervals[index])
      intervals[index] = Interval{results[index], results[index]};
    for (int64_t i = 0; i < numPoints; ++i) {
      for (unsigned loop : parallel)
        point[loop] = body.indices[loop][i];
      std::optional<int64_t> position = map.getPosition(point);
      if (!position)
        return op->emitOpError() << "writes outside of extents "
                                 << printShape(results[index].shape);
      int64_t at = values.shape.empty() ? 0 : i;
      results[index].setBits(*position, values.getBits(at));
      if (!intervals[index])
        continue;
      const Tensor &low = isKnown ? values : interval->second.low;
      const Tensor &high = isKnown ? values : interval->second.high;
      int64_t ofEnds = low.shape.empty() ? 0 : i;
      intervals[index]->low.setBits(*position, low.getBits(ofEnds));
      intervals[index]->high.setBits(*position, high.getBits(ofEnds));
    }
  }
  return success();
}

/// Goes to `size` points of the parallel loops, from `begin` on.
void StructuredOp::startChunk(int64_t begin, int64_t size) {
  numPoints = size;
  body = ScalarBody();
  body.indices.assign(extents.size(), std::vector<int64_t>(size, 0));
  for (int64_t i = 0; i < size; ++i) {
    int64_t rest = begin + i;
    for (unsigned loop : llvm::reverse(parallel)) {
      body.indices[loop][i] = rest % extents[loop];
      rest /= extents[loop];
    }
  }
}

/// Starts the sums with the arguments for the results.
void StructuredOp::startSums() {
  for (SumOf &sum : sums) {
    const Tensor &init =
        evaluator.get(op.getRegionOutputArgs()[sum.result]).tensor;
    sum.low.resize(numPoints);
    sum.magnitude.resize(numPoints);
    for (int64_t i = 0; i < numPoints; ++i) {
      sum.low[i] = init.get(init.shape.empty() ? 0 : i);
      sum.magnitude[i] = std::abs(sum.low[i]);
    }
    sum.high = sum.low;
  }
}

/// Executes the body for the points.
LogicalResult StructuredOp::runChunk() {
  for (OpOperand &init : op.getDpsInitsMutable())
    if (failed(gather(init)))
      return failure();
  startSums();
  std::vector<int64_t> reduced;
  for (unsigned loop : reduction)
    reduced.push_back(extents[loop]);
  PointIterator terms(reduced);
  for (int64_t term = 0; term < numTerms; ++term, terms.advance()) {
    setPoint(*terms);
    for (OpOperand *input : op.getDpsInputOperands())
      if (failed(gather(*input)))
        return failure();
    evaluator.body = &body;
    LogicalResult done = evaluateScalars(evaluator, *op.getBlock());
    evaluator.body = nullptr;
    if (failed(done))
      return failure();
    accumulate();
    carry();
  }
  finishSums();
  return scatter();
}

LogicalResult StructuredOp::run() {
  if (failed(findExtents()) || failed(findSums()))
    return failure();
  for (Value init : op.getDpsInits())
    results.push_back(evaluator.get(init).tensor);
  intervals.resize(results.size());
  for (int64_t begin = 0; begin < numParallel; begin += chunkSize) {
    startChunk(begin, std::min(chunkSize, numParallel - begin));
    if (failed(runChunk()))
      return failure();
  }
  for (auto [index, result] : llvm::enumerate(op->getResults()))
    if (failed(
            evaluator.set(result, results[index], std::move(intervals[index]))))
      return failure();
  return success();
}

LogicalResult qfuse::evaluate(Evaluator &evaluator, linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return op->emitOpError("on memory is not known to the interpreter");
  return StructuredOp(evaluator, op).run();
}
