//===- JsonCursor.cpp - Reads JSON and says where it is wrong -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "JsonCursor.h"
#include <limits>

using namespace mlir::qfuse;
using nlohmann::json;

static const json nothing;

JsonCursor JsonCursor::getNothing(std::string where) const {
  return JsonCursor(nothing, std::move(where), *error);
}

void JsonCursor::fail(const std::string &expected) const {
  fail(expected, value->type_name());
}

void JsonCursor::fail(const std::string &expected,
                      const std::string &got) const {
  if (!*error)
    *error = Error{path + ": expected " + expected + ", got " + got};
}

JsonCursor JsonCursor::operator[](const std::string &key) const {
  if (!value->is_object()) {
    fail("an object");
    return getNothing(path + "." + key);
  }
  if (std::optional<JsonCursor> member = find(key))
    return *member;
  JsonCursor missing = getNothing(path + "." + key);
  if (!*error)
    *error = Error{missing.path + ": missing"};
  return missing;
}

std::optional<JsonCursor> JsonCursor::find(const std::string &key) const {
  if (!value->is_object())
    return std::nullopt;
  auto member = value->find(key);
  if (member == value->end())
    return std::nullopt;
  return JsonCursor(*member, path + "." + key, *error);
}

int64_t JsonCursor::getInteger() const {
  if (!value->is_number_integer()) {
    fail("an integer");
    return 0;
  }
  if (auto *natural = value->get_ptr<const uint64_t *>())
    if (*natural > uint64_t(std::numeric_limits<int64_t>::max())) {
      fail("an integer of 64 bits", std::to_string(*natural));
      return 0;
    }
  return value->get<int64_t>();
}

int64_t JsonCursor::getInteger(int64_t least, int64_t most) const {
  int64_t number = getInteger();
  if (number >= least && number <= most)
    return number;
  fail("an integer from " + std::to_string(least) + " to " +
           std::to_string(most),
       std::to_string(number));
  return least;
}

std::string JsonCursor::getString() const {
  if (auto *text = value->get_ptr<const std::string *>())
    return *text;
  fail("a string");
  return "";
}

double JsonCursor::getNumber() const {
  if (value->is_number())
    return value->get<double>();
  fail("a number");
  return 0;
}

std::vector<JsonCursor> JsonCursor::getElements() const {
  std::vector<JsonCursor> elements;
  if (!value->is_array()) {
    fail("an array");
    return elements;
  }
  for (size_t i = 0; i < value->size(); ++i)
    elements.push_back(
        JsonCursor((*value)[i], path + "[" + std::to_string(i) + "]", *error));
  return elements;
}

std::vector<JsonCursor> JsonCursor::getElements(size_t count) const {
  std::vector<JsonCursor> elements = getElements();
  if (elements.size() != count)
    fail("an array of " + std::to_string(count) + " elements",
         std::to_string(elements.size()));
  elements.resize(count, getNothing(path));
  return elements;
}

std::vector<std::pair<std::string, JsonCursor>> JsonCursor::getMembers() const {
  std::vector<std::pair<std::string, JsonCursor>> members;
  if (!value->is_object()) {
    fail("an object");
    return members;
  }
  for (auto member = value->begin(); member != value->end(); ++member)
    members.emplace_back(
        member.key(),
        JsonCursor(member.value(), path + "." + member.key(), *error));
  return members;
}
