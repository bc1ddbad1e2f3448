//===- RowOpsTest.cpp - Each fusible op has an emitter or is refused ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/MLIRContext.h"
#include "qfuse/Analysis/RowKernel.h"
#include "gtest/gtest.h"
#include <set>

using namespace mlir;
using namespace mlir::qfuse;

namespace {

/// The ops of the table.
std::set<StringRef> getRowOps() {
  return {
#define ROW_OP(OP, CHECK, VISIT, EMIT) OP::getOperationName(),
#include "qfuse/Analysis/RowOps.def"
  };
}

/// Fusible ops that no row kernel computes: a graph with one keeps its chain
/// apart, and a kernel body with one is an error.
const std::set<StringRef> refused = {
    "arith.constant",        "math.exp",           "math.tanh",
    "qfuse.dequantize",      "qfuse.gather_rows",  "qfuse.gated_activation",
    "qfuse.pack",            "qfuse.rope",         "qfuse.unpack",
};

/// Returns the role of an op of this name, without operands.
std::optional<Role> getRoleOf(MLIRContext &context, OperationName name) {
  OperationState state(UnknownLoc::get(&context), name);
  // The role of a constant is that of its type.
  if (name.getStringRef() == arith::ConstantOp::getOperationName()) {
    state.addTypes(Float32Type::get(&context));
    state.addAttribute("value", FloatAttr::get(Float32Type::get(&context), 0));
  }
  Operation *op = Operation::create(state);
  std::optional<Role> role = getRole(op);
  op->destroy();
  return role;
}

/// All ops that a row kernel could hold.
std::set<StringRef> getFusibleOps(MLIRContext &context) {
  std::set<StringRef> fusible;
  for (RegisteredOperationName name : context.getRegisteredOperations()) {
    if (!isa<arith::ArithDialect, math::MathDialect, QFuseDialect>(
            name.getDialect()))
      continue;
    std::optional<Role> role = getRoleOf(context, name);
    if (role && role != Role::contraction && role != Role::collective)
      fusible.insert(name.getStringRef());
  }
  return fusible;
}

TEST(RowOpsTest, AllFusibleOpsAreInTheTableOrRefused) {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, math::MathDialect, QFuseDialect>();
  std::set<StringRef> known = getRowOps();
  for (StringRef name : refused)
    EXPECT_TRUE(known.insert(name).second)
        << name.str() << " is in the table and refused";
  std::set<StringRef> fusible = getFusibleOps(context);
  for (StringRef name : fusible)
    EXPECT_TRUE(known.count(name))
        << name.str() << " is neither in the table nor refused";
  for (StringRef name : known)
    EXPECT_TRUE(fusible.count(name)) << name.str() << " is not fusible";
}

TEST(RowOpsTest, RefusedOpsAreObstacles) {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect, math::MathDialect, QFuseDialect>();
  for (StringRef name : refused) {
    Operation *op = Operation::create(
        OperationState(UnknownLoc::get(&context), name));
    EXPECT_TRUE(findRowKernelObstacle(op)) << name.str();
    op->destroy();
  }
}

} // namespace
