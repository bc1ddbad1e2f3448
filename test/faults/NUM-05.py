# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""A sum of bf16 is rounded to nearest even, not truncated."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "reference"))

import numpy as np

from formats import decode, encode
from runner import check, counts, equal, run

BODY = """
func.func @f(%x: tensor<?xbf16>, %r: tensor<?xbf16>) -> tensor<?xbf16> {
  %h = arith.addf %x, %r : tensor<?xbf16>
  return %h : tensor<?xbf16>
}"""
got, = run(BODY, [encode("bf16", [1.0]), encode("bf16", [0.005859375])], 1)
equal("1 + 3 * 2^-9", decode("bf16", got), np.array([1.0078125]))
random = np.random.default_rng(5)
x, residual = (encode("bf16", random.uniform(0.1, 10, 100000)) for _ in range(2))
got, = run(BODY, [x, residual], 1)
exact = decode("bf16", x) + decode("bf16", residual)
check("bias", abs(np.mean((decode("bf16", got) - exact) / exact)) < 2e-5)

sys.exit(counts[False])
