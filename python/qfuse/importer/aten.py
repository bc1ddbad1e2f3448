# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builders of ATen ops: one spelling of each thing, before recognition.

Casts, views and reductions come in several overloads and composite forms. They
all become `cast`, `view`, `permute`, and reductions along the last dimension
that keep it. Where a shape follows from arguments it is taken from the result
that PyTorch inferred, never from the arguments.
"""

from __future__ import annotations

from collections.abc import Callable

from qfuse.importer.attributes import round_to_f32
from qfuse.importer.calls import Built, Builder, Call, register
from qfuse.importer.errors import Unsupported
from qfuse.importer.graph import Node, Type

FLOATS = ("bf16", "f16", "f32")


def _scalar(call: Call, value: float, element: str = "f32") -> Node:
    return call.node("constant", [], Type((), element), value=float(value))


def _operand(call: Call, name: str) -> Node:
    """Returns an argument that may be a tensor or a Python number."""
    value = call[name]
    return value if isinstance(value, Node) else _scalar(call, value)


def _require_floats(*values: Node) -> None:
    for value in values:
        if value.type.element not in FLOATS:
            raise Unsupported(f"not on values of {value.type.element}")


#===----------------------------------------------------------------------===#
# No data changes
#===----------------------------------------------------------------------===#


def _nothing(call: Call) -> Built:
    return None


def _same(call: Call) -> Node:
    return next(v for v in call.arguments.values() if isinstance(v, Node))


def _copy(call: Call) -> Built:
    # A value of its own, which may have other strides; it folds away.
    value = _same(call)
    return call.node("view", [value], value.type)


def _cast(call: Call) -> Built:
    value = _same(call)
    element = call.results[0].element
    if element == value.type.element:
        return value
    return call.node("cast", [value], Type(value.type.shape, element))


def _view(call: Call) -> Built:
    return call.view(_same(call), call.results[0].shape)


def _permute(order: Callable[[Call, int], list[int]]) -> Builder:
    def build(call: Call) -> Built:
        value = _same(call)
        dims = tuple(d % value.type.rank for d in order(call, value.type.rank))
        return call.node("permute", [value], call.results[0], order=dims)
    return build


def _swapped(call: Call, rank: int) -> list[int]:
    order = list(range(rank))
    first, second = call["dim0"], call["dim1"]
    order[first], order[second] = order[second], order[first]
    return order


#===----------------------------------------------------------------------===#
# Elementwise
#===----------------------------------------------------------------------===#


def _binary(op: str) -> Builder:
    def build(call: Call) -> Built:
        left, right = _operand(call, "self"), _operand(call, "other")
        _require_floats(left, right, Node("", [], call.results[0]))
        alpha = call.arguments.get("alpha", 1)
        if alpha != 1:
            right = call.node("mul", [right, _scalar(call, alpha)], right.type)
        return call.node(op, [left, right], call.results[0])
    return build


def _unary(op: str) -> Builder:
    def build(call: Call) -> Built:
        value = call["self"]
        _require_floats(value)
        return call.node(op, [value], call.results[0])
    return build


def _pow(call: Call) -> Built:
    value, exponent = call["self"], call["exponent"]
    _require_floats(value)
    if exponent == 2:
        return call.node("mul", [value, value], call.results[0])
    if exponent == -0.5:
        return call.node("rsqrt", [value], call.results[0])
    raise Unsupported(f"not with exponent {exponent}")


def _square(call: Call) -> Built:
    _require_floats(call["self"])
    return call.node("mul", [call["self"]] * 2, call.results[0])


def _clamp(call: Call) -> Built:
    value = call["self"]
    _require_floats(value)
    bounds: dict[str, float] = {}
    for name in ("min", "max"):
        bound = call.arguments.get(name)
        if isinstance(bound, Node):
            bound = bound.constant()
            if bound is None:
                raise Unsupported("not with bounds that are tensors")
        if bound is not None:
            bounds[name] = float(bound)
    return call.node("clamp", [value], call.results[0], **bounds)


#===----------------------------------------------------------------------===#
# Reductions
#===----------------------------------------------------------------------===#


def _reduction(op: str) -> Builder:
    def build(call: Call) -> Built:
        value = call["self"]
        _require_floats(value)
        rank = value.type.rank
        dims = call["dim"]
        dims = [dims] if isinstance(dims, int) else list(dims or [])
        if [d % rank for d in dims] != [rank - 1]:
            raise Unsupported("only along the last dimension")
        result = call.results[0]
        kept = Type(value.type.shape[:-1] + (1,), result.element)
        reduced = call.node(op, [value], kept)
        return call.view(reduced, result.shape)
    return build


def _rms_norm(call: Call) -> Built:
    value, weight = call["input"], call["weight"]
    _require_floats(value)
    if list(call["normalized_shape"]) != [value.type.shape[-1]]:
        raise Unsupported("only along the last dimension")
    if call["eps"] is None:
        raise Unsupported("only with eps, which has no default of its own here")
    return call.node("qfuse.rms_norm", [value] + ([weight] if weight else []),
                     call.results[0], epsilon=round_to_f32(call["eps"]),
                     normalized="f32", weight_offset=0.0)


#===----------------------------------------------------------------------===#
# The table
#===----------------------------------------------------------------------===#

_TABLE: dict[Builder, str] = {
    _nothing: "_assert_tensor_metadata _assert_scalar "
              "sym_constrain_range_for_size",
    _same: "detach alias",
    _copy: "lift_fresh_copy clone contiguous",
    _cast: "to.dtype to.device to.dtype_layout _to_copy type_as",
    _view: "view reshape _unsafe_view unflatten.int flatten.using_ints "
           "unsqueeze squeeze.dim squeeze.dims",
    _permute(lambda call, rank: [1, 0]): "t",
    _permute(lambda call, rank: call["dims"]): "permute",
    _permute(_swapped): "transpose.int",
    _binary("add"): "add.Tensor add.Scalar",
    _binary("sub"): "sub.Tensor sub.Scalar",
    _binary("mul"): "mul.Tensor mul.Scalar",
    _binary("div"): "div.Tensor div.Scalar",
    _unary("abs"): "abs",
    _unary("neg"): "neg",
    _unary("exp"): "exp",
    _unary("tanh"): "tanh",
    _unary("sqrt"): "sqrt",
    _unary("rsqrt"): "rsqrt",
    _unary("reciprocal"): "reciprocal",
    _pow: "pow.Tensor_Scalar",
    _square: "square",
    _clamp: "clamp clamp.Tensor clamp_min clamp_max",
    _reduction("mean"): "mean.dim",
    _reduction("sum"): "sum.dim_IntList",
    _reduction("amax"): "amax",
    _rms_norm: "rms_norm",
}

for _builder, _names in _TABLE.items():
    for _name in _names.split():
        register(f"aten::{_name}", _builder)
