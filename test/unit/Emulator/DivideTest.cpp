//===- DivideTest.cpp - IEEE division and square root ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expansions of a compiler are correctly rounded only if each instruction
// in them is right, also near overflow and underflow. The reference is the
// host's division and square root.

#include "Assembler.h"
#include <cmath>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <random>

using namespace mlir::qfuse;
using namespace mlir::qfuse::test;

constexpr size_t count = 256 * 200;

static std::vector<uint8_t> readObject(const std::string &target) {
  std::ifstream file(QFUSE_TEST_OBJECTS "/divide." + target + ".hsaco",
                     std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns numbers of any bits, and pairs whose quotient is near the limits.
template <typename T, typename Bits>
static void makeInputs(std::vector<T> &a, std::vector<T> &b) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(-1, 1);
  double range = std::log(std::numeric_limits<T>::max());
  for (size_t i = 0; i < count; ++i) {
    Bits bits[2] = {Bits(random()), Bits(random())};
    std::memcpy(&a[i], &bits[0], sizeof(T));
    std::memcpy(&b[i], &bits[1], sizeof(T));
    if (i % 2) {
      a[i] = T(unit(random)) * std::exp(T(unit(random) * range));
      b[i] = a[i] * std::exp(T(unit(random) * range));
    }
  }
}

template <typename T>
static size_t countWrong(const std::vector<T> &got,
                         const std::vector<T> &want) {
  size_t wrong = 0;
  for (size_t i = 0; i < count; ++i)
    wrong += std::memcmp(&got[i], &want[i], sizeof(T)) &&
             !(std::isnan(got[i]) && std::isnan(want[i]));
  return wrong;
}

template <typename T, typename Bits>
static void check(const std::string &target, const char *kernel) {
  std::vector<T> values[4], quotients(count), roots(count);
  for (std::vector<T> &buffer : values)
    buffer.resize(count);
  makeInputs<T, Bits>(values[0], values[1]);
  for (size_t i = 0; i < count; ++i) {
    quotients[i] = values[0][i] / values[1][i];
    roots[i] = std::sqrt(std::fabs(values[0][i]));
  }
  auto device = createEmulatedDevice(target);
  ASSERT_TRUE(bool(device));
  auto object = (*device)->load(readObject(target));
  ASSERT_TRUE(bool(object)) << object.getError().message;
  std::vector<uint8_t> arguments;
  std::vector<DevicePointer> pointers;
  for (std::vector<T> &buffer : values) {
    pointers.push_back(*(*device)->allocate(count * sizeof(T)));
    append(arguments, pointers.back());
    ASSERT_TRUE(bool((*device)->copyToDevice(pointers.back(), buffer.data(),
                                             count * sizeof(T))));
  }
  LaunchShape shape;
  shape.grid[0] = count / 256;
  shape.block[0] = 256;
  Status status = (*device)->launch(*object, kernel, shape, arguments);
  ASSERT_TRUE(bool(status)) << status.getError().message;
  EXPECT_TRUE((*device)->getHazards().empty());
  for (int i = 2; i < 4; ++i)
    ASSERT_TRUE(bool((*device)->copyToHost(values[i].data(), pointers[i],
                                           count * sizeof(T))));
  EXPECT_EQ(countWrong(values[2], quotients), 0u);
  EXPECT_EQ(countWrong(values[3], roots), 0u);
}

class DivideTest : public testing::TestWithParam<const char *> {};

TEST_P(DivideTest, F32) { check<float, uint32_t>(GetParam(), "divide32"); }
TEST_P(DivideTest, F64) { check<double, uint64_t>(GetParam(), "divide64"); }

INSTANTIATE_TEST_SUITE_P(Targets, DivideTest,
                         testing::Values("gfx942", "gfx950"),
                         [](const auto &info) { return info.param; });
