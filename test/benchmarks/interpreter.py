# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how long the interpreter takes for real inputs.

usage: python3 test/benchmarks/interpreter.py

Needs build/bin/qfuse-run. A line for each function: name, rows, seconds.
"""

import pathlib
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Input, function, rows.
CASES = [("deepseek_v3_attention_input", "per_token_fp8", 64),
         ("deepseek_v3_attention_input", "block_fp8", 64),
         ("linalg/per_token_fp8", "per_token_fp8", 64)]


def measure(name, function, rows):
    """Returns the seconds of one call."""
    command = [ROOT / "build/bin/qfuse-run", ROOT / f"test/inputs/{name}.mlir",
               "--device=interpreter", f"--function={function}"]
    dims = ["M"] if "linalg" not in name else ["arg0.0", "arg1.0"]
    command += [f"--dim={dim}={rows}" for dim in dims]
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


for case in CASES:
    print(f"{case[0]} @{case[1]} M={case[2]}: {measure(*case):.2f} s", flush=True)
