#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/atlas: a page for each layout and each rule of the table.

Usage: generate_atlas.py [--check]. With --check nothing is written; pages that
differ, are missing or are left over are printed, and the exit code is then 1.
Needs numpy alone.
"""

from __future__ import annotations

import difflib
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
ATLAS = ROOT / "docs/atlas"
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "docs")]

from atlas_pages import layouts as layout_pages  # noqa: E402
from atlas_pages import rules as rule_pages  # noqa: E402
from qfuse.table import layouts, norms, not_expressible, presets  # noqa: E402

INTRODUCTION = """\
# Atlas of layouts and rules

What libraries that quantize really write: each order of bytes, and each rule from
values to scales and codes. `qfuse.quantize`, `qfuse.pack` and `qfuse.identify` of
the Python package compute all of it with numpy alone; names are theirs.

A value is `M x K`, its scales one a block. `amax` is the largest magnitude of a
block; all arithmetic is f32, each step rounded to nearest even, unless a page says
otherwise. A scale multiplies: value = code * scale.
"""


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


def index() -> str:
    """Returns the page that links all others."""
    parts = [INTRODUCTION, "## Layouts\n", table(["layout", "elements", "what it is"], [
        [f"[{l.name}](layouts/{l.name}.md)", ", ".join(l.elements), l.summary]
        for l in layouts().values()])]
    parts += ["## Rules\n", "Codes, scales and block; `0` is a whole extent.\n",
              table(["rule", "codes", "scales", "block", "what it is"], [
                  [f"[{p.name}](rules/{p.name}.md)", p.codes, p.scales,
                   f"{p.block[0]} x {p.block[1]}", p.summary] for p in presets().values()])]
    parts += ["## What enters behind a norm\n",
              "The rules above begin where a norm ends. What it rounds differs, too.\n",
              table(["norm", "what it rounds", "source"],
                    [[f"`{n.name}`", n.summary, n.source] for n in norms()])]
    parts += ["## What no rule says\n", "These are known, and not computed here.\n",
              table(["name", "why", "source"],
                    [[f"`{n.name}`", n.reason, n.source] for n in not_expressible()])]
    return "\n".join(parts)


def make() -> dict[str, str]:
    """Returns the text of each file of the atlas by its path in docs/atlas."""
    files = {"README.md": index()}
    for layout in layouts().values():
        files[f"layouts/{layout.name}.md"] = layout_pages.page(layout)
        files[f"layouts/{layout.name}.svg"] = layout_pages.picture(layout)
    shares = rule_pages.disagreements()
    for preset in presets().values():
        files[f"rules/{preset.name}.md"] = rule_pages.page(preset, shares[preset.name])
    return files


def differences(files: dict[str, str]) -> list[str]:
    """Returns a diff of each file that is not as `files` has it."""
    found = []
    there = {str(p.relative_to(ATLAS)) for p in ATLAS.rglob("*") if p.is_file()}
    for name in sorted(there | set(files)):
        old = (ATLAS / name).read_text() if name in there else ""
        if name not in files:
            found.append(f"docs/atlas/{name} is left over")
        else:
            found += difflib.unified_diff(old.splitlines(), files[name].splitlines(),
                                          f"docs/atlas/{name}", "made", lineterm="")
    return found


def main(arguments: list[str]) -> None:
    """Writes the pages, or compares them."""
    if arguments not in ([], ["--check"]):
        sys.exit(f"usage: generate_atlas.py [--check], got {' '.join(arguments)}")
    files = make()
    found = differences(files)
    if arguments:
        print("\n".join(found))
        if found:
            sys.exit("docs/atlas is not that of the table: run docs/generate_atlas.py")
        return
    for old in ATLAS.rglob("*"):
        if old.is_file() and str(old.relative_to(ATLAS)) not in files:
            old.unlink()
    for name, text in files.items():
        (ATLAS / name).parent.mkdir(parents=True, exist_ok=True)
        (ATLAS / name).write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:])
