// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a person writes for add + rms_norm + fp8 quantization of rows of 7168: a
// block of 448 threads a row, 16 elements a thread, accesses of 16 bytes that
// leave the caches to others. h200_time.py times it beside the compiled kernel.

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp8.h>

constexpr int K = 7168, threads = 448, warps = threads / 32, perThread = 16;

struct Row {
  float values[perThread];
};

static __device__ Row load(const __nv_bfloat16 *row, bool streams) {
  Row result;
  for (int part = 0; part < 2; ++part) {
    const uint4 *from =
        reinterpret_cast<const uint4 *>(row) + 2 * threadIdx.x + part;
    uint4 words = streams ? __ldcs(from) : __ldg(from);
    const __nv_bfloat162 *pairs = reinterpret_cast<__nv_bfloat162 *>(&words);
    for (int i = 0; i < 4; ++i) {
      float2 pair = __bfloat1622float2(pairs[i]);
      result.values[8 * part + 2 * i] = pair.x;
      result.values[8 * part + 2 * i + 1] = pair.y;
    }
  }
  return result;
}

template <typename Combine>
static __device__ float reduce(float x, Combine combine, float *parts) {
  for (int distance = 16; distance > 0; distance /= 2)
    x = combine(x, __shfl_xor_sync(~0u, x, distance));
  if (threadIdx.x % 32 == 0)
    parts[threadIdx.x / 32] = x;
  __syncthreads();
  float result = parts[0];
  for (int warp = 1; warp < warps; ++warp)
    result = combine(result, parts[warp]);
  return result;
}

static __device__ float roundToBf16(float x) {
  return __bfloat162float(__float2bfloat16_rn(x));
}

template <int block>
static __device__ void chain(const __nv_bfloat16 *x,
                             const __nv_bfloat16 *residual,
                             const __nv_bfloat16 *weight, uint8_t *codes,
                             float *scales, __nv_bfloat16 *sum) {
  __shared__ float sums[warps], maxima[warps];
  size_t row = blockIdx.x;
  Row a = load(x + row * K, true), b = load(residual + row * K, true);
  Row w = load(weight, false);
  float squares = 0;
  __align__(16) __nv_bfloat16 rounded[perThread];
  for (int i = 0; i < perThread; ++i) {
    rounded[i] = __float2bfloat16_rn(a.values[i] + b.values[i]);
    a.values[i] = __bfloat162float(rounded[i]);
    squares += a.values[i] * a.values[i];
  }
  uint4 *to = reinterpret_cast<uint4 *>(sum + row * K) + 2 * threadIdx.x;
  for (int part = 0; part < 2; ++part)
    __stcs(to + part, reinterpret_cast<uint4 *>(rounded)[part]);

  auto add = [](float p, float q) { return p + q; };
  auto larger = [](float p, float q) { return fmaxf(p, q); };
  float rstd = rsqrtf(reduce(squares, add, sums) / K + 1e-6f);
  float amax = 0;
  for (int i = 0; i < perThread; ++i) {
    a.values[i] = roundToBf16(roundToBf16(a.values[i] * rstd) * w.values[i]);
    amax = fmaxf(amax, fabsf(a.values[i]));
  }
  if (block == 0) {
    amax = reduce(amax, larger, maxima);
  } else {
    for (int distance = block / perThread / 2; distance > 0; distance /= 2)
      amax = larger(amax, __shfl_xor_sync(~0u, amax, distance));
  }
  float scale = fmaxf(amax, 1e-10f) / 448.0f;
  if (threadIdx.x % (block == 0 ? threads : block / perThread) == 0)
    scales[row * (block == 0 ? 1 : K / 128) +
           (block == 0 ? 0 : threadIdx.x / (128 / perThread))] = scale;
  float inverse = 1.0f / scale;
  uint4 packed;
  __nv_fp8x4_e4m3 *quads = reinterpret_cast<__nv_fp8x4_e4m3 *>(&packed);
  for (int i = 0; i < 4; ++i)
    quads[i] = __nv_fp8x4_e4m3(make_float4(
        a.values[4 * i] * inverse, a.values[4 * i + 1] * inverse,
        a.values[4 * i + 2] * inverse, a.values[4 * i + 3] * inverse));
  __stcs(reinterpret_cast<uint4 *>(codes + row * K) + threadIdx.x, packed);
}

#define KERNEL(block)                                                          \
  extern "C" __global__ void __launch_bounds__(threads)                        \
      chain_##block(const __nv_bfloat16 *x, const __nv_bfloat16 *residual,     \
                    const __nv_bfloat16 *weight, uint8_t *codes,               \
                    float *scales, __nv_bfloat16 *sum) {                       \
    chain<block>(x, residual, weight, codes, scales, sum);                     \
  }
KERNEL(0)
KERNEL(128)
