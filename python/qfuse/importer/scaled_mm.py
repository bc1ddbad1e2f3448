# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builders of PyTorch's scaled matmuls.

B is a transposed view there and N x K here. Scale layouts are in the strides.
"""

from __future__ import annotations

from typing import Any

from qfuse.importer.attributes import (
    BLOCK_128X128, BLOCK_1X128, COLUMN_MAJOR, PER_TENSOR, PER_TOKEN,
    ROWS_ALIGNED_TO_4, Format)
from qfuse.importer.calls import Built, Call, register
from qfuse.importer.errors import Unsupported
from qfuse.importer.graph import Node, Type

# torch.nn.functional.ScalingType.
_TENSOR_WISE, _ROW_WISE, _BLOCK_1X128, _BLOCK_128X128 = 0, 1, 4, 5

# Where the scales of whole rows enter. PyTorch's CUDA kernel multiplies the
# sum by B's scale first (pytorch aten/src/ATen/native/cuda/RowwiseScaledMM.cu),
# as AITER's do.
_ROW_WISE_ORDER = "b_then_a"


def _elements(value: Node) -> int | None:
    count = 1
    for extent in value.type.shape:
        if not isinstance(extent, int):
            return None
        count *= extent
    return count


def _result_element(call: Call) -> str:
    return call.results[0].element


def _whole_row_formats(a: Node, b: Node, a_scales: Node,
                       b_scales: Node) -> Format:
    """Returns the format that the numbers of scales stand for."""
    if _elements(a_scales) == 1 and _elements(b_scales) == 1:
        return PER_TENSOR
    if (a_scales.type.shape == (a.type.shape[0], 1)
            and b_scales.type.shape == (1, b.type.shape[0])):
        return PER_TOKEN
    raise Unsupported(
        f"not with scales of shapes {list(a_scales.type.shape)} and "
        f"{list(b_scales.type.shape)}; one scale each, or one a row")


def _whole_rows(call: Call, a: Node, b: Node, a_scales: Node, b_scales: Node,
                bias: Node | None) -> Built:
    format = _whole_row_formats(a, b, a_scales, b_scales)
    order = "product" if format is PER_TENSOR else _ROW_WISE_ORDER
    return call.scaled_matmul(
        a, call.view(a_scales, format.scale_shape(a.type.shape)),
        b, call.view(b_scales, format.scale_shape(b.type.shape)),
        format, format, scale_order=order, bias=bias,
        element=_result_element(call))


def _scaled_mm(call: Call) -> Built:
    if call["scale_result"] is not None:
        raise Unsupported("not with scale_result")
    b = call.transposed(call["mat2"])
    return _whole_rows(call, call["self"], b, call["scale_a"], call["scale_b"],
                       call["bias"])


def _a_block_scales(call: Call, scales: Node, a: Node) -> Node:
    """Returns [M, K/128] scales that PyTorch keeps column-major."""
    rows = a.type.shape[0]
    if scales.strides is not None and scales.strides != ("1", str(rows)):
        raise Unsupported(f"expected scales of A with strides (1, {rows}), got "
                          f"({', '.join(scales.strides)})")
    if scales.op == "argument":
        packed = Type(scales.type.shape, scales.type.element, COLUMN_MAJOR)
        return call.from_bytes(scales, packed)
    return call.pack(scales, COLUMN_MAJOR)


def _b_block_scales(call: Call, scales: Node, b: Node) -> Node:
    """Returns the scales of B, which PyTorch keeps as
    [round_up(K/128, 4), N/128] with strides (1, round_up(K/128, 4))."""
    shape = BLOCK_128X128.scale_shape(b.type.shape)
    if not isinstance(shape[1], int):
        raise Unsupported("not with a dynamic K")
    aligned = -(-shape[1] // 4) * 4
    if scales.type.shape != (aligned, shape[0]):
        raise Unsupported(f"expected scales of B of shape {[aligned, shape[0]]}, "
                          f"got {list(scales.type.shape)}")
    if scales.op != "argument" or scales.strides != ("1", str(aligned)):
        raise Unsupported("expected scales of B that are a parameter, buffer or "
                          f"input with strides (1, {aligned})")
    return call.from_bytes(scales, Type(shape, scales.type.element,
                                        ROWS_ALIGNED_TO_4))


def _single(call: Call, name: str) -> Any:
    values = call[name]
    if len(values) != 1:
        raise Unsupported(f"expected one entry in {name}, got {len(values)}")
    return values[0]


def _scaled_mm_v2(call: Call) -> Built:
    recipes = _single(call, "recipe_a"), _single(call, "recipe_b")
    if any(call["swizzle_a"]) or any(call["swizzle_b"]):
        raise Unsupported("not with swizzled scales")
    a, b = call["self"], call.transposed(call["mat2"])
    a_scales, b_scales = _single(call, "scale_a"), _single(call, "scale_b")
    if recipes in ((_TENSOR_WISE, _TENSOR_WISE), (_ROW_WISE, _ROW_WISE)):
        return _whole_rows(call, a, b, a_scales, b_scales, call["bias"])
    if recipes != (_BLOCK_1X128, _BLOCK_128X128):
        raise Unsupported(f"not with the recipes {recipes}")
    return call.scaled_matmul(
        a, _a_block_scales(call, a_scales, a),
        b, _b_block_scales(call, b_scales, b), BLOCK_1X128, BLOCK_128X128,
        bias=call["bias"], element=_result_element(call))


register("aten::_scaled_mm", _scaled_mm)
register("aten::_scaled_mm_v2", _scaled_mm_v2)
