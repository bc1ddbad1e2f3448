# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The attributes of the QFuse dialect as Python values that print as MLIR."""

from __future__ import annotations

import struct
from dataclasses import dataclass

# The largest finite value of each type of codes.
LARGEST = {
    "f8E4M3FN": 448.0,
    "f8E4M3FNUZ": 240.0,
    "f8E5M2": 57344.0,
    "f8E5M2FNUZ": 57344.0,
}


def round_to_f32(value: float) -> float:
    """Returns `value` rounded to f32."""
    return struct.unpack("f", struct.pack("f", value))[0]


def float_text(value: float, single: bool = False) -> str:
    """Returns `value` as MLIR reads a float: always with a point.

    Args:
      value: a finite number.
      single: whether the fewest digits that give the same f32 are enough.
    """
    text = repr(float(value))
    if single:
        target = round_to_f32(value)
        candidates = (f"{target:.{digits}g}" for digits in range(1, 10))
        text = next(c for c in candidates if round_to_f32(float(c)) == target)
    mantissa, e, exponent = text.partition("e")
    return (mantissa if "." in mantissa else mantissa + ".0") + e + exponent


class Attribute:
    """An attribute that is printed by an alias."""

    alias: str

    def text(self) -> str:
        """Returns the attribute in MLIR's assembly."""
        raise NotImplementedError


def _parameters(named: dict[str, str | None]) -> str:
    return ", ".join(f"{name} = {text}" for name, text in named.items() if text)


def _unless_zero(value: float) -> str | None:
    return float_text(value) if value else None


@dataclass(frozen=True)
class Format(Attribute):
    """How a consumer decodes codes; a block extent of 0 is the whole dimension."""

    block: tuple[int, ...]
    scale_type: str = "f32"

    @property
    def alias(self) -> str:
        names = {(1, 0): "per_token", (0, 0): "per_tensor"}
        return names.get(self.block, "block_" + "x".join(map(str, self.block)))

    def text(self) -> str:
        scale_type = None if self.scale_type == "f32" else self.scale_type
        block = f"[{', '.join(map(str, self.block))}]"
        parameters = _parameters({"block": block, "scale_type": scale_type})
        return f"#qfuse.format<{parameters}>"

    def scale_shape(self, shape: tuple[int | str, ...]) -> tuple[int | str, ...]:
        """Returns `ceil(extent / block)` in each dimension of `shape`."""

        def count(extent: int | str, block: int) -> int | str:
            if block == 0:
                return 1
            if isinstance(extent, int):
                return -(-extent // block)
            return extent if block == 1 else f"ceil({extent}/{block})"

        return tuple(map(count, shape, self.block))


@dataclass(frozen=True)
class ScaleRule(Attribute):
    """How the scale of a block is computed from its largest magnitude."""

    max: float
    by_reciprocal_constant: bool = False
    amax_floor: float = 0.0
    scale_floor: float = 0.0

    alias = "scale_rule"

    def text(self) -> str:
        divide = "by_reciprocal_constant" if self.by_reciprocal_constant else None
        parameters = _parameters({
            "max": float_text(self.max), "divide": divide,
            "amax_floor": _unless_zero(self.amax_floor),
            "scale_floor": _unless_zero(self.scale_floor),
            # A graph without a floor divides zero rows by zero.
            "zero": None if self.amax_floor or self.scale_floor else "nan"})
        return f"#qfuse.scale_rule<{parameters}>"


@dataclass(frozen=True)
class EncodeRule(Attribute):
    """How a value and its scale become a code."""

    apply: str = "divide"
    overflow: str = "saturate"
    max: float | None = None
    min: float | None = None

    alias = "encode_rule"

    def text(self) -> str:
        parameters = _parameters({
            "apply": None if self.apply == "divide" else self.apply,
            "overflow": None if self.overflow == "saturate" else self.overflow,
            "max": None if self.max is None else float_text(self.max),
            "min": None if self.min is None else float_text(self.min)})
        return f"#qfuse.encode_rule<{parameters}>"


@dataclass(frozen=True)
class Layout(Attribute):
    """A map from logical to physical indices, as MLIR text."""

    map: str
    align: tuple[int, ...] = ()
    alias: str = "layout"

    def text(self) -> str:
        align = f"[{', '.join(map(str, self.align))}]" if self.align else None
        return f"#qfuse.layout<{_parameters({'map': self.map, 'align': align})}>"


PER_TOKEN = Format((1, 0))
PER_TENSOR = Format((0, 0))
BLOCK_1X128 = Format((1, 128))
BLOCK_128X128 = Format((128, 128))

COLUMN_MAJOR = Layout("(m, k) -> (k, m)", alias="col")
ROWS_ALIGNED_TO_4 = Layout("(n, k) -> (n, k)", align=(1, 4), alias="row_aligned")
