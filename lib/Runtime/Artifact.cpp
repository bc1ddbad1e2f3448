//===- Artifact.cpp - Reads the files of an artifact ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Runtime/Artifact.h"
#include "Manifest.h"
#include <cerrno>
#include <cstdio>
#include <cstring>

using namespace mlir::qfuse;

static Result<std::vector<uint8_t>> readFile(const std::string &path) {
  std::FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    return Error{path + ": " + std::strerror(errno)};
  std::vector<uint8_t> contents;
  uint8_t buffer[65536];
  while (size_t count = std::fread(buffer, 1, sizeof buffer, file))
    contents.insert(contents.end(), buffer, buffer + count);
  bool failed = std::ferror(file);
  std::fclose(file);
  if (failed)
    return Error{path + ": cannot be read"};
  return contents;
}

/// Returns the little-endian number of `size` bytes at `offset`.
static uint64_t getNumber(const std::vector<uint8_t> &bytes, size_t offset,
                          size_t size) {
  uint64_t number = 0;
  for (size_t i = size; i--;)
    number = number << 8 | bytes[offset + i];
  return number;
}

/// Returns whether the tables that the header of a 64-bit ELF file points to
/// lie within the file; linkers write one of them last.
static bool isWholeElf(const std::vector<uint8_t> &bytes) {
  constexpr size_t headerSize = 64;
  if (bytes.size() < headerSize || std::memcmp(bytes.data(), "\177ELF\2\1", 6))
    return false;
  auto isInside = [&](uint64_t offset, uint64_t entrySize, uint64_t count) {
    return offset <= bytes.size() && entrySize * count <= bytes.size() - offset;
  };
  return isInside(getNumber(bytes, 32, 8), getNumber(bytes, 54, 2),
                  getNumber(bytes, 56, 2)) &&
         isInside(getNumber(bytes, 40, 8), getNumber(bytes, 58, 2),
                  getNumber(bytes, 60, 2));
}

static bool endsWith(const std::string &text, const std::string &end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

static Status checkObject(const std::string &path,
                          const std::vector<uint8_t> &bytes) {
  if (bytes.empty())
    return Error{path + ": the file is empty"};
  if (endsWith(path, ".hsaco") && !isWholeElf(bytes))
    return Error{path + ": not a whole ELF file; it is damaged or cut off"};
  return okStatus();
}

static Result<std::vector<uint8_t>> readObject(const std::string &path) {
  Result<std::vector<uint8_t>> bytes = readFile(path);
  if (!bytes)
    return bytes;
  if (Status status = checkObject(path, *bytes); !status)
    return status.getError();
  return bytes;
}

/// The module is not executed, but what has lost a part is no artifact.
static Status checkModule(const std::string &path, int64_t expected) {
  Result<std::vector<uint8_t>> bytes = readFile(path);
  if (!bytes)
    return bytes.getError();
  if (static_cast<int64_t>(bytes->size()) != expected)
    return Error{path + ": expected " + std::to_string(expected) +
                 " bytes, got " + std::to_string(bytes->size()) +
                 "; it is damaged or cut off"};
  return okStatus();
}

Result<Artifact> Artifact::load(const std::string &path) {
  std::string manifestPath = path + "/manifest.json";
  Result<std::vector<uint8_t>> text = readFile(manifestPath);
  if (!text)
    return text.getError();
  Result<Manifest> manifest = readManifest({text->begin(), text->end()});
  if (!manifest)
    return Error{manifestPath + ": " + manifest.getError().message};
  for (const std::string &object : manifest->objects) {
    Result<std::vector<uint8_t>> bytes = readObject(path + "/" + object);
    if (!bytes)
      return bytes.getError();
    manifest->artifact.objects.push_back(std::move(*bytes));
  }
  if (manifest->moduleBytes)
    if (Status status =
            checkModule(path + "/module.mlirbc", *manifest->moduleBytes);
        !status)
      return status.getError();
  return std::move(manifest->artifact);
}

Result<Artifact>
Artifact::create(const std::string &text,
                 const std::map<std::string, std::vector<uint8_t>> &objects) {
  Result<Manifest> manifest = readManifest(text);
  if (!manifest)
    return manifest.getError();
  for (const std::string &name : manifest->objects) {
    auto found = objects.find(name);
    if (found == objects.end())
      return Error{"there is no object '" + name + "'"};
    if (Status status = checkObject(name, found->second); !status)
      return status.getError();
    manifest->artifact.objects.push_back(found->second);
  }
  return std::move(manifest->artifact);
}

Result<const Function *> Artifact::getFunction(const std::string &name) const {
  if (name.empty() && functions.size() == 1)
    return &functions.begin()->second;
  auto found = functions.find(name);
  if (found != functions.end())
    return &found->second;
  std::string names;
  for (const auto &[known, function] : functions)
    names += (names.empty() ? "" : ", ") + known;
  if (name.empty())
    return Error{"expected one function, got " +
                 std::to_string(functions.size()) +
                 "; name one with --function (there are: " + names + ")"};
  return Error{"the artifact has no function '" + name + "'; it has " +
               (names.empty() ? "none" : names)};
}
