# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The graph between FX and MLIR: a DAG of values, one op each.

Extents are integers or, where they are dynamic, the text of a symbolic
expression. Nothing here depends on PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from qfuse.importer.attributes import Layout
from qfuse.importer.errors import Location

Shape = tuple[int | str, ...]


@dataclass(frozen=True)
class Type:
    """A tensor, or with a layout a packed value, of logical shape `shape`.

    Attributes:
      shape: logical extents.
      element: MLIR's name of the element type.
      layout: the byte order of a packed value; None for a row-major tensor.
    """

    shape: Shape
    element: str
    layout: Layout | None = None

    @property
    def rank(self) -> int:
        return len(self.shape)

    def with_shape(self, shape: Shape) -> Type:
        return replace(self, shape=shape)


@dataclass(eq=False)
class Node:
    """A value and the op that makes it.

    Attributes:
      op: an ATen-like name (`add`, `cast`, `amax`, ...), or the name of an op
        of the QFuse dialect.
      operands: values that the op reads, in order.
      type: what it makes.
      attributes: further parameters, by name.
      location: the source line.
      strides: element strides that PyTorch states, as text, or None.
      target: the library op that it came from, if it came from one.
    """

    op: str
    operands: list[Node]
    type: Type
    attributes: dict[str, Any] = field(default_factory=dict)
    location: Location | None = None
    strides: tuple[str, ...] | None = None
    target: str | None = None

    def become(self, op: str, operands: list[Node], **attributes: Any) -> None:
        """Changes the op that makes this value; its users stay."""
        self.op, self.operands, self.attributes = op, operands, attributes

    def is_constant(self) -> bool:
        return self.op == "constant"

    def constant(self) -> float | None:
        """Returns the value of a scalar constant, else None."""
        return self.attributes["value"] if self.is_constant() else None


@dataclass
class Function:
    """A function: arguments in order, and what it returns.

    Attributes:
      name: the symbol.
      arguments: nodes of op `argument`, with attributes `name` and `weight`.
      results: returned values.
      ranges: for each symbol of an extent, its inclusive bounds; None above
        if there is none.
      dims: for each symbol of an extent, its name in `qfuse.dims`.
    """

    name: str
    arguments: list[Node]
    results: list[Node]
    ranges: dict[str, tuple[int, int | None]] = field(default_factory=dict)
    dims: dict[str, str] = field(default_factory=dict)

    def nodes(self) -> list[Node]:
        """Returns the values that are needed, operands before users."""
        order: dict[Node, None] = dict.fromkeys(self.arguments)
        stack: list[tuple[Node, Iterator[Node]]] = []
        for result in self.results:
            if result not in order:
                stack.append((result, iter(result.operands)))
            while stack:
                node, rest = stack[-1]
                operand = next((n for n in rest if n not in order), None)
                if operand is not None:
                    stack.append((operand, iter(operand.operands)))
                    continue
                order.setdefault(node)
                stack.pop()
        return list(order)

    def users(self) -> dict[Node, list[Node]]:
        """Returns, for each needed value, the ops that read it."""
        nodes = self.nodes()
        users: dict[Node, list[Node]] = {node: [] for node in nodes}
        for node in nodes:
            for operand in node.operands:
                users[operand].append(node)
        return users

    def replace_uses(self, old: Node, new: Node) -> None:
        """Makes every reader of `old` read `new` instead."""
        for user in self.users()[old]:
            user.operands = [new if n is old else n for n in user.operands]
        self.results = [new if n is old else n for n in self.results]
