#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the pages of docs/ that are made from the definitions in include/qfuse.

Usage: generate.py [--check]. With --check nothing is written; pages that differ are printed as a diff, and the exit
code is then 1. LLVM's tools are those of MLIR_TBLGEN, or in /usr/lib/llvm-22/bin.
"""
import collections
import difflib
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
TBLGEN = os.environ.get("MLIR_TBLGEN", "/usr/lib/llvm-22/bin/mlir-tblgen")
NOTE = "<!-- Made by docs/generate.py from {source}; do not edit. -->\n"
# Page, its title, its source, and how it is made.
PAGES = {
    "dialect.md": ("The qfuse dialect", "include/qfuse/IR/QFuseOps.td", ["-gen-dialect-doc", "-dialect=qfuse"]),
    "passes.md": ("Passes", "include/qfuse/Transforms/Passes.td", ["-gen-pass-doc"]),
}


def run_tblgen(source, options):
    include = pathlib.Path(TBLGEN).resolve().parents[1] / "include"
    return subprocess.run([TBLGEN, *options, "-I", ROOT / "include", "-I", include, ROOT / source], check=True,
                          stdout=subprocess.PIPE, text=True).stdout


def contents(text):
    """Returns a list of links to the sections of `text`, at the fragments that code hosts give them."""
    lines, seen = [], collections.Counter()
    for level, heading in re.findall(r"^(##+) (.+)$", text, re.M):
        fragment = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number, seen[fragment] = seen[fragment], seen[fragment] + 1
        if len(level) < 4 and heading != "Options":
            name = heading.split(" (")[0]
            lines.append(f"{'  ' * (len(level) - 2)}- [{name}](#{fragment}{f'-{number}' if number else ''})")
    return "\n".join(lines) + "\n"


def make(page):
    """Returns the text of `page`."""
    title, source, options = PAGES[page]
    text = run_tblgen(source, options)
    text = re.sub(r"^<!--.*?-->\n", "", text).replace("[TOC]\n\n", "")
    text = re.sub(r"^# .*\n", "", text.lstrip(), count=1)
    if not re.search(r"^## ", text, re.M):
        text = re.sub(r"^##", "#", text, flags=re.M)
    # What stands before the first section is the introduction.
    first = re.search(r"^##", text, re.M).start()
    page = f"{NOTE.format(source=source)}\n# {title}\n\n{text[:first].strip()}\n\n{contents(text)}\n{text[first:]}"
    return re.sub(r"\n{3,}", "\n\n", page).rstrip() + "\n"


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit(f"usage: generate.py [--check], got {' '.join(arguments)}")
    differ = False
    for page in PAGES:
        path, text = ROOT / "docs" / page, make(page)
        if not arguments:
            path.write_text(text)
            continue
        old = path.read_text() if path.exists() else ""
        diff = list(difflib.unified_diff(old.splitlines(), text.splitlines(), f"docs/{page}", "made", lineterm=""))
        differ = differ or bool(diff)
        print("\n".join(diff))
    if differ:
        sys.exit("pages of docs/ are not those of the definitions: run docs/generate.py")


if __name__ == "__main__":
    main(sys.argv[1:])
