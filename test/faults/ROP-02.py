# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""Which elements are a pair, and which way it turns, is in the op."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "reference"))

import numpy as np

from runner import check, counts, equal, run

F32 = np.float32


def rotate(x, cos, sin, attributes):
    body = f"""
    func.func @f(%x: tensor<1x4xf32>, %c: tensor<1x2xf32>, %s: tensor<1x2xf32>) -> tensor<1x4xf32> {{
      %y = qfuse.rope %x, %c, %s {{{attributes}}} : tensor<1x4xf32>, tensor<1x2xf32>, tensor<1x2xf32> -> tensor<1x4xf32>
      return %y : tensor<1x4xf32>
    }}"""
    return run(body, [x, cos, sin], 1)[0]


x = F32([[1, 2, 3, 4]])
# A right angle for pair 0, none for pair 1.
right = F32([[0, 1]]), F32([[1, 0]])
angle = np.array([[0.7, -2.1]])
any_angle = F32(np.cos(angle)), F32(np.sin(angle))
EXPECTED = {"interleaved": ([-2, 1, 3, 4], [2, -1, 3, 4]), "half": ([-3, 2, 1, 4], [3, 2, -1, 4])}
for style, (forward, inverse) in EXPECTED.items():
    attribute = f"style = #qfuse.rope_style<{style}>"
    equal(f"{style} forward", rotate(x, *right, attribute), F32([forward]))
    equal(f"{style} inverse", rotate(x, *right, f"inverse, {attribute}"), F32([inverse]))
    back = rotate(rotate(x, *any_angle, attribute), *any_angle, f"inverse, {attribute}")
    check(f"{style} back", back.size and np.all(np.abs(back - x) < 1e-6))

sys.exit(counts[False])
