//===- AttachTarget.cpp - State the device that a module is for -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Target/Target.h"
#include "qfuse/Transforms/Passes.h"
#include "llvm/Support/VersionTuple.h"

namespace mlir::qfuse {
#define GEN_PASS_DEF_ATTACHTARGETPASS
#include "qfuse/Transforms/Passes.h.inc"
} // namespace mlir::qfuse

using namespace mlir;
using namespace mlir::qfuse;

namespace {
/// Versions of what there is, by name.
using Provided = llvm::StringMap<llvm::VersionTuple>;

struct AttachTargetPass : qfuse::impl::AttachTargetPassBase<AttachTargetPass> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<TargetAttr> loaded = loadTarget(target, getOperation().getLoc());
    FailureOr<Provided> provided = parseProvided();
    if (failed(loaded) || failed(provided))
      return signalPassFailure();
    SmallVector<MatmulRowAttr> rows;
    for (MatmulRowAttr row : loaded->getRows()) {
      FailureOr<bool> available = isAvailable(row, *provided);
      if (failed(available))
        return signalPassFailure();
      if (*available)
        rows.push_back(row);
    }
    getOperation()->setAttr(targetAttrName,
                            TargetAttr::get(&getContext(), loaded->getDevice(),
                                            loaded->getFeatures(),
                                            loaded->getCosts(), rows));
  }

private:
  FailureOr<Provided> parseProvided();
  FailureOr<bool> isAvailable(MatmulRowAttr row, const Provided &provided);
};
} // namespace

FailureOr<Provided> AttachTargetPass::parseProvided() {
  Provided provided;
  // What is generated is always there.
  provided["qfuse"] = llvm::VersionTuple(0);
  for (StringRef entry : provide) {
    auto [name, text] = entry.split('=');
    llvm::VersionTuple version;
    if (name.empty() || version.tryParse(text)) {
      emitError(getOperation().getLoc())
          << "expected provide to list NAME=VERSION, got '" << entry << "'";
      return failure();
    }
    provided[name] = version;
  }
  return provided;
}

/// `needs` is a name, or `name >= version`; a row that states none needs none.
FailureOr<bool> AttachTargetPass::isAvailable(MatmulRowAttr row,
                                              const Provided &provided) {
  if (row.getNeeds().empty())
    return true;
  auto [name, text] = row.getNeeds().split(">=");
  llvm::VersionTuple least;
  if (!text.empty() && least.tryParse(text.trim())) {
    emitError(getOperation().getLoc())
        << "expected the needs of row '" << row.getName()
        << "' to be NAME or NAME >= VERSION, got '" << row.getNeeds() << "'";
    return failure();
  }
  auto found = provided.find(name.trim());
  return found != provided.end() && least <= found->second;
}
