# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""The columns of scales behind the last one are not read."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "reference"))

import numpy as np

from formats import pack_nibbles
from layouts import pack
from runner import check, counts, equal, run

SCALES = ("#qfuse.layout<map = (m, k) -> (m floordiv 32, k floordiv 8, k mod 4, m mod 16, "
          "(k floordiv 4) mod 2, (m floordiv 16) mod 2), align = [256, 8]>")

M, N, K = 2, 3, 1504
A, B = (f"tensor<{rows}x{K}xf4E2M1FN>" for rows in (M, N))
AS, BS = (f"!qfuse.packed<{rows}x47xf8E8M0FNU, {SCALES}>" for rows in (M, N))
BODY = f"""
#mx = #qfuse.format<block = [1, 32], scale_type = f8E8M0FNU>
func.func @f(%a: {A}, %as: {AS}, %b: {B}, %bs: {BS}) -> tensor<{M}x{N}xf32> {{
  %y = qfuse.scaled_matmul %a by %as, %b by %bs {{a_format = #mx, b_format = #mx}} : {A}, {AS}, {B}, {BS} -> tensor<{M}x{N}xf32>
  return %y : tensor<{M}x{N}xf32>
}}"""
random = np.random.default_rng(12)
a, b = (pack_nibbles(random.integers(0, 16, (rows, K)).astype(np.uint8)) for rows in (M, N))
scales = [random.integers(120, 134, (rows, 47)).astype(np.uint8) for rows in (M, N)]
results = []
for fill in (0x00, 0xFF):
    a_scales, b_scales = (pack(s, "mx_shuffle", "f8E8M0FNU", fill) for s in scales)
    results += run(BODY, [a, a_scales, b, b_scales], 1)
check("a product", np.any(results[0] != 0) and np.all(np.isfinite(results[0])))
equal("whatever the tail is", results[1], results[0])

sys.exit(counts[False])
