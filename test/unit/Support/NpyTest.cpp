//===- NpyTest.cpp - Reading and writing .npy files -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Support/Tensor.h"
#include "gtest/gtest.h"
#include <fstream>
#include <iterator>

using namespace mlir::qfuse;

namespace {
class NpyTest : public ::testing::Test {
protected:
  std::string path = ::testing::TempDir() + "qfuse_npy_test.npy";

  void TearDown() override { std::remove(path.c_str()); }

  std::string readText() {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  /// Writes a file of version 1 with the given header and data.
  void write(std::string header, std::string data) {
    std::ofstream stream(path, std::ios::binary);
    stream << "\x93NUMPY" << '\1' << '\0' << static_cast<char>(header.size())
           << '\0' << header << data;
  }

  std::string readError(Element element) {
    Result<Tensor> tensor = readNpy(path, element);
    return tensor ? "" : tensor.getError().message;
  }
};

TEST_F(NpyTest, TensorsReadBack) {
  for (Element element :
       {Element::f32, Element::bf16, Element::f16, Element::f8E4M3FN,
        Element::f4E2M1FN, Element::f8E8M0FNU, Element::i8, Element::i32,
        Element::index})
    for (std::vector<int64_t> shape :
         {std::vector<int64_t>{6}, {3, 4}, {0, 2}, {2, 1, 2}}) {
      Tensor tensor(element, shape);
      for (int64_t i = 0; i < tensor.getNumElements(); ++i)
        tensor.setBits(i, i + 1);
      ASSERT_TRUE(bool(writeNpy(path, tensor)));
      Result<Tensor> back = readNpy(path, element);
      ASSERT_TRUE(bool(back)) << back.getError().message;
      EXPECT_EQ(back->shape, shape);
      EXPECT_EQ(back->bytes, tensor.bytes);
    }
}

TEST_F(NpyTest, HeadersAreThoseOfNumpy) {
  ASSERT_TRUE(bool(writeNpy(path, Tensor(Element::bf16, {3, 4}))));
  std::string text = readText();
  EXPECT_EQ(text.size(), 128u + 24u);
  EXPECT_EQ(text.substr(0, 10), std::string("\x93NUMPY\1\0\x76\0", 10));
  EXPECT_EQ(text.substr(10, 60),
            "{'descr': '<u2', 'fortran_order': False, 'shape': (3, 4), } ");
  EXPECT_EQ(text[127], '\n');
  ASSERT_TRUE(bool(writeNpy(path, Tensor(Element::f4E2M1FN, {8}))));
  EXPECT_NE(readText().find("'|u1', 'fortran_order': False, 'shape': (4,), }"),
            std::string::npos);
}

TEST_F(NpyTest, RawTypesOfNumpyAreRead) {
  write("{'descr': '|V2', 'fortran_order': False, 'shape': (1,), }",
        "\x80\x3f");
  Result<Tensor> tensor = readNpy(path, Element::bf16);
  ASSERT_TRUE(bool(tensor));
  EXPECT_EQ(tensor->get(0), 1.0);
  write("{'descr': '|V1', 'fortran_order': False, 'shape': (), }", "\x38");
  tensor = readNpy(path, Element::f8E4M3FN);
  ASSERT_TRUE(bool(tensor));
  EXPECT_EQ(tensor->get(0), 1.0);
}

TEST_F(NpyTest, NibblesAreEvenFirst) {
  Tensor tensor(Element::f4E2M1FN, {4});
  tensor.setBits(0, 0x1);
  tensor.setBits(1, 0x2);
  tensor.setBits(3, 0xf);
  EXPECT_EQ(tensor.bytes, (std::vector<uint8_t>{0x21, 0xf0}));
  tensor.setBits(1, 0x7);
  EXPECT_EQ(tensor.bytes[0], 0x71);
}

TEST_F(NpyTest, BadFilesAreRefused) {
  EXPECT_EQ(readError(Element::f32),
            path + ": cannot be read: No such file or directory");
  std::ofstream(path) << "hello, this is text";
  EXPECT_EQ(readError(Element::f32),
            path + ": is not a .npy file of a plain array");
  std::string plain = "{'descr': '<f4', 'fortran_order': False, 'shape': ";
  write(plain + "(2,), }", "1234");
  EXPECT_EQ(readError(Element::f32),
            path + ": expected the data that its shape needs, got 4 bytes");
  write(plain + "(1,), }", "1234");
  EXPECT_EQ(readError(Element::bf16),
            path + ": expected elements '<u2' for bf16, got '<f4'");
  write(plain + "(1099511627776, 1099511627776), }", "1234");
  EXPECT_EQ(readError(Element::f32),
            path + ": expected the data that its shape needs, got 4 bytes");
  write(plain + "(-1,), }", "1234");
  EXPECT_EQ(readError(Element::f32),
            path + ": is not a .npy file of a plain array");
  write("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1), }", "1234");
  EXPECT_EQ(readError(Element::f32),
            path + ": expected C order, got Fortran order; save "
                   "numpy.ascontiguousarray of it");
  EXPECT_FALSE(bool(writeNpy("/nonexistent/a.npy", Tensor(Element::f32, {1}))));
}
} // namespace
