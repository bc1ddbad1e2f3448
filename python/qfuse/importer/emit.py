# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the importer's graph as MLIR text, one op a line, with locations."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from qfuse.importer.attributes import LARGEST, Attribute, float_text
from qfuse.importer.errors import Location, Unsupported
from qfuse.importer.graph import Function, Node, Shape, Type

# What a value is called, by the op that makes it.
_NAMES = {
    "rms_norm": "norm", "block_scale": "scales", "quantize": "codes",
    "scaled_matmul": "product", "pack": "packed", "add": "sum", "call": "opaque",
}
_BINARY = {"add": "arith.addf", "sub": "arith.subf", "mul": "arith.mulf",
           "div": "arith.divf"}
_UNARY = {"abs": "math.absf", "neg": "arith.negf", "exp": "math.exp",
          "tanh": "math.tanh", "sqrt": "math.sqrt", "rsqrt": "math.rsqrt"}
_BITS = {"f64": 64, "f32": 32, "f16": 16, "bf16": 16} | dict.fromkeys(LARGEST, 8)


def _is_dynamic(extent: int | str) -> bool:
    return isinstance(extent, str)


class Module:
    """The text of a module as it grows, with what its functions share."""

    def __init__(self) -> None:
        self.missed: list[tuple[Location | None, str, str]] = []
        self._functions: list[str] = []
        self._aliases: dict[str, str] = {}
        self._locations: dict[Location | None, str] = {}
        self._declarations: dict[tuple, tuple[str, str]] = {}

    def add(self, function: Function) -> None:
        """Writes a function."""
        self._functions.append(_Body(self, function).text())

    def text(self) -> str:
        """Returns the module."""
        lines = [f"#{name} = {text}" for text, name in self._aliases.items()]
        body = self._functions + [text for _, text in self._declarations.values()]
        locations = [f"{name} = {_location(place)}"
                     for place, name in self._locations.items()]
        return "\n".join(lines + ["module {"] + body + ["}"] + locations) + "\n"

    def alias(self, attribute: Attribute) -> str:
        """Returns the alias of an attribute, `#name`."""
        text = attribute.text()
        if text not in self._aliases:
            self._aliases[text] = _unused(attribute.alias, self._aliases.values())
        return f"#{self._aliases[text]}"

    def location(self, place: Location | None) -> str:
        """Returns ` loc(#alias)`, to be put after an op."""
        name = self._locations.setdefault(place, f"#loc{len(self._locations)}")
        return f" loc({name})"

    def declare(self, callee: str, parameters: str, signature: str) -> str:
        """Returns the symbol of an opaque function.

        Equal symbols mean equal functions: other parameters or another
        signature give another symbol.
        """
        key = (callee, parameters, signature)
        if key not in self._declarations:
            names = [symbol for symbol, _ in self._declarations.values()]
            symbol = _unused(re.sub(r"[^\w.$]", "_", callee), names)
            quoted = parameters.replace("\\", "\\\\").replace('"', '\\"')
            attributes = f' attributes {{parameters = "{quoted}"}}' if parameters else ""
            self._declarations[key] = (
                symbol, f"  func.func private @{symbol}{signature}{attributes}")
        return self._declarations[key][0]

    def type(self, type: Type) -> str:
        """Returns a type in MLIR's assembly."""
        extents = "".join("?x" if _is_dynamic(e) else f"{e}x" for e in type.shape)
        if type.layout is None:
            return f"tensor<{extents}{type.element}>"
        return f"!qfuse.packed<{extents}{type.element}, {self.alias(type.layout)}>"


def _location(place: Location | None) -> str:
    return f'loc("{place.file}":{place.line}:0)' if place else "loc(unknown)"


def _unused(name: str, taken: Collection[str]) -> str:
    """Returns `name`, or with a number what is not in `taken`."""
    candidate, number = name, 0
    while candidate in taken:
        number += 1
        candidate = f"{name}_{number}"
    return candidate


class _Body:
    """Writes one function."""

    def __init__(self, module: Module, function: Function):
        self._module = module
        self._function = function
        self._lines: list[str] = []
        self._names: dict[Node, str] = {}
        self._taken: set[str] = set()
        # Constants, extents and splats that were written already.
        self._shared: dict[tuple, str] = {}
        self._place: Location | None = None

    def text(self) -> str:
        """Returns the function."""
        arguments = ",\n".join(map(self._argument, self._function.arguments))
        for node in self._function.nodes():
            if node.op != "argument":
                self._place = node.location
                self._op(node)
        results = self._function.results
        self._lines.append("    return " + self._list(results) + " : "
                           + self._types(results))
        ranges = ", ".join(
            f"{self._function.dims[symbol]} = [{low}, {high}]"
            for symbol, (low, high) in self._function.ranges.items())
        place = f"\n      attributes {{qfuse.ranges = {{{ranges}}}}}" if ranges else ""
        return (f"  func.func @{self._function.name}(\n{arguments})\n"
                f"      -> ({self._types(results)}){place} {{\n"
                + "\n".join(self._lines) + "\n  }")

    def _argument(self, node: Node) -> str:
        attributes = []
        if any(map(_is_dynamic, node.type.shape)):
            names = (f'"{self._function.dims[e]}"' if _is_dynamic(e) else '""'
                     for e in node.type.shape)
            attributes.append(f"qfuse.dims = [{', '.join(names)}]")
        if node.attributes["weight"]:
            attributes.append('qfuse.role = "weight"')
        strides = _stated_strides(node)
        if strides:
            attributes.append(f"qfuse.strides = strided<[{', '.join(strides)}]>")
        name = self._name(node, re.sub(r"\W", "_", node.attributes["name"]))
        text = f" {{{', '.join(attributes)}}}" if attributes else ""
        return f"      {name}: {self._type(node)}{text}"

    #===--------------------------------------------------------------------===#
    # Pieces of text
    #===--------------------------------------------------------------------===#

    def _type(self, node: Node) -> str:
        return self._module.type(node.type)

    def _types(self, nodes: Sequence[Node]) -> str:
        return ", ".join(map(self._type, nodes))

    def _list(self, nodes: Sequence[Node]) -> str:
        return ", ".join(self._names[n] for n in nodes)

    def _name(self, node: Node, hint: str) -> str:
        self._names[node] = self._fresh(hint)
        return self._names[node]

    def _fresh(self, hint: str) -> str:
        name = _unused(hint, self._taken)
        self._taken.add(name)
        return f"%{name}"

    def _write(self, name: str, text: str) -> str:
        self._lines.append(f"    {name} = {text}{self._module.location(self._place)}")
        return name

    def _define(self, node: Node, text: str) -> None:
        op = node.op.removeprefix("qfuse.")
        self._write(self._name(node, _NAMES.get(op, op)), text)

    def _once(self, key: tuple, hint: str, text: str) -> str:
        if key not in self._shared:
            self._shared[key] = self._write(self._fresh(hint), text)
        return self._shared[key]

    #===--------------------------------------------------------------------===#
    # Ops
    #===--------------------------------------------------------------------===#

    def _op(self, node: Node) -> None:
        if node.op == "constant":
            return  # written where it is read, in the shape that it has there
        name = node.op.removeprefix("qfuse.")
        writer = getattr(self, f"_op_{name}", None)
        if writer is None and (node.op in _BINARY or node.op in _UNARY):
            writer = self._elementwise
        try:
            if writer is None:
                raise Unsupported("no chain that it is part of was recognized")
            writer(node)
        except Unsupported as reason:
            callee = node.target or f"aten.{node.op}"
            self._module.missed.append((node.location, callee, str(reason)))
            self._write_call(node, callee, str(node.attributes or ""), [node.type])

    def _op_rms_norm(self, node: Node) -> None:
        value, *weight = node.operands
        parameters = [f"epsilon = {float_text(node.attributes['epsilon'], True)} : f32"]
        if node.attributes["normalized"] != "f32":
            parameters.append(f"normalized = {node.attributes['normalized']}")
        if node.attributes["weight_offset"]:
            offset = float_text(node.attributes["weight_offset"])
            parameters.append(f"weight_offset = {offset} : f32")
        by = f" weight({self._list(weight)} : {self._types(weight)})" if weight else ""
        self._define(node, f"qfuse.rms_norm {self._names[value]}{by} "
                     f"{{{', '.join(parameters)}}} : {self._type(value)} "
                     f"-> {self._type(node)}")

    def _op_block_scale(self, node: Node) -> None:
        format = self._module.alias(node.attributes["format"])
        rule = self._module.alias(node.attributes["rule"])
        self._define(node, f"qfuse.block_scale {self._list(node.operands)} "
                     f"{{format = {format}, rule = {rule}}} : "
                     f"{self._types(node.operands)} -> {self._type(node)}")

    def _op_quantize(self, node: Node) -> None:
        value, scales = node.operands
        format, rule = node.attributes["format"], node.attributes["rule"]
        parameters = f"format = {self._module.alias(format)}"
        if rule != type(rule)():
            parameters += f", rule = {self._module.alias(rule)}"
        self._define(node, f"qfuse.quantize {self._names[value]} by "
                     f"{self._names[scales]} {{{parameters}}} : "
                     f"{self._types(node.operands)} -> {self._type(node)}")

    def _op_scaled_matmul(self, node: Node) -> None:
        a, a_scales, b, b_scales, *bias = node.operands
        formats = [f"{side}_format = {self._module.alias(node.attributes[side + '_format'])}"
                   for side in ("a", "b")]
        order = node.attributes["scale_order"]
        if order != "per_block":
            formats.append(f"scale_order = #qfuse.scale_order<{order}>")
        added = f" bias({self._list(bias)} : {self._types(bias)})" if bias else ""
        self._define(node, f"qfuse.scaled_matmul {self._names[a]} by "
                     f"{self._names[a_scales]}, {self._names[b]} by "
                     f"{self._names[b_scales]}{added} {{{', '.join(formats)}}} : "
                     f"{self._types(node.operands[:4])} -> {self._type(node)}")

    def _op_pack(self, node: Node) -> None:
        self._define(node, f"qfuse.pack {self._list(node.operands)} : "
                     f"{self._types(node.operands)} -> {self._type(node)}")

    def _op_call(self, node: Node) -> None:
        self._module.missed.append((node.location, node.attributes["callee"],
                                    node.attributes["reason"]))
        self._write_call(node, node.attributes["callee"], node.attributes["others"],
                         node.attributes["results"])

    def _op_call_result(self, node: Node) -> None:
        call = self._names[node.operands[0]].removesuffix("#0")
        self._names[node] = f"{call}#{node.attributes['index']}"

    def _write_call(self, node: Node, callee: str, parameters: str,
                    results: Sequence[Type]) -> None:
        tensors = [n for n in node.operands if not n.is_constant()]
        scalars = [float_text(n.constant()) for n in node.operands if n.is_constant()]
        parameters = ", ".join(filter(None, [parameters] + scalars))
        types = ", ".join(map(self._module.type, results))
        result = types if len(results) == 1 else f"({types})"
        signature = f"({self._types(tensors)}) -> {result}"
        symbol = self._module.declare(callee, parameters, signature)
        name = self._name(node, _NAMES["call"])
        several = f":{len(results)}" if len(results) > 1 else ""
        self._write(name + several,
                    f"func.call @{symbol}({self._list(tensors)}) : {signature}")
        if several:
            self._names[node] = f"{name}#0"

    #===--------------------------------------------------------------------===#
    # Elementwise ops and views
    #===--------------------------------------------------------------------===#

    def _elementwise(self, node: Node) -> None:
        operands = ", ".join(self._as(n, node.type) for n in node.operands)
        op = _BINARY.get(node.op) or _UNARY[node.op]
        self._define(node, f"{op} {operands} : {self._type(node)}")

    def _op_reciprocal(self, node: Node) -> None:
        one, value = self._splat(1.0, node), self._as(node.operands[0], node.type)
        self._define(node, f"arith.divf {one}, {value} : {self._type(node)}")

    def _op_clamp(self, node: Node) -> None:
        value = self._as(node.operands[0], node.type)
        value = self._clamped(value, node, node.attributes.get("min"),
                              node.attributes.get("max"))
        self._names[node] = value

    def _clamped(self, value: str, like: Node, low: float | None,
                 high: float | None) -> str:
        """Returns `value` within bounds; a NaN stays, as in PyTorch."""
        for op, bound in (("arith.maximumf", low), ("arith.minimumf", high)):
            if bound is not None:
                limit = self._splat(bound, like)
                value = self._write(self._fresh("clamped"),
                                    f"{op} {value}, {limit} : {self._type(like)}")
        return value

    def _op_cast(self, node: Node) -> None:
        source = node.operands[0]
        old, new = source.type.element, node.type.element
        if old not in _BITS or new not in _BITS or source.is_constant():
            raise Unsupported(f"no cast from {old} to {new}")
        value = self._names[source]
        if new == "f8E4M3FN":
            # PyTorch's cast saturates, arith.truncf gives NaN.
            value = self._clamped(value, source, -LARGEST[new], LARGEST[new])
        if _BITS[old] == _BITS[new]:
            raise Unsupported(f"no cast from {old} to {new}")
        op = "arith.extf" if _BITS[old] < _BITS[new] else "arith.truncf"
        self._define(node, f"{op} {value} : {self._type(source)} to {self._type(node)}")

    def _as(self, node: Node, type: Type) -> str:
        """Returns `node` in the shape and element type of a result."""
        if node.is_constant():
            return self._splat(node.constant(), Node("", [], type))
        if node.type.shape != type.shape:
            raise Unsupported(f"no broadcast of {self._type(node)} to "
                              f"{self._module.type(type)}")
        if node.type.element == type.element:
            return self._names[node]
        if _BITS[node.type.element] >= _BITS[type.element]:
            raise Unsupported(f"no operand of {node.type.element} for a result "
                              f"of {type.element}")
        wide = self._module.type(Type(type.shape, type.element))
        return self._write(self._fresh("wide"), f"arith.extf {self._names[node]} : "
                           f"{self._type(node)} to {wide}")

    def _splat(self, value: float, like: Node) -> str:
        """Returns a tensor of the shape of `like` that holds `value`."""
        type = like.type
        text = f"{float_text(value)}"
        if not any(map(_is_dynamic, type.shape)):
            return self._once(("splat", value, type), "constant",
                              f"arith.constant dense<{text}> : {self._module.type(type)}")
        scalar = self._once(("scalar", value, type.element), "scalar",
                            f"arith.constant {text} : {type.element}")
        extents = ", ".join(map(self._extent, filter(_is_dynamic, type.shape)))
        return self._once(("splat", value, type), "splat",
                          f"tensor.splat {scalar}[{extents}] : {self._module.type(type)}")

    def _extent(self, symbol: int | str) -> str:
        """Returns a dynamic extent as a value."""
        for argument in self._function.arguments:
            if argument.type.layout is None and symbol in argument.type.shape:
                dim = argument.type.shape.index(symbol)
                index = self._once(("index", dim), "dim",
                                   f"arith.constant {dim} : index")
                return self._once(("extent", symbol), "extent",
                                  f"tensor.dim {self._names[argument]}, {index} : "
                                  f"{self._type(argument)}")
        raise Unsupported(f"the extent {symbol} is not that of an argument")

    def _op_view(self, node: Node) -> None:
        source = node.operands[0]
        groups = reassociation(source.type.shape, node.type.shape)
        collapses = groups is not None and source.type.rank > node.type.rank
        if groups is None or source.is_constant():
            raise Unsupported(f"no view of {self._type(source)} as {self._type(node)}")
        lists = "[" + ", ".join(str(group) for group in groups) + "]"
        if collapses:
            self._define(node, f"tensor.collapse_shape {self._names[source]} {lists} : "
                         f"{self._type(source)} into {self._type(node)}")
            return
        shape = ", ".join(self._extent(e) if _is_dynamic(e) else str(e)
                          for e in node.type.shape)
        self._define(node, f"tensor.expand_shape {self._names[source]} {lists} "
                     f"output_shape [{shape}] : {self._type(source)} into "
                     f"{self._type(node)}")


def _stated_strides(node: Node) -> list[str] | None:
    """Returns the strides of an argument whose rows are not one after another,
    or None if they are."""
    if node.strides is None or node.type.rank < 2 or node.type.layout:
        return None
    row, expected = [], "1"
    for extent, stride in reversed(list(zip(node.type.shape, node.strides))):
        row.append(stride == expected or extent == 1)
        expected = (str(int(expected) * extent)
                    if isinstance(extent, int) and expected.isdigit() else "?")
    if all(row):
        return None
    return [s if s.isdigit() else "?" for s in node.strides]


def reassociation(source: Shape, result: Shape) -> list[list[int]] | None:
    """Returns the groups of dimensions of the longer shape that make up each of
    the shorter one, or None if the shapes do not relate in this way."""
    short, long = sorted((source, result), key=len)
    if len(short) == len(long):
        return None
    groups, position = [], 0
    for extent in short:
        group, product = [], 1
        while position < len(long) and (product != extent or long[position] == 1):
            if extent == 1 and group and long[position] != 1:
                break
            if _is_dynamic(long[position]):
                if group or long[position] != extent:
                    return None
                product = extent
            elif _is_dynamic(extent) and not group:
                return None
            elif not _is_dynamic(extent):
                product *= long[position]
            group.append(position)
            position += 1
        if product != extent or not group:
            return None
        groups.append(group)
    return groups if position == len(long) else None
