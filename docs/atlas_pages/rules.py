# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A page for each rule, and on what share of random blocks rules disagree."""

from __future__ import annotations

import dataclasses
import functools

import numpy as np

from qfuse.formats import FLOATS, decode, round_to_bf16
from qfuse.probes import random_rows
from qfuse.quantization import block_amax, codes_by, scales_of_amax
from qfuse.table import EncodeRule, Preset, ScaleRule, presets

F32 = np.float32
ROWS, COLUMNS = 2048, 256
EXAMPLE = F32([0.3, -1.7, 0.02, 5.2, -0.75, 2.5, 0.001, -3.4])
ROUNDINGS = {"rne": "to nearest, ties to even", "rna": "to nearest, ties away from zero",
             "rtz": "toward zero"}


def number(value: float) -> str:
    return f"{value:.9g}"


def scale_formula(rule: ScaleRule) -> list[str]:
    """Returns the steps from amax to the scale."""
    lines = ["amax  = max |x| over the block"]
    if rule.amax_floor:
        lines.append(f"amax  = max(amax, {number(rule.amax_floor)})")
    power = f"{2 ** int(np.floor(np.log2(rule.max)))}"
    if rule.pow2 in ("floor", "ceil"):
        lines.append(f"scale = 2^{rule.pow2}(log2 amax) / {power}")
    elif rule.pow2 == "even":
        lines += [f"amax  = amax rounded to {rule.even_bits} mantissa bit"
                  f"{'s' if rule.even_bits > 1 else ''}, half up",
                  f"scale = 2^floor(log2 amax) / {power}"]
    else:
        lines.append(f"scale = amax / {number(rule.max)}" if rule.divide == "exact" else
                     f"scale = amax * f32(1 / {number(rule.max)})")
    if rule.scale_floor:
        lines.append(f"scale = max(scale, {number(rule.scale_floor)})")
    if rule.pow2 == "roundup":
        lines.append("scale = 2^ceil(log2 scale)")
    if rule.zero == "one":
        lines.append("scale = 1 where amax is 0")
    return lines


def encode_formula(rule: EncodeRule, codes: str) -> list[str]:
    """Returns the steps from a value and its scale to its code."""
    lines = [{"divide": "y     = x / scale", "reciprocal": "y     = x * (1 / scale)",
              "reciprocal_approx": "y     = x * rcp(scale), rcp good to 1 ulp",
              "max_over_amax": f"y     = x * ({rule.max} / amax)"}[rule.apply]]
    if rule.min is not None:
        lines.append(f"y     = clamp(y, {number(rule.min)}, {number(rule.max)})")
    over = "the largest code" if rule.overflow == "saturate" else (
        "NaN" if codes != "f8E5M2" else "infinity")
    lines.append(f"code  = {codes}(y), {ROUNDINGS[rule.round]}; out of range: {over}")
    return lines


def formula(preset: Preset) -> str:
    """Returns all steps of a rule, one a line."""
    lines = []
    if preset.input == "bf16":
        lines.append("x     = bf16(x)")
    if preset.scale_rule is None:
        lines.append("scale is given")
    else:
        lines += scale_formula(preset.scale_rule)
        if preset.scale_rounding == "bf16":
            lines.append("scale = bf16(scale)")
        if preset.scales == "f8E8M0FNU":
            lines.append("byte  = log2(scale) + 127, in 0 to 254")
    return "\n".join([*lines, *encode_formula(preset.encode_rule, preset.codes)])


def run(preset: Preset, x: np.ndarray, given: float | None = None) -> tuple:
    """Returns scales (as stored) and codes, one a byte."""
    x = round_to_bf16(x) if preset.input == "bf16" else x
    if preset.scale_rule is None:
        scales = np.broadcast_to(F32(given), preset.scale_shape(x.shape)).astype(F32)
    else:
        scales = scales_of_amax(block_amax(x, preset), preset)
    return scales, codes_by(x, decode(preset.scales, scales), preset)


def shown_scale(preset: Preset, scale: np.ndarray) -> str:
    value = number(float(decode(preset.scales, scale).reshape(-1)[0]))
    if preset.scales == "f32":
        return value
    return f"{value} (byte {int(scale.reshape(-1)[0])})"


def shown_code(preset: Preset, code: int) -> str:
    return str(int(np.int8(np.uint8(code & 255).view(np.int8)))) if preset.codes == "i8" else (
        f"0x{code:x}" if preset.codes == "f4E2M1FN" else f"0x{code:02x}")


def example(preset: Preset) -> str:
    """Returns a table of one small block."""
    x = EXAMPLE.reshape(1, -1)
    x = round_to_bf16(x) if preset.input == "bf16" else x
    scales, codes = run(preset, x, given=0.02)
    values = decode(preset.codes, codes) * decode(preset.scales, scales)
    rows = ["| x | code | code * scale |", "| --- | --- | --- |"]
    for value, code, back in zip(x[0], codes[0], values[0]):
        rows.append(f"| {value:.6g} | {shown_code(preset, int(code))} | {back:.5g} |")
    given = "given, here " if preset.scale_rule is None else ""
    return (f"A block with these values has amax {number(float(np.abs(x).max()))} and the scale "
            f"{given}{shown_scale(preset, scales)}:\n\n" + "\n".join(rows) + "\n")


def special(preset: Preset) -> str:
    """Says what zero rows and NaN become."""
    zeros = np.zeros((1, 8), F32)
    scales, codes = run(preset, zeros, given=0.02)
    zero = shown_code(preset, int(codes[0, 0]))
    value = decode(preset.codes, codes)[0, 0]
    what = "NaN" if np.isnan(value) else "0"
    lines = [f"- **Zero row.** The scale is {shown_scale(preset, scales)}, the codes are {zero}, "
             f"which is {what}."]
    if preset.nan_on_zero_block:
        lines[0] += " Rows of zeros are padding in serving systems: they become NaN here."
    with_nan = EXAMPLE.reshape(1, -1).copy()
    with_nan[0, 2] = np.nan
    scales, codes = run(preset, with_nan, given=0.02)
    lines.append(f"- **NaN.** By the formula the scale of a block with one is "
                 f"{shown_scale(preset, scales)}; the code of the NaN is "
                 f"{shown_code(preset, int(codes[0, 2]))}, that of 5.2 beside it "
                 f"{shown_code(preset, int(codes[0, 3]))}. What the library itself does with a NaN "
                 "is not part of its entry.")
    return "\n".join([*lines, saturation(preset)]) + "\n"


def saturation(preset: Preset) -> str:
    """Says how often values leave the range of codes."""
    if preset.scale_rule is None:
        what = "they are clamped" if preset.encode_rule.min is not None else "see the formula"
        return f"- **Saturation.** The scale is given, so values may be out of range: {what}."
    x, rows = sample(preset)
    scales, _ = run(rows, x)
    width = rows.block[1] or x.shape[1]
    factors = np.repeat(decode(rows.scales, scales), width, 1)
    largest = 127.0 if preset.codes == "i8" else FLOATS[preset.codes].magnitudes[-1]
    x = round_to_bf16(x) if preset.input == "bf16" else x
    # A quotient that rounds to the largest code is not clipped.
    out = np.abs(x.astype(np.float64)) > largest * factors * (1 + 2.0**-20)
    share = out.reshape(len(x), -1, width).any(-1).mean()
    if share == 0:
        return "- **Saturation.** The largest magnitude of a block is in range: nothing is clipped."
    return (f"- **Saturation.** In {percent(share)} of random blocks the largest magnitude is out "
            "of range, and clipped.")


def percent(share: float) -> str:
    if share == 0:
        return "none"
    return f"{100 * share:.1f} %" if share >= 0.0005 else "less than 0.1 %"


def per_row(preset: Preset) -> Preset:
    """A rule of whole tensors, for tensors of one row each."""
    return dataclasses.replace(preset, block=(1, 0)) if preset.block[0] == 0 else preset


@functools.cache
def random_values() -> np.ndarray:
    return random_rows(ROWS, COLUMNS)


def sample(preset: Preset) -> tuple[np.ndarray, Preset]:
    return random_values(), per_row(preset)


def blocks_of(preset: Preset, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    scales, codes = run(per_row(preset), x)
    return decode(preset.scales, scales), codes.reshape(*scales.shape, -1).view(np.uint8)


def share_of(one: tuple, other: tuple) -> float:
    scales = one[0] != other[0]
    return float((scales | (one[1] != other[1]).any(-1)).mean())


def disagreements() -> dict[str, list[tuple[str, float, float]]]:
    """Returns for each rule those with the same codes, scales and block: on what
    share of blocks scales or codes differ, for values of f32 and of bf16."""
    x = random_values()
    made = {name: (blocks_of(p, x), blocks_of(p, round_to_bf16(x)))
            for name, p in presets().items() if p.scale_rule is not None}
    found: dict[str, list[tuple[str, float, float]]] = {name: [] for name in presets()}
    for name in made:
        one = presets()[name]
        for other in made:
            two = presets()[other]
            if other != name and (one.codes, one.scales, one.block) == (
                    two.codes, two.scales, two.block):
                found[name].append((other, *(share_of(a, b) for a, b in
                                             zip(made[name], made[other]))))
        found[name].sort(key=lambda entry: (entry[2], entry[1], entry[0]))
    return found


def libraries(preset: Preset) -> str:
    """Says where a rule is from, and which others have its arithmetic."""
    same = [other.name for other in presets().values()
            if other.name != preset.name and other.arithmetic == preset.arithmetic]
    text = f"Source: {preset.source}.\n"
    if same:
        links = ", ".join(f"[{name}]({name}.md)" for name in same)
        text += f"\nThe same arithmetic, but perhaps another rounding of the input: {links}.\n"
    return text


def disagreement(preset: Preset, shares: list[tuple[str, float, float]]) -> str:
    """Returns a table of the shares of blocks on which other rules differ."""
    if not shares:
        return "No other rule of the table has these codes, scales and blocks.\n"
    rows = [f"| [{name}]({name}.md) | {percent(f32)} | {percent(bf16)} |"
            for name, f32, bf16 in shares]
    count = ROWS * (COLUMNS // preset.block[1] if preset.block[1] else 1)
    return (f"Share of {count} random blocks whose scale or codes differ, for values of f32 (which "
            "a rule of bf16 rounds first) and for values of bf16. Values are normal; the "
            "magnitudes of rows are log-uniform.\n\n| rule | values of f32 | values of bf16 |\n"
            "| --- | --- | --- |\n" + "\n".join(rows) + "\n")


def page(preset: Preset, shares: list[tuple[str, float, float]]) -> str:
    """Returns the page of a rule."""
    block = {(0, 0): "the whole tensor", (1, 0): "a row"}.get(
        preset.block, f"{preset.block[1]} values of a row")
    what = "are bf16, or rounded to it" if preset.input == "bf16" else (
        "are f32: nothing is rounded before")
    return "\n".join([
        f"# {preset.name}\n", f"{preset.summary[0].upper()}{preset.summary[1:]}.\n",
        f"Codes are {preset.codes}, scales {preset.scales}; a block is {block}. "
        f"Values {what}.\n",
        f"## Formula\n\n```\n{formula(preset)}\n```\n",
        f"## Example\n\n{example(preset)}",
        f"## Zeros, NaN, saturation\n\n{special(preset)}",
        f"## Libraries\n\n{libraries(preset)}",
        f"## With whom it disagrees\n\n{disagreement(preset, shares)}"])
