# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ways in which scales and codes may lie in what a user has.

A hypothesis about scales says which item of the array belongs to which block (an
index array), and what was done to each of them.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator

import numpy as np

from qfuse.formats import unpack_nibbles
from qfuse.packing import byte_form, pack_plain, unpack_plain
from qfuse.table import Layout, layouts

ROW_MAJOR = "row-major"
UNPADDED = " without its padding"  # behind the name of a layout


def _inverted(scales: np.ndarray) -> np.ndarray:
    if scales.dtype == np.float32:
        return np.float32(1) / scales
    return np.where(scales == 255, scales, 254 - scales.astype(np.int16)).astype(np.uint8)


def _times(power: int) -> Callable[[np.ndarray], np.ndarray]:
    def scaled(scales: np.ndarray) -> np.ndarray:
        if scales.dtype == np.float32:
            return scales * np.float32(2.0**power)
        moved = np.clip(scales.astype(np.int16) + power, 0, 254)
        return np.where(scales == 255, scales, moved).astype(np.uint8)
    return scaled


# What was done to each scale of the rule, and how the report says it.
CHANGES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "": lambda scales: scales,
    "scales are inverted: each is 1 / that of the rule": _inverted,
    "scales are twice those of the rule, as when codes of f8E4M3FN are read as "
    "f8E4M3FNUZ": _times(1),
    "scales are half those of the rule, as when codes of f8E4M3FNUZ are read as "
    "f8E4M3FN": _times(-1),
}


# Codes of another type are not read as the other fp8.
_FLAVORS = {change: "f8E4M3FN" if change.startswith("scales are twice") else "f8E4M3FNUZ"
            for change in CHANGES if "f8E4M3FN" in change}


def changes_of(codes: str) -> tuple[str, ...]:
    """Returns the keys of CHANGES that may befall scales of such codes."""
    return tuple(change for change in CHANGES if _FLAVORS.get(change, codes) == codes)


@dataclasses.dataclass(frozen=True)
class Places:
    """Where the scales of blocks are in the flat array.

    `index : M x Ks` says it without the shift. With one, the scale of a block is
    that of the next (`step = 1`) or previous column or row, or the item behind or
    before its own. `padding` are positions that hold no scale.
    """

    layout: str
    index: np.ndarray
    size: int
    padding: np.ndarray | None = None
    pad: str = "undef"
    axis: str = ""
    step: int = 0

    def at(self, rows: np.ndarray | slice) -> np.ndarray:
        """Returns the positions of the scales of some rows."""
        if len(self.index) == 1:
            rows = slice(None)
        if self.axis == "column":
            return np.roll(self.index[rows], -self.step, 1)
        if self.axis == "row":
            moved = (np.arange(len(self.index))[rows] + self.step) % len(self.index)
            return self.index[moved]
        return (self.index[rows] + self.step) % self.size if self.step else self.index[rows]

    @property
    def shift(self) -> str:
        """Says where the scales are instead of at their places."""
        if not self.step:
            return ""
        if self.axis == "item":
            where = "behind" if self.step > 0 else "before"
            return f"scales are one block off: each lies 1 item {where} its place"
        return (f"scales are one block off: that of {self.axis} i is at "
                f"{self.axis} i {'+' if self.step > 0 else '-'} 1")


def _shifted(places: Places) -> Iterator[Places]:
    """Yields what `places` are if all scales are one block off."""
    for axis, is_there in (("column", places.index.shape[1] > 1), ("row", len(places.index) > 1),
                           ("item", places.size > 1)):
        for step in (1, -1) if is_there else ():
            yield dataclasses.replace(places, axis=axis, step=step)


def _of_layout(layout: Layout, itemsize: int, shape: tuple[int, ...], size: int) -> Places | None:
    """Returns the places in `layout`, or None if `size` items do not fit it, not
    even with complete tiles but without the padding of its allocation."""
    if layout.rank != len(shape):
        return None
    try:
        form = byte_form(layout, itemsize)
    except ValueError:
        return None
    name = layout.name
    if math.prod(form.padded(shape)) != size:
        form, name = dataclasses.replace(form, align=()), f"{name}{UNPADDED}"
        if math.prod(form.padded(shape)) != size:
            return None
    kind = np.int32 if size < 1 << 31 else np.int64
    index = unpack_plain(np.arange(size, dtype=kind), form, shape).reshape(-1, shape[-1])
    # Elements of the value become 1, padding stays 0.
    held = pack_plain(np.ones(shape, np.uint8), form)
    return Places(name, index, size, np.flatnonzero(held == 0), form.pad)


def scale_places(element: str, shape: tuple[int, ...], size: int) -> list[Places]:
    """Returns the hypotheses about `size` scales of blocks of logical `shape`,
    those without a shift first. Equal ones are there once."""
    itemsize = 4 if element == "f32" else 1
    found: list[Places] = []
    if size == math.prod(shape):
        found.append(Places(ROW_MAJOR, np.arange(size).reshape(-1, shape[-1]), size))
    fitting = [_of_layout(layout, itemsize, shape, size) for layout in layouts().values()
               if element in layout.elements]
    for places in sorted(filter(None, fitting), key=lambda p: p.layout.endswith(UNPADDED)):
        if not any(np.array_equal(places.index, p.index) for p in found):
            found.append(places)
    return found + [moved for base in found for moved in _shifted(base)]


@dataclasses.dataclass(frozen=True)
class CodeView:
    """One reading of the bytes of codes: `rows(slice or indices)` gives them one a
    byte; `note` says in what they differ from what they should be."""

    note: str
    rows: Callable[..., np.ndarray]


def _halves(array: np.ndarray, is_swapped: bool) -> Callable[..., np.ndarray]:
    def rows(which) -> np.ndarray:
        part = array[which]
        return unpack_nibbles((part >> 4) | (part << 4) if is_swapped else part)
    return rows


def plain_views(array: np.ndarray, is_packed: bool) -> list[CodeView]:
    """Returns the readings of `array : M x bytes` as row-major codes."""
    if not is_packed:
        return [CodeView("", lambda which: array[which])]
    return [CodeView("", _halves(array, False)),
            CodeView("nibbles are swapped: even k is in the high one", _halves(array, True))]


def layout_views(array: np.ndarray, shape: tuple[int, ...], is_packed: bool) -> list[CodeView]:
    """Returns the readings of codes as bytes in a layout of weights.

    Args:
      array: `M x bytes`.
      shape: the logical shape in bytes.
      is_packed: whether a byte has two codes.
    """
    views = []
    for layout in layouts().values():
        element = "f4E2M1FN" if is_packed else "f8E4M3FN"
        is_for = element in layout.elements or (not is_packed and "i8" in layout.elements)
        if not is_for or layout.rank != len(shape):
            continue
        form = byte_form(layout, 1)
        if form.padded(shape) != shape:
            continue
        plain = unpack_plain(array.reshape(-1), form, shape).reshape(-1, shape[-1])
        note = f"codes are bytes of {layout.name}"
        views.append(CodeView(note, _halves(plain, False) if is_packed else
                              (lambda which, plain=plain: plain[which])))
    return views
