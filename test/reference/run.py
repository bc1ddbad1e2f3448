# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares build/bin/qfuse-run with the reference on made-up cases. Bitwise
where a result is free of order, else within the interval."""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from formats import decode, encode, pack_nibbles, unpack_nibbles
from reference import (F32, block_scale, matmul_interval, mx_shuffle, quantize,
                       rms_norm_interval)

RUN = pathlib.Path(__file__).parents[2] / "build/bin/qfuse-run"
SHUFFLE = ("#qfuse.layout<map = (m, k) -> (m floordiv 32, k floordiv 8, k mod 4, m mod 16, "
           "(k floordiv 4) mod 2, (m floordiv 16) mod 2), align = [256, 8], pad = %s>")
counts = {True: 0, False: 0}


def run(body, arguments, results):
    """Executes the function `body` on arrays; returns arrays."""
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        (directory / "f.mlir").write_text(body)
        command = [RUN, directory / "f.mlir", "--device=interpreter",
                   f"--output-dir={directory}"]
        for index, argument in enumerate(arguments):
            np.save(directory / f"in{index}.npy", argument)
            command.append(f"--input={directory}/in{index}.npy")
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            print(body, done.stderr)
            return [np.array([])] * results
        return [np.load(directory / f"out{i}.npy") for i in range(results)]


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


def attribute(name, parameters):
    def number(value):
        # MLIR wants a point in each float, Python drops it in 1e-10.
        text = repr(float(value))
        return text if "." in text else text.replace("e", ".0e")

    floats = ("max", "min", "amax_floor", "scale_floor")
    text = ", ".join(f"{k} = {number(v) if k in floats else v}" for k, v in parameters.items())
    return f"#qfuse.{name}<{text}>" if text else f"#qfuse.{name}"


SCALE_RULES = [
    # Columns: type of codes, type of scales, rule of scales, rule of codes.
    ("f8E4M3FN", "f32", {"max": 448}, {}),
    ("f8E4M3FN", "f32", {"max": 448, "divide": "by_reciprocal_constant", "amax_floor": 1e-10},
     {"apply": "reciprocal", "max": 448, "min": -448}),
    ("f8E4M3FNUZ", "f32", {"max": 240, "zero": "one"}, {}),
    ("f8E4M3FNUZ", "f32", {"max": 224, "nan": "ignore"}, {"overflow": "ieee"}),
    ("f8E5M2", "f32", {"max": 57344, "scale_floor": 1e-3}, {"round": "rtz"}),
    ("f8E5M2FNUZ", "f32", {"max": 57344}, {"overflow": "ieee"}),
    ("f8E4M3FN", "f32", {"max": 448, "amax_floor": 1e-10}, {"apply": "max_over_amax", "max": 448}),
    ("i8", "f32", {"max": 127, "zero": "one"}, {"apply": "reciprocal", "round": "rtz"}),
    ("i8", "f32", {"max": 127, "zero": "one"}, {"round": "rna", "min": -127}),
    ("f4E2M1FN", "f8E8M0FNU", {"max": 6, "divide": "by_reciprocal_constant", "pow2": "roundup",
                               "amax_floor": 1e-10}, {}),
    ("f4E2M1FN", "f8E8M0FNU", {"max": 6, "pow2": "even"}, {}),
    ("f4E2M1FN", "f8E8M0FNU", {"max": 6, "pow2": "floor"}, {"round": "rna"}),
    ("f4E2M1FN", "f8E8M0FNU", {"max": 6, "pow2": "ceil"}, {"round": "rtz"}),
    ("f8E4M3FN", "f8E8M0FNU", {"max": 448, "pow2": "even", "even_bits": 3}, {}),
    ("f8E4M3FN", "f8E8M0FNU", {"max": 448, "pow2": "roundup"}, {}),
]


def check_quantize(codes, scales, scale_rule, code_rule, width, columns):
    """One rule: scales, codes by these scales, and packed scales."""
    x = make_rows(columns, columns)
    count = -(-columns // width)
    scale_type, layout = f"tensor<?x{count}x{scales}>", SHUFFLE % "one"
    packed = f"!qfuse.packed<?x{count}x{scales}, {layout}>"
    body = f"""
    #format = #qfuse.format<block = [1, {width}], scale_type = {scales}>
    func.func @f(%x: tensor<?x{columns}xbf16>) -> ({scale_type}, tensor<?x{columns}x{codes}>, {packed}) {{
      %s = qfuse.block_scale %x {{format = #format, rule = {attribute("scale_rule", scale_rule)}}} : tensor<?x{columns}xbf16> -> {scale_type}
      %p = qfuse.pack %s : {scale_type} -> {packed}
      %c = qfuse.quantize %x by %p {{format = #format, rule = {attribute("encode_rule", code_rule)}}} : tensor<?x{columns}xbf16>, {packed} -> tensor<?x{columns}x{codes}>
      return %s, %c, %p : {scale_type}, tensor<?x{columns}x{codes}>, {packed}
    }}"""
    name = f"{codes} {scales} {scale_rule} {code_rule} block={width} K={columns}"
    got = run(body, [encode("bf16", x)], 3)
    expected = block_scale(x, width, scale_rule, scales)
    equal(name + " scales", got[0], expected)
    values = expected if scales == "f32" else F32(decode(scales, expected))
    expected_codes = quantize(x, values, width, code_rule, codes)
    if codes == "f4E2M1FN" and got[1].size:
        got[1] = unpack_nibbles(got[1])
    equal(name + " codes", got[1], expected_codes)
    one = F32(1) if scales == "f32" else encode(scales, 1.0)
    equal(name + " packed", got[2], mx_shuffle(expected, one))


def check_norm(columns, normalized, result, offset):
    x = make_rows(columns, columns)
    x = x[np.all(np.isfinite(x), -1) & (np.max(np.abs(x), -1) < 1e18)]
    weight = F32(decode("bf16", encode("bf16", np.random.default_rng(1).normal(size=columns))))
    body = f"""
    func.func @f(%x: tensor<?x{columns}xbf16>, %w: tensor<{columns}xbf16>) -> tensor<?x{columns}x{result}> {{
      %y = qfuse.rms_norm %x weight(%w : tensor<{columns}xbf16>) {{epsilon = 1.0e-6 : f32, normalized = {normalized}, weight_offset = {offset} : f32}} : tensor<?x{columns}xbf16> -> tensor<?x{columns}x{result}>
      return %y : tensor<?x{columns}x{result}>
    }}"""
    got, = run(body, [encode("bf16", x), encode("bf16", weight)], 1)
    got = got.view(np.uint16)  # numpy has f16, but no bf16
    low, high = rms_norm_interval(x.astype(np.float64), weight, float(F32(1e-6)), offset,
                                  normalized, result)
    inside(f"rms_norm K={columns} {normalized} {result} {offset}",
           decode(result, got) if got.size else got, low, high)


def check_matmul(codes, scales, a_width, b_width, shape, order):
    m, n, k = shape
    random = np.random.default_rng(k)

    def operand(rows, width):
        values = encode(codes, random.normal(size=(rows, k)) * 2, overflow="saturate")
        count = -(-k // width)
        factors = 2.0 ** random.integers(-3, 4, (rows, count))
        if scales == "f32":
            factors = F32(factors * random.uniform(1, 2, factors.shape))
            return values, factors, factors.astype(np.float64)
        return values, encode(scales, factors), factors

    a, a_file, a_scales = operand(m, a_width)
    b, b_file, b_scales = operand(n, b_width)
    a_type, b_type = f"tensor<?x{k}x{codes}>", f"tensor<{n}x{k}x{codes}>"
    as_type, bs_type = f"tensor<?x{a_scales.shape[1]}x{scales}>", f"tensor<{n}x{b_scales.shape[1]}x{scales}>"
    body = f"""
    #a = #qfuse.format<block = [1, {a_width}], scale_type = {scales}>
    #b = #qfuse.format<block = [1, {b_width}], scale_type = {scales}>
    func.func @f(%a: {a_type}, %as: {as_type}, %b: {b_type}, %bs: {bs_type}) -> tensor<?x{n}xbf16> {{
      %y = qfuse.scaled_matmul %a by %as, %b by %bs {{a_format = #a, b_format = #b, scale_order = #qfuse.scale_order<{order}>}} : {a_type}, {as_type}, {b_type}, {bs_type} -> tensor<?x{n}xbf16>
      return %y : tensor<?x{n}xbf16>
    }}"""
    files = [pack_nibbles(v) if codes == "f4E2M1FN" else v for v in (a, b)]
    got, = run(body, [files[0], a_file, files[1], b_file], 1)
    low, high = matmul_interval(decode(codes, a), a_scales, a_width, decode(codes, b), b_scales,
                                b_width, "bf16")
    inside(f"scaled_matmul {codes} {scales} {a_width} {b_width} {shape} {order}",
           decode("bf16", got) if got.size else got, low, high)


def main():
    np.seterr(all="ignore")
    for codes, scales, scale_rule, code_rule in SCALE_RULES:
        for width, columns in ((32, 96), (32, 72), (1, 6)):
            check_quantize(codes, scales, scale_rule, code_rule, width, columns)
    for columns in (1, 40, 1536):
        for normalized, result, offset in (("f32", "bf16", 0.0), ("bf16", "bf16", 0.0),
                                           ("f32", "f16", 1.0)):
            check_norm(columns, normalized, result, offset)
    for codes in ("f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "i8"):
        for order in ("a_then_b", "b_then_a", "product"):
            check_matmul(codes, "f32", 130, 130, (5, 19, 130), order)
    for codes, scales in (("f4E2M1FN", "f8E8M0FNU"), ("f8E4M3FN", "f8E8M0FNU"),
                          ("f8E4M3FN", "f32")):
        for widths in ((32, 32), (32, 128), (1, 1)):
            check_matmul(codes, scales, *widths, (3, 20, 170), "per_block")
            check_matmul(codes, scales, *widths, (33, 1, 64), "per_block_product")
    print(f"{counts[True]} passed, {counts[False]} failed")
    return 1 if counts[False] else 0


sys.exit(main())
