# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""Neither the padding of scales nor that of codes enters a product."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "reference"))

import numpy as np

from formats import pack_nibbles
from layouts import pack
from runner import check, counts, equal, run

SCALES = ("#qfuse.layout<map = (m, k) -> (m floordiv 32, k floordiv 8, k mod 4, m mod 16, "
          "(k floordiv 4) mod 2, (m floordiv 16) mod 2), align = [256, 8]>")

WEIGHT = ("#qfuse.layout<map = (n, k) -> (n floordiv 16, k floordiv 64, (k floordiv 32) mod 2, "
          "n mod 16, k mod 32)>")
M, N, K = 3, 20, 96
A, B = f"tensor<{M}x{K}xf4E2M1FN>", f"!qfuse.packed<{N}x{K}xf4E2M1FN, {WEIGHT}>"
AS, BS = (f"!qfuse.packed<{rows}x3xf8E8M0FNU, {SCALES}>" for rows in (M, N))
BODY = f"""
#mx = #qfuse.format<block = [1, 32], scale_type = f8E8M0FNU>
func.func @f(%a: {A}, %as: {AS}, %b: {B}, %bs: {BS}) -> tensor<{M}x{N}xf32> {{
  %y = qfuse.scaled_matmul %a by %as, %b by %bs {{a_format = #mx, b_format = #mx}} : {A}, {AS}, {B}, {BS} -> tensor<{M}x{N}xf32>
  return %y : tensor<{M}x{N}xf32>
}}"""
random = np.random.default_rng(9)
a, b = (random.integers(0, 16, (rows, K)).astype(np.uint8) for rows in (M, N))
a_scales, b_scales = (random.integers(120, 134, (rows, 3)).astype(np.uint8) for rows in (M, N))
results = []
# 7 is the code of 6.0; a scale of 0xff is NaN.
for code, scale in ((0, 0x7F), (7, 0x00), (7, 0x7F), (7, 0xFF)):
    results += run(BODY, [pack_nibbles(a), pack(a_scales, "mx_shuffle", "f8E8M0FNU", scale),
                          pack_nibbles(pack(b, "weight_16x16_nibble", "f4E2M1FN", code)),
                          pack(b_scales, "mx_shuffle", "f8E8M0FNU", scale)], 1)
check("a product", np.any(results[0] != 0) and np.all(np.isfinite(results[0])))
for result in results[1:]:
    equal("whatever the padding is", result, results[0])

sys.exit(counts[False])
