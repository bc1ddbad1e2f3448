//===- Tensor.h - Arrays in host memory -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_SUPPORT_TENSOR_H
#define QFUSE_SUPPORT_TENSOR_H

#include "qfuse/Support/Element.h"
#include "qfuse/Support/Result.h"
#include <string>
#include <vector>

namespace mlir::qfuse {

/// A row-major array without padding in host memory. A packed value is one of
/// rank 1: its physical elements, padding included. Elements of four bits are
/// two to a byte, the even one in the low nibble.
struct Tensor {
  Element element = Element::f32;
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;

  Tensor() = default;
  /// Elements are all bits zero.
  Tensor(Element element, std::vector<int64_t> shape);

  int64_t getNumElements() const;

  /// Returns the bits of the element at row-major position `index`.
  uint64_t getBits(int64_t index) const;
  void setBits(int64_t index, uint64_t bits);

  /// Returns the number at row-major position `index`.
  double get(int64_t index) const;
};

/// Returns the size in bytes of `elements` elements, rounded up.
int64_t getByteSize(Element element, int64_t elements);

/// Returns a tensor of bits zero, or an error for an extent below 0 and for more
/// than 64 GiB: what a user states may be any number.
Result<Tensor> allocateTensor(Element element, std::vector<int64_t> shape);

/// Reads a `.npy` file (C order, little endian) as an array of `element`.
/// f32, f64, f16, i8, i32 and index are numpy's own; others are raw bits: bf16
/// `uint16`, 8-bit floats `uint8` (`|V2`, `|V1` are read too), f4E2M1FN `uint8`
/// with half the last extent. `shape` of the result is the logical one.
/// Returns an error that names `path` for what cannot be read or is of another
/// type.
Result<Tensor> readNpy(const std::string &path, Element element);

/// Writes `tensor` in the form that `readNpy` reads.
Status writeNpy(const std::string &path, const Tensor &tensor);

} // namespace mlir::qfuse

#endif // QFUSE_SUPPORT_TENSOR_H
