//===- Inputs.cpp - Made-up values for arguments --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Support/Inputs.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::qfuse;

static constexpr std::string_view names[] = {
    "random", "zero_rows", "outlier", "ties", "denormal", "nan", "inf"};

std::string_view qfuse::getName(InputKind kind) {
  return names[static_cast<unsigned>(kind)];
}

std::optional<InputKind> qfuse::parseInputKind(std::string_view name) {
  for (unsigned i = 0; i < std::size(names); ++i)
    if (names[i] == name)
      return static_cast<InputKind>(i);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Pseudo-random numbers, the same on every host
//===----------------------------------------------------------------------===//

/// The output function of splitmix64 (Steele, Lea, Flood: Fast splittable
/// pseudorandom number generators).
static uint64_t mix(uint64_t state) {
  state = (state ^ state >> 30) * 0xbf58476d1ce4e5b9ull;
  state = (state ^ state >> 27) * 0x94d049bb133111ebull;
  return state ^ state >> 31;
}

/// Returns a number that depends on all of `state` and `value`.
static uint64_t combine(uint64_t state, uint64_t value) {
  return mix(state + 0x9e3779b97f4a7c15ull * (value + 1));
}

/// Returns a number close to normal, of mean 0 and variance 1: the sum of four
/// uniform ones, without a library function that rounds as it likes.
static double getNormal(uint64_t random) {
  double sum = 0.0;
  for (int part = 0; part < 4; ++part)
    sum += static_cast<double>(random >> (16 * part) & 0xffff) / 65536.0;
  return (sum - 2.0) * std::sqrt(3.0);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

namespace {
/// The row that is being filled.
struct Row {
  InputKind kind;
  /// Depends on seed, argument and row.
  uint64_t state;
  /// Every third row is one that the kind is about, the first among them, so
  /// that one row shows it too. The same rows in all arguments.
  bool isSpecial;
  int64_t extent;
};
} // namespace

/// Short mantissas below a largest magnitude that makes common scales exact:
/// 6, 448, 240 or 127 times a power of two, at the front of each 16 elements.
static double getTie(const Row &row, int64_t column, uint64_t random) {
  static constexpr double largest[] = {6.0, 448.0, 240.0, 127.0};
  double amax = largest[row.state % 4];
  double unit = std::ldexp(1.0, static_cast<int>(row.state / 4 % 9) - 6);
  double sign = random & 1 ? -1.0 : 1.0;
  if (column % 16 == 0)
    return sign * amax * unit;
  // Of 6: quarters. Of the others: five bits at any exponent.
  double value = row.state % 4 == 0
                     ? static_cast<double>(random / 2 % 25) / 4.0
                     : std::ldexp(static_cast<double>(random / 2 % 32),
                                  static_cast<int>(random / 64 % 8) - 4);
  return sign * std::min(value, amax) * unit;
}

static double getActivation(const Row &row, Element element, int64_t column) {
  uint64_t random = combine(row.state, static_cast<uint64_t>(column));
  int exponent = static_cast<int>(row.state % 7) - 3;
  double value = std::ldexp(getNormal(random), exponent);
  bool isMarked = row.isSpecial && row.extent > 0 &&
                  static_cast<uint64_t>(column) ==
                      mix(row.state) % static_cast<uint64_t>(row.extent);
  double infinity = std::numeric_limits<double>::infinity();
  switch (row.kind) {
  case InputKind::random:
    return value;
  case InputKind::zero_rows:
    return row.isSpecial ? 0.0 : value;
  case InputKind::outlier:
    return mix(random) % 256 == 0 ? value * 3000.0 : value;
  case InputKind::ties:
    return getTie(row, column, random);
  case InputKind::denormal:
    // From two subnormal units to the smallest normal number.
    return row.isSpecial ? getNormal(random) / 4.0 * getSmallestNormal(element)
                         : value;
  case InputKind::nan:
    return isMarked ? std::numeric_limits<double>::quiet_NaN() : value;
  case InputKind::inf:
    return isMarked ? (random & 1 ? -infinity : infinity) : value;
  }
  __builtin_unreachable();
}

/// Returns the bits of an ordinary code, scale, integer or weight.
static uint64_t getOrdinaryBits(Element element, size_t rank, uint64_t random) {
  switch (element) {
  case Element::f32:
  case Element::f64:
    // Scales have a rank of two and more. They are positive.
    if (rank >= 2)
      return encode(element, std::ldexp(1.0 + std::abs(getNormal(random)),
                                        -static_cast<int>(random % 4) - 4));
    [[fallthrough]];
  case Element::bf16:
  case Element::f16:
    return encode(element, (rank >= 2 ? 0.0 : 1.0) + getNormal(random) / 4.0);
  case Element::f8E8M0FNU:
    return 117 + random % 13;
  case Element::i32:
  case Element::index:
    return random % 8;
  case Element::i8:
    return random & 0xff;
  default:
    break;
  }
  uint64_t code = random & ((1u << getBitWidth(element)) - 1);
  return std::isfinite(decode(element, code)) ? code : code & 0x3f;
}

static bool isActivationElement(Element element) {
  return element == Element::f32 || element == Element::bf16 ||
         element == Element::f16 || element == Element::f64;
}

void qfuse::fillInput(Tensor &tensor, InputKind kind, uint64_t seed,
                      unsigned argument, bool isWeight) {
  size_t rank = tensor.shape.size();
  int64_t columns = rank ? tensor.shape.back() : 1;
  int64_t rows = columns ? tensor.getNumElements() / columns : 0;
  bool isOrdinary = isWeight || !isActivationElement(tensor.element);
  for (int64_t row = 0; row < rows; ++row) {
    // The position in each dimension, never the row-major one, which would
    // depend on the extents.
    uint64_t state = combine(mix(seed), argument);
    int64_t rest = row, sum = 0;
    for (size_t dim = rank; dim-- > 1;) {
      int64_t extent = tensor.shape[dim - 1];
      state = combine(state, static_cast<uint64_t>(rest % extent));
      sum += rest % extent;
      rest /= extent;
    }
    Row context{kind, state, sum % 3 == 0, columns};
    for (int64_t column = 0; column < columns; ++column)
      tensor.setBits(
          row * columns + column,
          isOrdinary
              ? getOrdinaryBits(tensor.element, rank,
                                combine(state, static_cast<uint64_t>(column)))
              : encode(tensor.element,
                       getActivation(context, tensor.element, column)));
  }
}

void qfuse::fillOpaqueResult(Tensor &tensor, uint64_t seed,
                             std::string_view callee, unsigned count,
                             unsigned result) {
  uint64_t state = combine(seed, count);
  for (char letter : callee)
    state = combine(state, static_cast<uint8_t>(letter));
  fillInput(tensor, InputKind::random, state, result, /*isWeight=*/false);
}
