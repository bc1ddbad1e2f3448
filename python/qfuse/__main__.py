# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line: `python -m qfuse import`, `identify`, `inspect`."""

from __future__ import annotations

import argparse
import pathlib
import sys
from typing import NoReturn

from qfuse.commands import add_identify, add_inspect, run_identify, run_inspect
from qfuse.importer import ImportFailure, from_exported


class _Parser(argparse.ArgumentParser):
    """Reports a wrong command line as one `error:` line, exit code 2."""

    def error(self, message: str) -> NoReturn:
        _fail(f"{message}; run with --help for the options")


def _fail(message: str) -> NoReturn:
    print(f"error: {message}", file=sys.stderr)
    sys.exit(2)


def _range(text: str) -> tuple[str, tuple[int, int]]:
    """Parses `NAME=LOW:HIGH`."""
    name, _, bounds = text.partition("=")
    low, _, high = bounds.partition(":")
    if not name or not low.isdigit() or not high.isdigit() or int(low) > int(high):
        raise argparse.ArgumentTypeError(
            f"expected NAME=LOW:HIGH as in M=0:16384, got '{text}'")
    return name, (int(low), int(high))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m qfuse", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("import", help="write a torch.export program as MLIR")
    command.add_argument("input", metavar="IN.pt2", help="file of torch.export.save")
    command.add_argument("-o", dest="output", metavar="OUT.mlir",
                         help="where to write; stdout if absent")
    command.add_argument("--strict", action="store_true",
                         help="an op without a meaning is an error")
    command.add_argument("--name", default="main", help="name of the function")
    command.add_argument("--range", dest="ranges", metavar="NAME=LOW:HIGH",
                         action="append", type=_range, default=[],
                         help="bounds of a dynamic extent, instead of the program's")
    add_identify(commands)
    add_inspect(commands)
    return parser


def _load(path: str):
    """Returns the program in a file of torch.export.save."""
    if not pathlib.Path(path).is_file():
        _fail(f"{path}: no such file")
    try:
        import torch
    except ImportError:
        _fail("PyTorch is needed to read programs; run pip install torch")
    try:
        return torch.export.load(path)
    except Exception as error:  # whatever its readers of zip and JSON raise
        reason = str(error).strip().splitlines() or [type(error).__name__]
        _fail(f"{path}: not a program that PyTorch {torch.__version__} can load: "
              f"{reason[0]}")


def _import(options: argparse.Namespace) -> int:
    program = _load(options.input)
    try:
        text = from_exported(program, name=options.name, strict=options.strict,
                             ranges=dict(options.ranges))
    except ImportFailure as failure:
        place = f"{failure.location}: " if failure.location else ""
        print(f"{place}error: {failure.message}", file=sys.stderr)
        return 2
    if options.output is None:
        sys.stdout.write(text)
        return 0
    try:
        pathlib.Path(options.output).write_text(text)
    except OSError as error:
        _fail(f"{options.output}: {error.strerror}")
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Runs the command line.

    Args:
      arguments: what follows the program's name; by default those of the process.

    Returns:
      0 when the command did its work, 1 when its answer is no.

    Raises:
      SystemExit: with code 2, after one `error:` line.
    """
    options = _parser().parse_args(arguments)
    if options.command == "import":
        return _import(options)
    run = run_identify if options.command == "identify" else run_inspect
    return run(options, _fail)


if __name__ == "__main__":
    sys.exit(main())
