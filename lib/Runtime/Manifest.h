//===- Manifest.h - Reads manifest.json -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_RUNTIME_MANIFEST_H
#define QFUSE_LIB_RUNTIME_MANIFEST_H

#include "qfuse/Runtime/Artifact.h"

namespace mlir::qfuse {

struct Manifest {
  /// Without the contents of the objects.
  Artifact artifact;
  /// The object files, in the order of `Artifact::objects`.
  std::vector<std::string> objects;
  /// Size of `module.mlirbc`, if the manifest states it.
  std::optional<int64_t> moduleBytes;
};

/// Reads the text of a manifest. The error begins with the place.
Result<Manifest> readManifest(const std::string &text);

} // namespace mlir::qfuse

#endif // QFUSE_LIB_RUNTIME_MANIFEST_H
