# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layouts of the table against their sources in `view` and `permute`."""

import itertools
import re

import numpy as np

from formats import decode, encode, pack_nibbles, unpack_nibbles
from presets import read_table
from reference import F32
from runner import equal, check, run

# name: alignment, shape of the padded value with -1 for what is left of each
# dimension, permutation.
SHUFFLE = ((32, 8), (-1, 2, 16, -1, 2, 4))


def weight(rows, vector, vectors):
    return (rows, vector * vectors), (-1, rows, -1, vectors, vector), (0, 2, 3, 1, 4)


LAYOUTS = {
    "col": ((1, 1), (-1, -1), (1, 0)),
    "col_aligned": ((4, 1), (-1, -1), (1, 0)),
    "mx_shuffle": ((256, 8), (-1, 2, 16, -1, 2, 4), (0, 3, 5, 2, 4, 1)),
    "mfma_tile": ((32, 1, 8), (-1, 2, 16, -1, -1, 2, 4), (3, 0, 4, 6, 2, 5, 1)),
    "mfma_tile_wide": ((32, 1, 2), (-1, 2, 16, -1, -1, 2), (3, 0, 4, 2, 5, 1)),
    "n32k4_scale": ((32, 1, 4), (-1, 32, -1, -1, 4), (0, 2, 3, 1, 4)),
    "nv_128x4_scale": ((128, 4), (-1, 4, 32, -1, 4), (0, 3, 2, 1, 4)),
    "nv_8x4_scale": ((8, 4), (-1, 8, -1, 4), (0, 2, 1, 3)),
    "deepgemm_words": ((4, 4), (-1, -1, 4), (1, 0, 2)),
    "iree_gfx950_scale": ((16, 16), (-1, 16, -1, 4, 4), (0, 2, 4, 1, 3)),
    "weight_16x16_byte": weight(16, 16, 2),
    "weight_16x16_nibble": weight(16, 32, 2),
    "weight_16x16_half": weight(16, 8, 4),
    "weight_32x16_byte": weight(32, 16, 2),
}
GATE_UP = {"f8E4M3FN": 16, "f4E2M1FN": 32}


def find(name, element):
    if name != "gate_up_interleave":
        return LAYOUTS[name]
    vector = GATE_UP[element]
    return (1, 16, 4 * vector), (-1, -1, 16, -1, 4, vector), (1, 0, 3, 4, 2, 5)


def get_view(view, shape):
    """Returns `view` with its -1, one a dimension, filled in."""
    filled, rest, dim = [], 1, -1
    for extent in view:
        if extent == -1:
            dim += 1
        filled.append([dim, extent])
    for dim, whole in enumerate(shape):
        rest = whole
        for of, extent in filled:
            if of == dim and extent != -1:
                rest //= extent
        for part in filled:
            if part[0] == dim and part[1] == -1:
                part[1] = rest
    return [extent for _, extent in filled]


def pack(array, name, element, pad):
    align, view, order = find(name, element)
    padded = np.pad(array, [(0, -e % a) for e, a in zip(array.shape, align)],
                    constant_values=pad)
    return padded.reshape(get_view(view, padded.shape)).transpose(order).ravel()


def to_file(element, values):
    return pack_nibbles(values) if element == "f4E2M1FN" else values


def check_layout(name, element, extents, shape_text, attribute):
    """Packs with each padding; unpacks bytes whose padding is poison."""
    random = np.random.default_rng(sum(extents))
    bits = {"f32": 32, "bf16": 16, "f4E2M1FN": 4}.get(element, 8)
    kind = {32: np.float32, 16: np.uint16}.get(bits, np.int8 if element == "i8" else np.uint8)
    values = random.integers(0, 1 << min(bits, 16), extents).astype(
        np.uint16 if bits >= 16 else np.uint8).astype(kind)
    tensor = f"tensor<{shape_text}x{element}>"
    names = (f'"D{i}"' if extent == "?" else '""' for i, extent in enumerate(shape_text.split("x")))
    dims = f"qfuse.dims = [{', '.join(names)}]"
    for pad in ("zero", "one"):
        text = re.sub(", pad = .*", "", attribute)
        packed = f"!qfuse.packed<{shape_text}x{element}, #qfuse.layout<{text}, pad = {pad}>>"
        stale = f"!qfuse.packed<{shape_text}x{element}, #qfuse.layout<{text}>>"
        body = f"""
        func.func @f(%x: {tensor} {{{dims}}}, %b: {stale} {{{dims}}}) -> ({packed}, {tensor}) {{
          %p = qfuse.pack %x : {tensor} -> {packed}
          %u = qfuse.unpack %b : {stale} -> {tensor}
          return %p, %u : {packed}, {tensor}
        }}"""
        one = {"f32": F32(1), "i8": 1}.get(element)
        if one is None:
            one = encode(element, 1.0)
        filled = pack(values, name, element, one if pad == "one" else 0)
        poisoned = pack(values, name, element, (1 << min(bits, 7)) - 1)
        got = run(body, [to_file(element, values), to_file(element, poisoned)], 2)
        label = f"{name} {element} {extents} pad = {pad}"
        equal(label, got[0], to_file(element, filled))
        equal(label + " unpacked", got[1], to_file(element, values))


def check_layouts():
    _, _, layouts = read_table()
    check("each layout has a view",
          {name for name, _ in layouts} == set(LAYOUTS) | {"gate_up_interleave"})
    for (name, element), (shape_text, attribute) in layouts.items():
        align = find(name, element)[0]
        ragged = [e + e // 2 + 1 for e in align]
        exact = list(align)
        if len(align) == 3:
            ragged[align.index(1)] = exact[align.index(1)] = 2
        for extents in (ragged, exact, [1] * len(align)):
            extents = list(extents)
            if name == "gate_up_interleave":
                extents[0] = 2
            if element == "f4E2M1FN":
                extents[-1] += extents[-1] % 2
            check_layout(name, element, tuple(extents), shape_text, attribute)
