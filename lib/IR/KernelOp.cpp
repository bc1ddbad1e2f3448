//===- KernelOp.cpp - The region op of a fused chain ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Detail.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::qfuse;

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

/// `ins(%arg = %operand : type, ...) -> (types) { ... }`. One directive, as the
/// arguments have to be known where the region is parsed.
static ParseResult
parseKernelSignature(OpAsmParser &parser,
                     SmallVectorImpl<OpAsmParser::UnresolvedOperand> &inputs,
                     SmallVectorImpl<Type> &inputTypes,
                     SmallVectorImpl<Type> &outputTypes, Region &body) {
  SmallVector<OpAsmParser::Argument> arguments;
  auto parseInput = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    if (parser.parseArgument(argument) || parser.parseEqual() ||
        parser.parseOperand(inputs.emplace_back()) ||
        parser.parseColonType(argument.type))
      return failure();
    inputTypes.push_back(argument.type);
    return success();
  };
  if (parser.parseKeyword("ins") ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseInput) ||
      parser.parseArrowTypeList(outputTypes))
    return failure();
  // The body is isolated, so it may use names of the enclosing region again.
  return parser.parseRegion(body, arguments, /*enableNameShadowing=*/true);
}

static void printKernelSignature(OpAsmPrinter &printer, KernelOp op,
                                 OperandRange inputs, TypeRange,
                                 TypeRange outputTypes, Region &body) {
  printer << "ins(";
  llvm::interleaveComma(
      llvm::zip_equal(body.getArguments(), inputs), printer, [&](auto pair) {
        auto [argument, input] = pair;
        printer.printRegionArgument(argument, {}, /*omitType=*/true);
        printer << " = " << input << " : " << input.getType();
      });
  printer << ") -> (" << outputTypes << ") ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

#define GET_OP_CLASSES
#include "qfuse/IR/QFuseOps.cpp.inc"

void QFuseDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "qfuse/IR/QFuseOps.cpp.inc"
      >();
}

void KernelOp::getAsmBlockArgumentNames(Region &region,
                                        OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, "in");
}

void KernelOp::build(OpBuilder &builder, OperationState &state,
                     TypeRange outputs, ValueRange inputs) {
  state.addTypes(outputs);
  state.addOperands(inputs);
  Block &body = state.addRegion()->emplaceBlock();
  for (Value input : inputs)
    body.addArgument(input.getType(), input.getLoc());
}

YieldOp KernelOp::getYield() {
  return cast<YieldOp>(getBody()->getTerminator());
}

//===----------------------------------------------------------------------===//
// Verifiers and extents
//===----------------------------------------------------------------------===//

LogicalResult KernelOp::verify() {
  if (TypeRange(getBodyRegion().getArgumentTypes()) == getInputs().getTypes())
    return success();
  return emitOpError() << "expected body arguments of types ("
                       << getInputs().getTypes() << "), got ("
                       << getBodyRegion().getArgumentTypes() << ")";
}

// After the ops in the body, so that each of them is known to be valid.
LogicalResult KernelOp::verifyRegions() {
  return verifyKernelBody(*this, *getBody(), getOutputs().getTypes());
}

LogicalResult KernelOp::reifyResultShapes(OpBuilder &builder,
                                          ReifiedRankedShapedTypeDims &shapes) {
  return reifyKernelBody(builder, getLoc(), getYield(), getInputs(), shapes);
}

//===----------------------------------------------------------------------===//
// Canonicalization
//===----------------------------------------------------------------------===//

namespace {
/// Drops results that nobody uses; what computed them is then dead.
struct DropUnusedResults : OpRewritePattern<KernelOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(KernelOp kernel,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> usedResults, usedValues;
    for (auto [result, value] :
         llvm::zip_equal(kernel.getResults(), kernel.getYield().getValues()))
      if (!result.use_empty()) {
        usedResults.push_back(result);
        usedValues.push_back(value);
      }
    if (usedResults.size() == kernel.getNumResults())
      return rewriter.notifyMatchFailure(kernel, "each result is used");

    auto smaller =
        KernelOp::create(rewriter, kernel.getLoc(),
                         TypeRange(ValueRange(usedValues)), kernel.getInputs());
    smaller->setDiscardableAttrs(kernel->getDiscardableAttrDictionary());
    rewriter.modifyOpInPlace(kernel.getYield(), [&] {
      kernel.getYield().getValuesMutable().assign(usedValues);
    });
    rewriter.mergeBlocks(kernel.getBody(), smaller.getBody(),
                         smaller.getBody()->getArguments());
    rewriter.replaceAllUsesWith(usedResults, smaller.getResults());
    rewriter.eraseOp(kernel);
    return success();
  }
};

/// Reads an input, or an earlier result, in the place of a result that equals
/// it: nothing is computed or stored for it then.
struct ForwardResults : OpRewritePattern<KernelOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(KernelOp kernel,
                                PatternRewriter &rewriter) const override {
    bool isChanged = false;
    DenseMap<Value, Value> first;
    for (auto [result, value] :
         llvm::zip_equal(kernel.getResults(), kernel.getYield().getValues())) {
      Value same = first.try_emplace(value, result).first->second;
      if (auto argument = dyn_cast<BlockArgument>(value))
        same = kernel.getInputs()[argument.getArgNumber()];
      if (same == result || result.use_empty())
        continue;
      rewriter.replaceAllUsesWith(result, same);
      isChanged = true;
    }
    return success(isChanged);
  }
};

/// Drops an input that the body does not use, that another input equals, or
/// that is a scalar constant, which the body can have itself.
struct DropInput : OpRewritePattern<KernelOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(KernelOp kernel,
                                PatternRewriter &rewriter) const override {
    for (auto [index, input] : llvm::enumerate(kernel.getInputs())) {
      BlockArgument argument = kernel.getBody()->getArgument(index);
      if (!argument.use_empty()) {
        Value other = getOther(kernel, index, rewriter);
        if (!other)
          continue;
        rewriter.replaceAllUsesWith(argument, other);
      }
      rewriter.modifyOpInPlace(kernel, [&, index = index] {
        kernel.getInputsMutable().erase(index);
        kernel.getBody()->eraseArgument(index);
      });
      return success();
    }
    return rewriter.notifyMatchFailure(kernel, "each input is needed");
  }

private:
  /// Returns a value in the body that equals input `index`, or null.
  static Value getOther(KernelOp kernel, unsigned index,
                        PatternRewriter &rewriter) {
    Value input = kernel.getInputs()[index];
    for (unsigned earlier : llvm::seq(index))
      if (kernel.getInputs()[earlier] == input)
        return kernel.getBody()->getArgument(earlier);
    auto constant = input.getDefiningOp<arith::ConstantOp>();
    if (!constant || isa<ShapedType>(constant.getType()))
      return {};
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(kernel.getBody());
    return rewriter.clone(*constant)->getResult(0);
  }
};
} // namespace

void KernelOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<DropUnusedResults, ForwardResults, DropInput>(context);
}
