# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reference of test/reference, which shares no code with the package, on
presets as the package describes them."""

from __future__ import annotations

import dataclasses
import pathlib
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "test/reference"))

import formats  # noqa: E402
import layouts  # noqa: E402
import presets  # noqa: E402
import reference  # noqa: E402

# The reference divides by zero where the rules do.
np.seterr(all="ignore")
F32 = np.float32
GIVEN = F32([[7.0]])


def cases(preset):
    """Yields names and rows of f32 values of the input type of a preset."""
    for name, x in presets.get_cases(preset):
        if x.shape[1] % 2 and preset.codes == "f4E2M1FN":
            x = np.hstack([x, x[:, :1]])
        yield name, np.ascontiguousarray(x)


def quantize(preset, x):
    """Returns the codes and scales that the reference computes, as in files."""
    whole = x if preset.block[0] else x.reshape(1, -1)
    width = preset.block[1] or whole.shape[1]
    scales = GIVEN
    if preset.scale_rule is not None:
        rule = dataclasses.asdict(preset.scale_rule)
        scales = reference.block_scale(whole, width, rule, preset.scale_rounding)
        if preset.scale_rounding == "bf16":
            scales = F32(formats.decode("bf16", scales))
    values = scales if preset.scales == "f32" else F32(formats.decode(preset.scales, scales))
    rule = {k: v for k, v in dataclasses.asdict(preset.encode_rule).items() if v is not None}
    codes = reference.quantize(whole, values, width, rule, preset.codes).reshape(x.shape)
    if preset.codes == "f4E2M1FN":
        codes = formats.pack_nibbles(codes)
    return codes, scales


def same(got, expected):
    """Whether two arrays are equal, with their types; all NaN are one."""
    return (got.dtype == expected.dtype and got.shape == expected.shape and
            np.array_equal(got, expected, equal_nan=got.dtype.kind == "f"))
