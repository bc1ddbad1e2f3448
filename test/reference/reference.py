# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the ops mean, written from their formulas in numpy."""

import numpy as np

from formats import decode, encode

F32 = np.float32
MX_SHUFFLE = ("#qfuse.layout<map = (m, k) -> (m floordiv 32, k floordiv 8, k mod 4, m mod 16, "
              "(k floordiv 4) mod 2, (m floordiv 16) mod 2), align = [256, 8], pad = %s>")


def rms_norm_interval(x, weight, epsilon, offset, normalized, result):
    """Returns the smallest and the largest codes of a norm of f64 rows `x`, for
    any order of a sum in f32 and a reciprocal root of two ulps."""
    count = x.shape[-1]
    square = np.sum(x * x, -1, keepdims=True)
    error = (count + 1) * 2.0**-24
    ends = []
    for direction in (-1, 1):
        root = np.sqrt(square * (1 - direction * error) / count + epsilon)
        rstd = F32((1 + direction * 8 * 2.0**-24) / root)
        value = F32(x) * rstd
        if normalized != "f32":
            value = F32(decode(normalized, encode(normalized, value)))
        value = value * (F32(weight) + F32(offset))
        ends.append(value if result == "f32" else decode(result, encode(result, value)))
    return np.minimum(*ends), np.maximum(*ends)


def blocks(x, width):
    """Splits the last dimension into blocks, the last one filled with zeros."""
    missing = -x.shape[-1] % width
    x = np.pad(x, [(0, 0), (0, missing)])
    return x.reshape(x.shape[0], -1, width)


def block_scale(x, width, rule, scale_type):
    """Returns the scales (f32 values or codes) of 1 x width blocks of f32 `x`."""
    parts = np.abs(blocks(x, width))
    if rule.get("nan") == "ignore":
        parts = np.nan_to_num(parts, nan=0.0, posinf=np.inf)
    return scale_of(np.max(parts, -1), rule, scale_type)


def scale_of(raw, rule, scale_type, outer=F32(1)):
    """Returns the scales of blocks by their largest magnitudes `raw`."""
    peak = F32(rule["max"])
    amax = np.maximum(raw, F32(rule.get("amax_floor", 0.0)))
    if rule.get("divide") == "by_reciprocal_constant":
        scale = amax * (F32(1) / peak)
    else:
        scale = amax / peak
    scale = np.maximum(scale / outer, F32(rule.get("scale_floor", 0.0)))
    pow2 = rule.get("pow2", "none")
    # frexp gives m in [0.5, 1) and e with x = m * 2^e.
    if pow2 == "roundup":
        raw_scale = scale
        m, e = np.frexp(scale.astype(np.float64))
        scale = np.where(m == 0.5, np.ldexp(1.0, e - 1), np.ldexp(1.0, e))
        scale = np.where(np.isfinite(raw_scale) & (raw_scale > 0), scale, raw_scale)
    elif pow2 != "none":
        m, e = np.frexp(amax.astype(np.float64))
        if pow2 == "even":
            e = e + (m >= 1 - 2.0 ** -(rule.get("even_bits", 1) + 2))
        if pow2 == "ceil":
            e = e + (m != 0.5)
        bias = int(np.floor(np.log2(rule["max"])))
        scale = np.where(np.isfinite(amax) & (amax > 0),
                         np.ldexp(1.0, e - 1 - bias), amax)
    if rule.get("zero") == "one":
        scale = np.where(raw == 0, 1.0, scale)
    scale = scale.astype(F32)
    return scale if scale_type == "f32" else encode(scale_type, scale)


def quantize(x, scales, width, rule, code_type):
    """Returns codes of f32 `x` by the f32 values of its scales, for blocks of
    1 x width."""
    spread = np.repeat(scales, width, -1)[:, : x.shape[-1]]
    amax = np.repeat(np.max(np.abs(blocks(x, width)), -1), width, -1)
    return quantize_by(x, spread, rule, code_type, amax[:, : x.shape[-1]])


def quantize_by(x, spread, rule, code_type, amax=None):
    """Returns codes of f32 `x` by the scale, and if the rule reads it the
    largest magnitude, of the block of each element."""
    apply = rule.get("apply", "divide")
    if apply == "divide":
        value = x / spread
    elif apply in ("reciprocal", "reciprocal_approx"):  # exact is within its ulp
        value = x * (F32(1) / spread)
    else:
        factor = np.where(amax == 0, F32(1), F32(rule["max"]) / amax)
        value = x * factor
    for name, clamp in (("max", np.minimum), ("min", np.maximum)):
        if name in rule:
            value = clamp(value, F32(rule[name]))
    return encode(code_type, value, rule.get("round", "rne"),
                  rule.get("overflow", "saturate"))


def dequantize(code_type, codes, scales, width, outer):
    """Returns the f32 values of codes by the f32 values of their scales."""
    spread = np.repeat(scales, width, -1)[:, : codes.shape[-1]]
    return F32(decode(code_type, codes)) * spread * outer


def mx_shuffle(scales, pad):
    """aiter aiter/ops/shuffle.py: view, permute; rows to 256, columns to 8."""
    rows, columns = scales.shape
    padded = np.full((-(-rows // 256) * 256, -(-columns // 8) * 8), pad, scales.dtype)
    padded[:rows, :columns] = scales
    m, k = padded.shape
    return padded.reshape(m // 32, 2, 16, k // 8, 2, 4).transpose(0, 3, 5, 2, 4, 1).ravel()


def scale_product(product, a_scale, b_scale, order):
    """Returns dot products of f32 by scales of f32; each step rounds."""
    if order in ("product", "per_block_product"):
        return product * (a_scale * b_scale)
    if order == "b_then_a":
        return (product * b_scale) * a_scale
    return (product * a_scale) * b_scale


def scaled_matmul(a, b, a_scales, b_scales, widths, order, bias=0.0):
    """Returns `a * b^T + bias` as f32, for codes as f64, a scale of f32 for each
    code, and the columns that a scale of A and of B covers, 0 for all."""
    k = a.shape[-1]
    begins = sorted({begin for width in widths for begin in range(0, k, width or k)} if k else ())
    b, b_scales = np.swapaxes(b, -1, -2), np.swapaxes(b_scales, -1, -2)
    total = np.zeros((*a.shape[:-1], b.shape[-1]))
    for begin, end in zip(begins, [*begins[1:], k]):
        product = F32(a[..., begin:end] @ b[..., begin:end, :])
        total += scale_product(product, F32(a_scales[..., begin, None]), F32(b_scales[..., begin, None, :]), order)
    return F32(total + bias)
