//===- Inputs.h - Made-up values for arguments ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_SUPPORT_INPUTS_H
#define QFUSE_SUPPORT_INPUTS_H

#include "qfuse/Support/Tensor.h"

namespace mlir::qfuse {

/// What the made-up activations are meant to provoke; the names are those of
/// `qfuse-verify --inputs`.
enum class InputKind : uint8_t {
  random,    // normal, of magnitudes that vary from row to row
  zero_rows, // some rows are zero, in all activations at once
  outlier,   // a few elements some thousand times the others
  ties,      // short mantissas, so that quotients fall between two codes
  denormal,  // some rows of subnormal numbers
  nan,       // some rows with a NaN
  inf,       // some rows with an infinity of either sign
};

std::string_view getName(InputKind kind);
std::optional<InputKind> parseInputKind(std::string_view name);

/// Fills a made-up argument. The values depend on `kind`, `seed`, `argument`
/// (the position in the function) and the shape of `tensor` alone, and the
/// value of row m does not depend on the number of rows. Weights, codes and
/// scales are ordinary for every kind: finite, codes of any value, scales
/// positive.
void fillInput(Tensor &tensor, InputKind kind, uint64_t seed, unsigned argument,
               bool isWeight);

/// Fills the result `result` of call number `count` of the opaque function
/// `callee`: ordinary values that depend on the arguments and the shape alone.
void fillOpaqueResult(Tensor &tensor, uint64_t seed, std::string_view callee,
                      unsigned count, unsigned result);

} // namespace mlir::qfuse

#endif // QFUSE_SUPPORT_INPUTS_H
