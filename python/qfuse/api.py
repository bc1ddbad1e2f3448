# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""quantize and dequantize on what users hold."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from qfuse.arrays import Plain, like_input, to_plain, to_rows, to_values
from qfuse.formats import decode, pack_nibbles, round_to_bf16, unpack_nibbles
from qfuse.packing import byte_form, pack_plain, unpack
from qfuse.quantization import block_amax, codes_by, row_chunks, scales_of_amax, values_of
from qfuse.table import Layout, Preset, find_layout, find_preset


def round_input(x: np.ndarray, element: str, preset: Preset) -> np.ndarray:
    """Returns f32 `x : M x K`, which was of type `element`, as the preset takes it."""
    if preset.input != "bf16" or element == "bf16":
        return x
    rounded = np.empty_like(x)
    for rows in row_chunks(x.shape):
        rounded[rows] = round_to_bf16(x[rows])
    return rounded


def _scale_layout(layout: str | Layout, preset: Preset, shape: tuple[int, ...]) -> Layout:
    layout = find_layout(layout)
    if preset.scales not in layout.elements:
        raise ValueError(f"expected a layout of {preset.scales} scales, got '{layout.name}' of "
                         f"{' or '.join(layout.elements)}; use qfuse.pack for codes")
    if len(shape) != layout.rank:
        raise ValueError(f"expected values of rank {layout.rank} for layout '{layout.name}', "
                         f"got shape {list(shape)}")
    return layout


def _plain_scales(scales: Any) -> Plain:
    """Returns f32 scales that a user gives: an array, or one number."""
    is_number = isinstance(scales, numbers.Real) and not isinstance(scales, (bool, np.bool_))
    return to_plain(np.float32(scales) if is_number else scales, "scales of f32")


def _given_scales(scales: Any, preset: Preset, shape: tuple[int, ...]) -> np.ndarray:
    """Returns the f32 scales that a user gives, of the shape that `preset` wants."""
    if scales is None:
        raise ValueError(f"expected scales=, as preset '{preset.name}' does not compute them")
    plain = _plain_scales(scales)
    wanted = preset.scale_shape(shape)
    if plain.element != "f32" or plain.array.size != np.prod(wanted, dtype=np.int64):
        raise ValueError(f"expected f32 scales of shape {list(wanted)} for preset "
                         f"'{preset.name}', got {plain.array.dtype} {list(plain.array.shape)}")
    return plain.array.reshape(wanted)


def _outer_scale(outer: Any, preset: Preset) -> np.float32 | None:
    if (outer is None) != (preset.outer is None):
        raise ValueError(f"expected outer= {'with' if preset.outer else 'only with'} a format "
                         f"that has an outer scale, as that of '{preset.name}' has"
                         f"{'' if preset.outer else ' not'}")
    if outer is None:
        return None
    plain = _plain_scales(outer)
    if plain.element != "f32" or plain.array.size != 1:
        raise ValueError(f"expected an outer scale of f32 with 1 element, got "
                         f"{plain.array.dtype} {list(plain.array.shape)}")
    return np.float32(plain.array.reshape(()))


def quantize(x: Any, preset: str | Preset, layout: str | Layout | None = None, *,
             scales: Any = None, outer: Any = None) -> tuple[Any, Any]:
    """Quantizes as a library does, bit for bit.

    Args:
      x: `... x K` of f32, f16 or bf16 (numpy: uint16), numpy or torch. A preset of
        bf16 values rounds others to bf16 first; qfuse.presets() says which.
      preset: a name of `qfuse.presets()`, or such an entry.
      layout: a name of `qfuse.layouts()` for the scales; row-major without it.
      scales: the scale of a preset that does not compute it (static ones), f32,
        1 element, or a number.
      outer: the outer scale of a format that has one, f32, 1 element, or a number.

    Returns:
      codes: the shape of x; uint8, or int8; fp4 two in a byte, even k low.
      scales: `... x ceil(K / block)`, with 1 for a whole extent; f32, or E8M0 as
        uint8. One dimension with a layout; its padding is zero.
      On torch both have torch's types.

    Raises:
      ValueError: an unknown name, a type or shape that does not fit, K odd for fp4,
        or scales that are missing or not wanted.

    Source: each preset names its own.
    """
    preset, values = find_preset(preset), to_values(x)
    shape = values.array.shape
    if preset.codes == "f4E2M1FN" and shape[-1] % 2:
        raise ValueError(f"expected an even K for f4E2M1FN, got {shape[-1]}")
    if layout is not None:
        layout = _scale_layout(layout, preset, shape)
    outer = _outer_scale(outer, preset)
    rows = round_input(to_rows(values.array), values.element, preset)
    if preset.scale_rule is None:
        made = _given_scales(scales, preset, rows.shape)
    elif scales is not None:
        raise ValueError(f"expected no scales=, as preset '{preset.name}' computes them")
    else:
        made = scales_of_amax(block_amax(rows, preset), preset, outer)
    codes = codes_by(rows, decode(preset.scales, made), preset, outer)
    codes = pack_nibbles(codes) if preset.codes == "f4E2M1FN" else codes
    made = made.reshape(preset.scale_shape(shape))
    if layout is not None:
        made = pack_plain(made, byte_form(layout, made.itemsize))
    return (like_input(codes.reshape(*shape[:-1], codes.shape[-1]), preset.codes, values.like),
            like_input(made, preset.scales, values.like))


def _plain_codes(codes: Any, preset: Preset) -> Plain:
    """Returns codes one a byte."""
    plain = to_plain(codes)
    if plain.array.itemsize != 1 or plain.array.ndim == 0:
        raise ValueError(f"expected codes of {preset.codes} in bytes, got {plain.array.dtype}")
    if plain.element not in (None, preset.codes, "i8"):
        raise ValueError(f"expected codes of {preset.codes}, got {plain.element}")
    array = plain.array.view(np.uint8)
    if preset.codes == "f4E2M1FN":
        array = unpack_nibbles(array)
    return Plain(array, preset.codes, plain.like)


def dequantize(codes: Any, scales: Any, preset: str | Preset,
               layout: str | Layout | None = None, *, outer: Any = None) -> Any:
    """Returns the f32 numbers that codes and scales stand for.

    Args:
      codes: `... x K`, as `quantize` returns them.
      scales: as `quantize` returns them; f32, or E8M0 as uint8.
      preset: a name of `qfuse.presets()`, which says how to decode.
      layout: that of the scales; row-major without it.
      outer: the outer scale of a format that has one.

    Returns:
      f32 `... x K`: `code * scale`, times the outer scale.

    Raises:
      ValueError: an unknown name, or a type or shape that does not fit.
    """
    preset = find_preset(preset)
    plain = _plain_codes(codes, preset)
    shape = plain.array.shape
    wanted = preset.scale_shape(shape)
    if layout is not None:
        scales = unpack(scales, _scale_layout(layout, preset, shape), wanted)
    given = to_plain(scales)
    itemsize = 4 if preset.scales == "f32" else 1
    if given.array.shape != wanted or given.array.itemsize != itemsize:
        raise ValueError(f"expected {preset.scales} scales of shape {list(wanted)}, "
                         f"got {given.array.dtype} {list(given.array.shape)}")
    rows = to_rows(plain.array)
    factors = decode(preset.scales, given.array.reshape(preset.scale_shape(rows.shape)))
    values = values_of(rows, factors, preset, _outer_scale(outer, preset))
    return like_input(values.reshape(shape), "f32", plain.like)
