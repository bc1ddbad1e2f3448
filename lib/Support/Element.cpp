//===- Element.cpp - Element types and their conversions ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Support/Element.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace mlir::qfuse;

namespace {
/// What a floating-point type does without infinities, and where its NaN is.
enum class Specials : uint8_t {
  ieee,       // infinities and NaNs at the largest exponent
  nanAllOnes, // no infinity; NaN is all ones but for the sign
  nanNegZero, // no infinity; NaN is the code of the negative zero
  none,       // neither
  scale,      // no sign, no zero; NaN is all ones
};

struct Format {
  std::string_view name;
  unsigned width;
  /// 0 for integers.
  unsigned exponentBits;
  unsigned mantissaBits;
  int bias;
  Specials specials;
};
} // namespace

/// In the order of `Element`.
static constexpr Format formats[] = {
    {"f32", 32, 8, 23, 127, Specials::ieee},
    {"bf16", 16, 8, 7, 127, Specials::ieee},
    {"f16", 16, 5, 10, 15, Specials::ieee},
    {"f8E4M3FN", 8, 4, 3, 7, Specials::nanAllOnes},
    {"f8E4M3FNUZ", 8, 4, 3, 8, Specials::nanNegZero},
    {"f8E5M2", 8, 5, 2, 15, Specials::ieee},
    {"f8E5M2FNUZ", 8, 5, 2, 16, Specials::nanNegZero},
    {"f4E2M1FN", 4, 2, 1, 1, Specials::none},
    {"f8E8M0FNU", 8, 8, 0, 127, Specials::scale},
    {"i8", 8, 0, 0, 0, Specials::none},
    {"i32", 32, 0, 0, 0, Specials::none},
    {"index", 64, 0, 0, 0, Specials::none},
    {"f64", 64, 11, 52, 1023, Specials::ieee},
};

static const Format &getFormat(Element element) {
  return formats[static_cast<unsigned>(element)];
}

std::string_view qfuse::getName(Element element) {
  return getFormat(element).name;
}

std::optional<Element> qfuse::parseElement(std::string_view name) {
  for (unsigned i = 0; i < std::size(formats); ++i)
    if (formats[i].name == name)
      return static_cast<Element>(i);
  return std::nullopt;
}

unsigned qfuse::getBitWidth(Element element) {
  return getFormat(element).width;
}

bool qfuse::isFloat(Element element) {
  return getFormat(element).exponentBits != 0;
}

bool qfuse::hasNaN(Element element) {
  return isFloat(element) && getFormat(element).specials != Specials::none;
}

//===----------------------------------------------------------------------===//
// Special codes
//===----------------------------------------------------------------------===//

static uint64_t getSignBit(const Format &format) {
  return format.specials == Specials::scale ? 0 : 1ull << (format.width - 1);
}

/// Returns the bits of the largest finite magnitude, without the sign.
static uint64_t getLargestBits(const Format &format) {
  uint64_t allOnes = (1ull << (format.exponentBits + format.mantissaBits)) - 1;
  switch (format.specials) {
  case Specials::ieee:
    return allOnes - (1ull << format.mantissaBits);
  case Specials::nanAllOnes:
  case Specials::scale:
    return allOnes - 1;
  case Specials::nanNegZero:
  case Specials::none:
    return allOnes;
  }
  __builtin_unreachable();
}

/// Returns the bits of the quiet NaN without a payload.
static uint64_t getNaNBits(const Format &format) {
  switch (format.specials) {
  case Specials::ieee: {
    uint64_t infinity = getLargestBits(format) + 1;
    return infinity | 1ull << (format.mantissaBits - 1);
  }
  case Specials::nanAllOnes:
  case Specials::scale:
    return getLargestBits(format) + 1;
  case Specials::nanNegZero:
    return getSignBit(format);
  case Specials::none:
    return getLargestBits(format);
  }
  __builtin_unreachable();
}

/// Returns the bits of what lies beyond the largest value: infinity, else NaN,
/// else the largest value.
static uint64_t getOverflowBits(const Format &format, uint64_t sign,
                                OverflowTo overflow) {
  if (overflow == OverflowTo::largest || format.specials == Specials::none)
    return sign | getLargestBits(format);
  if (format.specials == Specials::ieee)
    return sign | (getLargestBits(format) + 1);
  return getNaNBits(format);
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// Returns the exponent of the smallest normal number, which is that of all
/// subnormal ones.
static int getMinExponent(const Format &format) {
  return format.specials == Specials::scale ? -format.bias : 1 - format.bias;
}

static double decodeInteger(const Format &format, uint64_t bits) {
  unsigned unused = 64 - format.width;
  return static_cast<double>(static_cast<int64_t>(bits << unused) >> unused);
}

static double decodeFloat(const Format &format, uint64_t bits) {
  uint64_t sign = bits & getSignBit(format);
  uint64_t magnitude =
      bits & ((1ull << (format.exponentBits + format.mantissaBits)) - 1);
  double signum = sign ? -1.0 : 1.0;
  if (format.specials == Specials::nanNegZero && sign && magnitude == 0)
    return std::numeric_limits<double>::quiet_NaN();
  if (magnitude > getLargestBits(format)) {
    bool isInfinity = format.specials == Specials::ieee &&
                      magnitude == getLargestBits(format) + 1;
    return isInfinity ? signum * std::numeric_limits<double>::infinity()
                      : std::numeric_limits<double>::quiet_NaN();
  }
  if (format.specials == Specials::scale)
    return std::ldexp(1.0, static_cast<int>(magnitude) - format.bias);
  int exponent = static_cast<int>(magnitude >> format.mantissaBits);
  uint64_t mantissa = magnitude & ((1ull << format.mantissaBits) - 1);
  if (exponent != 0)
    mantissa |= 1ull << format.mantissaBits;
  else
    exponent = 1;
  return signum * std::ldexp(static_cast<double>(mantissa),
                             exponent - format.bias -
                                 static_cast<int>(format.mantissaBits));
}

using DecodeTable = std::array<double, 256>;

/// Returns what each code of a float type of 8 bits or less stands for.
static const DecodeTable &getDecodeTable(Element element) {
  static const auto tables = [] {
    std::array<DecodeTable, std::size(formats)> tables{};
    for (unsigned type = 0; type < std::size(formats); ++type)
      if (formats[type].exponentBits != 0 && formats[type].width <= 8)
        for (uint64_t bits = 0; bits < 1ull << formats[type].width; ++bits)
          tables[type][bits] = decodeFloat(formats[type], bits);
    return tables;
  }();
  return tables[static_cast<unsigned>(element)];
}

double qfuse::decode(Element element, uint64_t bits) {
  if (element == Element::f32 || element == Element::bf16) {
    uint32_t word = static_cast<uint32_t>(bits);
    if (element == Element::bf16)
      word <<= 16;
    float value;
    std::memcpy(&value, &word, sizeof(value));
    return value;
  }
  if (element == Element::f64) {
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  const Format &format = getFormat(element);
  if (!isFloat(element))
    return decodeInteger(format, bits);
  if (format.width > 8)
    return decodeFloat(format, bits);
  return getDecodeTable(element)[bits & 0xff];
}

double qfuse::getLargest(Element element) {
  const Format &format = getFormat(element);
  return decodeFloat(format, getLargestBits(format));
}

double qfuse::getSmallestNormal(Element element) {
  return std::ldexp(1.0, getMinExponent(getFormat(element)));
}

//===----------------------------------------------------------------------===//
// Encoding
//===----------------------------------------------------------------------===//

/// Rounds to an integer; `value` is not negative.
static double roundToInteger(double value, Rounding rounding) {
  switch (rounding) {
  case Rounding::nearestEven:
    return std::nearbyint(value);
  case Rounding::nearestAway:
    return std::round(value);
  case Rounding::towardZero:
    return std::trunc(value);
  }
  __builtin_unreachable();
}

static uint64_t encodeInteger(const Format &format, double value,
                              Rounding rounding) {
  if (std::isnan(value))
    return 0;
  uint64_t mask = format.width == 64 ? ~0ull : (1ull << format.width) - 1;
  double limit = std::ldexp(1.0, static_cast<int>(format.width) - 1);
  double rounded =
      std::copysign(roundToInteger(std::abs(value), rounding), value);
  if (rounded >= limit)
    return mask >> 1;
  if (rounded < -limit)
    rounded = -limit;
  return static_cast<uint64_t>(static_cast<int64_t>(rounded)) & mask;
}

/// Returns `mantissa`, of at most 53 bits, without its last `count` bits.
static uint64_t dropBits(uint64_t mantissa, int count, Rounding rounding) {
  if (count > 53)
    return 0; // less than half
  uint64_t kept = mantissa >> count;
  uint64_t rest = mantissa - (kept << count), half = 1ull << (count - 1);
  switch (rounding) {
  case Rounding::nearestEven:
    return kept + (rest > half || (rest == half && kept % 2 == 1));
  case Rounding::nearestAway:
    return kept + (rest >= half);
  case Rounding::towardZero:
    return kept;
  }
  __builtin_unreachable();
}

static uint64_t encodeFloat(const Format &format, double value,
                            Rounding rounding, OverflowTo overflow) {
  if (std::isnan(value))
    return getNaNBits(format);
  uint64_t sign = std::signbit(value) ? getSignBit(format) : 0;
  if (std::isinf(value))
    return getOverflowBits(format, sign, overflow);
  // The bits of an f64 are far cheaper to round than its number.
  uint64_t word;
  std::memcpy(&word, &value, sizeof(word));
  int exponent = static_cast<int>((word >> 52) & 0x7ff) - 1023;
  uint64_t mantissa = word & ((1ull << 52) - 1);
  if (exponent != -1023) // subnormal in f64, and 0 in each type
    mantissa |= 1ull << 52;
  // The units in the last place that `value` has as a number of the type.
  int mantissaBits = static_cast<int>(format.mantissaBits);
  int least = getMinExponent(format);
  int dropped = 52 - mantissaBits + std::max(least - exponent, 0);
  exponent = std::max(exponent, least);
  uint64_t units = dropBits(mantissa, dropped, rounding);
  if (format.specials == Specials::scale && units == 0)
    return 0;
  // A carry out of the mantissa increments the exponent.
  int64_t bits =
      ((static_cast<int64_t>(exponent) + format.bias) << mantissaBits) +
      static_cast<int64_t>(units) - (1ll << mantissaBits);
  if (bits > static_cast<int64_t>(getLargestBits(format)))
    return getOverflowBits(format, sign, overflow);
  if (bits == 0 && format.specials == Specials::nanNegZero)
    return 0;
  return sign | static_cast<uint64_t>(bits);
}

uint64_t qfuse::encode(Element element, double value, Rounding rounding,
                       OverflowTo overflow) {
  // What the hardware does.
  if (element == Element::f32 && rounding == Rounding::nearestEven &&
      std::abs(value) <= std::numeric_limits<float>::max()) {
    float rounded = static_cast<float>(value);
    uint32_t word;
    std::memcpy(&word, &rounded, sizeof(word));
    return word;
  }
  const Format &format = getFormat(element);
  if (!isFloat(element))
    return encodeInteger(format, value, rounding);
  // Nothing is rounded.
  if (element == Element::f64 && std::isfinite(value)) {
    uint64_t word;
    std::memcpy(&word, &value, sizeof(word));
    return word;
  }
  return encodeFloat(format, value, rounding, overflow);
}
