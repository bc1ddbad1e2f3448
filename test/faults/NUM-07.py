# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""The squares of f16 do not overflow."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "reference"))

import numpy as np

from runner import check, counts, run_norm

y = run_norm(np.full((2, 64), 300, np.float16), "f16", "1.0e-6")
check("ones", y.shape == (2, 64) and np.all(np.abs(y - 1) < 1e-6))

sys.exit(counts[False])
