# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""The epsilon is added to the mean square as it is."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "reference"))

import numpy as np

from runner import check, counts, run

def norm(x, element, epsilon):
    shape = f"tensor<{x.shape[0]}x{x.shape[1]}x"
    body = f"""
    func.func @f(%x: {shape}{element}>) -> {shape}f32> {{
      %y = qfuse.rms_norm %x {{epsilon = {epsilon} : f32}} : {shape}{element}> -> {shape}f32>
      return %y : {shape}f32>
    }}"""
    return run(body, [x], 1)[0]


x = np.zeros((1, 4096), np.float32)
x[0, 7] = 64
y = norm(x, "f32", "1.0e-2")
check("63.6824", y.size and abs(y[0, 7] - 63.6824) < 1e-4)
check("zeros", y.size and np.count_nonzero(y) == 1)

sys.exit(counts[False])
