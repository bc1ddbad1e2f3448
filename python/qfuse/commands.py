# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Commands that need numpy: identify and inspect."""

from __future__ import annotations

import argparse
from collections.abc import Callable

TRIPLE = ("x", "codes", "scales")


def add_identify(commands: argparse._SubParsersAction) -> None:
    """Declares `identify X CODES SCALES` and `identify FILE.safetensors`."""
    command = commands.add_parser(
        "identify", help="say which rule and layout values, codes and scales have",
        description="Each FILE is .npy, or .safetensors with one tensor or as "
                    "FILE.safetensors:NAME. One .safetensors alone has tensors named x, codes "
                    "and scales. Exit code 1: no rule fits all blocks.")
    command.add_argument("files", metavar="FILE", nargs="+", help="values, codes, scales")
    command.add_argument("--all", action="store_true", help="print each candidate, best first")


def run_identify(options: argparse.Namespace, fail: Callable[[str], None]) -> int:
    """Prints the best candidate, or all.

    Returns:
      0 if its rule fits all blocks, else 1. `fail` ends the process.
    """
    from qfuse.files import load
    from qfuse.identification import identify
    files = options.files
    if len(files) == 1:
        files = [f"{files[0]}:{name}" for name in TRIPLE]
    if len(files) != len(TRIPLE):
        fail(f"expected 3 files, or 1 .safetensors, got {len(files)}")
    try:
        found = identify(*(load(file) for file in files))
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")
    except ValueError as error:
        fail(str(error))
    for candidate in found if options.all else found[:1]:
        print(candidate)
    return 0 if found[0].equal == found[0].total else 1


def add_inspect(commands: argparse._SubParsersAction) -> None:
    """Declares `inspect PATH`."""
    command = commands.add_parser(
        "inspect", help="say what a checkpoint has, and what is inconsistent",
        description="Reads config.json and the headers of safetensors files. Exit code 1: "
                    "something is inconsistent.")
    command.add_argument("path", metavar="PATH", help="a folder, or a .safetensors file")
    command.add_argument("--load", action="store_true", help="read the data too")


def run_inspect(options: argparse.Namespace, fail: Callable[[str], None]) -> int:
    """Prints each quantized weight of a checkpoint.

    Returns:
      0 if all is consistent, else 1. `fail` ends the process.
    """
    from qfuse.checkpoints import inspect
    try:
        found = inspect(options.path, options.load)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")
    except ValueError as error:
        fail(str(error))
    for linear in found:
        print(linear)
    weights = [linear for linear in found if linear.tensors]
    wrong, shards = sum(bool(w.problems) for w in weights), len(found) - len(weights)
    more = f", {shards} absent or incomplete shards" if shards else ""
    print(f"{len(weights)} quantized weights, {wrong} with problems{more}")
    return 1 if wrong or shards else 0
