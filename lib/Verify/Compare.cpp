//===- Compare.cpp - Bits, intervals and where they differ ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compare.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::qfuse;

static std::string toHex(Element element, uint64_t bits) {
  std::string text;
  unsigned digits = (getBitWidth(element) + 3) / 4;
  llvm::raw_string_ostream(text) << llvm::format_hex(bits, digits + 2);
  return text;
}

/// Returns the logical index of the element at row-major position `position`.
static std::vector<int64_t> getIndex(int64_t position,
                                     ArrayRef<int64_t> shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    index[dim] = position % shape[dim];
    position /= shape[dim];
  }
  return index;
}

/// Compares two arrays of equal shape.
static std::optional<Difference> compareArrays(const Tensor &got,
                                               const Tensor &expected) {
  assert(got.shape == expected.shape && got.element == expected.element &&
         "only values of one type are compared");
  if (got.bytes == expected.bytes)
    return std::nullopt;
  Element element = got.element;
  for (int64_t position = 0; position < got.getNumElements(); ++position) {
    uint64_t g = got.getBits(position), e = expected.getBits(position);
    if (g == e || (isFloat(element) && std::isnan(decode(element, g)) &&
                   std::isnan(decode(element, e))))
      continue;
    Difference difference;
    difference.check = 'A';
    difference.index = getIndex(position, got.shape);
    difference.got = toHex(element, g);
    difference.expected = toHex(element, e);
    return difference;
  }
  return std::nullopt;
}

std::optional<Difference> qfuse::compareBits(const Tensor &got,
                                             const Tensor &expected,
                                             ShapedType type,
                                             ArrayRef<int64_t> shape) {
  auto packed = dyn_cast<PackedType>(type);
  if (!packed)
    return compareArrays(got, expected);
  // A layout of another size is another layout.
  if (got.shape != expected.shape) {
    Difference difference;
    difference.isPadding = true;
    difference.got = std::to_string(got.shape[0]) + " elements";
    difference.expected = std::to_string(expected.shape[0]) + " elements";
    return difference;
  }
  if (auto difference =
          compareArrays(unpackTensor(got, packed.getLayout(), shape),
                        unpackTensor(expected, packed.getLayout(), shape)))
    return difference;
  if (packed.getLayout().getPad() == Pad::undef)
    return std::nullopt;
  auto difference = compareArrays(got, expected);
  if (difference)
    difference->isPadding = true;
  return difference;
}

std::optional<Difference> qfuse::compareInterval(const Tensor &got,
                                                 const Interval &interval) {
  assert(got.shape == interval.low.shape && "an interval for each element");
  Element element = got.element;
  for (int64_t position = 0; position < got.getNumElements(); ++position) {
    uint64_t bits = got.getBits(position);
    double value = decode(element, bits);
    double low = decode(element, interval.low.getBits(position));
    double high = decode(element, interval.high.getBits(position));
    bool isNaN = std::isnan(low) || std::isnan(high);
    if (isNaN ? std::isnan(value) : low <= value && value <= high)
      continue;
    Difference difference;
    difference.check = 'B';
    difference.index = getIndex(position, got.shape);
    difference.got = toHex(element, bits);
    llvm::raw_string_ostream(difference.expected)
        << llvm::format("[%.9g,%.9g]", low, high);
    return difference;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

/// Returns `FILE:LINE:COLUMN`, the first that `loc` has.
static std::string getPlace(Location loc) {
  std::string place = "unknown";
  loc->walk([&](Location each) {
    auto file = dyn_cast<FileLineColLoc>(each);
    if (!file)
      return WalkResult::advance();
    place = llvm::formatv("{0}:{1}:{2}", file.getFilename().getValue(),
                          file.getLine(), file.getColumn());
    return WalkResult::interrupt();
  });
  return place;
}

static std::string toList(ArrayRef<int64_t> values) {
  std::string list = "[";
  llvm::raw_string_ostream stream(list);
  llvm::interleave(values, stream, ",");
  return list + "]";
}

/// Returns the format by which `op` works in blocks, or null.
static FormatAttr getFormat(Operation *op) {
  return op ? op->getAttrOfType<FormatAttr>("format") : FormatAttr();
}

std::string Difference::toString() const {
  std::string text = llvm::formatv("check={0}", check);
  llvm::raw_string_ostream stream(text);
  if (op)
    stream << " op=" << op->getName() << " result=" << result;
  stream << (isPadding ? " padding=" : " index=") << toList(index);
  FormatAttr format = getFormat(op);
  if (isa_and_nonnull<QuantizeOp, DequantizeOp>(op) &&
      format.getBlock().size() == index.size()) {
    SmallVector<int64_t> block;
    for (auto [position, extent] : llvm::zip_equal(index, format.getBlock()))
      block.push_back(extent == 0 ? 0 : position / extent);
    stream << " block=" << toList(block);
  }
  stream << " got=" << got << " expected=" << expected;
  if (op)
    stream << " at " << getPlace(op->getLoc());
  return text;
}
