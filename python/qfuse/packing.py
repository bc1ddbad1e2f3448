# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bytes in the orders of the table, and back."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from qfuse.arrays import like_input, to_plain
from qfuse.table import Layout, LayoutForm, find_layout

_BITS = {"f32": 32, "bf16": 16, "f16": 16, "f4E2M1FN": 4}


def byte_form(layout: Layout, itemsize: int) -> LayoutForm:
    """Returns the form of `layout` for items of `itemsize` bytes, one of which holds
    two 4-bit elements.

    Where a layout has forms of 1-byte and of 4-bit elements, both are the same
    order of bytes.

    Raises:
      ValueError: the layout has none for them.
    """
    for form in layout.forms:
        widths = [_BITS.get(element, 8) for element in form.elements]
        if 8 * itemsize in widths or (itemsize == 1 and 4 in widths):
            return form.of_bytes()
    raise ValueError(f"expected elements of {' or '.join(layout.elements)} for layout "
                     f"'{layout.name}', got items of {itemsize} bytes")


def _check_rank(layout: Layout, shape: tuple[int, ...]) -> None:
    if len(shape) != layout.rank:
        raise ValueError(f"expected rank {layout.rank} for layout '{layout.name}', "
                         f"got shape {list(shape)}")


def _digit_shape(form: LayoutForm, padded: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """Returns the extents of all digits, those of a dimension next to each other,
    and for each digit of the form, outermost first, its place among them."""
    order = sorted(range(len(form.digits)),
                   key=lambda i: (form.digits[i][0], -form.digits[i][1]))
    extents = []
    for index in order:
        dim, divisor, modulus = form.digits[index]
        extents.append(modulus or padded[dim] // divisor)
    return extents, [order.index(index) for index in range(len(order))]


def pack_plain(array: np.ndarray, form: LayoutForm) -> np.ndarray:
    """Returns the items of `array` in the order of `form`. Padding is zero."""
    padded = form.padded(array.shape)
    if padded != array.shape:
        array = np.pad(array, [(0, p - e) for p, e in zip(padded, array.shape)])
    extents, places = _digit_shape(form, padded)
    return array.reshape(extents).transpose(places).reshape(-1)


def unpack_padded(array: np.ndarray, form: LayoutForm, shape: tuple[int, ...]) -> np.ndarray:
    """Returns the items of a value of logical `shape`, padding included."""
    padded = form.padded(shape)
    extents, places = _digit_shape(form, padded)
    digits = array.reshape([extents[place] for place in places])
    return digits.transpose(np.argsort(places)).reshape(padded)


def unpack_plain(array: np.ndarray, form: LayoutForm, shape: tuple[int, ...]) -> np.ndarray:
    """Returns the value of logical `shape` whose items are `array`."""
    padded = unpack_padded(array, form, shape)
    return padded[tuple(slice(extent) for extent in shape)]


def pack(a: Any, layout: str | Layout) -> Any:
    """Returns the bytes of `a` in the order of `layout`.

    Args:
      a: numpy or torch, of the rank of the layout; fp4 as bytes of two codes.
      layout: a name of `qfuse.layouts()`.

    Returns:
      one dimension of `physicalSize` items of the same type; padding is zero.

    Raises:
      ValueError: no such layout, or it is not one of such elements.
    """
    layout, plain = find_layout(layout), to_plain(a)
    _check_rank(layout, plain.array.shape)
    form = byte_form(layout, plain.array.itemsize)
    packed = pack_plain(plain.array, form)
    return like_input(packed, plain.element, plain.like)


def _read_shape(shape: Any) -> tuple[int, ...]:
    """Returns the extents that a user gives."""
    try:
        extents = tuple(operator.index(extent) for extent in shape)
    except TypeError:
        extents = (-1,)
    if min(extents, default=0) < 0:
        raise ValueError(f"expected a shape of integers that are not negative, got {shape!r}")
    return extents


def unpack(a: Any, layout: str | Layout, shape: tuple[int, ...]) -> Any:
    """Returns the value whose bytes in the order of `layout` are `a`.

    Args:
      a: numpy or torch, as `pack` returns it; other shapes of as many items too.
      layout: a name of `qfuse.layouts()`.
      shape: that of the value; of fp4, that of its bytes, the last extent halved.

    Raises:
      ValueError: no such layout, `shape` is none, or `a` is not as large as it
        makes it.
    """
    layout, plain, shape = find_layout(layout), to_plain(a), _read_shape(shape)
    _check_rank(layout, shape)
    form = byte_form(layout, plain.array.itemsize)
    size = math.prod(form.padded(shape))
    if plain.array.size != size:
        raise ValueError(f"expected {size} items for shape {list(shape)} in layout "
                         f"'{layout.name}', got {plain.array.size}")
    unpacked = np.ascontiguousarray(unpack_plain(plain.array.reshape(-1), form, shape))
    return like_input(unpacked, plain.element, plain.like)
