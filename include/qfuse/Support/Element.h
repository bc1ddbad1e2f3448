//===- Element.h - Element types and their conversions ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_SUPPORT_ELEMENT_H
#define QFUSE_SUPPORT_ELEMENT_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace mlir::qfuse {

/// The types that elements of tensors have, under the names of MLIR's types.
enum class Element : uint8_t {
  f32,
  bf16,
  f16,
  f8E4M3FN,
  f8E4M3FNUZ,
  f8E5M2,
  f8E5M2FNUZ,
  f4E2M1FN,
  f8E8M0FNU,
  i8,
  i32,
  index, // 64 bits
  f64,
};

/// Returns the name of `element`, as MLIR prints the type.
std::string_view getName(Element element);

/// Returns the element type of that name, or nothing if there is none.
std::optional<Element> parseElement(std::string_view name);

/// Returns the width in bits: 4 for f4E2M1FN, else a multiple of 8.
unsigned getBitWidth(Element element);

/// Returns whether elements of the type are floating-point numbers.
bool isFloat(Element element);

/// Returns whether a code of the type stands for NaN.
bool hasNaN(Element element);

/// Returns the largest finite magnitude of a floating-point type.
double getLargest(Element element);

/// Returns the smallest magnitude of a floating-point type that is not
/// subnormal.
double getSmallestNormal(Element element);

enum class Rounding : uint8_t { nearestEven, nearestAway, towardZero };

/// What a finite value beyond the largest one, or an infinity, becomes: the
/// largest value of its sign, or what the type has for it (infinity, else NaN).
enum class OverflowTo : uint8_t { largest, ieee };

/// Returns the number that the low `getBitWidth(element)` bits of `bits` stand
/// for. Each element type but `index` is a subset of f64; an index beyond 2^53
/// is rounded.
double decode(Element element, uint64_t bits);

/// Returns the bits of `value` rounded to `element`: rounded first, to the
/// precision of the type and with an unbounded exponent, then checked for
/// overflow. NaN becomes the quiet one without sign and payload; f4E2M1FN has
/// none and gives the largest value. A type without a negative zero gives zero.
/// Integers saturate in either mode, and NaN is 0. f8E8M0FNU has neither sign
/// nor zero: the sign is dropped, and 0 gives the smallest value; half way
/// between two powers of two, both nearest modes give the larger one.
uint64_t encode(Element element, double value,
                Rounding rounding = Rounding::nearestEven,
                OverflowTo overflow = OverflowTo::ieee);

} // namespace mlir::qfuse

#endif // QFUSE_SUPPORT_ELEMENT_H
