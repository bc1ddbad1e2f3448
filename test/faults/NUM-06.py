# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""The squares of a row are added in f32 at least."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "reference"))

import numpy as np

from formats import decode, encode
from runner import check, counts, run_norm

x = encode("bf16", np.resize([1.0, 0.01], (1, 8192)))
mean = np.mean(decode("bf16", x) ** 2)
check("0.50005", abs(mean / 0.50005 - 1) < 1e-4)
y = run_norm(x, "bf16", "1.0e-30")
check("mean square", y.size and abs(1 / y[0, 0].astype(np.float64) ** 2 / mean - 1) < 1e-5)

sys.exit(counts[False])
