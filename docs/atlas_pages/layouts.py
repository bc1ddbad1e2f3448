# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A page and a picture for each layout."""

from __future__ import annotations

import math

import numpy as np

from qfuse.packing import unpack_plain
from qfuse.table import Layout, LayoutForm

# Who writes bytes in this order, and who reads them. Entry points of AITER, vLLM,
# SGLang, FlashInfer, DeepGEMM and IREE; sources as in the table.
UNSTATED = "kernels that the sources do not name"
PEOPLE = {
    "col": ("AITER: HIP norm and group quantization with `transpose_scale`, Triton, the fused "
            "all-reduce; as a view of M x Ks or with strides (1, M), which are the same bytes",
            "AITER `gemm_a8w8_blockscale_bpreshuffle`, Triton `gemm_a8w8_blockscale_preshuffle`"),
    "col_aligned": ("vLLM and SGLang, column-major scales for DeepGEMM", "DeepGEMM"),
    "mx_shuffle": ("AITER `e8m0_shuffle`, `rmsnorm_quant` with `shuffle_scale`, "
                   "`silu_and_mul_quant`, `moe_mxfp4_sort`; Triton's fused kernels",
                   "AITER `gemm_a4w4` (both operands), Triton `gemm_afp4wfp4_preshuffle` (weights "
                   "always, activations from 32 rows on)"),
    "mfma_tile": ("AITER `inverse_rope_group_quant`, groups of 32 and 64",
                  UNSTATED),
    "mfma_tile_wide": ("AITER `inverse_rope_group_quant`, groups of 128", UNSTATED),
    "n32k4_scale": ("AITER `shuffle_scale_n32k4`, `inverse_rope_group_quant`", UNSTATED),
    "nv_128x4_scale": ("FlashInfer all-reduce and quantization kernels, `SWIZZLED_128x4`",
                       "cuBLAS, cuDNN, CUTLASS"),
    "nv_8x4_scale": ("FlashInfer quantization, layout 8x4", UNSTATED),
    "deepgemm_words": ("FlashInfer all-reduce with packed UE8M0, SGLang group quantization",
                       "DeepGEMM"),
    "iree_gfx950_scale": ("IREE, encoding materialization", "IREE scaled matmuls on gfx950"),
    "weight_16x16_byte": ("AITER `shuffle_weight(16, 16)` on fp8",
                          "AITER `gemm_a8w8_bpreshuffle`, `gemm_a8w8_blockscale_bpreshuffle`"),
    "weight_16x16_nibble": ("AITER `shuffle_weight(16, 16)` on fp4", "AITER `gemm_a4w4`"),
    "weight_16x16_half": ("AITER `shuffle_weight(16, 16)` on bf16 and f16",
                          UNSTATED),
    "weight_32x16_byte": ("AITER `shuffle_weight(32, 16)` on int8", "AITER `gemm_a8w8_ASM`"),
    "gate_up_interleave": ("AITER `shuffle_weight` with `is_guinterleave` and `gate_up`",
                           "AITER fused mixture of experts"),
}
NAMES = {2: ("m", "k"), 3: ("s", "g", "k")}
CELL, HEIGHT, MARGIN, MOST = 34, 18, 44, 36
LIGHT, DARK = (0xE8, 0xF1, 0xFB), (0x7F, 0xB2, 0xE5)


def dimension_names(layout: Layout) -> tuple[str, ...]:
    if layout.name.startswith("weight"):
        return ("n", "k")
    return ("h", "n", "k") if layout.name == "gate_up_interleave" else NAMES[layout.rank]


def digit_text(name: str, divisor: int, modulus: int) -> str:
    text = f"{name} / {divisor}" if divisor > 1 else name
    if not modulus:
        return text
    return f"({text}) % {modulus}" if divisor > 1 else f"{text} % {modulus}"


def map_text(layout: Layout, form: LayoutForm) -> str:
    names = dimension_names(layout)
    digits = (digit_text(names[dim], divisor, modulus) for dim, divisor, modulus in form.digits)
    return f"({', '.join(names)}) -> ({', '.join(digits)})"


def formula(layout: Layout, form: LayoutForm) -> str:
    """Returns the offset as a sum over digits, with the strides of a general value."""
    names = dimension_names(layout)
    terms, stride, inner = [], 1, []
    for dim, divisor, modulus in reversed(form.digits):
        factor = " * ".join([*([str(stride)] if stride > 1 or not inner else []), *inner])
        digit = digit_text(names[dim], divisor, modulus)
        digit = f"({digit})" if " " in digit else digit
        terms.append(digit if factor == "1" else f"{digit} * {factor}")
        if modulus:
            stride *= modulus
        else:
            extent = f"{names[dim].upper()}p"
            inner.append(f"({extent} / {divisor})" if divisor > 1 else extent)
    return "offset = " + "\n       + ".join(reversed(terms))


def picture_shape(form: LayoutForm) -> tuple[int, ...]:
    """The extents of one tile; of a dimension without tiles, a few rows."""
    shape = [max(e, 1) for e in form.tile]
    if form.rank == 2:
        return tuple(e if e > 1 else 8 for e in shape)
    if shape[0] == 1:  # gate and up
        shape[0] = 2
    return tuple(shape)


def shown(extent: int) -> list[int]:
    if extent <= MOST:
        return list(range(extent))
    return [i for i in range(extent) if i % 16 in (0, 1, 15)]


def spread(indices: list[int], size: int) -> list[int]:
    """Returns where cells begin: with a gap where indices are left out."""
    places, at = [], 0
    for before, index in zip([None, *indices], indices):
        at += 6 if before is not None and index != before + 1 else 0
        places.append(at)
        at += size
    return places


def color(address: int, size: int) -> str:
    part = address / max(size - 1, 1)
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(LIGHT, DARK))


def grid(plane: np.ndarray, size: int, top: int, title: str, names: tuple[str, str]) -> list[str]:
    """Returns the elements of one plane of addresses, from `top` down."""
    rows, columns = shown(plane.shape[0]), shown(plane.shape[1])
    ys, xs = spread(rows, HEIGHT), spread(columns, CELL)
    out = [f'<text x="4" y="{top + 12}" class="t">{title}</text>']
    for column, x in zip(columns, xs):
        out.append(f'<text x="{MARGIN + x + CELL // 2}" y="{top + 30}" class="h">'
                   f"{names[1]}={column}</text>")
    for row, y in zip(rows, ys):
        y += top + 36
        out.append(f'<text x="{MARGIN - 4}" y="{y + 13}" class="r">{names[0]}={row}</text>')
        for column, x in zip(columns, xs):
            address = int(plane[row, column])
            out.append(f'<rect x="{MARGIN + x}" y="{y}" width="{CELL}" height="{HEIGHT}" '
                       f'fill="{color(address, size)}" stroke="#fff"/>'
                       f'<text x="{MARGIN + x + CELL // 2}" y="{y + 13}" class="c">'
                       f"{address}</text>")
    return out


def picture(layout: Layout) -> str:
    """Returns an SVG: one tile, each cell with its address in elements."""
    form = layout.forms[0]
    bare = LayoutForm(form.elements, form.digits, (), form.pad)
    shape = picture_shape(bare)
    size = math.prod(shape)
    addresses = unpack_plain(np.arange(size), bare, shape)
    names, planes = dimension_names(layout), []
    if layout.rank == 2:
        planes.append((f"{layout.name}: {shape[0]} x {shape[1]}", addresses, names))
    elif names[0] == "h":
        planes += [(f"{layout.name}: h = {h}, {shape[1]} x {shape[2]}", addresses[h], names[1:])
                   for h in range(2)]
    else:
        planes.append((f"{layout.name}: g = 0, {shape[0]} x {shape[2]}", addresses[:, 0],
                       (names[0], names[2])))
    body, top, width = [], 4, 0
    for title, plane, axes in planes:
        body += grid(plane, size, top, title, axes)
        rows, columns = shown(plane.shape[0]), shown(plane.shape[1])
        top += 36 + spread(rows, HEIGHT)[-1] + HEIGHT + 12
        width = max(width, MARGIN + spread(columns, CELL)[-1] + CELL + 8)
    style = ("text{font-family:DejaVu Sans,Arial,sans-serif;font-size:11px;fill:#1b2733}"
             ".t{font-size:12px;font-weight:bold}.h,.c{text-anchor:middle}"
             ".h,.r{fill:#5b6b7b;font-size:9px}.r{text-anchor:end}")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top}" '
            f'viewBox="0 0 {width} {top}" role="img">\n'
            f"<title>Addresses of one tile of {layout.name}</title>\n<style>{style}</style>\n"
            f'<rect width="{width}" height="{top}" fill="#fff"/>\n' + "\n".join(body) +
            "\n</svg>\n")


def size_text(layout: Layout, form: LayoutForm) -> str:
    names = [name.upper() for name in dimension_names(layout)]
    padded = form.padded((1,) * form.rank)
    parts = [f"{n} to a multiple of {p}" for n, p in zip(names, padded) if p > 1]
    return " and ".join(parts) if parts else "nothing"


def page(layout: Layout) -> str:
    """Returns the page of a layout."""
    names = dimension_names(layout)
    pads = {"undef": "Padding is undefined: a reader must not depend on it.",
            "zero": "Padding is zero.", "one": "Padding is one."}
    writes, reads = PEOPLE[layout.name]
    parts = [f"# {layout.name}\n", f"{layout.summary[0].upper()}{layout.summary[1:]}.\n"]
    for form in layout.forms:
        parts += [f"## Map for {', '.join(form.elements)}\n",
                  "Physical indices, outermost first; divisions round down, and units are "
                  f"elements.\n\n```\n{map_text(layout, form)}\n\n{formula(layout, form)}\n```\n",
                  f"`{'`, `'.join(n.upper() + 'p' for n in names)}` are the extents with their "
                  f"padding, which rounds up {size_text(layout, form)}. {pads[form.pad]}\n"]
    parts += ["## One tile\n",
              "Each cell has its address; darker is later, and gaps leave cells out. "
              f"Elements are {layout.forms[0].elements[0]}.\n",
              f"![Addresses of one tile]({layout.name}.svg)\n",
              "## Who has it\n", f"- Written by {writes}.\n- Read by {reads}.\n"
              f"- Source: {layout.source}.\n",
              "## In Python\n",
              f'```python\npacked = qfuse.pack(a, "{layout.name}")\n'
              f'a = qfuse.unpack(packed, "{layout.name}", a.shape)\n```\n']
    return "\n".join(parts)
