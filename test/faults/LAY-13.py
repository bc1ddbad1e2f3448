# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""The last block of a row may be short: its scale is of its own columns."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "reference"))

import numpy as np

from formats import decode
from runner import counts, equal, run

M, K, N = 3, 64, 1296
BODY = f"""
#per_row = #qfuse.format<block = [1, 0]>
#block = #qfuse.format<block = [1, 128]>
func.func @f(%a: tensor<{M}x{K}xf8E4M3FN>, %as: tensor<{M}x1xf32>, %b: tensor<{N}x{K}xf8E4M3FN>, %bs: tensor<{N}x1xf32>) -> (tensor<{M}x{N}xbf16>, tensor<{M}x11xf32>, tensor<{M}x{N}xf8E4M3FN>) {{
  %y = qfuse.scaled_matmul %a by %as, %b by %bs {{a_format = #per_row, b_format = #per_row}} : tensor<{M}x{K}xf8E4M3FN>, tensor<{M}x1xf32>, tensor<{N}x{K}xf8E4M3FN>, tensor<{N}x1xf32> -> tensor<{M}x{N}xbf16>
  %s = qfuse.block_scale %y {{format = #block, rule = #qfuse.scale_rule<max = 448.0>}} : tensor<{M}x{N}xbf16> -> tensor<{M}x11xf32>
  %q = qfuse.quantize %y by %s {{format = #block}} : tensor<{M}x{N}xbf16>, tensor<{M}x11xf32> -> tensor<{M}x{N}xf8E4M3FN>
  return %y, %s, %q : tensor<{M}x{N}xbf16>, tensor<{M}x11xf32>, tensor<{M}x{N}xf8E4M3FN>
}}"""
random = np.random.default_rng(13)
a, b = (random.integers(0, 0x60, (rows, K)).astype(np.uint8) for rows in (M, N))
# The last 16 columns are small beside all others.
b_scales = np.ones((N, 1), np.float32)
b_scales[1280:] = 2.0**-20
y, scales, codes = run(BODY, [a, np.ones((M, 1), np.float32), b, b_scales], 3)
y = np.float32(decode("bf16", y))
amax = np.stack([np.abs(y[:, i : i + 128]).max(1) for i in range(0, N, 128)], 1)
equal("scales", scales, amax / np.float32(448))
equal("the largest of each short block", np.abs(decode("f8E4M3FN", codes[:, 1280:])).max(1),
      np.full(M, 448.0))

sys.exit(counts[False])
