# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says which rule and layout values, codes and scales really have.

All hypotheses are tried on some rows; what fits there best, what fits as well and
what fits next are then compared on all of them.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from qfuse.arrays import Plain, to_plain, to_rows, to_values
from qfuse.evidence import (Data, Match, Variant, explain_scales, match_codes, match_scales,
                            variants)
from qfuse.hypotheses import (CodeView, Places, changes_of, layout_views, plain_views,
                              scale_places)
from qfuse.report import Candidate, describe
from qfuse.table import Preset, presets

SAMPLE = 1 << 18  # elements that are looked at first
MOST_TIES = 4  # variants that are compared on all rows
FEW = 0.95  # below this share of equal codes they may lie in another order


@dataclasses.dataclass(frozen=True)
class _Case:
    """What a user gave, plain."""

    data: Data
    shape: tuple[int, ...]
    codes: Plain
    scales: Plain
    places: dict[tuple[int, ...], list[Places]]

    @property
    def is_packed(self) -> bool:
        return 2 * self.codes.array.size == self.data.x.size

    def places_of(self, preset: Preset) -> list[Places]:
        shape = preset.scale_shape(self.shape)
        if shape not in self.places:
            found = scale_places(preset.scales, shape, self.scales.array.size)
            self.places[shape] = found
        return self.places[shape]


def _read(x: Any, codes: Any, scales: Any) -> _Case:
    values = to_values(x)
    codes = to_plain(codes, "codes as bytes (uint8), int8 or in their own type")
    scales = to_plain(scales, "scales of f32, or E8M0 as bytes (uint8)")
    shape, size = values.array.shape, values.array.size
    if size == 0:
        raise ValueError("expected values, got none")
    if codes.array.itemsize != 1 or codes.array.size not in (size, size // 2) or (
            codes.array.size != size and shape[-1] % 2):
        raise ValueError(f"expected {size} bytes of codes, or {size // 2} of two codes each, for "
                         f"values of shape {list(shape)}, got {codes.array.size} items of "
                         f"{codes.array.dtype}")
    if codes.element == "i8" and codes.array.size != size:
        codes = dataclasses.replace(codes, element=None)
    if scales.array.dtype.itemsize != 1 and scales.element != "f32":
        raise ValueError(f"expected scales of f32, or E8M0 as bytes, got {scales.array.dtype}")
    if scales.array.size == 0:
        raise ValueError("expected scales, got none")
    flat = scales.array.reshape(-1)
    flat = flat if scales.element == "f32" else flat.view(np.uint8)
    data = Data(np.ascontiguousarray(to_rows(values.array)), flat)
    return _Case(data, shape, codes, scales, {})


def _code_elements(case: _Case) -> tuple[str, ...]:
    if case.is_packed:
        return ("f4E2M1FN",)
    return ("i8",) if case.codes.element == "i8" else ("f8E4M3FN", "f8E4M3FNUZ", "i8")


def _try(case: _Case, variant: Variant, views: list[CodeView], rows: np.ndarray | None) -> Match:
    """Finds the best hypotheses for one variant, on `rows` or on all."""
    data = case.data
    picked = slice(None) if rows is None else rows
    expected = data.expected_scales(variant, picked)
    places = case.places_of(variant.preset)
    place, change, scales_equal, others = explain_scales(data, expected, places, picked,
                                                         changes_of(variant.preset.codes))
    found: tuple[np.ndarray, int] | None = None
    for view in views:
        tried = match_codes(data, variant, expected, view, rows)
        if found is None or tried[1] > found[1]:
            found, best_view = tried, view
    return Match(variant, place, change, best_view, found[0], scales_equal, found[1],
                 rows is not None, others)


def _order(match: Match) -> tuple:
    """Sorts the best first. Of equals a rule that computes its scales explains
    more than one to which they are given, and one that rounds as its presets do
    more than one that does not."""
    names, name = list(presets()), match.variant.names[0]
    rounds = (presets()[name].input == "bf16") != match.variant.is_rounded
    return (*(-part for part in match.score), match.variant.preset.scale_rule is None, rounds,
            names.index(name))


def _sample(shape: tuple[int, int]) -> np.ndarray | None:
    count = max(1, SAMPLE // shape[1])
    if count >= shape[0]:
        return None
    return np.unique(np.linspace(0, shape[0] - 1, count).astype(np.int64))


def _all_matches(case: _Case, rows: np.ndarray | None) -> list[Match]:
    """Returns how far all variants fit on some rows, best first."""
    array = to_rows(case.codes.array.reshape(*case.shape[:-1], -1)).view(np.uint8)
    element = "f32" if case.scales.element == "f32" else "f8E8M0FNU"
    kinds = [v for v in variants(case.data.is_bf16, _code_elements(case), element)
             if v.preset.scale_rule is not None or case.scales.array.size == 1]
    views = plain_views(array, case.is_packed)
    found = sorted((_try(case, kind, views, rows) for kind in kinds), key=_order)
    looked_at = case.data.x.size if rows is None else len(rows) * case.data.x.shape[1]
    if found[0].code_count < FEW * looked_at:
        shape = (*case.shape[:-1], array.shape[-1])
        views += layout_views(array, shape, case.is_packed)
        found = sorted((_try(case, kind, views, rows) for kind in kinds), key=_order)
    return found


def _as(case: _Case, match: Match, best: Match, rows: np.ndarray | None) -> Match:
    """Returns how far a variant fits where the scales lie as those of `best` do."""
    if case.places_of(match.variant.preset) is not case.places_of(best.variant.preset):
        return match
    picked = slice(None) if rows is None else rows
    expected = case.data.expected_scales(match.variant, picked)
    places = [best.places] if best.places else []
    _, _, equal, _ = match_scales(case.data, expected, places, picked, (best.change,))
    return dataclasses.replace(match, places=best.places, change=best.change, scales_equal=equal,
                               other_layouts=())


def _find_rival(case: _Case, best: Match, others: list[Match],
                rows: np.ndarray | None) -> Match | None:
    """Returns the variant that fits next, under the hypotheses of the best."""
    # A rule to which scales are given follows any.
    found = [_as(case, match, best, rows) for match in others
             if match.variant.preset.scale_rule is not None]
    found = [m for m in found if m.mask.shape == best.mask.shape and
             np.any(best.mask & ~m.mask)]
    # One that rounds its input alike tells more.
    found.sort(key=lambda m: (m.variant.is_rounded != best.variant.is_rounded, _order(m)))
    return found[0] if found else None


def _on_all_rows(case: _Case, match: Match, rival_of: Match | None = None) -> Match:
    """Compares one match on all rows, under its own hypotheses."""
    data, variant = case.data, match.variant
    expected = data.expected_scales(variant, slice(None))
    codes_equal, count = match_codes(data, variant, expected, match.view)
    places = case.places_of(variant.preset)
    likely = [p for p in places
              if p is match.places or (p.layout in match.other_layouts and not p.shift)]
    place, change, scales_equal, others = explain_scales(data, expected, likely or places[:1],
                                                         slice(None), (match.change,))
    found = Match(variant, place, change, match.view, codes_equal, scales_equal, count, False,
                  others)
    return found if rival_of is None else _as(case, found, rival_of, None)


def _rank(case: _Case) -> tuple[list[Match], Match | None]:
    """Returns how far all variants fit, best first, and what fits next to it."""
    rows = _sample(case.data.x.shape)
    matches = _all_matches(case, rows)
    best = matches[0]
    ties = [m for m in matches if m.score[:3] == best.score[:3]]
    rival = _find_rival(case, best, [m for m in matches if m not in ties], rows)
    if rows is None:
        return matches, rival
    first, rest = ties[:MOST_TIES], [m for m in matches if m not in ties[:MOST_TIES]]
    first = sorted((_on_all_rows(case, match) for match in first), key=_order)
    if rival is not None:
        rival = _on_all_rows(case, rival, first[0])
    return [*first, *rest], rival


def identify(x: Any, codes: Any, scales: Any) -> list[Candidate]:
    """Says which rules and layouts could have made codes and scales of values.

    Args:
      x: `... x K` of f32, f16 or bf16 (numpy: uint16), numpy or torch.
      codes: the bytes of as many codes, in their own type or uint8; fp4 two in a
        byte.
      scales: f32, or E8M0 as uint8; in the shape of the rule, or as bytes in a
        layout with its padding.

    Returns:
      candidates, best first. `equal` of `total` blocks have both the scale and the
      codes of `rule`; `distinguishing` of these do not follow the rule that fits
      next. `str()` is the sentence. Deviations (nibbles or layout, scales inverted
      or one block off, a rounding before) are in `deviations`.

    Raises:
      ValueError: types or sizes that no candidate can have.
    """
    case = _read(x, codes, scales)
    matches, rival = _rank(case)
    return describe(matches, rival, case.codes.element, case.scales.array, case.shape, case.data)
