//===- TestArtifact.h - An artifact to load and to damage -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_TEST_UNIT_RUNTIME_TESTARTIFACT_H
#define QFUSE_TEST_UNIT_RUNTIME_TESTARTIFACT_H

#include "qfuse/Runtime/Artifact.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace mlir::qfuse::test {

/// A function `f` of x : M x 4, with free row stride, and w : 4, which is
/// donated to its second result. The object is PTX in name only.
inline const std::string manifest = R"({
"schema": 1, "target": "sm_90",
"functions": {"f": {
  "dims": {"M": [0, 64]},
  "inputs": [
    {"name": "x", "element": "f32", "shape": ["M", 4],
     "strides": ["arg0.stride0", 1], "layout": null, "role": "activation",
     "bytes": {"op": "mul", "args": ["M",
               {"op": "mul", "args": ["arg0.stride0", 4]}]}},
    {"name": "w", "element": "i32", "shape": [4], "strides": [1],
     "layout": null, "role": "weight", "bytes": 16}],
  "outputs": [
    {"name": "y", "element": "f32", "shape": ["M", 4], "strides": [6, 1],
     "layout": null, "role": "activation",
     "bytes": {"op": "mul", "args": ["M", 24]}},
    {"name": "v", "element": "i32", "shape": [4], "strides": [1],
     "layout": null, "role": "activation", "bytes": 16, "donated": 1}],
  "checks": [{"kind": "equal", "lhs": {"op": "mod", "args": ["M", 2]},
              "rhs": 0, "message": "expected an even number of rows"}],
  "workspace": {"op": "mul", "args": ["M", 8]},
  "intervals": [],
  "steps": [{"kind": "launch", "kernel": "k",
    "grid": [{"op": "ceildiv", "args": ["M", 4]}, 1, 1], "block": [64, 1, 1],
    "args": [{"value": "M", "type": "i32"}, {"buffer": "input", "index": 0},
             {"value": 0.5, "type": "f32"}, {"buffer": "output", "index": 0},
             {"buffer": "workspace", "offset": 8},
             {"value": "arg0.stride0", "type": "i64"},
             {"buffer": "output", "index": 1}],
    "least_read": {"op": "mul", "args": ["M", 16]}, "least_written": 32}]
}},
"kernels": [{"name": "k", "object": "k.ptx", "vgprs": 8, "sgprs": 16,
  "lds_bytes": 0, "scratch_bytes": 0, "spills": 0, "threads": 64}]
})";

/// A directory with an artifact, removed at the end.
class Directory {
public:
  explicit Directory(const std::string &text = manifest) {
    char name[] = "/tmp/qfuse-runtime-XXXXXX";
    EXPECT_NE(mkdtemp(name), nullptr);
    path = name;
    write("manifest.json", text);
    write("k.ptx", "//");
  }
  ~Directory() { std::filesystem::remove_all(path); }

  void write(const std::string &file, const std::string &contents) const {
    std::ofstream(path + "/" + file, std::ios::binary) << contents;
  }

  std::string path;
};

/// Returns `manifest` with the first `from` replaced by `to`.
inline std::string edit(const std::string &from, const std::string &to) {
  std::string text = manifest;
  size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

} // namespace mlir::qfuse::test

#endif // QFUSE_TEST_UNIT_RUNTIME_TESTARTIFACT_H
