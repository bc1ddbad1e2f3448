# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""Each code of fp8 stands for what its type says; NaN is one code of FNUZ, 0x80, and
two of FN."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "reference"))

import numpy as np

from formats import decode
from runner import check, counts, equal, run

codes = np.arange(256, dtype=np.uint8).reshape(1, 256)
for name, nans in (("f8E4M3FN", [0x7F, 0xFF]), ("f8E4M3FNUZ", [0x80])):
    body = f"""
    func.func @f(%q: tensor<1x256x{name}>, %s: tensor<1x1xf32>) -> tensor<1x256xf32> {{
      %x = qfuse.dequantize %q by %s {{format = #qfuse.format<block = [0, 0]>}} : tensor<1x256x{name}>, tensor<1x1xf32> -> tensor<1x256xf32>
      return %x : tensor<1x256xf32>
    }}"""
    values, = run(body, [codes, np.ones((1, 1), np.float32)], 1)
    equal(name, values, np.float32(decode(name, codes)))
    check(f"NaNs of {name}", np.flatnonzero(np.isnan(values)).tolist() == nans)
    check(f"-0 of {name}", np.signbit(values[0, 0x80]) == (name == "f8E4M3FN"))

sys.exit(counts[False])
