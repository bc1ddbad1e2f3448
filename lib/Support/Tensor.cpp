//===- Tensor.cpp - Arrays in host memory ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Support/Tensor.h"
#include <algorithm>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace mlir::qfuse;

int64_t qfuse::getByteSize(Element element, int64_t elements) {
  unsigned width = getBitWidth(element);
  if (width == 4)
    return elements / 2 + elements % 2;
  int64_t size;
  if (__builtin_mul_overflow(elements, int64_t(width / 8), &size))
    return std::numeric_limits<int64_t>::max();
  return size;
}

Tensor::Tensor(Element element, std::vector<int64_t> shape)
    : element(element), shape(std::move(shape)) {
  bytes.resize(getByteSize(element, getNumElements()));
}

Result<Tensor> qfuse::allocateTensor(Element element,
                                     std::vector<int64_t> shape) {
  constexpr int64_t maxElements = int64_t(1) << 36;
  int64_t count = 1;
  for (int64_t extent : shape) {
    // An extent of 0 does not excuse the others, which are added and
    // multiplied too.
    if (extent < 0 ||
        __builtin_mul_overflow(count, std::max<int64_t>(extent, 1), &count) ||
        count > maxElements || getByteSize(element, count) > maxElements)
      return Error{"expected a tensor of at most 64 GiB, got an extent of " +
                   std::to_string(extent)};
  }
  return Tensor(element, std::move(shape));
}

int64_t Tensor::getNumElements() const {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    return 0;
  int64_t count = 1;
  for (int64_t extent : shape)
    if (__builtin_mul_overflow(count, extent, &count))
      return std::numeric_limits<int64_t>::max();
  return count;
}

uint64_t Tensor::getBits(int64_t index) const {
  unsigned width = getBitWidth(element);
  if (width == 4)
    return (bytes[index / 2] >> (index % 2 * 4)) & 0xf;
  uint64_t bits = 0;
  // The host is little endian, as the files are.
  std::memcpy(&bits, bytes.data() + index * (width / 8), width / 8);
  return bits;
}

void Tensor::setBits(int64_t index, uint64_t bits) {
  unsigned width = getBitWidth(element);
  if (width != 4) {
    std::memcpy(bytes.data() + index * (width / 8), &bits, width / 8);
    return;
  }
  uint8_t &byte = bytes[index / 2];
  unsigned shift = index % 2 * 4;
  byte = static_cast<uint8_t>((byte & ~(0xfu << shift)) |
                              ((bits & 0xfu) << shift));
}

double Tensor::get(int64_t index) const {
  return decode(element, getBits(index));
}
