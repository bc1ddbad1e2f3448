#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks and times kernels for sm_90 on an NVIDIA H200, through the CUDA driver.

Usage: h200.py FOLDER [--check] [--time] [--plain] [--torch]. FOLDER is what h200_prepare.py wrote. Without
--check and --time, both; --plain times h200_peer.cu beside, which needs nvcc, and --torch torch.compile.
"""

import argparse
import ctypes
import json
import pathlib
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "reference"))
from artifact import Artifact  # noqa: E402
from cuda_driver import CLOCK_KHZ, L2_BYTES, MULTIPROCESSORS, Cuda  # noqa: E402
from formats import decode, unpack_nibbles  # noqa: E402
from h200_time import time_all  # noqa: E402
from reference import F32, block_scale, quantize  # noqa: E402

GAP = 24  # elements between the rows of a strided input


class Results:
    def __init__(self):
        self.passed = self.failed = 0

    def add(self, name, holds):
        self.passed, self.failed = self.passed + bool(holds), self.failed + (not holds)
        if not holds:
            print("failed:", name)


class Call:
    """Executes functions of an artifact on arrays."""

    def __init__(self, cuda, folder):
        self.cuda, self.artifact = cuda, Artifact(folder, cuda)

    def __call__(self, function, arrays, gaps=None):
        """Returns the bytes of the outputs. `gaps`: elements between the rows of
        each input."""
        cuda, pointers = self.cuda, []
        shapes = [array.shape for array in arrays]
        gaps = gaps or [0] * len(arrays)
        strides = [(shape[-1] + gap, 1) if len(shape) == 2 else (1,) for shape, gap in zip(shapes, gaps)]
        for array, gap in zip(arrays, gaps):
            padded = np.pad(array, [(0, 0), (0, gap)]) if gap else array
            pointers.append(cuda.allocate(padded.nbytes))
            cuda.upload(pointers[-1], padded)
        symbols = self.artifact.bind(function, shapes, strides)
        sizes, workspace_size = self.artifact.get_sizes(function, symbols)
        outputs, own = [], []
        for value, size in zip(self.artifact.get_outputs(function), sizes):
            if "donated" in value:
                outputs.append(pointers[value["donated"]])
                continue
            outputs.append(cuda.allocate(size))
            own.append(outputs[-1])
            cuda.fill(outputs[-1], 0xFF, size)
        workspace = cuda.allocate(workspace_size)
        self.artifact.prepare(function, symbols, pointers, outputs, workspace)()
        cuda.synchronize()
        results = [cuda.download(pointer, size) for pointer, size in zip(outputs, sizes)]
        for pointer in (*pointers, *own, workspace):
            cuda.free(pointer)
        return results


def rows_of(data, element, columns, stride=None):
    """Returns rows of bytes as an array of the element's bits."""
    dtype = {"f32": np.float32, "bf16": np.uint16}.get(element, np.uint8)
    array = data.view(dtype).reshape(-1, stride or columns)
    return array[:, :columns]


def scale_rows(data, rows, case):
    """Returns the scales in row-major order, without what is padding."""
    blocks = -(-case["k"] // case["block"]) if case["block"] else 1
    scales = data.view(np.float32)
    if case["layout"] == "col":
        return scales.reshape(blocks, rows).T
    if case["layout"] == "aligned":
        return scales.reshape(rows, -1)[:, :blocks]
    return scales.reshape(rows, blocks)


def numbers(element, array):
    return array if element == "f32" else F32(decode(element, array))


def same(element, got, expected):
    """Bits, where a NaN equals any other."""
    if element == "f32":
        return np.all((got.view(np.uint32) == expected.view(np.uint32)) | (np.isnan(got) & np.isnan(expected)))
    is_nan = np.isnan(decode(element, got)) & np.isnan(decode(element, expected))
    return np.all((got == expected) | is_nan)


def check_norm(results, name, norm, inputs):
    """B: each value lies in its interval; what is not finite is NaN or has no interval."""
    low, high, value = (decode("bf16", bits) for bits in (inputs["low"], inputs["high"], norm))
    isfinite = np.isfinite(numbers("bf16" if inputs["sum"].dtype == np.uint16 else "f32", inputs["sum"])).all(-1)
    with np.errstate(invalid="ignore"):
        inside = (low <= value) & (value <= high)
    results.add(f"{name}: B", inside[isfinite].all() and isfinite.sum() > 10)


def check_chain(cuda, folder, case, results):
    inputs = dict(np.load(folder / case["inputs"]))
    name, k, element = case["name"], case["k"], case["element"]
    x, residual, weight = (inputs[key] for key in ("x", "residual", "weight"))
    rows = len(x)
    gap = GAP if case["strided"] else 0
    gaps = [0, gap, 0]
    plain, probed, steps = (Call(cuda, folder / name / part) for part in ("plain", "probed", "steps"))

    codes, scales, total, norm = probed("chain", [x, residual, weight], gaps)
    total_rows = rows_of(total, element, k, k + gap)
    norm_rows, code_rows = rows_of(norm, "bf16", k), rows_of(codes, "f8E4M3FN", k)
    check_norm(results, name, norm_rows, inputs)
    with np.errstate(all="ignore"):
        values = numbers("bf16", norm_rows)
        width = case["block"] or k
        expected_scales = block_scale(values, width, {"max": 448.0, "amax_floor": 1e-10}, "f32")
        expected_codes = quantize(values, expected_scales, width, {}, "f8E4M3FN")
    got_scales = scale_rows(scales, rows, case)
    results.add(f"{name}: A of the sum", same(element, total_rows, inputs["sum"]))
    results.add(f"{name}: A of the scales", same("f32", got_scales, expected_scales))
    results.add(f"{name}: A of the codes", same("f8E4M3FN", code_rows, expected_codes))

    first = plain("chain", [x, residual, weight], gaps)
    again = plain("chain", [x, residual, weight], gaps)
    results.add(f"{name}: C, the probe changes nothing",
                all(np.array_equal(*pair) for pair in zip(first, (codes, scales, total))))
    results.add(f"{name}: C, twice the same", all(np.array_equal(*pair) for pair in zip(first, again)))
    sum_, = steps("add", [x, residual])
    norm_, = steps("norm", [rows_of(sum_, element, k), weight])
    scales_, = steps("scale", [rows_of(norm_, "bf16", k)])
    codes_, = steps("quantize", [rows_of(norm_, "bf16", k), scales_.view(np.float32).reshape(rows, -1)
                                 if case["layout"] == "plain" else scales_.view(np.float32)])
    # The sign of a NaN is not part of the promise.
    results.add(f"{name}: C, fused is unfused",
                same(element, rows_of(sum_, element, k), total_rows) and np.array_equal(norm_, norm)
                and same("f32", scale_rows(scales_, rows, case), got_scales)
                and same("f8E4M3FN", rows_of(codes_, "f8E4M3FN", k), code_rows))
    for count in (0, 1, 3):
        fewer = plain("chain", [x[10:10 + count], residual[10:10 + count], weight], gaps)
        results.add(f"{name}: C, {count} rows", np.array_equal(rows_of(fewer[0], "f8E4M3FN", k),
                                                               code_rows[10:10 + count]))


def check_powers(cuda, folder, case, results):
    inputs = dict(np.load(folder / case["inputs"]))
    name, k = case["name"], case["k"]
    element, largest = ("f4E2M1FN", 6.0) if case["format"] == "mxfp4" else ("f8E4M3FN", 448.0)
    codes, scales, total = Call(cuda, folder / name / "plain")(
        "chain", [inputs["x"], inputs["residual"], inputs["weight"]])
    with np.errstate(all="ignore"):
        values = inputs["sum"] * inputs["sum"]
        rule = {"max": largest, "pow2": case["pow2"], "amax_floor": 1e-10, "zero": "one"}
        expected = block_scale(values, 32, rule, "f8E8M0FNU")
        expected_codes = quantize(values, F32(decode("f8E8M0FNU", expected)), 32, {}, element)
    got = codes.reshape(len(values), -1)
    got = unpack_nibbles(got) if element == "f4E2M1FN" else got
    # A block with NaN has no finite code in a type that has no NaN.
    known = np.repeat(expected != 255, 32, -1)[:, :k] if element == "f4E2M1FN" else np.full(got.shape, True)
    results.add(f"{name}: A of the sum", same("f32", rows_of(total, "f32", k), inputs["sum"]))
    results.add(f"{name}: A of the scales", np.array_equal(scales.reshape(expected.shape), expected))
    results.add(f"{name}: A of the codes", same(element, got[known], expected_codes[known]))


APPROXIMATIONS = b"""
.version 8.4
.target sm_90
.address_size 64
.visible .entry approximate(.param .u64 .ptr .align 16 to, .param .u32 first) {
  .reg .b32 %r<8>;
  .reg .b64 %p<4>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %tid.x;
  mad.lo.s32 %r2, %r0, 256, %r1;
  ld.param.u32 %r3, [first];
  add.u32 %r3, %r3, %r2;
  rcp.approx.ftz.f32 %r4, %r3;
  rsqrt.approx.f32 %r5, %r3;
  ld.param.u64 %p0, [to];
  mul.wide.u32 %p1, %r2, 8;
  add.u64 %p2, %p0, %p1;
  st.global.v2.b32 [%p2], {%r4, %r5};
  ret;
}
\0"""


def check_approximations(cuda, results):
    """Each mantissa, of an even and of an odd exponent: what the hooks promise of
    the two instructions."""
    function, *_ = cuda.load(APPROXIMATIONS, "approximate")
    count, bits = 1 << 24, 0x3F800000
    pointer = cuda.allocate(8 * count)
    cuda.launch(function, (count // 256, 1, 1), (256, 1, 1), [ctypes.c_uint64(pointer), ctypes.c_int32(bits)])
    cuda.synchronize()
    got = cuda.download(pointer, 8 * count).view(np.float32).reshape(-1, 2)
    cuda.free(pointer)
    x = np.arange(bits, bits + count, dtype=np.uint32).view(np.float32).astype(np.float64)
    for column, exact, limit, name in ((0, 1 / x, 1.0, "reciprocal"), (1, 1 / np.sqrt(x), 2.0, "rsqrt")):
        error = np.max(np.abs(got[:, column] - exact) / np.spacing(F32(exact)))
        print(f"{name}: {error:.3f} ulp at most over {count} numbers")
        results.add(f"{name}: at most {limit} ulp", error <= limit)


def check_all(cuda, folder):
    results = Results()
    check_approximations(cuda, results)
    for case in json.loads((folder / "cases.json").read_text()):
        {"chain": check_chain, "powers": check_powers}[case["kind"]](cuda, folder, case, results)
    print(f"{results.passed} passed, {results.failed} failed")
    return results.failed == 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    for option in ("check", "time", "plain", "torch"):
        parser.add_argument(f"--{option}", action="store_true")
    options = parser.parse_args()
    everything = not (options.check or options.time)
    cuda = Cuda()
    print(f"{cuda.get_name()}, CUDA driver {cuda.get_driver_version()}, {cuda.get_attribute(MULTIPROCESSORS)} "
          f"multiprocessors of {cuda.get_attribute(CLOCK_KHZ) // 1000} MHz, L2 of "
          f"{cuda.get_attribute(L2_BYTES) >> 20} MiB")
    holds = check_all(cuda, options.folder) if options.check or everything else True
    if options.time or everything:
        time_all(cuda, options.folder, options.plain, options.torch)
    sys.exit(not holds)


if __name__ == "__main__":
    main()
