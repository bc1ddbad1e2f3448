# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types: what their codes stand for, and rounding to them.

Conversions go through tables. A table for encoding has an entry for each value of
the upper half of an f32, whose last bit also says whether anything was below it:
no type here keeps more than 3 bits of a mantissa, so this bit lies below the one
that decides the rounding.
"""

from __future__ import annotations

import dataclasses
import functools

import numpy as np


@dataclasses.dataclass(frozen=True)
class FloatFormat:
    """A type of at most 8 bits.

    `special` says where its NaN is: `ieee` (and infinities), `all_ones`,
    `negative_zero`, `none`, or `scale` (all ones; neither sign nor zero).
    """

    width: int
    exponent_bits: int
    mantissa_bits: int
    bias: int
    special: str

    @property
    def sign(self) -> int:
        return 0 if self.special == "scale" else 1 << (self.width - 1)

    @property
    def largest_code(self) -> int:
        ones = (1 << (self.exponent_bits + self.mantissa_bits)) - 1
        return ones - {"ieee": 1 << self.mantissa_bits, "all_ones": 1, "scale": 1}.get(
            self.special, 0)

    @property
    def nan_code(self) -> int:
        if self.special == "ieee":
            return self.largest_code + 1 + (1 << (self.mantissa_bits - 1))
        if self.special == "negative_zero":
            return self.sign
        return self.largest_code + (self.special != "none")

    @property
    def beyond_code(self) -> int:
        """What a type has for numbers out of range: infinity, else NaN, else the
        largest number. NaN has no sign."""
        return self.largest_code + 1 if self.special == "ieee" else self.nan_code

    @property
    def least_exponent(self) -> int:
        return -self.bias if self.special == "scale" else 1 - self.bias

    @functools.cached_property
    def magnitudes(self) -> np.ndarray:
        """The numbers of the codes 0 to `largest_code`, in f64."""
        codes = np.arange(self.largest_code + 1)
        if self.special == "scale":
            return np.ldexp(1.0, codes - self.bias)
        exponents, mantissas = codes >> self.mantissa_bits, codes % (1 << self.mantissa_bits)
        mantissas = mantissas + np.where(exponents > 0, 1 << self.mantissa_bits, 0)
        return np.ldexp(mantissas.astype(np.float64),
                        np.maximum(exponents, 1) - self.bias - self.mantissa_bits)


# Source: OCP 8-bit floating point, microscaling formats; FNUZ as gfx942 has it.
FLOATS = {
    "f8E4M3FN": FloatFormat(8, 4, 3, 7, "all_ones"),
    "f8E4M3FNUZ": FloatFormat(8, 4, 3, 8, "negative_zero"),
    "f8E5M2": FloatFormat(8, 5, 2, 15, "ieee"),
    "f8E5M2FNUZ": FloatFormat(8, 5, 2, 16, "negative_zero"),
    "f4E2M1FN": FloatFormat(4, 2, 1, 1, "none"),
    "f8E8M0FNU": FloatFormat(8, 8, 0, 127, "scale"),
}


@functools.cache
def decode_table(element: str) -> np.ndarray:
    """Returns the f32 numbers of all codes of a type of 8 bits or less."""
    if element == "i8":
        return np.arange(256).astype(np.uint8).view(np.int8).astype(np.float32)
    form = FLOATS[element]
    codes = np.arange(1 << form.width)
    sizes = codes & ~form.sign
    table = form.magnitudes[np.minimum(sizes, form.largest_code)]
    table = np.where(sizes > form.largest_code, np.nan, table)
    if form.special == "ieee":
        table = np.where(sizes == form.largest_code + 1, np.inf, table)
    table = np.where(codes & form.sign != 0, -table, table)
    if form.special == "negative_zero":
        table[form.sign] = np.nan
    table = table.astype(np.float32)
    table.setflags(write=False)
    return table


def decode(element: str, codes: np.ndarray) -> np.ndarray:
    """Returns the f32 numbers of codes: one a byte, bf16 as uint16, f32 as is."""
    if element == "f32":
        return codes
    if element == "bf16":
        return (codes.astype(np.uint32) << 16).view(np.float32)
    return decode_table(element)[codes.view(np.uint8)]


def _round(values: np.ndarray, rounding: str) -> np.ndarray:
    """Rounds to integers; no value is negative."""
    if rounding == "rna":
        return np.floor(values + 0.5)
    return np.trunc(values) if rounding == "rtz" else np.rint(values)


@functools.cache
def _encode_table(element: str, rounding: str, overflow: str) -> np.ndarray:
    """Returns the codes of the upper halves of all f32."""
    form = FLOATS[element]
    with np.errstate(invalid="ignore"):  # of signaling NaN
        values = (np.arange(1 << 16, dtype=np.uint32) << 16).view(np.float32).astype(np.float64)
    sizes = np.where(np.isfinite(values), np.abs(values), 0.0)
    exponents = np.maximum(np.frexp(sizes)[1] - 1, form.least_exponent)
    unit = np.ldexp(1.0, exponents - form.mantissa_bits)
    rounded = _round(sizes / unit, rounding) * unit
    is_beyond = (rounded > form.magnitudes[-1]) | np.isinf(values)
    codes = np.searchsorted(form.magnitudes, np.minimum(rounded, form.magnitudes[-1]))
    beyond = form.largest_code if overflow == "saturate" else form.beyond_code
    codes = np.where(is_beyond, beyond, codes)
    is_nan = np.isnan(values) | (is_beyond & (beyond == form.nan_code) & (form.special != "none"))
    has_sign = np.signbit(values) & ~is_nan
    if form.special == "negative_zero":
        has_sign &= codes != 0
    codes = np.where(has_sign, codes | form.sign, codes)
    codes = np.where(is_nan, form.nan_code, codes)
    return codes.astype(np.uint8)


def _encode_i8(values: np.ndarray, rounding: str) -> np.ndarray:
    if rounding == "rna":
        # f32 plus a half would round once more.
        wide = values.astype(np.float64)
        values = np.copysign(np.floor(np.abs(wide) + 0.5), wide)
    else:
        values = np.trunc(values) if rounding == "rtz" else np.rint(values)
    values = np.clip(values, -128, 127)
    values[np.isnan(values)] = 0
    return values.astype(np.int8)


def to_bf16(values: np.ndarray) -> np.ndarray:
    """Returns the codes (uint16) of f32 numbers rounded to nearest even."""
    bits = np.ascontiguousarray(values).view(np.uint32)
    codes = ((bits + (((bits >> 16) & 1) + np.uint32(0x7FFF))) >> 16).astype(np.uint16)
    is_nan = np.isnan(values)
    if is_nan.any():
        codes[is_nan] = 0x7FC0
    return codes


def round_to_bf16(values: np.ndarray) -> np.ndarray:
    """Returns f32 numbers rounded to bf16, as f32."""
    return decode("bf16", to_bf16(values))


def encode(element: str, values: np.ndarray, rounding: str = "rne",
           overflow: str = "ieee") -> np.ndarray:
    """Returns the codes of f32 numbers, one a byte (i8: int8).

    Args:
      element: the type; bf16 gives uint16, f32 the numbers themselves.
      values: f32, C-contiguous, of any shape.
      rounding: rne, rna or rtz.
      overflow: what is out of range becomes: saturate (the largest number) or
        ieee (what the type has for it).
    """
    if element == "f32":
        return values
    if element == "bf16":
        return to_bf16(values)
    if element == "i8":
        return _encode_i8(values, rounding)
    halves = np.ascontiguousarray(values).view(np.uint16).reshape(*values.shape, 2)
    upper, lower = (1, 0) if np.little_endian else (0, 1)
    keys = halves[..., upper] | (halves[..., lower] != 0)
    return _encode_table(element, rounding, overflow)[keys]


def pack_nibbles(codes: np.ndarray) -> np.ndarray:
    """Returns bytes of two 4-bit codes, even k in the low nibble."""
    return codes[..., 0::2] | (codes[..., 1::2] << 4)


def unpack_nibbles(packed: np.ndarray) -> np.ndarray:
    """Returns the codes of bytes of two, one a byte."""
    codes = np.empty((*packed.shape[:-1], 2 * packed.shape[-1]), np.uint8)
    codes[..., 0::2] = packed & 15
    codes[..., 1::2] = packed >> 4
    return codes
