//===- InterpreterTest.h - Functions as text --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_TEST_UNIT_INTERPRETER_INTERPRETERTEST_H
#define QFUSE_TEST_UNIT_INTERPRETER_INTERPRETERTEST_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "qfuse/Interpreter/Interpreter.h"
#include "gtest/gtest.h"

namespace mlir::qfuse {

/// Executes functions that are written as text.
class InterpreterTest : public ::testing::Test {
protected:
  InterpreterTest()
      : handler(&context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            error = diagnostic.str();
        }) {
    context.loadDialect<QFuseDialect, func::FuncDialect, arith::ArithDialect,
                        math::MathDialect, tensor::TensorDialect,
                        affine::AffineDialect, linalg::LinalgDialect,
                        scf::SCFDialect, cf::ControlFlowDialect>();
    context.printOpOnDiagnostic(false);
  }

  /// Keeps the interval of the last result, if it has one.
  struct IntervalKeeper : Observer {
    std::optional<Interval> interval;
    void observe(OpResult, const HostValue &, const Interval *bounds) override {
      interval = bounds ? std::optional(*bounds) : std::nullopt;
    }
  };

  /// Returns options that compute intervals and show them to `observer`.
  static InterpreterOptions observeIntervals(Observer &observer) {
    InterpreterOptions options;
    options.observer = &observer;
    options.computeIntervals = true;
    return options;
  }

  static Tensor make(Element element, std::vector<int64_t> shape,
                     std::vector<double> values) {
    Tensor tensor(element, std::move(shape));
    for (auto [index, value] : llvm::enumerate(values))
      tensor.setBits(index, encode(element, value));
    return tensor;
  }

  static std::vector<double> getValues(const Tensor &tensor) {
    std::vector<double> values;
    for (int64_t i = 0; i < tensor.getNumElements(); ++i)
      values.push_back(tensor.get(i));
    return values;
  }

  /// Executes `@f` of `text`. Without results, `error` says why.
  std::vector<HostValue> run(StringRef text, std::vector<HostValue> arguments,
                             const InterpreterOptions &options = {}) {
    error.clear();
    auto module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return {};
    auto results =
        interpret(module->lookupSymbol<func::FuncOp>("f"), arguments, options);
    if (failed(results))
      return {};
    EXPECT_EQ(error, "");
    return *results;
  }

  /// The same for one result of which the values are wanted; none on error.
  std::vector<double> runValues(StringRef text,
                                std::vector<HostValue> arguments) {
    auto results = run(text, std::move(arguments));
    return results.empty() ? std::vector<double>()
                           : getValues(results.front().tensor);
  }

  MLIRContext context;
  std::string error;
  ScopedDiagnosticHandler handler;
};

} // namespace mlir::qfuse

#endif // QFUSE_TEST_UNIT_INTERPRETER_INTERPRETERTEST_H
