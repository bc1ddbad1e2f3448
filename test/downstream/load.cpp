//===- load.cpp - A program that embeds the runtime -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Usage: load DIR. Succeeds if DIR has an artifact with one kernel for gfx950.

#include "qfuse/Runtime/Artifact.h"
#include <cstdio>

int main(int argc, char **argv) {
  auto artifact = mlir::qfuse::Artifact::load(argc == 2 ? argv[1] : "");
  if (!artifact) {
    std::fprintf(stderr, "error: %s\n", artifact.getError().message.c_str());
    return 1;
  }
  return artifact->target == "gfx950" && artifact->kernels.size() == 1 ? 0 : 1;
}
