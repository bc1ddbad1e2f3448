//===- Registration.h - What tools and plugin register ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_TRANSFORMS_REGISTRATION_H
#define QFUSE_TRANSFORMS_REGISTRATION_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Support/LogicalResult.h"

namespace mlir::qfuse {

/// Adds the dialects of QFuse and of its targets: what the plugin brings to its
/// host.
void registerQFuseDialects(DialectRegistry &registry);

/// Adds these and all of upstream with the interfaces that its dialects
/// promise: what each tool can read.
void registerToolDialects(DialectRegistry &registry);

/// Reports each remark of `context` from now on as a diagnostic and, unless
/// `path` is empty, writes it to that file as YAML when the context ends. Emits
/// an error if the file cannot be written.
LogicalResult enableRemarks(MLIRContext &context, StringRef path);

/// Sends each remark of `context` from now on to `streamer`, and nowhere else.
LogicalResult
enableRemarks(MLIRContext &context,
              std::unique_ptr<remark::detail::MLIRRemarkStreamerBase> streamer);

} // namespace mlir::qfuse

#endif // QFUSE_TRANSFORMS_REGISTRATION_H
