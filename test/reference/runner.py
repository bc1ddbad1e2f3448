# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executes text with qfuse-run of the build folder QFUSE_BUILD; counts and prints what differs."""

import os
import pathlib
import subprocess
import tempfile

import numpy as np

from formats import decode, encode
from reference import F32

BIN = pathlib.Path(__file__).parents[2] / os.environ.get("QFUSE_BUILD", "build") / "bin"
counts = {True: 0, False: 0}


def run(body, arguments, results, function=None):
    """Executes the function of `body`, or that of the name, on arrays; returns
    arrays."""
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        (directory / "f.mlir").write_text(body)
        command = [BIN / "qfuse-run", directory / "f.mlir", "--device=interpreter",
                   f"--output-dir={directory}"]
        if function:
            command.append(f"--function={function}")
        for index, argument in enumerate(arguments):
            np.save(directory / f"in{index}.npy", argument)
            command.append(f"--input={directory}/in{index}.npy")
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            print(body, done.stderr)
            return [np.array([])] * results
        return [np.load(directory / f"out{i}.npy") for i in range(results)]


def run_norm(x, element, epsilon):
    """Returns the f32 norm, without a weight, of `x`, an array of `element`."""
    shape = f"tensor<{x.shape[0]}x{x.shape[1]}x"
    body = f"""
    func.func @f(%x: {shape}{element}>) -> {shape}f32> {{
      %y = qfuse.rms_norm %x {{epsilon = {epsilon} : f32}} : {shape}{element}> -> {shape}f32>
      return %y : {shape}f32>
    }}"""
    return run(body, [x], 1)[0]


def check(name, holds):
    counts[bool(holds)] += 1
    if not holds:
        print("failed:", name)


def equal(name, got, expected):
    same = got.shape == expected.shape and got.dtype == expected.dtype
    if same and got.dtype == np.float32:
        same = np.array_equal(got, expected, equal_nan=True)
    elif same:
        same = np.array_equal(got, expected)
    check(name, same)
    if not same and got.shape == expected.shape:
        where = np.argwhere(got != expected)[:3]
        print("  at", where.tolist(), [(got[tuple(w)], expected[tuple(w)]) for w in where])


def to_file(element, values):
    """Returns numbers as the array that a file of `element` holds."""
    if element == "f32":
        return F32(values)
    bits = encode(element, values)
    return bits.view(np.float16) if element == "f16" else bits


def round_to(element, values):
    """Returns numbers of f32 rounded to `element`, as f32."""
    return F32(values) if element == "f32" else F32(decode(element, encode(element, values)))


def same_numbers(name, element, got, expected):
    """Compares an array of a file with numbers: bits, but for NaN."""
    if got.dtype == np.float16:
        got = got.view(np.uint16)
    expected = to_file(element, expected)
    expected = expected.view(np.uint16) if element == "f16" else expected
    equal(name, got, expected)


def inside(name, got, low, high):
    check(name, got.shape == low.shape and np.all((low <= got) & (got <= high)))


def make_rows(seed, columns):
    """Rows of bf16 numbers (as f32): random, zero, NaN, infinity, ties,
    subnormal, outliers, and largest magnitudes at every mantissa of bf16."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(160, columns)) * 2.0 ** random.integers(-8, 8, (160, 1))
    x[0] = 0
    x[1] = -0.0
    x[2, columns // 2] = np.nan
    x[3, 0] = np.inf
    x[4, -1] = -np.inf
    x[5] = np.resize([6, .25, .75, 1.25, 1.75, 2.5, 3.5, 5, -.25, -2.5, -5], columns)
    x[6] = random.normal(size=columns) * 2.0**-130
    x[7, ::7] *= 4096
    x[8] = 3.0e38 * np.sign(x[8])
    x[9] = 2.0**-133
    for mantissa in range(128):
        x[10 + mantissa, 0] = 64 * (1 + mantissa / 128)
    return F32(decode("bf16", encode("bf16", x)))
