# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds norms and quantization in the graph, whatever ops spell them.

Patterns look at the values that an op reads, not at the order of ops; users
come before operands, so that the largest form wins. What does not match stays
as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from qfuse.importer.attributes import (
    LARGEST, EncodeRule, Format, ScaleRule, round_to_f32)
from qfuse.importer.graph import Function, Node, Type

FLOATS = ("bf16", "f16", "f32")


def recognize(function: Function) -> None:
    """Rewrites what is recognized, in place."""
    _fold_views(function)
    for node in reversed(function.nodes()):
        _rms_norm(node) or _quantize(node)
    _fold_views(function)
    _fold_packs(function)
    _retype_arguments(function)


#===----------------------------------------------------------------------===#
# Matching helpers
#===----------------------------------------------------------------------===#


def _through_widening(node: Node) -> Node:
    """Returns the value before casts to f32, which change no value."""
    while (node.op == "cast" and node.type.element == "f32"
           and node.operands[0].type.element in FLOATS):
        node = node.operands[0]
    return node


def _orders(node: Node, op: str) -> Iterator[tuple[Node, Node]]:
    """Yields the operands of a commutative `op` in both orders."""
    if node.op == op:
        left, right = node.operands
        yield left, right
        yield right, left


def _with_constant(node: Node, op: str) -> tuple[Node, float] | None:
    """Returns `x, c` if the node is `op(x, c)` with a constant c."""
    if node.op in ("add", "mul"):
        pairs = list(_orders(node, op))
    else:
        pairs = [tuple(node.operands)] if node.op == op else []
    for value, constant in pairs:
        number = constant.constant()
        if number is not None and not value.is_constant():
            return value, number
    return None


#===----------------------------------------------------------------------===#
# rms_norm
#===----------------------------------------------------------------------===#


def _mean_of_squares(node: Node) -> Node | None:
    """Returns x if the node is the mean of x * x along the last dimension."""
    total = None
    if node.op == "mean":
        total = node.operands[0]
    else:
        divided, scaled = _with_constant(node, "div"), _with_constant(node, "mul")
        value, number = divided or scaled or (None, 0.0)
        extent = value.operands[0].type.shape[-1] if value and value.op == "sum" else 0
        if isinstance(extent, int) and extent and number in (
                (extent,) if divided else (1 / extent, round_to_f32(1 / extent))):
            total = value.operands[0]
    if total is None or total.op != "mul" or total.operands[0] is not total.operands[1]:
        return None
    return total.operands[0]


def _normalized(node: Node) -> tuple[Node, float] | None:
    """Returns `x, epsilon` if the node is `x * rsqrt(mean(x * x) + epsilon)`,
    computed in f32."""
    if node.type.element != "f32":
        return None
    for value, root in _orders(node, "mul"):
        if root.op != "rsqrt" or root.type.element != "f32":
            continue
        total = _with_constant(root.operands[0], "add")
        if total and _mean_of_squares(total[0]) is value:
            return _through_widening(value), round_to_f32(total[1])
    return None


def _weight(node: Node, extent: int | str) -> tuple[Node, float] | None:
    """Returns `w, offset` if the node is a vector `w + offset`, offset 0 or 1."""
    offset = 0.0
    added = _with_constant(node, "add")
    if added and added[1] == 1.0 and node.type.element == "f32":
        node, offset = added
    node = _through_widening(node)
    return (node, offset) if node.type.shape == (extent,) else None


def _weighted(product: Node) -> tuple[Node, Node, float, float, str] | None:
    """Returns `x, w, offset, epsilon, normalized` if the node multiplies a
    normalized value, rounded to `normalized`, by a weight."""
    for side, value in _orders(product, "mul"):
        weight = _weight(side, value.type.shape[-1] if value.type.shape else 0)
        if weight is None:
            continue
        normalized = value.type.element
        if value.op == "cast" and normalized in FLOATS and not _normalized(value):
            value = value.operands[0]
        found = _normalized(value)
        if found:
            return found[0], weight[0], weight[1], found[1], normalized
    return None


def _rms_norm(node: Node) -> bool:
    """Recognizes `node` as the result of an rms_norm."""
    if node.type.element not in FLOATS:
        return False
    product = node
    # A product in f32 and its cast are one rounding; a cast of anything else
    # is a rounding of its own.
    if node.op == "cast" and node.operands[0].type.element == "f32":
        product = node.operands[0]
    found = _weighted(product)
    if found:
        value, weight, offset, epsilon, normalized = found
        node.become("qfuse.rms_norm", [value, weight], epsilon=epsilon,
                    normalized=normalized, weight_offset=offset)
        return True
    bare = _normalized(product)
    if bare:
        node.become("qfuse.rms_norm", [bare[0]], epsilon=bare[1],
                    normalized="f32", weight_offset=0.0)
    return bare is not None


#===----------------------------------------------------------------------===#
# block_scale and quantize
#===----------------------------------------------------------------------===#


def _blocks_of(node: Node) -> tuple[Node, Format] | None:
    """Returns the value of which `node` is a row or a view in blocks of K, with
    the format of a scale for each."""
    node = _through_widening(node)
    if node.op != "view":
        return (node, Format((1, 0))) if node.type.rank == 2 else None
    value = _through_widening(node.operands[0])
    shape, block = node.type.shape, node.type.shape[-1]
    if (value.type.rank == 2 and len(shape) == 3 and isinstance(block, int)
            and shape[0] == value.type.shape[0]
            and value.type.shape[1] == shape[1] * block):
        return value, Format((1, block))
    return None


def _largest_magnitude(node: Node) -> tuple[Node, Format] | None:
    """Returns `x, format` if the node is the largest magnitude of each block."""
    while node.op == "view":
        node = node.operands[0]
    node = _through_widening(node)
    if node.op != "amax":
        return None
    magnitude = _through_widening(node.operands[0])
    return _blocks_of(magnitude.operands[0]) if magnitude.op == "abs" else None


def _floor(node: Node) -> tuple[Node, float]:
    """Returns `x, c` if the node is `max(x, c)` with c > 0, else the node and 0."""
    while node.op == "view":
        node = node.operands[0]
    bounds = node.attributes
    if node.op == "clamp" and bounds.get("min", 0.0) > 0 and "max" not in bounds:
        return node.operands[0], bounds["min"]
    return node, 0.0


def _division_by(node: Node) -> tuple[Node, float, bool] | None:
    """Returns `x, c, by_reciprocal` if the node is x / c, or x * f32(1 / c) for
    a c with few digits, in f32."""
    if node.type.element != "f32":
        return None
    divided = _with_constant(node, "div")
    if divided:
        return *divided, False
    scaled = _with_constant(node, "mul")
    if not scaled or scaled[1] <= 0:
        return None
    divisor = round(2 / scaled[1]) / 2
    if not divisor or round_to_f32(1 / divisor) != round_to_f32(scaled[1]):
        return None
    return scaled[0], divisor, True


def _scale_rule(node: Node) -> tuple[Node, Format, ScaleRule] | None:
    """Returns `x, format, rule` if the node computes the scales of x."""
    if node.type.element != "f32":
        return None
    quotient, scale_floor = _floor(node)
    division = _division_by(quotient)
    if division is None or division[1] <= 0:
        return None
    amax, amax_floor = _floor(division[0])
    # A floor that is applied before amax is widened is rounded with it.
    if amax_floor and division[0].type.element != "f32":
        return None
    found = _largest_magnitude(amax)
    if found is None:
        return None
    rule = ScaleRule(division[1], division[2], amax_floor, scale_floor)
    return *found, rule


def _scaled(node: Node) -> tuple[Node, Node, str] | None:
    """Returns `x, scales, apply` if the node scales x down, in f32."""
    if node.type.element != "f32":
        return None
    if node.op == "div" and not node.operands[1].is_constant():
        return node.operands[0], node.operands[1], "divide"
    for value, factor in _orders(node, "mul"):
        if factor.op == "reciprocal" and factor.type.element == "f32":
            return value, factor.operands[0], "reciprocal"
    return None


def _encode_rule(clamp: Node | None, element: str, apply: str) -> EncodeRule:
    """Returns the rule of a cast to `element`, after a clamp if there is one.

    PyTorch's cast to f8E4M3FN saturates, the others give NaN or infinity. A
    clamp at the largest code is what saturating means.
    """
    bounds = clamp.attributes if clamp else {}
    largest = LARGEST[element]
    low, high = bounds.get("min"), bounds.get("max")
    if (low, high) == (-largest, largest):
        return EncodeRule(apply)
    within = (low is not None and high is not None
              and max(-low, high) <= largest)
    overflow = "saturate" if within or element == "f8E4M3FN" else "ieee"
    return EncodeRule(apply, overflow, high, low)


def _scales(node: Node, value: Node, format: Format) -> tuple[Node, Format] | None:
    """Returns the scales of `value` that `node` holds, one for each block,
    broadcast along the block, with their format."""
    expected = format.scale_shape(value.type.shape)
    if node.type.shape != expected and all(e == 1 for e in node.type.shape):
        format = Format((0, 0))
        expected = format.scale_shape(value.type.shape)
    if node.op == "view" and node.operands[0].type.shape == expected:
        node = node.operands[0]
    if node.type.shape == expected:
        return node, format
    if node.type.shape not in (expected + (1,), (), (1,)):
        return None
    viewed = Node("view", [node], node.type.with_shape(expected), {}, node.location)
    return viewed, format


def _quantize(node: Node) -> bool:
    """Recognizes `node` as codes, with the scales that it divides by."""
    if node.op != "cast" or node.type.element not in LARGEST:
        return False
    clamp = node.operands[0] if node.operands[0].op == "clamp" else None
    scaled = _scaled(clamp.operands[0] if clamp else node.operands[0])
    blocks = _blocks_of(scaled[0]) if scaled else None
    found = _scales(scaled[1], *blocks) if blocks else None
    if found is None:
        return False
    value, (scales, format) = blocks[0], found
    _block_scale(scales, value, format)
    rule = _encode_rule(clamp, node.type.element, scaled[2])
    attributes = {"format": format, "rule": rule}
    if node.type.shape == value.type.shape:
        node.become("qfuse.quantize", [value, scales], **attributes)
        return True
    codes = Node("qfuse.quantize", [value, scales],
                 Type(value.type.shape, node.type.element), attributes, node.location)
    node.become("view", [codes])
    return True


def _block_scale(node: Node, value: Node, format: Format) -> None:
    """Recognizes `node` as the scales of `value`, if that is what it computes."""
    found = _scale_rule(node)
    if found and found[0] is value and found[1] == format:
        node.become("qfuse.block_scale", [value], format=format, rule=found[2])


#===----------------------------------------------------------------------===#
# Views, packs and arguments
#===----------------------------------------------------------------------===#


def _folded(node: Node) -> Node:
    """Returns the value that a view or permutation comes to."""
    operand = node.operands[0] if node.operands else None
    if node.op == "view":
        while operand.op == "view":
            operand = operand.operands[0]
        node.operands = [operand]
        return operand if operand.type.shape == node.type.shape else node
    if node.op != "permute":
        return node
    order = node.attributes["order"]
    if operand.op == "permute":
        inner = operand.attributes["order"]
        order = tuple(inner[d] for d in order)
        node.operands, node.attributes = operand.operands, {"order": order}
    return node.operands[0] if order == tuple(range(len(order))) else node


def _fold_views(function: Function) -> None:
    folded: dict[Node, Node] = {}
    for node in function.nodes():
        node.operands = [folded[n] for n in node.operands]
        folded[node] = _folded(node)
    function.results = [folded[n] for n in function.results]


def _fold_packs(function: Function) -> None:
    """Makes scales in the layout in which all their consumers read them.

    The op that quantizes by them takes either.
    """
    users = function.users()
    for scales in function.nodes():
        if scales.op != "qfuse.block_scale" or scales in function.results:
            continue
        packs = [u for u in users[scales] if u.op == "qfuse.pack"]
        others = [u for u in users[scales] if u not in packs
                  and not (u.op == "qfuse.quantize" and u.operands[1] is scales)]
        if not packs or others or len({p.type for p in packs}) != 1:
            continue
        scales.type = packs[0].type
        for pack in packs:
            function.replace_uses(pack, scales)


def _retype_arguments(function: Function) -> None:
    """Gives an argument the type that all its readers see it in.

    A transposed view, a view or a reinterpretation of an argument's bytes is
    the argument, of another type.
    """
    for argument in function.arguments:
        users = function.users()[argument]
        first = users[0] if users else None
        if first is None or argument in function.results:
            continue
        if not all(_same_bytes(argument, u) and u.type == first.type for u in users):
            continue
        argument.type, argument.strides = first.type, None
        for user in users:
            function.replace_uses(user, argument)


def _same_bytes(argument: Node, user: Node) -> bool:
    if user.op == "reinterpret":
        return True
    if user.op == "view":
        return argument.strides is None or _is_row_major(argument)
    # The transpose of a column-major matrix is row-major.
    return (user.op == "permute" and user.attributes["order"] == (1, 0)
            and argument.strides == ("1", str(argument.type.shape[0])))


def _is_row_major(argument: Node) -> bool:
    step: int | None = 1
    for extent, stride in reversed(list(zip(argument.type.shape, argument.strides))):
        if extent != 1 and stride != str(step):
            return False
        step = step * extent if step and isinstance(extent, int) else None
    return True
