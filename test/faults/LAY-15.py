# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""A short last block of K is scaled by its own scale."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "reference"))

import numpy as np

from runner import counts, equal, run

for k in (64, 128, 192, 256, 320):
    blocks = -(-k // 128)
    a, scales = f"tensor<1x{k}xf8E4M3FN>", f"tensor<1x{blocks}xf32>"
    body = f"""
    #block = #qfuse.format<block = [1, 128]>
    func.func @f(%a: {a}, %as: {scales}, %b: {a}, %bs: {scales}) -> tensor<1x1xf32> {{
      %y = qfuse.scaled_matmul %a by %as, %b by %bs {{a_format = #block, b_format = #block}} : {a}, {scales}, {a}, {scales} -> tensor<1x1xf32>
      return %y : tensor<1x1xf32>
    }}"""
    ones = np.full((1, k), 0x38, np.uint8)
    factors = np.float32([[1, 1000, 3][:blocks]])
    result, = run(body, [ones, factors, ones, np.ones_like(factors)], 1)
    expected = sum(factor * min(128, k - 128 * i) for i, factor in enumerate(factors[0]))
    equal(f"K = {k}", result, np.float32([[expected]]))

sys.exit(counts[False])
