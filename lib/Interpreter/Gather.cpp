//===- Gather.cpp - gather_rows -------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluator.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::qfuse;

LogicalResult qfuse::evaluate(Evaluator &evaluator, GatherRowsOp op) {
  Tensor source = evaluator.getLogical(op.getSource());
  const Tensor &indices = evaluator.get(op.getIndices()).tensor;
  int64_t rows = source.shape.front();
  ArrayRef<int64_t> ofRow = ArrayRef<int64_t>(source.shape).drop_front();
  int64_t size = ShapedType::getNumElements(ofRow);
  std::vector<int64_t> shape = indices.shape;
  llvm::append_range(shape, ofRow);
  // All bits are zero.
  FailureOr<Tensor> result = allocate(op, source.element, std::move(shape));
  if (failed(result))
    return failure();
  for (int64_t i = 0, e = indices.getNumElements(); i < e; ++i) {
    int64_t row = static_cast<int64_t>(indices.get(i));
    if (row < 0 || row >= rows)
      continue;
    for (int64_t k = 0; k < size; ++k)
      result->setBits(i * size + k, source.getBits(row * size + k));
  }
  return evaluator.set(op->getResult(0), *result);
}
