//===- SplitReciprocal.cpp - Division by a constant -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Codegen/SplitReciprocal.h"

#include <algorithm>
#include <cmath>
#include <iterator>

using namespace mlir::qfuse;

SplitReciprocal SplitReciprocal::get(float divisor) {
  double reciprocal = 1.0 / divisor;
  float high = static_cast<float>(reciprocal);
  if (high > reciprocal)
    high = std::nextafter(high, 0.0f);
  return {high, static_cast<float>(reciprocal - high)};
}

bool SplitReciprocal::divides(float divisor) {
  static constexpr float tried[] = {448.0f, 240.0f, 224.0f,
                                    127.0f, 6.0f,   57344.0f};
  return std::find(std::begin(tried), std::end(tried), divisor) !=
         std::end(tried);
}
