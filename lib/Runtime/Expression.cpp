//===- Expression.cpp - Integer expressions of dims -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Runtime/Expression.h"
#include <algorithm>
#include <limits>

using namespace mlir::qfuse;

/// A constant, a symbol, or an operator with its sides.
struct Expression::Node {
  int64_t constant = 0;
  std::string symbol;
  Operator op = Operator::add;
  std::shared_ptr<const Node> lhs, rhs;
};

static constexpr std::string_view operatorNames[] = {
    "add", "sub", "mul", "floordiv", "ceildiv", "mod", "min", "max"};

std::optional<Operator> mlir::qfuse::parseOperator(std::string_view name) {
  auto *found =
      std::find(std::begin(operatorNames), std::end(operatorNames), name);
  if (found == std::end(operatorNames))
    return std::nullopt;
  return static_cast<Operator>(found - std::begin(operatorNames));
}

Expression::Expression(std::shared_ptr<const Node> node)
    : node(std::move(node)) {}

Expression::Expression(int64_t constant) {
  auto made = std::make_shared<Node>();
  made->constant = constant;
  node = std::move(made);
}

Expression Expression::symbol(std::string name) {
  auto made = std::make_shared<Node>();
  made->symbol = std::move(name);
  return Expression(std::move(made));
}

Expression Expression::binary(Operator op, Expression lhs, Expression rhs) {
  auto made = std::make_shared<Node>();
  made->op = op;
  made->lhs = std::move(lhs.node);
  made->rhs = std::move(rhs.node);
  return Expression(std::move(made));
}

const std::string *Expression::getSymbol() const {
  return node->symbol.empty() ? nullptr : &node->symbol;
}

/// Returns `a / b`, rounded down, for a `b` that is not zero.
static int64_t floorDivide(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/// Returns nothing if there is no result of 64 bits.
static std::optional<int64_t> apply(Operator op, int64_t a, int64_t b) {
  int64_t result = 0;
  switch (op) {
  case Operator::add:
    return __builtin_add_overflow(a, b, &result) ? std::nullopt
                                                 : std::optional(result);
  case Operator::sub:
    return __builtin_sub_overflow(a, b, &result) ? std::nullopt
                                                 : std::optional(result);
  case Operator::mul:
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt
                                                 : std::optional(result);
  case Operator::min:
    return std::min(a, b);
  case Operator::max:
    return std::max(a, b);
  case Operator::floordiv:
  case Operator::ceildiv:
  case Operator::mod:
    break;
  }
  if (b == 0 || (b == -1 && a == std::numeric_limits<int64_t>::min()))
    return std::nullopt;
  int64_t quotient = floorDivide(a, b);
  if (op == Operator::mod)
    return a - quotient * b;
  return op == Operator::floordiv ? quotient : quotient + (a % b != 0);
}

Result<int64_t> Expression::evaluate(const Symbols &symbols) const {
  if (const std::string *name = getSymbol()) {
    auto found = symbols.find(*name);
    if (found == symbols.end())
      return Error{"the value of '" + *name + "' is not known"};
    return found->second;
  }
  if (!node->lhs)
    return node->constant;
  Result<int64_t> lhs = Expression(node->lhs).evaluate(symbols);
  if (!lhs)
    return lhs;
  Result<int64_t> rhs = Expression(node->rhs).evaluate(symbols);
  if (!rhs)
    return rhs;
  if (std::optional<int64_t> result = apply(node->op, *lhs, *rhs))
    return *result;
  return Error{"'" + toString() + "' has no 64-bit value for " +
               std::to_string(*lhs) + " and " + std::to_string(*rhs)};
}

std::string Expression::toString() const {
  if (const std::string *name = getSymbol())
    return *name;
  if (!node->lhs)
    return std::to_string(node->constant);
  return "(" + Expression(node->lhs).toString() + " " +
         std::string(operatorNames[static_cast<size_t>(node->op)]) + " " +
         Expression(node->rhs).toString() + ")";
}
