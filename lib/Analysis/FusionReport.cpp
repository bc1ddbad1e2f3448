//===- FusionReport.cpp - What is fused, for people -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Analysis/FusionReport.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AffineExpr.h"
#include "qfuse/Analysis/FusionPlan.h"
#include "qfuse/IR/QFuse.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::qfuse;

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

namespace {
/// Sizes in bytes as expressions in the extents of arguments, each of which is
/// a symbol with a name.
class Sizes {
public:
  explicit Sizes(MLIRContext *context) : context(context) {}

  AffineExpr getBytes(Value value);
  AffineExpr getBytes(ValueRange values);
  std::string print(AffineExpr bytes);

private:
  AffineExpr getExtent(ExtentSource source);
  AffineExpr getSymbol(StringRef name);

  MLIRContext *context;
  SmallVector<std::string> names;
};
} // namespace

AffineExpr Sizes::getSymbol(StringRef name) {
  auto found = llvm::find(names, name);
  unsigned position = found - names.begin();
  if (found == names.end())
    names.push_back(name.str());
  return getAffineSymbolExpr(position, context);
}

/// The name of an extent of an argument: that of `qfuse.dims`, or `arg0.1`.
static std::string getName(BlockArgument argument, unsigned dim) {
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  auto dims = function ? function.getArgAttrOfType<ArrayAttr>(
                             argument.getArgNumber(), "qfuse.dims")
                       : ArrayAttr();
  StringRef name = dims ? cast<StringAttr>(dims[dim]).getValue() : "";
  return name.empty()
             ? llvm::formatv("arg{0}.{1}", argument.getArgNumber(), dim).str()
             : name.str();
}

AffineExpr Sizes::getExtent(ExtentSource source) {
  int64_t divisor = source.divisor;
  while (Operation *op = source.value.getDefiningOp()) {
    if (auto fusible = dyn_cast<FusibleOpInterface>(op))
      source = fusible.getExtentSource(
          cast<OpResult>(source.value).getResultNumber(), source.dim);
    else if (getRole(op) == Role::elementwise)
      source = {op->getOperand(0), source.dim, /*divisor=*/1};
    else
      return getSymbol("?");
    divisor *= source.divisor;
  }
  return getSymbol(getName(cast<BlockArgument>(source.value), source.dim))
      .ceilDiv(divisor);
}

AffineExpr Sizes::getBytes(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  if (!type)
    return getAffineConstantExpr(0, context);
  AffineExpr extents = getAffineConstantExpr(1, context);
  int64_t bits = type.getElementTypeBitWidth();
  for (auto [dim, extent] : llvm::enumerate(type.getShape()))
    if (ShapedType::isDynamic(extent))
      extents = extents * getExtent({value, unsigned(dim), /*divisor=*/1});
    else
      bits *= extent;
  // Only codes of four bits can leave a byte half used.
  return bits % 8 == 0 ? extents * (bits / 8) : (extents * bits).ceilDiv(8);
}

AffineExpr Sizes::getBytes(ValueRange values) {
  AffineExpr sum = getAffineConstantExpr(0, context);
  for (Value value : values)
    sum = sum + getBytes(value);
  return sum;
}

std::string Sizes::print(AffineExpr bytes) {
  std::string text;
  llvm::raw_string_ostream(text)
      << simplifyAffineExpr(bytes, /*numDims=*/0, /*numSymbols=*/names.size());
  // From the last: `s1` is a part of `s10`.
  for (size_t position = names.size(); position-- > 0;) {
    const std::string &name = names[position];
    std::string symbol = "s" + std::to_string(position);
    for (size_t at = 0; (at = text.find(symbol, at)) != std::string::npos;
         at += name.size())
      text.replace(at, symbol.size(), name);
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

static FusionReport::Kernel describe(const Chain &chain, StringRef function,
                                     Sizes &sizes) {
  auto isInside = [&](Operation *op) { return chain.ops.contains(op); };
  SmallVector<Value> readBefore, writtenBefore;
  llvm::SetVector<Value> read, written;
  for (Operation *op : chain.ops) {
    llvm::SetVector<Value> own(op->operand_begin(), op->operand_end());
    llvm::append_range(readBefore, own);
    llvm::append_range(writtenBefore, op->getResults());
    for (Value operand : own)
      if (!isInside(operand.getDefiningOp()))
        read.insert(operand);
    for (Value result : op->getResults())
      if (!llvm::all_of(result.getUsers(), isInside))
        written.insert(result);
  }
  auto print = [&](ValueRange values) {
    return sizes.print(sizes.getBytes(values));
  };
  return {llvm::formatv("{0}: {1}", function, getStem(chain.ops.getArrayRef())),
          unsigned(chain.ops.size()),
          print(readBefore),
          print(writtenBefore),
          print(read.getArrayRef()),
          print(written.getArrayRef())};
}

/// `file:line:column` of the first place that `loc` names, or what it prints.
static std::string printLocation(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ':' << file.getLine() << ':'
       << file.getColumn();
  else
    os << loc;
  return text;
}

FusionReport FusionReport::get(ModuleOp module) {
  FusionReport report;
  for (auto function : module.getOps<func::FuncOp>()) {
    Sizes sizes(module.getContext());
    function->walk([&](Block *block) {
      if (isa<KernelOp>(block->getParentOp()))
        return;
      FusionPlan plan(*block);
      for (const Chain &chain : plan.getChains()) {
        report.kernels.push_back(describe(chain, function.getSymName(), sizes));
        ++report.numChains;
        report.numWhole += chain.isWhole;
      }
      for (const Rejection &rejection : plan.getRejections())
        report.rejections.push_back(llvm::formatv(
            "{0}: {1}: {2}", printLocation(rejection.op->getLoc()),
            getRemarkName(rejection.kind), rejection.reason));
    });
  }
  return report;
}

void FusionReport::print(raw_ostream &os) const {
  using Row = std::array<std::string, 6>;
  SmallVector<Row> rows = {
      {"kernel", "ops", "read before", "written before", "read", "written"}};
  for (const Kernel &kernel : kernels)
    rows.push_back({kernel.name, std::to_string(kernel.numOps),
                    kernel.readBefore, kernel.writtenBefore, kernel.read,
                    kernel.written});
  std::array<size_t, 6> widths = {};
  for (const Row &row : rows)
    for (auto [width, cell] : llvm::zip_equal(widths, row))
      width = std::max(width, cell.size());
  for (const Row &row : rows) {
    for (auto [column, cell] : llvm::enumerate(row)) {
      os << cell;
      if (column + 1 != row.size())
        os.indent(widths[column] - cell.size() + 2);
    }
    os << '\n';
  }
  for (const std::string &rejection : rejections)
    os << "not fused: " << rejection << '\n';
  os << "fused " << numWhole << " of " << numChains << " chains\n";
}
