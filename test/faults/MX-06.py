# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""The even rule is an addition and a mask on the bits of amax."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "reference"))

import numpy as np

from runner import check, counts, equal, run

for largest, power, bits in ((6.0, 2, 1), (448.0, 8, 3)):
    text = f"even_bits = {bits}"
    body = f"""
    #mx = #qfuse.format<block = [1, 1], scale_type = f8E8M0FNU>
    func.func @f(%x: tensor<1x192xf32>) -> tensor<1x192xf8E8M0FNU> {{
      %s = qfuse.block_scale %x {{format = #mx, rule = #qfuse.scale_rule<max = {largest}, pow2 = even, {text}>}} : tensor<1x192xf32> -> tensor<1x192xf8E8M0FNU>
      return %s : tensor<1x192xf8E8M0FNU>
    }}"""
    points = np.float32(1 + np.arange(64) / 64).view(np.uint32)
    amax = np.concatenate([points - 1, points, points + 1])
    scales, = run(body, [amax.view(np.float32).reshape(1, -1)], 1)
    expected = (((amax + (1 << (22 - bits))) & 0xFF800000) >> 23) - power
    equal(f"max = {largest}", scales, expected.astype(np.uint8).reshape(1, -1))
    check("both exponents", len(set(expected.tolist())) > 1)

sys.exit(counts[False])
