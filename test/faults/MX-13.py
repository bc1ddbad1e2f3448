# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""roundup clips nothing and loses at most a 16th of the largest value; the other
rules clip, and how often is known."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "reference"))

import numpy as np

from formats import decode, encode
from runner import check, counts, run

BLOCKS = 512
random = np.random.default_rng(13)
x = random.normal(size=(BLOCKS, 32)) * 2.0 ** random.integers(-10, 10, (BLOCKS, 1))
x = decode("bf16", encode("bf16", x))
amax = np.abs(x).max(1)


def measure(pow2):
    """Returns how many values lie beyond the largest code, and by how much of
    itself the largest value of a block shrinks, at most."""
    body = f"""
    #mx = #qfuse.format<block = [1, 32], scale_type = f8E8M0FNU>
    func.func @f(%x: tensor<?x32xbf16>) -> (tensor<?x1xf8E8M0FNU>, tensor<?x32xf8E4M3FN>) {{
      %s = qfuse.block_scale %x {{format = #mx, rule = #qfuse.scale_rule<max = 448.0, {pow2}>}} : tensor<?x32xbf16> -> tensor<?x1xf8E8M0FNU>
      %q = qfuse.quantize %x by %s {{format = #mx}} : tensor<?x32xbf16>, tensor<?x1xf8E8M0FNU> -> tensor<?x32xf8E4M3FN>
      return %s, %q : tensor<?x1xf8E8M0FNU>, tensor<?x32xf8E4M3FN>
    }}"""
    scales, codes = run(body, [encode("bf16", x)], 2)
    scales = decode("f8E8M0FNU", scales)
    values = np.abs(decode("f8E4M3FN", codes) * scales).max(1)
    return np.sum(np.abs(x / scales) > 448), np.max((amax - values) / amax)


clipped, loss = measure("pow2 = roundup")
check("roundup", clipped == 0 and loss <= 0.0625)
clipped, loss = measure("pow2 = floor")
# Mantissas above 1.75 clip, by up to 1 / 8.
mantissas = np.frexp(amax)[0] * 2
check("floor", clipped >= np.sum(mantissas > 1.75) > 0 and 0.0625 < loss < 0.125)
clipped, loss = measure("pow2 = even, even_bits = 3")
check("even", clipped >= np.sum((mantissas > 1.75) & (mantissas < 1.9375)) > 0 and loss < 0.1)

sys.exit(counts[False])
