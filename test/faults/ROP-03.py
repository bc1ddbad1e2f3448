# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""Tables of f32 and of bf16 are two ropes. Each is exact to a unit in the last
place of bf16 where it rotates, and to the bit elsewhere."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "reference"))

import numpy as np

from formats import decode, encode
from runner import check, counts, equal, run

F32 = np.float32
BODY = """
func.func @f(%x: tensor<?x4x96xbf16>, %c: tensor<?x32xf32>, %s: tensor<?x32xf32>) -> (tensor<?x4x96xbf16>, tensor<?x4x96xbf16>) {
  %d = arith.truncf %c : tensor<?x32xf32> to tensor<?x32xbf16>
  %t = arith.truncf %s : tensor<?x32xf32> to tensor<?x32xbf16>
  %a = qfuse.rope %x, %c, %s {offset = 32, style = #qfuse.rope_style<interleaved>} : tensor<?x4x96xbf16>, tensor<?x32xf32>, tensor<?x32xf32> -> tensor<?x4x96xbf16>
  %b = qfuse.rope %x, %d, %t {offset = 32, style = #qfuse.rope_style<interleaved>} : tensor<?x4x96xbf16>, tensor<?x32xbf16>, tensor<?x32xbf16> -> tensor<?x4x96xbf16>
  return %a, %b : tensor<?x4x96xbf16>, tensor<?x4x96xbf16>
}"""
random = np.random.default_rng(3)
x = encode("bf16", random.normal(size=(64, 4, 96)))
angle = random.uniform(-3, 3, (64, 32))
tables = F32(np.cos(angle)), F32(np.sin(angle))
rounded = [decode("bf16", encode("bf16", table)) for table in tables]
results = run(BODY, [x, *tables], 2)
for name, got, (cos, sin) in zip(("f32", "bf16"), results, (tables, rounded)):
    equal(f"{name}: elsewhere", got[..., :32], x[..., :32])
    part = decode("bf16", x[..., 32:])
    a, b = part[..., 0::2], part[..., 1::2]
    cos, sin = np.float64(cos)[:, None], np.float64(sin)[:, None]
    exact = np.stack([a * cos - b * sin, b * cos + a * sin], -1).reshape(part.shape)
    value = decode("bf16", got[..., 32:])
    ulp = 2.0 ** (np.floor(np.log2(np.maximum(np.abs(exact), 2.0**-126))) - 7)
    check(f"{name}: within a unit", np.all(np.abs(value - exact) <= ulp))
different = np.mean(results[0][..., 32:] != results[1][..., 32:])
check(f"the tables matter: {different}", different > 0.1)

sys.exit(counts[False])
