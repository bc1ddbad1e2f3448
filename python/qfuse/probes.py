# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs that tell rules apart."""

from __future__ import annotations

import functools

import numpy as np

from qfuse.formats import FLOATS, decode, round_to_bf16
from qfuse.quantization import block_amax, codes_by, scales_of_amax
from qfuse.table import Preset

ROWS, COLUMNS = 64, 256
CLEAR = 0.25


def random_rows(rows: int, columns: int, seed: int = 0) -> np.ndarray:
    """Returns f32 numbers, normal within a row; the magnitudes of rows are
    log-uniform between 2^-8 and 2^8, so that each mantissa is met as often as in a
    tensor with many magnitudes."""
    # Its streams are frozen; those of default_rng may change.
    random = np.random.RandomState(seed)
    scale = np.exp2(random.uniform(-8, 8, (rows, 1)))
    return (random.standard_normal((rows, columns)) * scale).astype(np.float32)


def _ties(preset: Preset) -> np.ndarray:
    """Returns rows with all codes and all ties between two, the largest first."""
    table = (np.arange(128.0) if preset.codes == "i8" else FLOATS[preset.codes].magnitudes)
    values = np.concatenate([table, (table[1:] + table[:-1]) / 2])
    x = np.resize(values, (len(values), COLUMNS)) * np.exp2(np.arange(len(values)) % 9)[:, None]
    for row, _ in enumerate(values):
        x[row] = np.roll(x[row], row)
    x[:, ::16] = table[-1] * np.exp2(np.arange(len(values)) % 9)[:, None]
    return x.astype(np.float32)


@functools.cache
def _probes() -> tuple[tuple[str, np.ndarray], ...]:
    x = random_rows(ROWS, COLUMNS)
    wide = x / np.abs(x).max(-1, keepdims=True)
    found = [("a block of zeros", np.zeros((1, COLUMNS)))]
    for power in (-4, -6, -9, -12):
        found.append((f"a block whose largest magnitude is 1e{power}", wide * 10.0**power))
    return (
        ("random values of bf16", round_to_bf16(x)),
        ("random values that bf16 does not hold", x),
        *((name, values.astype(np.float32)) for name, values in found),
        ("a block of magnitude 3e38", (wide * 3e38).astype(np.float32)),
    )


def _made(preset: Preset, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    x = round_to_bf16(x) if preset.input == "bf16" else x
    scales = (np.full((1, 1), 0.01, np.float32) if preset.scale_rule is None else
              scales_of_amax(block_amax(x, preset), preset))
    codes = codes_by(x, decode(preset.scales, scales), preset)
    return codes.view(np.uint8), np.ascontiguousarray(scales).view(np.uint8)


def _share(one: Preset, other: Preset, x: np.ndarray) -> float:
    """Returns the share of rows of which two rules make other codes or scales."""
    differs = np.zeros(len(x), bool)
    for a, b in zip(_made(one, x), _made(other, x)):
        if a.shape != b.shape:
            return 1.0
        differs |= (a != b).any(-1)
    return float(differs.mean())


def telling_input(one: Preset, other: Preset) -> str | None:
    """Returns in words an input on which two rules give other bytes, the first that
    does so in a share CLEAR of its rows, else the one that does so in most; None if
    none of those that are tried does."""
    most, found = 0.0, None
    for name, x in (*_probes(), ("values halfway between two codes", _ties(one))):
        share = _share(one, other, x)
        if share > most:
            most, found = share, name
        if share >= CLEAR:
            return name
    if found is not None:
        return found
    if {one.encode_rule.apply, other.encode_rule.apply} == {"reciprocal", "reciprocal_approx"}:
        return "a device whose reciprocal is not exact"
    return None
