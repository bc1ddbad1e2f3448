# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the importer says when it cannot go on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Location:
    """A line of the model's Python source."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class ImportFailure(Exception):
    """A program that cannot be imported, with the place that is at fault."""

    def __init__(self, message: str, location: Location | None = None):
        """
        Args:
          message: what is wrong, without full stop.
          location: the source line, if it is known.
        """
        super().__init__(f"{location}: {message}" if location else message)
        self.message = message
        self.location = location


class Unsupported(Exception):
    """An op that has no meaning in QFuse's terms; it becomes an opaque call."""
