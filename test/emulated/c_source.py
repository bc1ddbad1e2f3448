#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches what `qfuse-compile --emit=c` makes, from C, and compares the bytes.

HIP is the emulated one of test/hip. Ends with `N passed, N failed`.
"""

import os
import subprocess

import numpy

from modules import Chain
from runner import ROOT, Results, run, temporary_directory, write

CLANG = "/usr/lib/llvm-22/bin/clang"
HIP = os.path.join(ROOT, "build", "test", "hip")
K = 1536


def build(directory, target):
    """Returns the program that launches the chain, for `target`."""
    module = write(directory, target, Chain(target, K).text())
    source, program = os.path.join(directory, target + ".c"), os.path.join(directory, target)
    code, _, err = run("qfuse-compile", module, f"--target={target}", "--emit=c", "-o", source)
    assert code == 0, err
    driver = os.path.join(ROOT, "test", "emulated", "launch_chain.c")
    subprocess.run([CLANG, "-std=c99", "-Wall", "-Wextra", "-Werror", f'-DQFUSE_FILE="{source}"',
                    driver, source, f"-L{HIP}", "-lamdhip64", f"-Wl,-rpath,{HIP}", "-ldl",
                    "-o", program], check=True)
    return module, program


def make_inputs(directory, rows):
    """Returns the paths of x, residual and weight, as bf16 in .npy and raw."""
    generator = numpy.random.default_rng(rows)
    paths = []
    for name, shape in (("x", (rows, K)), ("residual", (rows, K)), ("weight", (K,))):
        bits = generator.standard_normal(shape).astype(numpy.float32).view(numpy.uint32) >> 16
        path = os.path.join(directory, name)
        numpy.save(path + ".npy", bits.astype(numpy.uint16))
        bits.astype(numpy.uint16).tofile(path + ".bin")
        paths.append(path)
    return paths


def compare(directory, module, program, target, rows, results):
    inputs = make_inputs(directory, rows)
    outputs = [os.path.join(directory, f"out{i}.bin") for i in range(3)]
    done = subprocess.run([program, str(rows), str(K), *[p + ".bin" for p in inputs], *outputs],
                          capture_output=True, text=True)
    results.add(done.returncode == 0, f"{target} M={rows}: {done.stderr}")
    code, _, err = run("qfuse-run", module, "--device=emulated", f"--target={target}",
                       *[f"--input={p}.npy" for p in inputs], f"--output-dir={directory}")
    results.add(code == 0, f"qfuse-run {target} M={rows}: {err}")
    for i, output in enumerate(outputs):
        expected = numpy.load(os.path.join(directory, f"out{i}.npy")).tobytes()
        with open(output, "rb") as file:
            results.add(file.read() == expected, f"{target} M={rows}: result {i}")


def main():
    results = Results()
    for target in ("gfx950", "gfx942"):
        with temporary_directory() as directory:
            module, program = build(directory, target)
            for rows in (0, 1, 5):
                compare(directory, module, program, target, rows, results)
    results.finish()


if __name__ == "__main__":
    main()
