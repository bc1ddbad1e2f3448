# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""The epsilon is added to the mean square as it is."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "reference"))

import numpy as np

from runner import check, counts, run_norm

x = np.zeros((1, 4096), np.float32)
x[0, 7] = 64
y = run_norm(x, "f32", "1.0e-2")
check("63.6824", y.size and abs(y[0, 7] - 63.6824) < 1e-4)
check("zeros", y.size and np.count_nonzero(y) == 1)

sys.exit(counts[False])
