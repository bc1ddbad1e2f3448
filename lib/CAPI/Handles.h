//===- Handles.h - What the handles of the C ABI hold -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_LIB_CAPI_HANDLES_H
#define QFUSE_LIB_CAPI_HANDLES_H

#include "mlir/IR/BuiltinOps.h"
#include "qfuse-c/Compiler.h"
#include "qfuse/Conversion/Artifact.h"

struct QfuseContext {
  mlir::MLIRContext context;
  QfuseDiagnosticHandler diagnosticHandler = nullptr;
  QfuseRemarkHandler remarkHandler = nullptr;
  void *diagnosticUser = nullptr, *remarkUser = nullptr;

  explicit QfuseContext(const mlir::DialectRegistry &registry)
      : context(registry, mlir::MLIRContext::Threading::DISABLED) {}
};

struct QfuseModule {
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

struct QfuseArtifact {
  mlir::qfuse::CompiledModule compiled;
};

namespace mlir::qfuse {

inline QfuseString wrap(llvm::StringRef text) {
  return {text.data(), text.size()};
}

inline llvm::StringRef unwrap(QfuseString text) {
  return llvm::StringRef(text.data, text.size);
}

/// A stream that hands what is written to a writer of the caller.
class WriterStream : public llvm::raw_ostream {
public:
  WriterStream(QfuseWriter writer, void *user) : writer(writer), user(user) {}
  ~WriterStream() override { flush(); }

private:
  void write_impl(const char *data, size_t size) override {
    writer({data, size}, user);
    position += size;
  }
  uint64_t current_pos() const override { return position; }

  QfuseWriter writer;
  void *user;
  uint64_t position = 0;
};

} // namespace mlir::qfuse

#endif // QFUSE_LIB_CAPI_HANDLES_H
