# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imports torch.export programs as MLIR text.

`from_exported` takes a program and returns a module in the QFuse dialect;
`register` teaches it the meaning of further library ops.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from qfuse.importer import aten as _aten  # fills the table
from qfuse.importer import scaled_mm as _scaled_mm  # fills the table
from qfuse.importer.attributes import (
    BLOCK_128X128, BLOCK_1X128, COLUMN_MAJOR, PER_TENSOR, PER_TOKEN,
    ROWS_ALIGNED_TO_4, EncodeRule, Format, Layout, ScaleRule)
from qfuse.importer.calls import Call, register
from qfuse.importer.emit import Module
from qfuse.importer.errors import ImportFailure, Location, Unsupported
from qfuse.importer.fx import Reader
from qfuse.importer.graph import Function, Node, Type
from qfuse.importer.recognize import recognize

__all__ = [
    "BLOCK_128X128", "BLOCK_1X128", "COLUMN_MAJOR", "Call", "EncodeRule",
    "Format", "ImportFailure", "Layout", "Location", "Node", "PER_TENSOR",
    "PER_TOKEN", "ROWS_ALIGNED_TO_4", "ScaleRule", "Type", "Unsupported",
    "from_exported", "register"]


def from_exported(program: Any, *, name: str = "main", strict: bool = False,
                  ranges: Mapping[str, tuple[int, int]] | None = None) -> str:
    """Returns a program of `torch.export` as the text of an MLIR module.

    Parameters and buffers become arguments with `qfuse.role = "weight"`, in
    the order that the program has them. Dynamic extents are named `M`, `M1`,
    ... in the order in which the arguments have them. Ops without a meaning
    here become calls of functions without a body, each with a remark on
    stderr.

    Args:
      program: a `torch.export.ExportedProgram`, decomposed or not; or a mapping
        from function names to programs, for a module with several functions.
      name: symbol of the function, where `program` is a single program.
      strict: whether an op without a meaning is an error.
      ranges: inclusive bounds of dynamic extents by name, instead of those that
        the program states. torch.export may exclude 0 and 1, for which nothing
        else need differ: who widens a range says that this is so.

    Raises:
      ImportFailure: the program cannot be imported; it says why and where.
    """
    programs = program if isinstance(program, Mapping) else {name: program}
    module = Module()
    for symbol, each in programs.items():
        reader = Reader(each, symbol)
        _name_extents(reader.function, ranges or {})
        recognize(reader.function)
        module.add(reader.function)
    for location, target, reason in module.missed:
        if strict:
            raise ImportFailure(f"unknown op {target}: {reason}; give it a meaning "
                                "with qfuse.importer.register", location)
        _remark(location, target, reason)
    return module.text()


def _remark(location: Location | None, target: str, reason: str) -> None:
    place = f"{location}: " if location else ""
    print(f"{place}remark: [Missed] UnknownOp | Category:qfuse:import | "
          f'Reason="{target} became an opaque call: {reason}"', file=sys.stderr)


def _name_extents(function: Function, ranges: Mapping[str, tuple[int, int]]) -> None:
    """Names the symbols of the function's extents and bounds them."""
    stated = function.ranges
    function.dims = {symbol: "M" if index == 0 else f"M{index}"
                     for index, symbol in enumerate(stated)}
    function.ranges = {}
    for symbol, (low, high) in stated.items():
        bounds = ranges.get(function.dims[symbol], (low, high))
        if bounds[1] is not None:
            function.ranges[symbol] = bounds
