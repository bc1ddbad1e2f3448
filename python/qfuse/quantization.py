# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scales and codes by the rules of the table, in numpy.

Each step is one operation of f32 that is rounded to nearest even. Rows are taken
in chunks that stay in a cache. Arrays here are the plain ones: values f32 of two
dimensions, codes one a byte; qfuse.arrays turns them into what users have.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from qfuse.formats import decode, encode, round_to_bf16
from qfuse.table import EncodeRule, Preset, ScaleRule

CHUNK = 1 << 16  # elements; a few arrays of this many f32 fit into a cache


def row_chunks(shape: tuple[int, int]) -> Iterator[slice]:
    """Yields slices of rows that have about CHUNK elements each."""
    step = max(1, CHUNK // max(1, shape[1]))
    for begin in range(0, shape[0], step):
        yield slice(begin, min(begin + step, shape[0]))


def split_blocks(x: np.ndarray, width: int) -> np.ndarray:
    """Returns `x : M x K` as M x ceil(K / width) x width, filled with zeros."""
    missing = -x.shape[1] % width
    if missing:
        x = np.pad(x, ((0, 0), (0, missing)))
    return x.reshape(x.shape[0], -1, width)


def _block_width(preset: Preset, columns: int) -> int:
    return preset.block[1] or max(columns, 1)


def block_amax(x: np.ndarray, preset: Preset) -> np.ndarray:
    """Returns the largest magnitude of each block of `x : M x K`, in f32.

    A NaN is the largest one unless the rule ignores them.
    """
    width = _block_width(preset, x.shape[1])
    amax = np.zeros(preset.scale_shape(x.shape) if preset.block[0] else
                    (x.shape[0], 1), np.uint32)
    for rows in row_chunks(x.shape):
        if x.shape[1] == 0:
            break
        # The order of magnitudes is that of their bits, and NaN comes last.
        bits = np.ascontiguousarray(x[rows]).view(np.uint32) & np.uint32(0x7FFFFFFF)
        if preset.scale_rule is not None and preset.scale_rule.nan == "ignore":
            bits[bits > 0x7F800000] = 0
        amax[rows] = _largest(split_blocks(bits, width))
    if preset.block[0] == 0:
        amax = np.max(amax, initial=0).reshape(1, 1).astype(np.uint32)
    return amax.view(np.float32)


def _largest(blocks: np.ndarray) -> np.ndarray:
    """Returns the largest number along the last dimension."""
    # Halving is far faster than a reduction along a short dimension.
    while blocks.shape[-1] % 2 == 0 and 2 < blocks.shape[-1] <= 128:
        half = blocks.shape[-1] // 2
        blocks = np.maximum(blocks[..., :half], blocks[..., half:])
    return blocks.max(-1)


def _floor_pow2(values: np.ndarray) -> np.ndarray:
    """Returns the largest power of two at most each value, in f64. Zeros,
    infinities and NaN stay."""
    exponents = np.frexp(values)[1] - 1
    is_number = np.isfinite(values) & (values > 0)
    return np.where(is_number, np.ldexp(1.0, np.where(is_number, exponents, 0)), values)


def _ceil_pow2(values: np.ndarray) -> np.ndarray:
    floor = _floor_pow2(values)
    return np.where(floor < values, 2 * floor, floor)


def _pow2_of_amax(amax: np.ndarray, rule: ScaleRule) -> np.ndarray:
    amax, largest = amax.astype(np.float64), _floor_pow2(np.float64(np.float32(rule.max)))
    if rule.pow2 == "ceil":
        return _ceil_pow2(amax) / largest
    floor = _floor_pow2(amax)
    if rule.pow2 == "even":
        carries = floor * (2 - 2.0 ** -(rule.even_bits + 1))
        floor = np.where(np.isfinite(amax) & (amax > 0) & (amax >= carries), 2 * floor, floor)
    return floor / largest


def scales_of_amax(amax: np.ndarray, preset: Preset, outer: np.float32 | None = None) -> np.ndarray:
    """Returns the scales (codes, or f32) of blocks with the magnitudes `amax`.

    Args:
      amax: f32, of any shape.
      preset: a rule that computes its scales.
      outer: the outer scale, which divides the scale.
    """
    rule = preset.scale_rule
    with np.errstate(all="ignore"):
        floored = np.maximum(amax, np.float32(rule.amax_floor))
        if rule.pow2 in ("floor", "even", "ceil"):
            scale = _pow2_of_amax(floored, rule)
        else:
            largest = np.float32(rule.max)
            scale = (floored / largest if rule.divide == "exact" else
                     floored * (np.float32(1) / largest))
            if outer is not None:
                scale = scale / outer
            scale = np.maximum(scale, np.float32(rule.scale_floor))
            if rule.pow2 == "roundup":
                scale = _ceil_pow2(scale.astype(np.float64))
        if rule.zero == "one":
            scale = np.where(amax == 0, 1.0, scale)
        elif rule.zero not in ("keep", "nan"):
            raise NotImplementedError(f"zero = {rule.zero}")
        scale = scale.astype(np.float32)
        if preset.scale_rounding == "bf16":
            scale = round_to_bf16(scale)
        return encode(preset.scales, scale)


def factors_of(scales: np.ndarray, rule: EncodeRule, amax: np.ndarray | None = None,
               ulps: int = 0) -> np.ndarray:
    """Returns what values are divided by (`divide`) or else multiplied by.

    Args:
      scales: f32.
      rule: how codes are made.
      amax: f32, of the same blocks, for `max_over_amax`.
      ulps: moves an approximate reciprocal by so many units in the last place.
    """
    if rule.apply == "divide":
        return scales
    if rule.apply == "max_over_amax":
        return np.where(amax == 0, np.float32(1), np.float32(rule.max) / amax)
    factor = np.float32(1) / scales
    if rule.apply == "reciprocal_approx" and ulps:
        moved = np.nextafter(factor, np.float32(np.inf if ulps > 0 else -np.inf))
        factor = np.where(np.isfinite(factor), moved, factor)
    return factor


def encode_blocks(blocks: np.ndarray, factors: np.ndarray, preset: Preset) -> np.ndarray:
    """Returns the codes, one a byte, of `blocks : ... x width` by `factors : ...`."""
    rule = preset.encode_rule
    factors = factors[..., None]
    values = blocks / factors if rule.apply == "divide" else blocks * factors
    # A NaN stays.
    if rule.min is not None:
        np.maximum(values, np.float32(rule.min), out=values)
    if rule.max is not None:
        np.minimum(values, np.float32(rule.max), out=values)
    return encode(preset.codes, values, rule.round, rule.overflow)


def codes_by(x: np.ndarray, scales: np.ndarray, preset: Preset,
             outer: np.float32 | None = None, ulps: int = 0) -> np.ndarray:
    """Returns the codes, one a byte, of `x : M x K` by f32 `scales`.

    Args:
      x: f32.
      scales: f32, of `preset.scale_shape(x.shape)`.
      preset: the rule.
      outer: the outer scale, which multiplies the scale.
      ulps: as in `factors_of`.
    """
    width = _block_width(preset, x.shape[1])
    codes = np.empty(x.shape, np.int8 if preset.codes == "i8" else np.uint8)
    amax = block_amax(x, preset) if preset.encode_rule.apply == "max_over_amax" else None
    with np.errstate(all="ignore"):
        factors = factors_of(scales if outer is None else scales * outer,
                             preset.encode_rule, amax, ulps)
        if preset.block[0] == 0:
            factors = np.broadcast_to(factors, (x.shape[0], 1))
        for rows in row_chunks(x.shape):
            made = encode_blocks(split_blocks(x[rows], width), factors[rows], preset)
            codes[rows] = made.reshape(made.shape[0], -1)[:, :x.shape[1]]
    return codes


def values_of(codes: np.ndarray, scales: np.ndarray, preset: Preset,
              outer: np.float32 | None = None) -> np.ndarray:
    """Returns the f32 numbers of `codes : M x K`, one a byte, by f32 `scales`."""
    width = _block_width(preset, codes.shape[1])
    values = np.empty(codes.shape, np.float32)
    if preset.block[0] == 0:
        scales = np.broadcast_to(scales, (codes.shape[0], 1))
    with np.errstate(all="ignore"):
        for rows in row_chunks(codes.shape):
            made = decode(preset.codes, split_blocks(codes[rows], width)) * scales[rows][..., None]
            values[rows] = made.reshape(made.shape[0], -1)[:, :codes.shape[1]]
        return values if outer is None else values * outer
