# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The public rules and layouts, as data: what the compiler's table says."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Mapping
from types import MappingProxyType

from qfuse import _table


@dataclasses.dataclass(frozen=True)
class ScaleRule:
    """How the scale of a block follows from `amax`, its largest magnitude.

    In f32: `amax`, at least `amax_floor`, is divided by `max` (`exact`) or
    multiplied by `f32(1 / max)` (`by_reciprocal_constant`); the scale is at least
    `scale_floor`. `pow2` makes it a power of two: `floor`, `ceil` and `even` (amax
    rounded to `even_bits` mantissa bits, half up) of amax, over that of `max`;
    `roundup` of the scale. Of a zero block it is 1 with `zero = one`; `zero = nan`
    says that it is 0 and the codes NaN, and changes no number.
    """

    max: float
    divide: str = "exact"
    amax_floor: float = 0.0
    scale_floor: float = 0.0
    zero: str = "keep"
    nan: str = "propagate"
    pow2: str = "none"
    even_bits: int = 1


@dataclasses.dataclass(frozen=True)
class EncodeRule:
    """How a value and its scale become a code.

    The value is divided by the scale, or multiplied by its reciprocal, which is
    rounded or (`reciprocal_approx`) good to 1 ulp; or multiplied by `max / amax`.
    It is clamped to `min` and `max`, if they are given, and rounded. What is out
    of range becomes the largest code, or (`ieee`) what the type has for it.
    """

    apply: str = "divide"
    round: str = "rne"
    overflow: str = "saturate"
    max: float | None = None
    min: float | None = None


@dataclasses.dataclass(frozen=True)
class Preset:
    """A rule that a library has.

    `input`, `codes`, `scales` and `outer` are element types; `outer` is None but
    for formats with a second scale. `block` is that of one scale, 0 for a whole
    extent. `scale_rule` is None where the scales are given. The scale is rounded
    to `scale_rounding` before it is widened to `scales`.
    """

    name: str
    summary: str
    source: str
    input: str
    codes: str
    block: tuple[int, int]
    scales: str
    outer: str | None
    scale_rounding: str | None
    scale_rule: ScaleRule | None
    encode_rule: EncodeRule

    @property
    def nan_on_zero_block(self) -> bool:
        """Whether a block of zeros has codes that are NaN."""
        return self.scale_rule is not None and self.scale_rule.zero == "nan"

    @property
    def arithmetic(self) -> tuple:
        """What decides the bytes, but for the rounding of the input."""
        rule = self.scale_rule
        if self.nan_on_zero_block:
            rule = dataclasses.replace(rule, zero="keep")
        return (self.codes, self.block, self.scales, self.outer, self.scale_rounding,
                rule, self.encode_rule)

    def scale_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Returns the shape of the scales of a value of logical shape `shape`."""
        whole, width = self.block[0] == 0, self.block[1]
        rows = tuple(1 for _ in shape[:-1]) if whole else tuple(shape[:-1])
        return (*rows, -(-shape[-1] // width) if width else 1)


@dataclasses.dataclass(frozen=True)
class LayoutForm:
    """The address map of a layout for some element types.

    A digit is (dimension, divisor, modulus): `index floordiv divisor`, then
    `mod modulus` unless that is 0. Digits are listed outermost first. Extents are
    rounded up to `align`, or to the tile where it is empty; `pad` is what the
    padding holds: undef, zero or one.
    """

    elements: tuple[str, ...]
    digits: tuple[tuple[int, int, int], ...]
    align: tuple[int, ...]
    pad: str

    @property
    def rank(self) -> int:
        return 1 + max(dim for dim, _, _ in self.digits)

    @property
    def tile(self) -> tuple[int, ...]:
        """The extents to which an address map must round up."""
        return tuple(max(d for dim, d, mod in self.digits if dim == of and not mod)
                     for of in range(self.rank))

    def padded(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Returns the extents of `shape` with their padding, in elements."""
        steps = (math.lcm(a, t) for a, t in zip(self.align or self.tile, self.tile))
        return tuple(-(-extent // step) * step for extent, step in zip(shape, steps))

    def of_bytes(self) -> LayoutForm:
        """Returns the map of bytes of two codes, for a form of 4-bit elements."""
        if "f4E2M1FN" not in self.elements:
            return self
        last = self.rank - 1
        halved = tuple(
            (dim, max(divisor // 2, 1), modulus // 2 if divisor == 1 else modulus)
            if dim == last else (dim, divisor, modulus) for dim, divisor, modulus in self.digits)
        align = self.align and (*self.align[:-1], self.align[-1] // 2)
        return dataclasses.replace(self, digits=halved, align=align)


@dataclasses.dataclass(frozen=True)
class Layout:
    """An order of bytes that a library has, with a form for each element width."""

    name: str
    summary: str
    source: str
    forms: tuple[LayoutForm, ...]

    @property
    def elements(self) -> tuple[str, ...]:
        return tuple(element for form in self.forms for element in form.elements)

    @property
    def rank(self) -> int:
        return self.forms[0].rank

    @property
    def pad(self) -> str:
        return self.forms[0].pad


@dataclasses.dataclass(frozen=True)
class Norm:
    """What a library does before it quantizes: `summary` says what it rounds."""

    name: str
    source: str
    summary: str


@dataclasses.dataclass(frozen=True)
class NotExpressible:
    """A quantization that no rule can say, with the reason."""

    name: str
    source: str
    reason: str


def _preset(entry: dict) -> Preset:
    rule = entry["scale_rule"]
    return Preset(**entry | {"scale_rule": rule and ScaleRule(**rule),
                             "encode_rule": EncodeRule(**entry["encode_rule"])})


def _layout(entry: dict) -> Layout:
    return Layout(**entry | {"forms": tuple(LayoutForm(**form) for form in entry["forms"])})


@functools.cache
def presets() -> Mapping[str, Preset]:
    """Returns the rules by which libraries quantize, by their names.

    Source: lib/IR/Presets.mlir; each entry names its own.
    """
    return MappingProxyType({entry["name"]: _preset(entry) for entry in _table.PRESETS})


@functools.cache
def layouts() -> Mapping[str, Layout]:
    """Returns the orders of bytes that libraries use, by their names.

    Source: lib/IR/Presets.mlir; each entry names its own.
    """
    return MappingProxyType({entry["name"]: _layout(entry) for entry in _table.LAYOUTS})


@functools.cache
def norms() -> tuple[Norm, ...]:
    """Returns what libraries do before they quantize behind a norm."""
    return tuple(Norm(**entry) for entry in _table.NORMS)


@functools.cache
def not_expressible() -> tuple[NotExpressible, ...]:
    """Returns the quantizations that the rules cannot say."""
    return tuple(NotExpressible(**entry) for entry in _table.NOT_EXPRESSIBLE)


def find_preset(preset: str | Preset) -> Preset:
    """Returns the preset of a name.

    Raises:
      ValueError: there is none of this name.
    """
    if isinstance(preset, Preset):
        return preset
    if not isinstance(preset, str) or preset not in presets():
        reasons = {entry.name: entry.reason for entry in not_expressible()}
        if isinstance(preset, str) and preset in reasons:
            raise ValueError(f"preset '{preset}' cannot be computed: {reasons[preset]}")
        raise ValueError(f"expected a name of qfuse.presets(), got '{preset}'")
    return presets()[preset]


def find_layout(layout: str | Layout) -> Layout:
    """Returns the layout of a name.

    Raises:
      ValueError: there is none of this name.
    """
    if isinstance(layout, Layout):
        return layout
    if not isinstance(layout, str) or layout not in layouts():
        raise ValueError(f"expected a name of qfuse.layouts(), got '{layout}'")
    return layouts()[layout]
