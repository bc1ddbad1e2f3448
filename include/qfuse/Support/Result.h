//===- Result.h - A value or a reason why there is none ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_SUPPORT_RESULT_H
#define QFUSE_SUPPORT_RESULT_H

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace mlir::qfuse {

/// Why something could not be done: one line in the words of the user,
/// lower-case and without a full stop, ready to follow `error: `.
struct Error {
  std::string message;
};

/// A `T`, or the error that kept it from being made. Libraries that need
/// neither LLVM nor MLIR return it; they throw nothing and print nothing.
template <typename T>
class [[nodiscard]] Result {
public:
  Result(T value) : state(std::move(value)) {}
  Result(Error error) : state(std::move(error)) {}

  /// Returns whether there is a value.
  explicit operator bool() const { return std::holds_alternative<T>(state); }

  T &operator*() {
    assert(*this && "there is an error instead of a value");
    return std::get<T>(state);
  }
  const T &operator*() const {
    assert(*this && "there is an error instead of a value");
    return std::get<T>(state);
  }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }

  const Error &getError() const {
    assert(!*this && "there is a value instead of an error");
    return std::get<Error>(state);
  }

private:
  std::variant<T, Error> state;
};

/// The result of what has no value: success, or an error.
using Status = Result<std::monostate>;

inline Status okStatus() { return std::monostate(); }

} // namespace mlir::qfuse

#endif // QFUSE_SUPPORT_RESULT_H
