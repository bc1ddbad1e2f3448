# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of library ops and the table of builders that give them a meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Union

from qfuse.importer.attributes import EncodeRule, Format, Layout, ScaleRule
from qfuse.importer.errors import Location, Unsupported
from qfuse.importer.graph import Node, Type


@dataclass
class Call:
    """A call of a library op: what a builder gets.

    Attributes:
      target: the op, such as `aten.add.Tensor`.
      arguments: by name of the schema; a tensor is a `Node`, a list of tensors
        a list of them, all else the Python value. Defaults are filled in.
      results: the types of the tensors that it returns.
      strides: of each result, element strides as text.
      location: the source line.
    """

    target: str
    arguments: dict[str, Any]
    results: Sequence[Type]
    strides: Sequence[tuple[str, ...] | None]
    location: Location | None

    def __getitem__(self, name: str) -> Any:
        """Returns the argument `name`.

        Raises:
          KeyError: the schema has no such argument.
        """
        return self.arguments[name]

    def node(self, op: str, operands: Sequence[Node], type: Type,
             **attributes: Any) -> Node:
        """Returns a new value, made by `op` at the place of the call."""
        return Node(op, list(operands), type, attributes, self.location)

    def view(self, value: Node, shape: tuple[int | str, ...]) -> Node:
        """Returns `value` with its elements, in order, in another shape."""
        if value.type.shape == shape:
            return value
        return self.node("view", [value], value.type.with_shape(shape))

    def transposed(self, value: Node) -> Node:
        """Returns a matrix with its two dimensions exchanged."""
        rows, columns = value.type.shape
        return self.node("permute", [value],
                         value.type.with_shape((columns, rows)), order=(1, 0))

    def pack(self, value: Node, layout: Layout) -> Node:
        """Returns the elements of a tensor in the byte order of `layout`."""
        packed = Type(value.type.shape, value.type.element, layout)
        return self.node("qfuse.pack", [value], packed)

    def from_bytes(self, value: Node, type: Type) -> Node:
        """Returns `value`'s bytes read as another type, if it is an argument.

        PyTorch says in shape and strides what the type says in its layout, so
        an argument of that type is the same bytes.
        """
        return self.node("reinterpret", [value], type)

    def block_scale(self, value: Node, format: Format, rule: ScaleRule) -> Node:
        """Returns the scales of the blocks of `value`."""
        shape = format.scale_shape(value.type.shape)
        return self.node("qfuse.block_scale", [value],
                         Type(shape, format.scale_type), format=format, rule=rule)

    def quantize(self, value: Node, scales: Node, format: Format, element: str,
                 rule: EncodeRule = EncodeRule()) -> Node:
        """Returns the codes, of MLIR type `element`, of `value` by `scales`."""
        return self.node("qfuse.quantize", [value, scales],
                         Type(value.type.shape, element), format=format, rule=rule)

    def scaled_matmul(self, a: Node, a_scales: Node, b: Node, b_scales: Node,
                      a_format: Format, b_format: Format, *,
                      scale_order: str = "per_block", bias: Node | None = None,
                      element: str = "bf16") -> Node:
        """Returns the product of two quantized matrices.

        Args:
          a: codes, M x K.
          a_scales: of the shape that `a_format` has for `a`.
          b: codes, N x K.
          b_scales: of the shape that `b_format` has for `b`.
          a_format: how A decodes.
          b_format: how B decodes.
          scale_order: where the scales enter, see `#qfuse.scale_order`.
          bias: N, or None.
          element: MLIR type of the result.

        Raises:
          Unsupported: shapes or scale types do not fit the formats.
        """
        for name, codes, scales, format in (("A", a, a_scales, a_format),
                                            ("B", b, b_scales, b_format)):
            expected = format.scale_shape(codes.type.shape)
            if scales.type.shape != expected or scales.type.element != format.scale_type:
                raise Unsupported(
                    f"expected scales of {name} of shape {list(expected)} and "
                    f"type {format.scale_type}, got {list(scales.type.shape)} "
                    f"and {scales.type.element}")
        if a.type.shape[1] != b.type.shape[1]:
            raise Unsupported(f"expected B with the K of A, {a.type.shape[1]}, "
                              f"got {b.type.shape[1]}")
        result = Type((a.type.shape[0], b.type.shape[0]), element)
        operands = [a, a_scales, b, b_scales] + ([bias] if bias else [])
        return self.node("qfuse.scaled_matmul", operands, result,
                         a_format=a_format, b_format=b_format,
                         scale_order=scale_order)


# What a builder returns: a value for each result, or one alone; None if the
# op has no result that anything could read.
Built = Union[Node, Sequence[Node], None]
Builder = Callable[[Call], Built]

_builders: dict[str, Builder] = {}


def op_name(schema: str) -> str:
    """Returns the key of the op in the table, `namespace.name.overload`.

    Args:
      schema: `namespace::name[.overload]`, alone or with the signature after it.

    Raises:
      ValueError: `schema` is not of that form.
    """
    qualified = schema.split("(")[0].strip()
    namespace, separator, name = qualified.partition("::")
    if not separator or not namespace or not name:
        raise ValueError(f"expected a schema like 'library::op(Tensor x) -> "
                         f"Tensor', got '{schema}'")
    return f"{namespace}.{name}" + ("" if "." in name else ".default")


def register(schema: str, builder: Builder) -> None:
    """Gives a library op a meaning.

    Args:
      schema: the op, `namespace::name[.overload]`; a signature may follow.
      builder: gets the call and returns a value for each result. It may raise
        `Unsupported`, which makes this call opaque.

    Raises:
      ValueError: `schema` does not name an op.
    """
    _builders[op_name(schema)] = builder


def find_builder(target: str) -> Builder | None:
    """Returns the builder of the op `namespace.name.overload`, if there is one."""
    return _builders.get(target)
