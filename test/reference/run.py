# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares qfuse-run with the reference on made-up cases. Bitwise
where a result is free of order, else within the interval."""

import sys

import numpy as np

from collectives import check_collectives
from formats import decode, encode, pack_nibbles, unpack_nibbles
from layouts import check_layouts
from linalg import check_linalg
from model_ops import check_model_ops
from mutations import check_mutations
from presets import check_presets
from quantized import check_quantized
from reference import (F32, MX_SHUFFLE, block_scale, dequantize, mx_shuffle, quantize,
                       rms_norm_interval, scaled_matmul)
from runner import counts, equal, inside, make_rows, run, same_numbers

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
    scale_type, layout = f"tensor<?x{count}x{scales}>", MX_SHUFFLE % "one"
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


def check_dequantize(codes, scales, outer):
    """Each code by scales of each code, or by extreme ones of f32."""
    count = 16 if codes == "f4E2M1FN" else 256
    if scales == "f32":
        factors = F32([[0, 1, -3, 1e-38, 2.0**-149, 3e38, np.inf, np.nan]]).T
        files, values = factors, factors
    else:
        files = np.arange(256, dtype=np.uint8).reshape(-1, 1)
        values = F32(decode(scales, files))
    rows = len(files)
    q = np.tile(np.arange(count, dtype=np.uint8), (rows, 1))
    q = q.view(np.int8) if codes == "i8" else q
    types = f"tensor<{rows}x{count}x{codes}>, tensor<{rows}x1x{scales}>"
    outer_type, use = (", outer_scale = f32", " outer(%o : tensor<1x1xf32>)") if outer else ("", "")
    body = f"""
    #format = #qfuse.format<block = [1, {count}], scale_type = {scales}{outer_type}>
    func.func @f(%q: tensor<{rows}x{count}x{codes}>, %s: tensor<{rows}x1x{scales}>, %o: tensor<1x1xf32>) -> tensor<{rows}x{count}xf32> {{
      %x = qfuse.dequantize %q by %s{use} {{format = #format}} : {types} -> tensor<{rows}x{count}xf32>
      return %x : tensor<{rows}x{count}xf32>
    }}"""
    factor = F32(0.3)
    got, = run(body, [pack_nibbles(q) if count == 16 else q, files, F32([[factor]])], 1)
    equal(f"dequantize {codes} {scales} outer={outer}", got,
          dequantize(codes, q, values, count, factor if outer else F32(1)))


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
    spread = [np.repeat(scales, width, -1)[:, :k] for scales, width in ((a_scales, a_width), (b_scales, b_width))]
    same_numbers(f"scaled_matmul {codes} {scales} {a_width} {b_width} {shape} {order}", "bf16", got,
                 scaled_matmul(decode(codes, a), decode(codes, b), *spread, (a_width, b_width), order))


def main():
    np.seterr(all="ignore")
    check_presets()
    check_layouts()
    check_model_ops()
    check_quantized()
    check_linalg()
    check_collectives()
    check_mutations()
    for codes, scales, scale_rule, code_rule in SCALE_RULES:
        for width, columns in ((32, 96), (32, 72), (1, 6)):
            check_quantize(codes, scales, scale_rule, code_rule, width, columns)
    for codes in ("f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ", "f4E2M1FN", "i8"):
        for scales in ("f32", "f8E8M0FNU", "f8E4M3FN"):
            check_dequantize(codes, scales, outer=scales == "f8E4M3FN")
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
