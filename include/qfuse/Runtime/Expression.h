//===- Expression.h - Integer expressions of dims ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_RUNTIME_EXPRESSION_H
#define QFUSE_RUNTIME_EXPRESSION_H

#include "qfuse/Support/Result.h"
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mlir::qfuse {

/// Values of symbols: dims by name (`M`), unnamed dynamic extents (`arg0.1`)
/// and row strides in elements (`arg0.stride0`).
using Symbols = std::map<std::string, int64_t>;

enum class Operator : uint8_t {
  add,
  sub,
  mul,
  floordiv,
  ceildiv,
  mod,
  min,
  max
};

/// Returns the operator that a manifest calls `name`, or nothing.
std::optional<Operator> parseOperator(std::string_view name);

/// An integer expression of symbols; cheap to copy.
class Expression {
public:
  Expression(int64_t constant = 0);
  static Expression symbol(std::string name);
  static Expression binary(Operator op, Expression lhs, Expression rhs);

  /// Returns the name if this is a symbol and nothing else, or null.
  const std::string *getSymbol() const;

  /// Returns the value. `mod` has the sign of the divisor, as floordiv rounds
  /// down. Returns an error for a symbol that `symbols` lacks, a division by
  /// zero, and a value that 64 bits do not hold.
  Result<int64_t> evaluate(const Symbols &symbols) const;

  /// Returns the expression in infix form, for messages.
  std::string toString() const;

private:
  struct Node;
  explicit Expression(std::shared_ptr<const Node> node);
  std::shared_ptr<const Node> node;
};

} // namespace mlir::qfuse

#endif // QFUSE_RUNTIME_EXPRESSION_H
