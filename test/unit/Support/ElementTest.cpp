//===- ElementTest.cpp - Conversions of element types ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Support/Element.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <vector>

using namespace mlir::qfuse;

namespace {
const double infinity = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

const Element smallFloats[] = {Element::bf16,     Element::f16,
                               Element::f8E4M3FN, Element::f8E4M3FNUZ,
                               Element::f8E5M2,   Element::f8E5M2FNUZ,
                               Element::f4E2M1FN, Element::f8E8M0FNU};

uint64_t getNumCodes(Element element) { return 1ull << getBitWidth(element); }

/// The codes of finite values that are not negative, in the order of value.
std::vector<uint64_t> getMagnitudes(Element element) {
  std::vector<uint64_t> codes;
  for (uint64_t code = 0; code < getNumCodes(element); ++code) {
    double value = decode(element, code);
    if (std::isfinite(value) && !std::signbit(value))
      codes.push_back(code);
  }
  return codes;
}

TEST(ElementTest, NamesParseBack) {
  for (auto element : {Element::f32, Element::i8, Element::i32, Element::index,
                       Element::f4E2M1FN, Element::f8E8M0FNU, Element::f64})
    EXPECT_EQ(parseElement(getName(element)), element);
  EXPECT_EQ(parseElement("f8"), std::nullopt);
}

// Nothing is rounded, whatever the mode.
TEST(ElementTest, F64IsKept) {
  for (double value : {0.0, -0.0, 1.0 / 3.0, -0x1p-1074, 0x1p-1022, 1.0e308,
                       infinity, -infinity})
    for (auto rounding : {Rounding::nearestEven, Rounding::towardZero}) {
      double back = decode(Element::f64, encode(Element::f64, value, rounding));
      EXPECT_EQ(back, value);
      EXPECT_EQ(std::signbit(back), std::signbit(value));
    }
  EXPECT_TRUE(
      std::isnan(decode(Element::f64, encode(Element::f64, std::nan("1")))));
  EXPECT_EQ(
      decode(Element::f64, encode(Element::f64, -infinity,
                                  Rounding::nearestEven, OverflowTo::largest)),
      std::numeric_limits<double>::lowest());
}

TEST(ElementTest, EveryCodeRoundTrips) {
  for (Element element : smallFloats)
    for (uint64_t code = 0; code < getNumCodes(element); ++code) {
      double value = decode(element, code);
      uint64_t back = encode(element, value);
      if (std::isnan(value))
        ASSERT_TRUE(std::isnan(decode(element, back))) << getName(element);
      else
        ASSERT_EQ(back, code) << getName(element) << " " << value;
    }
}

TEST(ElementTest, MidpointsAndTheirNeighboursRound) {
  for (Element element : smallFloats) {
    std::vector<uint64_t> codes = getMagnitudes(element);
    for (size_t i = 0; i + 1 < codes.size(); ++i) {
      double low = decode(element, codes[i]);
      double high = decode(element, codes[i + 1]);
      ASSERT_LT(low, high);
      double middle = (low + high) / 2;
      // The even code is the one whose last bit is 0; powers of two have no
      // mantissa, and the larger one is an even multiple of the smaller.
      uint64_t even = element == Element::f8E8M0FNU || codes[i] % 2
                          ? codes[i + 1]
                          : codes[i];
      ASSERT_EQ(encode(element, middle), even) << getName(element) << middle;
      ASSERT_EQ(encode(element, std::nextafter(middle, 0.0)), codes[i]);
      ASSERT_EQ(encode(element, std::nextafter(middle, infinity)),
                codes[i + 1]);
      ASSERT_EQ(encode(element, middle, Rounding::nearestAway), codes[i + 1]);
      ASSERT_EQ(
          encode(element, std::nextafter(middle, 0.0), Rounding::nearestAway),
          codes[i]);
      ASSERT_EQ(
          encode(element, std::nextafter(high, 0.0), Rounding::towardZero),
          codes[i]);
    }
  }
}

TEST(ElementTest, NegativeValuesMirrorPositiveOnes) {
  for (Element element : smallFloats) {
    if (element == Element::f8E8M0FNU)
      continue;
    for (uint64_t code : getMagnitudes(element)) {
      double value = decode(element, code);
      if (value != 0.0)
        ASSERT_EQ(decode(element, encode(element, -value)), -value);
    }
  }
}

TEST(ElementTest, KnownCodes) {
  // OCP 8-bit Floating Point Specification, tables 1 and 2.
  EXPECT_EQ(decode(Element::f8E4M3FN, 0x7e), 448.0);
  EXPECT_EQ(decode(Element::f8E4M3FN, 0x08), std::ldexp(1.0, -6));
  EXPECT_EQ(decode(Element::f8E4M3FN, 0x01), std::ldexp(1.0, -9));
  EXPECT_EQ(decode(Element::f8E5M2, 0x7b), 57344.0);
  EXPECT_EQ(decode(Element::f8E5M2, 0x7c), infinity);
  // OCP Microscaling Formats, 5.3.3 and 5.4.1.
  const double fp4[] = {0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0};
  for (unsigned code = 0; code < 8; ++code) {
    EXPECT_EQ(decode(Element::f4E2M1FN, code), fp4[code]);
    EXPECT_EQ(decode(Element::f4E2M1FN, code | 8), -fp4[code]);
  }
  EXPECT_EQ(decode(Element::f8E8M0FNU, 0), std::ldexp(1.0, -127));
  EXPECT_EQ(decode(Element::f8E8M0FNU, 127), 1.0);
  EXPECT_TRUE(std::isnan(decode(Element::f8E8M0FNU, 255)));
  // MLIR's f8E4M3FNUZ and f8E5M2FNUZ: one more in the bias.
  EXPECT_EQ(decode(Element::f8E4M3FNUZ, 0x7f), 240.0);
  EXPECT_EQ(decode(Element::f8E5M2FNUZ, 0x7f), 57344.0);
  EXPECT_TRUE(std::isnan(decode(Element::f8E4M3FNUZ, 0x80)));
  EXPECT_EQ(decode(Element::bf16, 0x3f80), 1.0);
  EXPECT_EQ(decode(Element::f16, 0x3c00), 1.0);
  EXPECT_EQ(decode(Element::f16, 0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(getLargest(Element::f8E4M3FN), 448.0);
  EXPECT_EQ(getLargest(Element::f8E4M3FNUZ), 240.0);
  EXPECT_EQ(getLargest(Element::f4E2M1FN), 6.0);
  EXPECT_EQ(getLargest(Element::f8E8M0FNU), std::ldexp(1.0, 127));
  EXPECT_EQ(getLargest(Element::f16), 65504.0);
}

TEST(ElementTest, ValuesRoundBeforeTheyOverflow) {
  struct Case {
    Element element;
    double lastDown; // the largest value that rounds to the largest code
    double firstUp;  // a value beyond
    uint64_t largest, beyond;
  };
  const Case cases[] = {
      {Element::f8E4M3FN, 464.0, std::nextafter(464.0, infinity), 0x7e, 0x7f},
      {Element::f8E4M3FNUZ, std::nextafter(248.0, 0.0), 248.0, 0x7f, 0x80},
      {Element::f8E5M2, std::nextafter(61440.0, 0.0), 61440.0, 0x7b, 0x7c},
      {Element::f8E5M2FNUZ, std::nextafter(61440.0, 0.0), 61440.0, 0x7f, 0x80},
      {Element::f16, std::nextafter(65520.0, 0.0), 65520.0, 0x7bff, 0x7c00},
      {Element::f4E2M1FN, 7.0, 1.0e30, 7, 7},
      {Element::f8E8M0FNU, std::ldexp(1.25, 127), std::ldexp(1.5, 127), 254,
       255},
  };
  for (const Case &each : cases) {
    SCOPED_TRACE(std::string(getName(each.element)));
    EXPECT_EQ(encode(each.element, each.lastDown), each.largest);
    for (double value : {each.firstUp, infinity}) {
      EXPECT_EQ(encode(each.element, value), each.beyond);
      EXPECT_EQ(encode(each.element, value, Rounding::nearestEven,
                       OverflowTo::largest),
                each.largest);
    }
    EXPECT_EQ(encode(each.element, each.firstUp, Rounding::towardZero),
              each.element == Element::f4E2M1FN ? 7 : each.largest);
  }
  EXPECT_EQ(encode(Element::f8E5M2, -infinity), 0xfc);
  EXPECT_EQ(encode(Element::f8E4M3FN, -infinity, Rounding::nearestEven,
                   OverflowTo::largest),
            0xfe);
}

TEST(ElementTest, ZerosKeepTheirSignWhereThereIsOne) {
  EXPECT_EQ(encode(Element::f8E4M3FN, -0.0), 0x80);
  EXPECT_EQ(encode(Element::f8E4M3FN, -1.0e-9), 0x80);
  EXPECT_EQ(encode(Element::f8E4M3FNUZ, -0.0), 0x00);
  EXPECT_EQ(encode(Element::f8E4M3FNUZ, -1.0e-9), 0x00);
  EXPECT_EQ(encode(Element::f8E5M2FNUZ, -0.0), 0x00);
  EXPECT_EQ(encode(Element::f4E2M1FN, -0.0), 0x8);
  EXPECT_EQ(encode(Element::bf16, -0.0), 0x8000);
  EXPECT_EQ(encode(Element::f32, -0.0), 0x80000000);
  EXPECT_EQ(encode(Element::f8E8M0FNU, 0.0), 0);
  EXPECT_EQ(encode(Element::f8E8M0FNU, -4.0), 129);
}

TEST(ElementTest, NaNBecomesTheQuietOne) {
  EXPECT_EQ(encode(Element::f32, -nan), 0x7fc00000);
  EXPECT_EQ(encode(Element::bf16, nan), 0x7fc0);
  EXPECT_EQ(encode(Element::f16, nan), 0x7e00);
  EXPECT_EQ(encode(Element::f8E4M3FN, nan, Rounding::nearestEven,
                   OverflowTo::largest),
            0x7f);
  EXPECT_EQ(encode(Element::f8E4M3FNUZ, nan), 0x80);
  EXPECT_EQ(encode(Element::f8E8M0FNU, nan), 0xff);
  EXPECT_EQ(encode(Element::f4E2M1FN, nan), 0x7);
  EXPECT_EQ(encode(Element::i8, nan), 0);
}

TEST(ElementTest, IntegersRoundAndSaturate) {
  EXPECT_EQ(encode(Element::i8, 2.5), 2u);
  EXPECT_EQ(encode(Element::i8, -2.5), 0xfeu);
  EXPECT_EQ(encode(Element::i8, 2.5, Rounding::nearestAway), 3u);
  EXPECT_EQ(encode(Element::i8, -2.9, Rounding::towardZero), 0xfeu);
  EXPECT_EQ(encode(Element::i8, 127.6), 127u);
  EXPECT_EQ(encode(Element::i8, -1000.0), 0x80u);
  EXPECT_EQ(encode(Element::i32, infinity), 0x7fffffffu);
  EXPECT_EQ(encode(Element::index, -infinity), 1ull << 63);
  EXPECT_EQ(decode(Element::i8, 0x80), -128.0);
  EXPECT_EQ(decode(Element::i32, 0xffffffff), -1.0);
}

TEST(ElementTest, WideFloatsRoundOnce) {
  // Just above the middle of two bf16 values, by less than f32 can tell.
  double value = 1.0 + std::ldexp(1.0, -8) + std::ldexp(1.0, -40);
  EXPECT_EQ(encode(Element::bf16, value), 0x3f81);
  EXPECT_EQ(encode(Element::bf16, static_cast<float>(value)), 0x3f80);
  EXPECT_EQ(encode(Element::f32, std::ldexp(1.0, -149)), 1u);
  EXPECT_EQ(encode(Element::f32, 1.0e39), 0x7f800000u);
  EXPECT_EQ(
      encode(Element::f32, 1.0e39, Rounding::towardZero, OverflowTo::largest),
      0x7f7fffffu);
  EXPECT_EQ(encode(Element::f32, 0.1, Rounding::towardZero), 0x3dccccccu);
}
} // namespace
