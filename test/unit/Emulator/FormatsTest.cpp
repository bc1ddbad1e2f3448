//===- FormatsTest.cpp - All codes of the small formats -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decodes every code, and encodes every code, every midpoint of two and the
// midpoint's neighbours, against the definition of the format.

#include "Formats.h"
#include <gtest/gtest.h>

using namespace mlir::qfuse::emulator;

namespace {

struct Format {
  const char *name;
  int exponentBits, mantissaBits, bias;
  /// The code of the largest magnitude, and of an overflow; the sign bit.
  int largest, overflow, sign;
  /// Without negative zero.
  bool fnuz;
  int (*encode)(float);
  float (*decode)(int);
};

void PrintTo(const Format &f, std::ostream *stream) { *stream << f.name; }

class FormatsTest : public testing::TestWithParam<Format> {};

double getValue(const Format &f, int code) {
  int exponent = code >> f.mantissaBits;
  int mantissa = code & ((1 << f.mantissaBits) - 1);
  if (exponent == 0)
    return std::ldexp(mantissa, 1 - f.bias - f.mantissaBits);
  return std::ldexp((1 << f.mantissaBits) + mantissa,
                    exponent - f.bias - f.mantissaBits);
}

/// Returns `code` with a sign, as the format has it.
int addSign(const Format &f, int code, bool negative) {
  if (f.fnuz && (code == 0 || code == f.overflow))
    return code;
  return code | (negative ? f.sign : 0);
}

} // namespace

TEST_P(FormatsTest, DecodesEveryCode) {
  const Format &f = GetParam();
  for (int code = 0; code <= f.largest; ++code)
    for (bool negative : {false, true}) {
      if (f.fnuz && code == 0 && negative)
        continue;
      float value = f.decode(code | (negative ? f.sign : 0));
      EXPECT_EQ(value, negative ? -getValue(f, code) : getValue(f, code));
      EXPECT_EQ(std::signbit(value), negative);
    }
}

TEST_P(FormatsTest, RoundsToNearestEven) {
  const Format &f = GetParam();
  for (int code = 0; code <= f.largest; ++code) {
    double value = getValue(f, code);
    bool last = code == f.largest;
    double next =
        last ? 2 * value - getValue(f, code - 1) : getValue(f, code + 1);
    int above = last ? f.overflow : code + 1;
    float middle = (value + next) / 2;
    for (bool negative : {false, true}) {
      float sign = negative ? -1 : 1;
      auto expect = [&](float x, int expected) {
        EXPECT_EQ(f.encode(sign * x), addSign(f, expected, negative))
            << f.name << " " << sign * x;
      };
      expect(value, code);
      expect(middle, code % 2 == 0 ? code : above);
      expect(std::nextafterf(middle, 0), code);
      expect(std::nextafterf(middle, INFINITY), above);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, FormatsTest,
    testing::Values(
        Format{"fp8_ocp", 4, 3, 7, 0x7e, 0x7f, 0x80, false,
               [](float x) -> int { return encodeFp8(x, false, true, false); },
               [](int c) { return decodeFp8(c, false, true); }},
        Format{"bf8_ocp", 5, 2, 15, 0x7b, 0x7c, 0x80, false,
               [](float x) -> int { return encodeFp8(x, true, true, false); },
               [](int c) { return decodeFp8(c, true, true); }},
        Format{"fp8_fnuz", 4, 3, 8, 0x7f, 0x80, 0x80, true,
               [](float x) -> int { return encodeFp8(x, false, false, false); },
               [](int c) { return decodeFp8(c, false, false); }},
        Format{"bf8_fnuz", 5, 2, 16, 0x7f, 0x80, 0x80, true,
               [](float x) -> int { return encodeFp8(x, true, false, false); },
               [](int c) { return decodeFp8(c, true, false); }},
        Format{
            "fp6", 2, 3, 1, 31, 31, 0x20, false,
            [](float x) -> int { return encodeSubByte(x, SmallFormat::FP6); },
            [](int c) { return decodeSubByte(c, SmallFormat::FP6); }},
        Format{
            "bf6", 3, 2, 3, 31, 31, 0x20, false,
            [](float x) -> int { return encodeSubByte(x, SmallFormat::BF6); },
            [](int c) { return decodeSubByte(c, SmallFormat::BF6); }},
        Format{
            "fp4", 2, 1, 1, 7, 7, 8, false,
            [](float x) -> int { return encodeSubByte(x, SmallFormat::FP4); },
            [](int c) { return decodeSubByte(c, SmallFormat::FP4); }}),
    [](const auto &info) { return info.param.name; });
