//===- LayoutAttr.cpp - Layouts as digits ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/IR/Builders.h"
#include "qfuse/IR/QFuse.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlir::qfuse;

/// Returns the constant on the right of `expr` and replaces `expr` by its left
/// side, if it is of kind `kind`.
static std::optional<int64_t> takeConstant(AffineExpr &expr,
                                           AffineExprKind kind) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || binary.getKind() != kind)
    return std::nullopt;
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!constant)
    return std::nullopt;
  expr = binary.getLHS();
  return constant.getValue();
}

static std::optional<LayoutDigit> getDigit(AffineExpr expr) {
  LayoutDigit digit;
  std::optional<int64_t> radix = takeConstant(expr, AffineExprKind::Mod);
  digit.radix = radix.value_or(0);
  digit.divisor = takeConstant(expr, AffineExprKind::FloorDiv).value_or(1);
  auto dim = dyn_cast<AffineDimExpr>(expr);
  if (!dim || (radix && *radix <= 0) || digit.divisor <= 0)
    return std::nullopt;
  digit.dim = dim.getPosition();
  return digit;
}

/// Returns the position of the digit without radix of `dim`, which counts
/// tiles.
static unsigned getTileDigit(ArrayRef<LayoutDigit> digits, unsigned dim) {
  for (auto [position, digit] : llvm::enumerate(digits))
    if (digit.dim == dim && digit.radix == 0)
      return position;
  llvm_unreachable("the verifier admits no dimension without such a digit");
}

/// Returns the extent of the tile of `dim`.
static int64_t getTile(ArrayRef<LayoutDigit> digits, unsigned dim) {
  return digits[getTileDigit(digits, dim)].divisor;
}

/// Returns "digit 2, `d0 mod 4`".
static std::string printDigit(AffineMap map, unsigned position) {
  std::string text;
  llvm::raw_string_ostream(text)
      << "digit " << position << ", `" << map.getResult(position) << "`";
  return text;
}

/// Emits an error unless the digits of `dim` tile it: the smallest one counts
/// single elements, each other one the tiles of the one below, and the last has
/// no radix.
static LogicalResult
verifyDimIsTiled(function_ref<InFlightDiagnostic()> emitError, AffineMap map,
                 ArrayRef<LayoutDigit> digits, unsigned dim) {
  SmallVector<unsigned> own;
  for (unsigned position : llvm::seq<unsigned>(digits.size()))
    if (digits[position].dim == dim)
      own.push_back(position);
  llvm::sort(own, [&](unsigned a, unsigned b) {
    return std::pair(digits[a].divisor, a) < std::pair(digits[b].divisor, b);
  });
  int64_t tile = 1;
  for (unsigned position : own) {
    if (tile == 0)
      return emitError() << "expected the digits of d" << dim
                         << " to tile it exactly once, got "
                         << printDigit(map, position)
                         << ", besides one without `mod`";
    if (digits[position].divisor != tile)
      return emitError() << "expected the digits of d" << dim
                         << " to tile it exactly once, got "
                         << printDigit(map, position)
                         << ", where those below count to " << tile;
    if (llvm::MulOverflow(tile, digits[position].radix, tile))
      return emitError() << "expected a tile of d" << dim << " below 2^63, got "
                         << printDigit(map, position);
  }
  if (tile == 0)
    return success();
  AffineExpr missing = getAffineDimExpr(dim, map.getContext()).floorDiv(tile);
  std::string text;
  llvm::raw_string_ostream(text) << missing;
  return emitError() << "expected a digit `" << text
                     << "` without `mod`, which takes the rest of d" << dim;
}

/// Emits an error if the smallest value that is not empty, of extents `units`,
/// has more elements than any tile has reason to.
static LogicalResult verifyUnits(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> units) {
  constexpr int64_t maxElements = int64_t(1) << 24;
  int64_t product = 1;
  for (int64_t unit : units)
    if (llvm::MulOverflow(product, unit, product) || product > maxElements)
      return emitError() << "expected tiles and alignments whose product is at "
                            "most "
                         << maxElements << " elements, got [" << units << "]";
  return success();
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 AffineMap map, ArrayRef<int64_t> align, Pad) {
  if (map.getNumSymbols() != 0)
    return emitError() << "expected a map without symbols";
  SmallVector<LayoutDigit> digits;
  for (auto [index, expr] : llvm::enumerate(map.getResults())) {
    std::optional<LayoutDigit> digit = getDigit(expr);
    if (!digit)
      return emitError() << "expected `d`, `d floordiv c`, `d mod r` or "
                            "`(d floordiv c) mod r`, with positive constants, "
                            "got "
                         << printDigit(map, index);
    digits.push_back(*digit);
  }
  for (unsigned dim : llvm::seq(map.getNumDims()))
    if (failed(verifyDimIsTiled(emitError, map, digits, dim)))
      return failure();
  if (align.empty())
    return verifyUnits(
        emitError,
        llvm::map_to_vector(llvm::seq(map.getNumDims()), [&](unsigned dim) {
          return getTile(digits, dim);
        }));
  if (align.size() != map.getNumDims())
    return emitError() << "expected " << map.getNumDims()
                       << " alignments, one a dimension, got " << align.size();
  for (auto [dim, alignment] : llvm::enumerate(align))
    if (int64_t tile = getTile(digits, dim);
        alignment <= 0 || alignment % tile != 0)
      return emitError() << "expected the alignment of d" << dim
                         << " to be a multiple of its tile " << tile
                         << ", which "
                         << printDigit(map, getTileDigit(digits, dim))
                         << ", counts, got " << alignment;
  return verifyUnits(emitError, align);
}

SmallVector<LayoutDigit> LayoutAttr::getDigits() const {
  return llvm::map_to_vector(getMap().getResults(),
                             [](AffineExpr expr) { return *getDigit(expr); });
}

/// Returns the extents of the digits of a value whose logical extents are the
/// symbols `s0, s1, ...`.
static SmallVector<AffineExpr> getDigitExtents(LayoutAttr layout) {
  SmallVector<LayoutDigit> digits = layout.getDigits();
  return llvm::map_to_vector(digits, [&](const LayoutDigit &digit) {
    MLIRContext *context = layout.getContext();
    if (digit.radix != 0)
      return getAffineConstantExpr(digit.radix, context);
    int64_t align = layout.getAlign().empty() ? digit.divisor
                                              : layout.getAlign()[digit.dim];
    return getAffineSymbolExpr(digit.dim, context).ceilDiv(align) *
           (align / digit.divisor);
  });
}

AffineMap LayoutAttr::getPhysicalSizeMap() const {
  AffineExpr size = getAffineConstantExpr(1, getContext());
  for (AffineExpr extent : getDigitExtents(*this))
    size = size * extent;
  return AffineMap::get(0, getMap().getNumDims(), size);
}

AffineMap LayoutAttr::getOffsetMap() const {
  AffineExpr offset = getAffineConstantExpr(0, getContext());
  for (auto [digit, extent] :
       llvm::zip_equal(getMap().getResults(), getDigitExtents(*this)))
    offset = offset * extent + digit;
  unsigned rank = getMap().getNumDims();
  return AffineMap::get(rank, rank, offset);
}

/// Returns the unit to which the extent of dimension `dim` is rounded up.
static int64_t getAlignment(LayoutAttr layout, ArrayRef<LayoutDigit> digits,
                            unsigned dim) {
  return layout.getAlign().empty() ? getTile(digits, dim)
                                   : layout.getAlign()[dim];
}

/// Returns the number of values that `digit` takes in a value of extents
/// `shape`; the largest integer if it does not fit.
static int64_t getDigitExtent(LayoutAttr layout, ArrayRef<LayoutDigit> digits,
                              const LayoutDigit &digit,
                              ArrayRef<int64_t> shape) {
  if (digit.radix != 0)
    return digit.radix;
  int64_t align = getAlignment(layout, digits, digit.dim);
  int64_t extent;
  if (llvm::MulOverflow<int64_t>(llvm::divideCeil(shape[digit.dim], align),
                                 align / digit.divisor, extent))
    return std::numeric_limits<int64_t>::max();
  return extent;
}

/// Calls `visit(digit, stride)` for each digit, innermost first.
static void
forEachDigit(LayoutAttr layout, ArrayRef<int64_t> shape,
             function_ref<void(const LayoutDigit &, int64_t)> visit) {
  SmallVector<LayoutDigit> digits = layout.getDigits();
  int64_t stride = 1;
  for (const LayoutDigit &digit : llvm::reverse(digits)) {
    visit(digit, stride);
    stride *= getDigitExtent(layout, digits, digit, shape);
  }
}

static int64_t evaluate(const LayoutDigit &digit, int64_t index) {
  int64_t value = index / digit.divisor;
  return digit.radix == 0 ? value : value % digit.radix;
}

int64_t LayoutAttr::offset(ArrayRef<int64_t> indices,
                           ArrayRef<int64_t> shape) const {
  int64_t offset = 0;
  forEachDigit(*this, shape, [&](const LayoutDigit &digit, int64_t stride) {
    offset += stride * evaluate(digit, indices[digit.dim]);
  });
  return offset;
}

int64_t LayoutAttr::physicalSize(ArrayRef<int64_t> shape) const {
  SmallVector<LayoutDigit> digits = getDigits();
  SmallVector<int64_t> extents =
      llvm::map_to_vector(digits, [&](const LayoutDigit &digit) {
        return getDigitExtent(*this, digits, digit, shape);
      });
  if (llvm::is_contained(extents, 0))
    return 0;
  int64_t size = 1;
  for (int64_t extent : extents)
    // Larger than memory, which whoever allocates it finds.
    if (llvm::MulOverflow(size, extent, size))
      return std::numeric_limits<int64_t>::max();
  return size;
}

std::vector<int64_t> LayoutAttr::getDimOffsets(unsigned dim,
                                               ArrayRef<int64_t> shape) const {
  std::vector<int64_t> offsets(shape[dim]);
  forEachDigit(*this, shape, [&](const LayoutDigit &digit, int64_t stride) {
    if (digit.dim != dim)
      return;
    for (auto [index, offset] : llvm::enumerate(offsets))
      offset += stride * evaluate(digit, index);
  });
  return offsets;
}

int64_t LayoutAttr::innermostRun(unsigned dim) const {
  SmallVector<LayoutDigit> digits = getDigits();
  int64_t run = 1;
  for (const LayoutDigit &digit : llvm::reverse(digits)) {
    if (digit.dim != dim || digit.divisor != run)
      break;
    if (digit.radix == 0)
      return 0;
    run *= digit.radix;
  }
  return run;
}

bool LayoutAttr::commutesWithConcat(unsigned dim, int64_t extent) const {
  SmallVector<LayoutDigit> digits = getDigits();
  return digits.front().dim == dim && digits.front().radix == 0 &&
         extent % getAlignment(*this, digits, dim) == 0;
}
