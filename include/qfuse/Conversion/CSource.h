//===- CSource.h - An artifact as one C file --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_CONVERSION_CSOURCE_H
#define QFUSE_CONVERSION_CSOURCE_H

#include "qfuse/Conversion/Artifact.h"

namespace mlir::qfuse {

/// Returns `compiled` as a C file (C99) that needs nothing but a C library: it
/// embeds the code object, opens HIP at run time and exports, for each function
/// F, `qfuse_F_workspace_size` and `qfuse_F_launch`, and `qfuse_prepare` for
/// all of them. The comment at its top says how to call them. Emits an error at
/// `loc` for what HIP does not load.
FailureOr<std::string> emitCSource(const CompiledModule &compiled,
                                   Location loc);

} // namespace mlir::qfuse

#endif // QFUSE_CONVERSION_CSOURCE_H
