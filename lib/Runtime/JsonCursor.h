//===- JsonCursor.h - Reads JSON and says where it is wrong -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_RUNTIME_JSONCURSOR_H
#define QFUSE_LIB_RUNTIME_JSONCURSOR_H

#include "qfuse/Support/Result.h"
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mlir::qfuse {

/// A place in a JSON document. What is missing or of another type is recorded
/// as the error of the document, unless there is one already, and reads as
/// empty.
class JsonCursor {
public:
  JsonCursor(const nlohmann::json &value, std::string path,
             std::optional<Error> &error)
      : value(&value), path(std::move(path)), error(&error) {}

  /// Returns the member `key`, which has to be there.
  JsonCursor operator[](const std::string &key) const;
  /// Returns the member `key` of an object, or nothing.
  std::optional<JsonCursor> find(const std::string &key) const;

  int64_t getInteger() const;
  /// Returns an integer between `least` and `most`.
  int64_t getInteger(int64_t least, int64_t most) const;
  std::string getString() const;
  double getNumber() const;
  std::vector<JsonCursor> getElements() const;
  /// Returns an array of `count` elements; always that many.
  std::vector<JsonCursor> getElements(size_t count) const;
  std::vector<std::pair<std::string, JsonCursor>> getMembers() const;

  bool isNull() const { return value->is_null(); }
  bool isString() const { return value->is_string(); }
  bool isInteger() const { return value->is_number_integer(); }
  bool isNumber() const { return value->is_number(); }

  /// Records `expected ..., got ...` for this place.
  void fail(const std::string &expected) const;
  void fail(const std::string &expected, const std::string &got) const;

private:
  JsonCursor getNothing(std::string where) const;

  const nlohmann::json *value;
  std::string path;
  std::optional<Error> *error;
};

} // namespace mlir::qfuse

#endif // QFUSE_LIB_RUNTIME_JSONCURSOR_H
