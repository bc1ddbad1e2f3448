//===- RunTest.cpp - Executes launch plans --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TestArtifact.h"
#include <cmath>
#include <cstring>

using namespace mlir::qfuse;
using namespace mlir::qfuse::test;

namespace {

/// Host memory. Its one kernel writes each x + 0.5 to y, and 7 to w.
class HostDevice : public Device {
public:
  ~HostDevice() override { EXPECT_EQ(numAllocations, 0); }

  Result<DevicePointer> allocate(uint64_t bytes) override {
    ++numAllocations;
    return reinterpret_cast<DevicePointer>(new uint8_t[bytes]);
  }
  void free(DevicePointer pointer) override {
    --numAllocations;
    delete[] reinterpret_cast<uint8_t *>(pointer);
  }
  Status copyToDevice(DevicePointer to, const void *from,
                      uint64_t bytes) override {
    if (bytes) // An empty vector may have no data.
      std::memcpy(reinterpret_cast<void *>(to), from, bytes);
    return okStatus();
  }
  Status copyToHost(void *to, DevicePointer from, uint64_t bytes) override {
    if (bytes)
      std::memcpy(to, reinterpret_cast<void *>(from), bytes);
    return okStatus();
  }
  Result<uint64_t> load(const std::vector<uint8_t> &object) override {
    EXPECT_EQ(std::string(object.begin(), object.end()), "//");
    return 17;
  }
  Status launch(uint64_t object, const std::string &kernel,
                const LaunchShape &shape,
                const std::vector<uint8_t> &arguments) override;

  int numAllocations = 0, numLaunches = 0;
  uint32_t gridX = 0;
};

/// The argument segment of the kernel, with C++'s own alignment.
struct Arguments {
  int32_t rows;
  const float *x;
  float addend;
  float *y;
  const uint8_t *workspace;
  int64_t stride;
  int32_t *v;
};

Status HostDevice::launch(uint64_t object, const std::string &kernel,
                          const LaunchShape &shape,
                          const std::vector<uint8_t> &arguments) {
  EXPECT_EQ(object, 17u);
  EXPECT_EQ(kernel, "k");
  EXPECT_EQ(shape.block[0], 64u);
  gridX = shape.grid[0];
  ++numLaunches;
  Arguments a;
  if (arguments.size() != sizeof a)
    return Error{"expected other arguments"};
  std::memcpy(&a, arguments.data(), sizeof a);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < 4; ++j)
      a.y[6 * i + j] = a.x[a.stride * i + j] + a.addend;
  a.v[0] = 7;
  EXPECT_EQ(a.workspace[0], 0xff);
  // Padding is poisoned.
  if (a.stride > 4) {
    EXPECT_TRUE(std::isnan(a.x[4]));
  }
  return okStatus();
}

class RunTest : public testing::Test {
protected:
  void SetUp() override {
    Result<Artifact> loaded = Artifact::load(directory.path);
    ASSERT_TRUE(bool(loaded)) << loaded.getError().message;
    artifact = *loaded;
  }

  /// Returns M x 4 elements 0, 1, 2, ...
  static Tensor makeRows(int64_t rows) {
    Tensor tensor(Element::f32, {rows, 4});
    for (int64_t i = 0; i < 4 * rows; ++i)
      tensor.setBits(i, encode(Element::f32, i));
    return tensor;
  }

  Directory directory;
  Artifact artifact;
  HostDevice device;
  Tensor weight = Tensor(Element::i32, {4});
};

} // namespace

static void expectRows(const Tensor &result, int64_t rows) {
  EXPECT_EQ(result.shape, (std::vector<int64_t>{rows, 4}));
  for (int64_t i = 0; i < 4 * rows; ++i)
    EXPECT_EQ(decode(Element::f32, result.getBits(i)), i + 0.5);
}

TEST_F(RunTest, ExecutesTheSteps) {
  auto results = run(artifact, "f", {makeRows(6), weight}, device);
  ASSERT_TRUE(bool(results)) << results.getError().message;
  ASSERT_EQ(results->size(), 2u);
  expectRows((*results)[0], 6);
  EXPECT_EQ((*results)[1].getBits(0), 7u);
  EXPECT_EQ((*results)[1].getBits(1), 0u);
  EXPECT_EQ(device.gridX, 2u);
  // The argument itself is not donated.
  EXPECT_EQ(weight.getBits(0), 0u);
}

TEST_F(RunTest, PadsRows) {
  Tensor x = makeRows(4);
  auto executable = Executable::create(artifact, device);
  ASSERT_TRUE(bool(executable));
  auto results = run(*executable, "f", {{&x, {10, 1}}, {&weight, {}}});
  ASSERT_TRUE(bool(results)) << results.getError().message;
  expectRows((*results)[0], 4);
}

TEST_F(RunTest, ZeroRowsLaunchNothing) {
  auto results = run(artifact, "f", {makeRows(0), weight}, device);
  ASSERT_TRUE(bool(results)) << results.getError().message;
  EXPECT_EQ((*results)[0].getNumElements(), 0);
  EXPECT_EQ(device.numLaunches, 0);
}

TEST_F(RunTest, ReportsArguments) {
  auto getError = [&](const std::vector<Tensor> &inputs) {
    auto results = run(artifact, "f", inputs, device);
    return results ? "" : results.getError().message;
  };
  EXPECT_EQ(getError({makeRows(3), weight}),
            "expected an even number of rows: (M mod 2) is 1, 0 is 0");
  EXPECT_EQ(getError({makeRows(2), Tensor(Element::f32, {4})}),
            "argument 1 ('w'): expected elements of type i32, got f32");
  EXPECT_EQ(getError({makeRows(2)}), "expected 2 arguments of 'f', got 1");
  Tensor cut = makeRows(2);
  cut.bytes.resize(31);
  EXPECT_EQ(getError({cut, weight}),
            "argument 0 has 31 bytes, which is not the size of its shape");
  EXPECT_EQ(run(artifact, "g", {}, device).getError().message,
            "the artifact has no function 'g'; it has f");
  EXPECT_EQ(device.numLaunches, 0);
}

TEST_F(RunTest, ReportsSizesThatDoNotFit) {
  artifact.functions["f"].outputs[0].bytes = 8;
  EXPECT_EQ(run(artifact, "f", {makeRows(0), weight}, device).operator bool(),
            true);
  artifact.functions["f"].inputs[1].bytes = 12;
  EXPECT_EQ(
      run(artifact, "f", {makeRows(0), weight}, device).getError().message,
      "input 'w': expected 12 bytes, got 16");
  artifact.functions["f"].inputs[1].bytes = -1;
  EXPECT_EQ(
      run(artifact, "f", {makeRows(0), weight}, device).getError().message,
      "'-1' is not a size: -1");
}

TEST_F(RunTest, ReportsLaunches) {
  LaunchStep &step = artifact.functions["f"].steps[0];
  step.grid[1] = -1;
  EXPECT_EQ(
      run(artifact, "f", {makeRows(2), weight}, device).getError().message,
      "kernel 'k': expected a grid from 0 to 2147483647, got -1");
  step.grid[1] = 1;
  step.arguments[0].expression = int64_t(1) << 31;
  EXPECT_EQ(
      run(artifact, "f", {makeRows(2), weight}, device).getError().message,
      "kernel 'k': '2147483648' does not fit into i32: 2147483648");
}
