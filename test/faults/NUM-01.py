# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""A zero row has a positive scale and zeros, and changes no other row; also where
only a sum is zero."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "reference"))

import numpy as np

from formats import decode, encode
from runner import check, counts, equal, run

RULES = {
    "per token": ("[1, 0]", "f32", "f8E4M3FN", "max = 448.0, amax_floor = 1.0e-10"),
    "zero = one": ("[1, 0]", "f32", "f8E4M3FNUZ", "max = 240.0, zero = one"),
    "block": ("[1, 128]", "f32", "f8E4M3FN", "max = 448.0, scale_floor = 1.0e-10"),
    "fp4": ("[1, 32]", "f8E8M0FNU", "f4E2M1FN", "max = 6.0, pow2 = even"),
}


def quantize(rule, x, residual):
    block, scales, codes, text = RULES[rule]
    width = 256 if block == "[1, 0]" else int(block[4:-1])
    s = f"tensor<?x{256 // width}x{scales}>"
    body = f"""
    #format = #qfuse.format<block = {block}, scale_type = {scales}>
    func.func @f(%x: tensor<?x256xbf16>, %r: tensor<?x256xbf16>) -> ({s}, tensor<?x256x{codes}>, tensor<?x256xf32>) {{
      %h = arith.addf %x, %r : tensor<?x256xbf16>
      %s = qfuse.block_scale %h {{format = #format, rule = #qfuse.scale_rule<{text}>}} : tensor<?x256xbf16> -> {s}
      %q = qfuse.quantize %h by %s {{format = #format}} : tensor<?x256xbf16>, {s} -> tensor<?x256x{codes}>
      %d = qfuse.dequantize %q by %s {{format = #format}} : tensor<?x256x{codes}>, {s} -> tensor<?x256xf32>
      return %s, %q, %d : {s}, tensor<?x256x{codes}>, tensor<?x256xf32>
    }}"""
    s, q, d = run(body, [encode("bf16", x), encode("bf16", residual)], 3)
    return s if scales == "f32" else decode(scales, s), q, d


random = np.random.default_rng(1)
x = random.normal(size=(3, 256))
zeros = np.zeros_like(x)
first = x.copy()
first[0] = 0
cancelled = zeros.copy()
cancelled[0] = -x[0]
for rule in RULES:
    for name, value, residual in (("zero", first, zeros), ("cancelled", x, cancelled)):
        scales, codes, values = quantize(rule, value, residual)
        check(f"{rule} {name}: scale", np.all(np.isfinite(scales)) and np.all(scales > 0))
        check(f"{rule} {name}: codes", not np.any(codes[0]) and not np.any(values[0]))
        for got, alone in zip((scales, codes, values), quantize(rule, x[1:], zeros[1:])):
            equal(f"{rule} {name}: other rows", got[1:], alone)

sys.exit(counts[False])
