# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""The squares of f16 do not overflow."""

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


y = norm(np.full((2, 64), 300, np.float16), "f16", "1.0e-6")
check("ones", y.shape == (2, 64) and np.all(np.abs(y - 1) < 1e-6))

sys.exit(counts[False])
