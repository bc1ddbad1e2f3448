# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""NaN and infinity spoil their own row, scale and codes, and no other."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "reference"))

import numpy as np

from formats import decode, encode
from runner import check, counts, equal, run

K = 128
BODY = f"""
#per_token = #qfuse.format<block = [1, 0]>
func.func @f(%x: tensor<?x{K}xbf16>) -> (tensor<?x1xf32>, tensor<?x{K}xf8E4M3FN>) {{
  %n = qfuse.rms_norm %x {{epsilon = 1.0e-6 : f32}} : tensor<?x{K}xbf16> -> tensor<?x{K}xbf16>
  %s = qfuse.block_scale %n {{format = #per_token, rule = #qfuse.scale_rule<max = 448.0, amax_floor = 1.0e-10>}} : tensor<?x{K}xbf16> -> tensor<?x1xf32>
  %q = qfuse.quantize %n by %s {{format = #per_token}} : tensor<?x{K}xbf16>, tensor<?x1xf32> -> tensor<?x{K}xf8E4M3FN>
  return %s, %q : tensor<?x1xf32>, tensor<?x{K}xf8E4M3FN>
}}"""
x = np.ones((3, K))
x[2] = np.random.default_rng(3).normal(size=K)
x[0, 0], x[1, 0] = np.inf, np.nan
scales, codes = run(BODY, [encode("bf16", x)], 2)
# inf * rsqrt(inf) is NaN, and a NaN is the largest magnitude.
check("scales", np.isnan(scales[:, 0]).tolist() == [True, True, False])
check("codes", np.isnan(decode("f8E4M3FN", codes)).all(1).tolist() == [True, True, False])
for got, alone in zip((scales, codes), run(BODY, [encode("bf16", x[2:])], 2)):
    equal("the third row", got[2:], alone)

sys.exit(counts[False])
