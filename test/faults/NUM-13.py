# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""The epsilon is of f32, whatever the type of the values is."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "reference"))

import numpy as np

from runner import check, counts, run_norm

y = run_norm(np.full((1, 64), 2.0**-7, np.float16), "f16", "1.0e-6")
check("0.99191", y.size and np.all(np.abs(y - 0.99191) < 1e-3))

sys.exit(counts[False])
