# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""A transposed scale is the transpose of the bytes, and the same logical value."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "reference"))

import numpy as np

from formats import encode
from runner import check, counts, equal, run

COL = "#qfuse.layout<map = (m, k) -> (k, m)>"
BODY = f"""
#block = #qfuse.format<block = [1, 128]>
#rule = #qfuse.scale_rule<max = 448.0>
func.func @f(%x: tensor<4x384xbf16>) -> (tensor<4x3xf32>, !qfuse.packed<4x3xf32, {COL}>, tensor<4x3xf32>) {{
  %row = qfuse.block_scale %x {{format = #block, rule = #rule}} : tensor<4x384xbf16> -> tensor<4x3xf32>
  %col = qfuse.block_scale %x {{format = #block, rule = #rule}} : tensor<4x384xbf16> -> !qfuse.packed<4x3xf32, {COL}>
  %logical = qfuse.unpack %col : !qfuse.packed<4x3xf32, {COL}> -> tensor<4x3xf32>
  return %row, %col, %logical : tensor<4x3xf32>, !qfuse.packed<4x3xf32, {COL}>, tensor<4x3xf32>
}}"""
magnitudes = np.arange(1, 13).reshape(4, 3) * 8.0
x = np.repeat(magnitudes, 128, 1)
row, col, logical = run(BODY, [encode("bf16", x)], 3)
equal("row", row, np.float32(magnitudes) / np.float32(448))
equal("logical", logical, row)
equal("bytes", col, row.T.ravel())
check("they differ", not np.array_equal(col, row.ravel()))

sys.exit(counts[False])
