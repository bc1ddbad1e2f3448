# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""The epsilon is of f32, whatever the type of the values is."""

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


y = norm(np.full((1, 64), 2.0**-7, np.float16), "f16", "1.0e-6")
check("0.99191", y.size and np.all(np.abs(y - 0.99191) < 1e-3))

sys.exit(counts[False])
