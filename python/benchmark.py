#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times quantize for each preset, and identify, on 4096 x 7168.

Prints a line each, and the slowest last: at most 2 s and 10 s are wanted.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

import qfuse
from qfuse.probes import random_rows

SHAPE = (4096, 7168)
IDENTIFIED = ("aiter_mxfp4_roundup", "aiter_norm_fp8_block", "vllm_fp8_per_token",
              "torch_fp8_per_tensor", "vllm_int8_per_token")


def seconds(run: Callable[[], object]) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def main() -> None:
    x, slowest = random_rows(*SHAPE), {"quantize": 0.0, "identify": 0.0}
    for name, preset in qfuse.presets().items():
        scales = np.float32([[0.01]]) if preset.scale_rule is None else None
        took = seconds(lambda: qfuse.quantize(x, name, scales=scales))
        slowest["quantize"] = max(slowest["quantize"], took)
        print(f"quantize {name} {took:.2f} s")
    for name in IDENTIFIED:
        made = qfuse.quantize(x, name)
        took = seconds(lambda: qfuse.identify(x, *made))
        slowest["identify"] = max(slowest["identify"], took)
        print(f"identify {name} {took:.2f} s")
    for what, took in slowest.items():
        print(f"slowest {what} {took:.2f} s")


if __name__ == "__main__":
    main()
