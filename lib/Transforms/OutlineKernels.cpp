//===- OutlineKernels.cpp - Give each kernel a definition -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Transforms/Passes.h"

#include "Materialize.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/xxhash.h"

namespace mlir::qfuse {
#define GEN_PASS_DEF_OUTLINEKERNELSPASS
#include "qfuse/Transforms/Passes.h.inc"
} // namespace mlir::qfuse

using namespace mlir;
using namespace mlir::qfuse;

/// Returns whether `op`, outside of a kernel, has to become one: it computes on
/// tensors and is not a constant or a claim about bytes.
static bool needsKernel(Operation *op) {
  return getRole(op) && llvm::any_of(op->getResultTypes(), [](Type type) {
           return isa<ShapedType>(type);
         });
}

static std::string print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream, OpPrintingFlags().useLocalScope());
  return text;
}

namespace {
struct OutlineKernelsPass
    : qfuse::impl::OutlineKernelsPassBase<OutlineKernelsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    wrapBareOps(rewriter);
    SymbolTable symbols(getOperation());
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    for (KernelOp kernel : kernels)
      outline(kernel, symbols, rewriter);
  }

private:
  void wrapBareOps(RewriterBase &rewriter);
  void outline(KernelOp kernel, SymbolTable &symbols, RewriterBase &rewriter);

  /// Definitions that were made, by the text of a kernel with their body.
  llvm::StringMap<KernelDefOp> definitions;
};
} // namespace

void OutlineKernelsPass::wrapBareOps(RewriterBase &rewriter) {
  SmallVector<Operation *> bare;
  getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<KernelOp, KernelDefOp>(op))
      return WalkResult::skip();
    if (needsKernel(op))
      bare.push_back(op);
    return WalkResult::advance();
  });
  for (Operation *op : bare) {
    OpSet ops;
    ops.insert(op);
    materializeKernel(ops, rewriter);
  }
}

/// A definition has the body of `kernel` and its types; its text has neither
/// operands nor locations, so equal kernels have equal texts.
static KernelDefOp createDefinition(KernelOp kernel, RewriterBase &rewriter) {
  auto type =
      FunctionType::get(kernel.getContext(), kernel.getInputs().getTypes(),
                        kernel.getOutputs().getTypes());
  OperationState state(kernel.getLoc(), KernelDefOp::getOperationName());
  state.addAttribute(KernelDefOp::getSymNameAttrName(state.name),
                     rewriter.getStringAttr("body"));
  state.addAttribute(KernelDefOp::getFunctionTypeAttrName(state.name),
                     TypeAttr::get(type));
  state.addRegion();
  auto definition = cast<KernelDefOp>(rewriter.create(state));
  rewriter.inlineRegionBefore(kernel.getBodyRegion(),
                              definition.getBodyRegion(),
                              definition.getBodyRegion().end());
  return definition;
}

void OutlineKernelsPass::outline(KernelOp kernel, SymbolTable &symbols,
                                 RewriterBase &rewriter) {
  Operation *top = kernel;
  while (top->getParentOp() != getOperation())
    top = top->getParentOp();
  rewriter.setInsertionPoint(top);
  KernelDefOp definition = createDefinition(kernel, rewriter);
  std::string text = print(definition);
  auto [entry, isNew] = definitions.try_emplace(text, definition);
  if (isNew) {
    std::string hash =
        llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true, 16);
    SmallVector<Operation *> ops = llvm::to_vector(
        llvm::make_pointer_range(definition.getBody()->without_terminator()));
    definition.setSymName(getStem(ops) + "_" + hash.substr(0, 8));
    symbols.insert(definition); // renames it if the name is taken
  } else {
    rewriter.eraseOp(definition);
    definition = entry->second;
    remark::passed(kernel.getLoc(), remark::RemarkOpts::name("KernelShared")
                                        .category("qfuse")
                                        .subCategory("fusion"))
        << remark::metric("Kernel", definition.getSymName());
  }
  rewriter.setInsertionPoint(kernel);
  rewriter.replaceOpWithNewOp<LaunchOp>(
      kernel, kernel.getResultTypes(),
      FlatSymbolRefAttr::get(definition.getSymNameAttr()), kernel.getInputs());
}
