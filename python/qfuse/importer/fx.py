# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a torch.export program to the importer's graph.

PyTorch's objects are read through their attributes, so that this module can be
loaded without PyTorch.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

from qfuse.importer.calls import Call, find_builder
from qfuse.importer.errors import ImportFailure, Location, Unsupported
from qfuse.importer.graph import Function, Node, Shape, Type

# float4_e2m1fn_x2 is absent: it holds two values an element, so that its
# shapes would need a reading of their own.
ELEMENTS = {
    "torch.float32": "f32", "torch.bfloat16": "bf16", "torch.float16": "f16",
    "torch.float64": "f64", "torch.float8_e4m3fn": "f8E4M3FN",
    "torch.float8_e4m3fnuz": "f8E4M3FNUZ", "torch.float8_e5m2": "f8E5M2",
    "torch.float8_e5m2fnuz": "f8E5M2FNUZ", "torch.float8_e8m0fnu": "f8E8M0FNU",
    "torch.int8": "i8", "torch.uint8": "i8", "torch.int16": "i16",
    "torch.int32": "i32", "torch.int64": "i64", "torch.bool": "i1",
}

_FRAME = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')


def _short_path(path: str) -> str:
    """Returns `path` without what differs from machine to machine."""
    _, found, inside = path.rpartition("/site-packages/")
    if found:
        return inside
    relative = os.path.relpath(path)
    return os.path.basename(path) if relative.startswith("..") else relative


def find_location(node: Any) -> Location | None:
    """Returns the source line of an FX node: the innermost frame of its trace."""
    frames = _FRAME.findall(node.meta.get("stack_trace") or "")
    if not frames:
        return None
    file, line = frames[-1]
    return Location(_short_path(file), int(line))


def _type(value: Any, location: Location | None) -> Type:
    """Returns the type of a fake tensor, without unit extents in front beyond
    rank 2: `1 x M x K` is a matrix here."""
    element = ELEMENTS.get(str(value.dtype))
    if element is None:
        raise ImportFailure(f"tensors of {value.dtype} cannot be imported", location)
    shape: Shape = tuple(_extent(extent) for extent in value.shape)
    while len(shape) > 2 and shape[0] == 1:
        shape = shape[1:]
    return Type(shape, element)


def _extent(extent: Any) -> int | str:
    return extent if isinstance(extent, int) else str(extent)


def _strides(value: Any, rank: int) -> tuple[str, ...] | None:
    return tuple(map(str, value.stride()))[-rank:] if rank else ()


def _is_tensor(value: Any) -> bool:
    return hasattr(value, "dtype") and hasattr(value, "stride")


def _bound(value: Any) -> int | None:
    """Returns an upper bound, None if there is none."""
    try:
        return int(value)
    except (OverflowError, TypeError, ValueError):
        return None


def target_name(target: Any) -> str:
    """Returns `namespace.name.overload` of the target of a call."""
    text = str(target)
    if not callable(target) or re.fullmatch(r"[\w.]+", text):
        return text
    return getattr(target, "__name__", text)


class Reader:
    """Reads one program; `function` is what came of it.

    Args:
      program: a `torch.export.ExportedProgram`.
      name: symbol of the function.
    """

    def __init__(self, program: Any, name: str):
        self._values: dict[Any, Any] = {}
        specs = {spec.arg.name: spec for spec in
                 program.graph_signature.input_specs
                 if hasattr(spec.arg, "name")}
        self.function = Function(name, [], [])
        for node in program.graph_module.graph.nodes:
            if node.op == "placeholder":
                self._read_argument(node, specs[node.name])
            elif node.op == "call_function":
                self._values[node] = self._read_call(node)
            elif node.op == "output":
                self._read_results(node, program.graph_signature)
            else:
                raise ImportFailure(f"'{node.op}' of '{node.target}' cannot be "
                                    "imported; hand in the program that "
                                    "torch.export gives", find_location(node))
        self._read_ranges(program.range_constraints)

    def _read_argument(self, node: Any, spec: Any) -> None:
        value = node.meta.get("val")
        if not _is_tensor(value):
            raise ImportFailure(f"argument '{node.name}' is no tensor; make it "
                                "a constant of the exported module")
        kind = spec.kind.name
        type = _type(value, None)
        name = re.sub(r"^[pbc]_", "", node.name) if kind != "USER_INPUT" else node.name
        argument = Node("argument", [], type, {
            "name": name, "weight": kind in ("PARAMETER", "BUFFER", "CONSTANT_TENSOR")})
        argument.strides = _strides(value, type.rank)
        self.function.arguments.append(argument)
        self._values[node] = argument

    def _read_results(self, node: Any, signature: Any) -> None:
        for result, spec in zip(node.args[0], signature.output_specs):
            if spec.kind.name != "USER_OUTPUT":
                raise ImportFailure(
                    f"the program changes '{spec.target}' in place; return the "
                    "new value instead", find_location(node))
            value = self._values.get(result)
            if not isinstance(value, Node):
                raise ImportFailure("a result is no tensor", find_location(node))
            self.function.results.append(value)

    def _read_ranges(self, constraints: Any) -> None:
        used = [extent for argument in self.function.arguments
                for extent in argument.type.shape if isinstance(extent, str)]
        ranges = {str(symbol): (int(range.lower), _bound(range.upper))
                  for symbol, range in constraints.items()}
        for symbol in dict.fromkeys(used):
            if symbol not in ranges:
                raise ImportFailure(f"an extent is the expression '{symbol}'; "
                                    "export with one dimension for it")
            self.function.ranges[symbol] = ranges[symbol]

    def _read_call(self, node: Any) -> Any:
        name = target_name(node.target)
        if name == "getitem":
            values, index = node.args
            return self._argument(values)[index]
        value = node.meta.get("val")
        if value is not None and not _is_tensor(value) and not isinstance(value, (list, tuple)):
            return str(value)  # a number: extents are read from the tensors
        location = find_location(node)
        schema = getattr(node.target, "_schema", None)
        if schema is not None and schema.is_mutable:
            raise ImportFailure(f"{name} changes an argument in place; return the new "
                                "value instead", location)
        call = self._make_call(node, name, location)
        builder = find_builder(name)
        try:
            if builder is None:
                raise Unsupported("the table has no builder for it")
            built = builder(call)
        except Unsupported as reason:
            return self._opaque(call, str(reason))
        return self._finish(call, built)

    def _finish(self, call: Call, built: Any) -> Any:
        nodes = built if isinstance(built, Sequence) else [built]
        if built is None:
            return None
        if len(nodes) != len(call.results):
            raise ImportFailure(f"the builder of {call.target} gave {len(nodes)} "
                                f"values for {len(call.results)} results",
                                call.location)
        for node, result, strides in zip(nodes, call.results, call.strides):
            if node.type.shape != result.shape or node.type.element != result.element:
                raise ImportFailure(
                    f"the builder of {call.target} gave a value of shape "
                    f"{list(node.type.shape)} and type {node.type.element} for "
                    f"one of {list(result.shape)} and {result.element}", call.location)
            # How its bytes lie there is what a later op may need to know.
            node.strides = node.strides or strides
            node.target = node.target or call.target
        return built

    def _make_call(self, node: Any, name: str, location: Location | None) -> Call:
        value = node.meta.get("val")
        values = value if isinstance(value, (list, tuple)) else [value]
        tensors = [v for v in values if _is_tensor(v)]
        types = [_type(v, location) for v in tensors]
        strides = [_strides(v, t.rank) for v, t in zip(tensors, types)]
        return Call(name, self._arguments(node), types, strides, location)

    def _arguments(self, node: Any) -> dict[str, Any]:
        schema = getattr(node.target, "_schema", None)
        if schema is None:
            named = {str(i): a for i, a in enumerate(node.args)} | dict(node.kwargs)
            return {name: self._argument(value) for name, value in named.items()}
        arguments = {}
        for index, parameter in enumerate(schema.arguments):
            if index < len(node.args):
                value = node.args[index]
            else:
                value = node.kwargs.get(parameter.name, parameter.default_value)
            arguments[parameter.name] = self._argument(value)
        return arguments

    def _argument(self, value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return [self._argument(v) for v in value]
        is_node = hasattr(value, "meta") and hasattr(value, "op")
        return self._values[value] if is_node else value

    def _opaque(self, call: Call, reason: str) -> Any:
        operands, others = [], []
        for name, value in call.arguments.items():
            values = value if isinstance(value, list) else [value]
            if values and all(isinstance(v, Node) for v in values):
                operands += values
            elif value is not None:
                others.append(f"{name}={_plain(value)}")
        if not call.results:
            raise ImportFailure(f"{call.target} gives no tensor, so that its "
                                "effect would be lost", call.location)
        shared = {"callee": call.target, "others": ", ".join(others),
                  "results": tuple(call.results), "reason": reason}
        first = Node("call", operands, call.results[0], shared, call.location)
        rest = [Node("call_result", [first], type, {"index": i}, call.location)
                for i, type in enumerate(call.results) if i > 0]
        return [first] + rest if rest else first


def _plain(value: Any) -> str:
    """Returns a parameter as text that is the same in each run."""
    if isinstance(value, list):
        return "[" + ", ".join(map(_plain, value)) + "]"
    return str(value)
