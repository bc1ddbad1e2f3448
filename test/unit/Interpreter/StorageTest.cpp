//===- StorageTest.cpp - Packed values ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InterpreterTest.h"

using namespace mlir;
using namespace mlir::qfuse;

namespace {
class StorageTest : public InterpreterTest {};

std::string getText(StringRef pad) {
  return (R"(
    #t = #qfuse.layout<map = (m, k) -> (m floordiv 2, k, m mod 2), align = [4, 1], pad = )" +
          pad + R"(>
    !p = !qfuse.packed<?x2xi8, #t>
    func.func @f(%x: tensor<?x2xi8>) -> (!p, tensor<?x2xi8>, tensor<?x2xi8>, index) {
      %p = qfuse.pack %x : tensor<?x2xi8> -> !p
      %u = qfuse.unpack %p : !p -> tensor<?x2xi8>
      %bytes = qfuse.to_storage %p : !p -> tensor<?xi8>
      %m = qfuse.dim %p, 0 : !p
      %again = qfuse.from_storage %bytes sizes(%m) : tensor<?xi8> -> !p
      %v = qfuse.unpack %again : !p -> tensor<?x2xi8>
      return %p, %u, %v, %m : !p, tensor<?x2xi8>, tensor<?x2xi8>, index
    })")
      .str();
}

TEST_F(StorageTest, PaddingIsWritten) {
  Tensor input = make(Element::i8, {3, 2}, {1, 2, 3, 4, 5, 6});
  auto results = run(getText("undef"), {input});
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results[0].shape, (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(results[0].tensor.bytes,
            (std::vector<uint8_t>{1, 3, 2, 4, 5, 0xaa, 6, 0xaa}));
  EXPECT_EQ(results[1].tensor.bytes, input.bytes);
  EXPECT_EQ(results[2].tensor.bytes, input.bytes);
  EXPECT_EQ(results[3].tensor.get(0), 3.0);
  EXPECT_EQ(run(getText("zero"), {input})[0].tensor.bytes,
            (std::vector<uint8_t>{1, 3, 2, 4, 5, 0, 6, 0}));
  EXPECT_EQ(run(getText("one"), {input})[0].tensor.bytes,
            (std::vector<uint8_t>{1, 3, 2, 4, 5, 1, 6, 1}));
}

TEST_F(StorageTest, StorageOfAnotherSizeIsRefused) {
  run(R"(
    func.func @f(%b: tensor<?xi8>, %m: index) -> tensor<?x2xf32> {
      %t = qfuse.from_storage %b sizes(%m) : tensor<?xi8> -> tensor<?x2xf32>
      return %t : tensor<?x2xf32>
    })",
      {Tensor(Element::i8, {15}), make(Element::index, {}, {2})});
  EXPECT_EQ(error, "'qfuse.from_storage' op expected 16 bytes for extents [2, "
                   "2], got 15");
}
} // namespace
