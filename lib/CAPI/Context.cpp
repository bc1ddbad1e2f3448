//===- Context.cpp - Contexts, diagnostics and remarks of the C ABI -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Handles.h"
#include "qfuse/Driver/Compile.h"
#include "qfuse/IR/Presets.h"
#include "qfuse/Target/Target.h"
#include "qfuse/Transforms/Registration.h"

using namespace mlir;
using namespace mlir::qfuse;

/// Returns the first place in a source that `loc` names.
static QfuseLocation getPlace(Location loc) {
  QfuseLocation place = {wrap(""), 0, 0};
  loc->walk([&](Location nested) {
    auto file = dyn_cast<FileLineColRange>(nested);
    if (!file)
      return WalkResult::advance();
    place = {wrap(file.getFilename().getValue()), file.getStartLine(),
             file.getStartColumn()};
    return WalkResult::interrupt();
  });
  return place;
}

static QfuseSeverity getSeverity(const Diagnostic &diagnostic) {
  switch (diagnostic.getSeverity()) {
  case DiagnosticSeverity::Note:
    return QFUSE_NOTE;
  case DiagnosticSeverity::Warning:
    return QFUSE_WARNING;
  case DiagnosticSeverity::Error:
    return QFUSE_ERROR;
  case DiagnosticSeverity::Remark:
    return QFUSE_REMARK;
  }
  llvm_unreachable("all severities are handled");
}

/// Hands `diagnostic` to the handler of `context`. Without one it fails, and
/// the context prints to the standard error stream.
static LogicalResult report(const QfuseContext &context,
                            const Diagnostic &diagnostic) {
  if (!context.diagnosticHandler)
    return failure();
  std::string message = diagnostic.str();
  QfuseDiagnostic reported = {getSeverity(diagnostic),
                              getPlace(diagnostic.getLocation()),
                              wrap(message)};
  context.diagnosticHandler(&reported, context.diagnosticUser);
  for (const Diagnostic &note : diagnostic.getNotes())
    (void)report(context, note);
  return success();
}

static QfuseRemarkKind getKind(const remark::detail::Remark &remark) {
  switch (remark.getRemarkType()) {
  case llvm::remarks::Type::Passed:
    return QFUSE_PASSED;
  case llvm::remarks::Type::Missed:
    return QFUSE_MISSED;
  case llvm::remarks::Type::Failure:
    return QFUSE_FAILED;
  default:
    return QFUSE_ANALYSIS;
  }
}

namespace {
/// Hands remarks to the handler of a context, which outlives it.
class RemarkSender : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit RemarkSender(const QfuseContext &context) : context(context) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    if (!context.remarkHandler)
      return;
    SmallVector<QfuseRemarkValue> values;
    for (const remark::detail::Remark::Arg &arg : remark.getArgs())
      values.push_back({wrap(arg.key), wrap(arg.val)});
    QfuseRemark sent = {getKind(remark),
                        wrap(remark.getRemarkName()),
                        wrap(remark.getCombinedCategoryName()),
                        getPlace(remark.getLocation()),
                        values.data(),
                        values.size()};
    context.remarkHandler(&sent, context.remarkUser);
  }

private:
  const QfuseContext &context;
};
} // namespace

const char *qfuseGetVersion() { return QFUSE_VERSION; }

QfuseString qfuseGetPresetTable() { return wrap(getPresetTable()); }

size_t qfuseGetNumTargets() { return getTargetNames().size(); }

QfuseString qfuseGetTargetName(size_t index) {
  ArrayRef<StringRef> names = getTargetNames();
  return wrap(index < names.size() ? names[index] : "");
}

QfuseContext *qfuseContextCreate() {
  DialectRegistry registry;
  registerCompiler(registry);
  auto *context = new QfuseContext(registry);
  context->context.printOpOnDiagnostic(false);
  context->context.getDiagEngine().registerHandler(
      [context](Diagnostic &diagnostic) {
        return report(*context, diagnostic);
      });
  // A streamer of our own needs no file, so there is nothing that can fail.
  (void)enableRemarks(context->context,
                      std::make_unique<RemarkSender>(*context));
  return context;
}

void qfuseContextDestroy(QfuseContext *context) { delete context; }

void qfuseContextSetDiagnosticHandler(QfuseContext *context,
                                      QfuseDiagnosticHandler handler,
                                      void *user) {
  context->diagnosticHandler = handler;
  context->diagnosticUser = user;
}

void qfuseContextSetRemarkHandler(QfuseContext *context,
                                  QfuseRemarkHandler handler, void *user) {
  context->remarkHandler = handler;
  context->remarkUser = user;
}
