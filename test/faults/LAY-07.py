# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""Padding of scales holds what the layout says; what lies in padding of which the
layout says nothing is without effect."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "reference"))

import numpy as np

from runner import counts, equal, run

M = 5
MAP = "map = (m, k) -> (m floordiv 8, k, m mod 8)"
STALE = f"!qfuse.packed<{M}x2xf8E8M0FNU, #qfuse.layout<{MAP}>>"
PACKED = f"!qfuse.packed<{M}x2xf8E8M0FNU, #qfuse.layout<{MAP}, pad = one>>"
BODY = f"""
func.func @f(%s: {STALE}) -> (tensor<{M}x2xf8E8M0FNU>, {PACKED}) {{
  %t = qfuse.unpack %s : {STALE} -> tensor<{M}x2xf8E8M0FNU>
  %p = qfuse.pack %t : tensor<{M}x2xf8E8M0FNU> -> {PACKED}
  return %t, %p : tensor<{M}x2xf8E8M0FNU>, {PACKED}
}}"""
scales = np.arange(100, 100 + 2 * M, dtype=np.uint8).reshape(M, 2)
for fill in (0x00, 0x7F, 0xFF):
    stored = np.full((2, 8), fill, np.uint8)
    stored[:, :M] = scales.T
    logical, packed = run(BODY, [stored.ravel()], 2)
    equal(f"logical, {fill:#x}", logical, scales)
    # 2^0 in the rows that are padding.
    stored[:, M:] = 0x7F
    equal(f"packed, {fill:#x}", packed, stored.ravel())

sys.exit(counts[False])
