# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What identify answers: candidates, and each as a sentence."""

from __future__ import annotations

import dataclasses
import functools

import numpy as np

from qfuse.evidence import Data, Match
from qfuse.hypotheses import ROW_MAJOR
from qfuse.probes import telling_input
from qfuse.table import presets

FEW_NAMES = 4
MOST_CANDIDATES = 16


@dataclasses.dataclass(frozen=True)
class Candidate:
    """A rule and a layout that values, codes and scales may have.

    Args:
      rule: a name of `qfuse.presets()`.
      layout: `row-major` or a name of `qfuse.layouts()`, of the scales, with
        "without its padding" behind it where its allocation is smaller; "unknown"
        where scales follow none.
      equal: blocks whose scale and codes are those of the rule.
      total: blocks that were looked at.
      distinguishing: how many of the equal ones do not follow `rival`.
      rival: the rule that fits next; None without another.
      alike: rules that fit as well as this one, and why they cannot be told apart.
      deviations: what differs from what the rule and the layout would have.
      sentence: all of it in words.
    """

    rule: str
    layout: str
    equal: int
    total: int
    distinguishing: int
    rival: str | None
    alike: tuple[str, ...]
    deviations: tuple[str, ...]
    sentence: str = dataclasses.field(repr=False, default="")

    def __str__(self) -> str:
        return self.sentence


@dataclasses.dataclass(frozen=True)
class _Named:
    """A match under the name of one of its presets."""

    match: Match
    name: str
    is_bf16: bool

    @property
    def note(self) -> str:
        return self.match.variant.note(self.name, self.is_bf16)

    def fits_as(self, other: _Named) -> bool:
        return self.match.score[:3] == other.match.score[:3] and (
            self.match.is_sampled == other.match.is_sampled)

    def is_alike(self, other: _Named) -> bool:
        """Whether the data fit both, without a deviation that one alone needs."""
        one, two = ((m.change, m.view.note, m.places.shift if m.places else "")
                    for m in (self.match, other.match))
        return self.fits_as(other) and one == two


def _listed(names: list[str]) -> str:
    shown = names[:FEW_NAMES]
    rest = len(names) - len(shown)
    return ", ".join(shown) + (f" and {rest} other{'s' if rest > 1 else ''}" if rest else "")


def _alike_words(named: _Named, others: list[_Named]) -> list[str]:
    """Says from which rules the data cannot tell one, and what would."""
    by_input: dict[str, list[str]] = {}
    for other in others:
        if not other.note:
            by_input.setdefault(_telling(named.name, other.name), []).append(other.name)
    parts = [f"{_listed(names)} ({told})" for told, names in by_input.items()]
    words = [f"the data cannot tell it from {', nor from '.join(parts)}"] if parts else []
    noted = [o.name for o in others if o.note]
    if noted and not named.note and named.match.variant.is_rounded:
        words.append(f"{_listed(noted)} would have made the same, had x been rounded to bf16 "
                     "before")
    return words


@functools.cache
def _telling(name: str, other: str) -> str:
    one, two = presets()[name], presets()[other]
    if (one.scale_rule is None) != (two.scale_rule is None):
        return "a scale that is not that of the block would"
    told = telling_input(one, two)
    if told is not None:
        return f"{told} would"
    if one.arithmetic == two.arithmetic:
        return "no input does, they are one rule"
    return "no input that was tried does"


def _scale_words(match: Match, scales: np.ndarray, shape: tuple[int, ...]) -> list[str]:
    """Says where the scales lie, and what is wrong with that."""
    kind = "scales" if scales.dtype == np.float32 else "scale bytes"
    places = match.places
    if places is None:
        return [f"{kind} fit no known order: {scales.size} items for "
                f"{' x '.join(map(str, match.variant.preset.scale_shape(shape)))} blocks"
                if scales.size != np.prod(match.variant.preset.scale_shape(shape)) else
                f"{kind} follow no known rule or order"]
    words = f"{kind} are {places.layout}"
    logical = match.variant.preset.scale_shape(shape)
    is_declared = scales.ndim > 1 and (scales.shape == logical or
                                       scales.shape != (*logical[:-2], *logical[:-3:-1]))
    if places.layout != ROW_MAJOR and is_declared:
        words += ", declared row-major"
    found = [words]
    if match.other_layouts and match.scales_equal.all():
        found.append(f"they fit {_listed(list(match.other_layouts))} as well: scales that differ "
                     "between blocks would tell")
    if places.padding is not None and places.padding.size and places.pad == "undef":
        found.append(f"{places.padding.size} items of padding are undefined and were not compared")
    return found


def _rule_of_scales(named: _Named, others: list[_Named]) -> _Named | None:
    """Returns whose scales those of a match are, if its codes fit and they do not."""
    match = named.match
    own, total = int(match.scales_equal.sum()), match.mask.size
    plain = [n for n in others if not n.match.change and n.match.mask.shape == match.mask.shape]
    if 10 * own > 9 * total or not plain:
        return None
    best = max(plain, key=lambda n: int(n.match.scales_equal.sum()))
    return best if 10 * int(best.match.scales_equal.sum()) > 9 * total else None


def _of_another_rule(named: _Named, others: list[_Named]) -> str:
    best = _rule_of_scales(named, others)
    if best is None:
        return ""
    equal = best.match.scales_equal
    return f"scales are those of {best.name} in {int(equal.sum())} of {equal.size}"


def _deviations(named: _Named, declared: str | None, data: Data,
                others: list[_Named]) -> list[str]:
    match = named.match
    found = [named.note, match.change, match.view.note, match.places.shift if match.places else "",
             _of_another_rule(named, others)]
    codes = match.variant.preset.codes
    if declared not in (None, codes):
        found.append(f"codes are {codes}, declared {declared}")
    places = match.places
    if places and places.padding is not None and places.pad == "zero":
        stale = int(np.count_nonzero(data.scales[places.padding]))
        if stale:
            found.append(f"{stale} of {places.padding.size} items of padding are stale: "
                         "expected 0")
    return [note for note in found if note]


def _evidence_words(named: _Named, rival: str | None, distinguishing: int) -> str:
    match = named.match
    total, codes = match.mask.size, int(match.codes_equal.sum())
    equal, scales = int(match.mask.sum()), int(match.scales_equal.sum())
    kind = "blocks of the rows that were sampled" if match.is_sampled else "blocks"
    words = f"codes follow {named.name} in {codes} of {total} {kind}"
    if 2 * codes < total:
        words = f"no known rule made these codes; the closest, {named.name}, made those of " \
                f"{codes} of {total} {kind}"
    if rival and distinguishing:
        words += f", {distinguishing} of which tell it from {rival}"
    if not equal == codes == scales:
        words += f"; scales follow it in {scales} of {total}, both in {equal}"
    return words


def _rival_name(rival: Match | None, is_bf16: bool) -> str | None:
    """Of several names of one arithmetic the last one is that of a kernel, the first
    may be that of a mode."""
    if rival is None:
        return None
    names = [_Named(rival, name, is_bf16) for name in rival.variant.names]
    plain = [n for n in names if not n.note]
    if plain:
        return plain[-1].name
    return f"{names[-1].name} {'with' if rival.variant.is_rounded else 'without'} a rounding of x"


def describe(matches: list[Match], rival: Match | None, declared: str | None,
             scales: np.ndarray, shape: tuple[int, ...], data: Data) -> list[Candidate]:
    """Returns the candidates of matches, best first.

    Args:
      matches: best first.
      rival: what fits next to the first.
      declared: the type that the codes claim to have, if any.
      scales: as they were given.
      shape: that of the values.
      data: what was compared.
    """
    everyone = [_Named(match, name, data.is_bf16) for match in matches
                for name in match.variant.names]
    # What fits alike comes without deviations first.
    everyone.sort(key=lambda n: (n.match.is_sampled, *(-s for s in n.match.score),
                                 n.match.variant.preset.scale_rule is None, bool(n.note)))
    best = everyone[0]
    found = []
    for named in everyone[:MOST_CANDIDATES]:
        if named.match is not best.match and not named.match.code_count:
            continue
        against = rival if named.fits_as(best) else best.match
        alike = [n for n in everyone if n is not named and n.is_alike(named)]
        words = _alike_words(named, alike) if named is best else []
        found.append(_candidate(named, against, alike, words, declared, scales, shape, data,
                                everyone))
    return found


def _candidate(named: _Named, rival: Match | None, alike: list[_Named], more: list[str],
               declared: str | None, scales: np.ndarray, shape: tuple[int, ...],
               data: Data, others: list[_Named]) -> Candidate:
    match = named.match
    is_comparable = rival is not None and rival.mask.shape == match.mask.shape
    distinguishing = int((match.mask & ~rival.mask).sum()) if is_comparable else 0
    name = _rival_name(rival, data.is_bf16) if is_comparable else None
    deviations = _deviations(named, declared, data, others)
    of_scales = match if match.places else (_rule_of_scales(named, others) or named).match
    words = [_evidence_words(named, name, distinguishing),
             *_scale_words(of_scales, scales, shape),
             *deviations]
    if 2 * int(match.codes_equal.sum()) < match.mask.size:
        # What hardly fits says nothing about how it fits.
        words, more, deviations = words[:1], [], []
    preset = presets()[named.name]
    if match.variant.is_rounded and preset.input == "bf16":
        words.append("x was rounded to bf16 before it was quantized, as this rule has it")
    if data.is_bf16 and preset.input == "f32":
        more = [*more, "x holds numbers of bf16 only, so that it cannot tell whether values were "
                       "rounded before: those before a rounding would"]
    layout = match.places.layout if match.places else "unknown"
    # A rule that needs a deviation explains less.
    names = tuple(n.name for n in alike if not n.note or named.note)
    return Candidate(named.name, layout, int(match.mask.sum()), match.mask.size, distinguishing,
                     name, names, tuple(deviations), "; ".join([*words, *more]))
