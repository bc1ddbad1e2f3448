# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How far codes and scales follow a rule, block by block."""

from __future__ import annotations

import dataclasses
import functools

import numpy as np

from qfuse.formats import decode, round_to_bf16
from qfuse.hypotheses import CHANGES, CodeView, Places
from qfuse.quantization import (block_amax, encode_blocks, factors_of, row_chunks,
                                scales_of_amax, split_blocks)
from qfuse.table import EncodeRule, Preset, presets


@dataclasses.dataclass(frozen=True)
class Variant:
    """An arithmetic, with or without a rounding of its input to bf16; `names` are
    the presets that have it."""

    preset: Preset
    is_rounded: bool
    names: tuple[str, ...]

    def __hash__(self) -> int:
        return hash((self.preset.name, self.is_rounded))

    def note(self, name: str, is_bf16: bool) -> str:
        """Says in what the variant differs from the preset of a name."""
        wants = presets()[name].input == "bf16"
        if is_bf16 or wants == self.is_rounded:
            return ""
        return ("x was rounded to bf16 before it was quantized" if self.is_rounded else
                "x was not rounded to bf16 before it was quantized")


def variants(is_bf16: bool, codes: tuple[str, ...], scales: str) -> list[Variant]:
    """Returns what may have made codes and scales of such types."""
    groups: dict[tuple, list[Preset]] = {}
    for preset in presets().values():
        if preset.codes in codes and preset.scales == scales:
            groups.setdefault(preset.arithmetic, []).append(preset)
    found = []
    for members in groups.values():
        for is_rounded in (False,) if is_bf16 else (False, True):
            # Those that round as the variant does come first.
            names = sorted((p.name for p in members),
                           key=lambda n: (presets()[n].input == "bf16") != is_rounded)
            found.append(Variant(presets()[names[0]], is_rounded, tuple(names)))
    return found


class Data:
    """Values, with what is computed of them once.

    Args:
      x: `M x K`, f32.
      scales: flat, f32 or bytes.
    """

    def __init__(self, x: np.ndarray, scales: np.ndarray):
        self.x, self.scales = x, scales
        self.is_bf16 = all(not np.any(x[rows].view(np.uint32) & np.uint32(0xFFFF))
                           for rows in row_chunks(x.shape))
        self.amax = functools.cache(self._amax)

    def _amax(self, block: tuple[int, int], nan: str) -> np.ndarray:
        # Of all presets of this block alike.
        preset = next(p for p in presets().values() if p.block == block and
                      (p.scale_rule.nan if p.scale_rule else "propagate") == nan)
        return block_amax(self.x, preset)

    def expected_scales(self, variant: Variant, rows: np.ndarray | slice) -> np.ndarray:
        """Returns the scales of the blocks of some rows, as codes or f32."""
        preset = variant.preset
        if preset.scale_rule is None:
            return self.scales.reshape(1, 1)
        amax = self.amax(preset.block, preset.scale_rule.nan)
        amax = amax[rows] if preset.block[0] else amax
        # Rounding is monotonic: the largest magnitude stays the largest.
        amax = round_to_bf16(amax) if variant.is_rounded else amax
        return scales_of_amax(amax, preset)


def same_numbers(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Returns where scales are equal; all NaN are one."""
    if a.dtype != np.float32:
        return a == b
    return (a == b) | (np.isnan(a) & np.isnan(b))


def _equal_codes(blocks: np.ndarray, codes: np.ndarray, scales: np.ndarray,
                 preset: Preset) -> tuple[np.ndarray, int]:
    """Returns which blocks have the codes of the rule, and how many codes do.

    An approximate reciprocal may be off by 1 ulp, the same one for all of a block.
    """
    ulps = (0, -1, 1) if preset.encode_rule.apply == "reciprocal_approx" else (0,)
    best, most = np.zeros(codes.shape[:-1], bool), 0
    amax = np.abs(blocks).max(-1) if preset.encode_rule.apply == "max_over_amax" else None
    for ulp in ulps:
        made = encode_blocks(blocks, factors_of(scales, preset.encode_rule, amax, ulp), preset)
        equal = made.view(np.uint8) == codes
        best |= equal.all(-1)
        most = max(most, int(np.count_nonzero(equal)))
        if best.all():
            break
    return best, most


def _match_rows(data: Data, variant: Variant, factors: np.ndarray, view: CodeView,
                rows: np.ndarray | slice) -> tuple[np.ndarray, int]:
    """`match_codes` of a few rows, by f32 scales of these."""
    preset, columns = variant.preset, data.x.shape[1]
    width = preset.block[1] or columns
    x = data.x[rows]
    blocks = split_blocks(round_to_bf16(x) if variant.is_rounded else x, width)
    codes = split_blocks(view.rows(rows), width)
    if columns % width:
        # What fills the last block is no code: nothing may differ there.
        codes = codes.copy()
        made = encode_blocks(blocks[:, -1:], factors_of(factors[:, -1:], EncodeRule()), preset)
        codes[:, -1, columns % width:] = made.view(np.uint8)[:, 0, columns % width:]
    return _equal_codes(blocks, codes, factors, preset)


def match_codes(data: Data, variant: Variant, scales: np.ndarray, view: CodeView,
                rows: np.ndarray | None = None) -> tuple[np.ndarray, int]:
    """Returns which blocks have the codes of a rule, `M x Ks` as its scales, and
    how many codes do.

    Args:
      scales: those that the rule expects, of the rows that are looked at.
      view: how codes are read.
      rows: these rows; all without it.
    """
    preset, masks, count = variant.preset, [], 0
    factors = decode(preset.scales, scales)
    picked = [rows] if rows is not None else row_chunks(data.x.shape)
    with np.errstate(all="ignore"):
        for some in picked:
            of_rows = factors if rows is not None else factors[some]
            if preset.block[0] == 0:
                of_rows = np.broadcast_to(factors, (len(data.x[some]), 1))
            mask, equal = _match_rows(data, variant, of_rows, view, some)
            masks.append(mask)
            count += equal
    mask = np.concatenate(masks)
    return (mask.all(0, keepdims=True) if preset.block[0] == 0 else mask), count


@dataclasses.dataclass(eq=False)
class Match:
    """How far the data follow one variant under its best hypotheses."""

    variant: Variant
    places: Places | None
    change: str
    view: CodeView
    codes_equal: np.ndarray  # of the blocks that were looked at
    scales_equal: np.ndarray
    code_count: int
    is_sampled: bool
    other_layouts: tuple[str, ...] = ()

    @functools.cached_property
    def mask(self) -> np.ndarray:
        return self.codes_equal & self.scales_equal

    @property
    def score(self) -> tuple:
        """The larger, the better: shares, as blocks differ in size. The codes of a
        block tell more than its scale."""
        notes = bool(self.change) + bool(self.view.note) + bool(self.places and self.places.shift)
        return (2 * float(self.codes_equal.mean()) + float(self.mask.mean()), self.code_count,
                float(self.scales_equal.mean()), -notes)


def match_scales(data: Data, expected: np.ndarray, places: list[Places],
                 rows: np.ndarray | slice, changes: tuple[str, ...] = tuple(CHANGES),
                 ) -> tuple[Places | None, str, np.ndarray, tuple]:
    """Returns the hypothesis that most scales follow, the first of equals, what was
    done to them, which blocks follow it, and layouts that fit as well.

    Args:
      expected: the scales of the rule, of the blocks of `rows`.
      places: hypotheses.
      rows: the rows that are looked at.
      changes: keys of CHANGES.
    """
    found, most, others = (None, "", np.zeros(expected.shape, bool)), 0, []
    with np.errstate(all="ignore"):
        for change in changes:
            changed = CHANGES[change](expected)
            for place in places:
                equal = same_numbers(data.scales[place.at(rows)], changed)
                count = int(np.count_nonzero(equal))
                if count > most:
                    found, most, others = (place, change, equal), count, []
                elif count == most and not place.shift and not change:
                    others.append(place.layout)
    return (*found, tuple(others))


SIGMAS = 6  # by which a hypothesis about scales has to exceed chance


def _by_chance(given: np.ndarray, expected: np.ndarray) -> float:
    """Returns the share of equal scales had they no order."""
    given, expected = (a.reshape(-1) for a in (given, expected))
    values, counts = np.unique(given, return_counts=True)
    place = np.searchsorted(values, expected).clip(max=len(values) - 1)
    hits = np.where(values[place] == expected, counts[place], 0)
    return float(hits.mean()) / max(1, given.size)


def explain_scales(data: Data, expected: np.ndarray, places: list[Places],
                   rows: np.ndarray | slice, changes: tuple[str, ...],
                   ) -> tuple[Places | None, str, np.ndarray, tuple]:
    """`match_scales`, if it explains them: more than half of the blocks and, where
    scales lie or are otherwise than first thought, SIGMAS more than chance does.

    Otherwise there is no place, and what is equal is so by the first of `places`.
    """
    place, change, equal, others = match_scales(data, expected, places, rows, changes)
    if place is None:
        return place, change, equal, others
    count, total = int(np.count_nonzero(equal)), equal.size
    if 2 * count > total:
        if place is places[0] and not change:
            return place, change, equal, others
        with np.errstate(all="ignore"):
            chance = _by_chance(data.scales[place.at(rows)], CHANGES[change](expected))
        spread = SIGMAS * (total * chance * (1 - chance)) ** 0.5
        if count == total or count > total * chance + spread:
            return place, change, equal, others
    _, _, equal, _ = match_scales(data, expected, places[:1], rows, ("",))
    return None, "", equal, ()
