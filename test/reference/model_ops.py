# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rope, gated_activation and gather_rows against formulas in numpy."""

import math

import numpy as np

from formats import decode, encode, pack_nibbles, unpack_nibbles
from reference import F32, MX_SHUFFLE, mx_shuffle
from runner import (check, equal, inside, make_rows, round_to, run, same_numbers,
                    to_file)


# Rope: contracts of vllm csrc/pos_encoding_kernels.cu (is_neox is `half`, its
# offset and inverse), aiter inverse_rope_group_quant, and rotate_half of PyTorch.


def rope(x, cos, sin, style, offset, width, inverse, product, result):
    """Rotates `width` elements from `offset` on; tables are of the shape of `x`
    but for the last dimension, which has an entry a pair."""
    part = x[..., offset:offset + width]
    if style == "interleaved":
        first, second = part[..., 0::2], part[..., 1::2]
    else:
        first, second = part[..., :width // 2], part[..., width // 2:]
    sin = -sin if inverse else sin

    def multiply(a, b):
        return round_to(product, a * b)

    turned = [multiply(first, cos) - multiply(second, sin),
              multiply(second, cos) + multiply(first, sin)]
    if style == "interleaved":
        rotated = np.stack(turned, -1).reshape(part.shape)
    else:
        rotated = np.concatenate(turned, -1)
    y = x.copy()
    y[..., offset:offset + width] = rotated
    return round_to(result, y)


def angles(shape, element):
    """Returns cosines and sines, and in the first row other factors."""
    random = np.random.default_rng(sum(shape))
    angle = random.uniform(-4, 4, shape)
    cos, sin = F32(np.cos(angle)), F32(np.sin(angle))
    if shape[0] > 0:
        cos[0], sin[0] = 1, 0
    if shape[0] > 3:
        cos[3].flat[0], sin[3].flat[0] = np.inf, np.nan
    return round_to(element, cos), round_to(element, sin)


def check_rope(shape, table_shape, style, element, table, result, attributes):
    """One form. `attributes`: offset, width, inverse, product, per_element."""
    offset, inverse = attributes.get("offset", 0), attributes.get("inverse", False)
    per_element = attributes.get("per_element", False)
    columns = table_shape[-1]
    width = columns if per_element else 2 * columns
    product = attributes.get("product", "f32")
    x = np.resize(make_rows(shape[-1], shape[-1]), (*shape,)) if math.prod(shape) else np.zeros(shape, F32)
    x = round_to(element, x)
    cos, sin = angles((*table_shape[:-1], width // 2), table)
    stored = [cos, sin]
    if per_element and style == "interleaved":
        stored = [np.repeat(t, 2, -1) for t in stored]
    elif per_element:
        stored = [np.concatenate([t, t], -1) for t in stored]
    words = ["inverse"] if inverse else []
    words += [f"{k} = {v}" for k, v in attributes.items() if k in ("offset", "product", "width")]
    words.append(f"style = #qfuse.rope_style<{style}>")

    def type_of(extents, of):
        return f"tensor<{'x'.join(map(str, extents))}x{of}>"

    types = type_of(shape, element), type_of(table_shape, table), type_of(shape, result)
    body = f"""
    func.func @f(%x: {types[0]}, %c: {types[1]}, %s: {types[1]}) -> {types[2]} {{
      %y = qfuse.rope %x, %c, %s {{{', '.join(words)}}} : {types[0]}, {types[1]}, {types[1]} -> {types[2]}
      return %y : {types[2]}
    }}"""
    got, = run(body, [to_file(element, x)] + [to_file(table, t) for t in stored], 1)
    # From the front: what a table lacks is broadcast.
    missing = (1,) * (len(shape) - len(table_shape))
    cos, sin = (t.reshape(*table_shape[:-1], *missing, width // 2) for t in (cos, sin))
    expected = rope(x, cos, sin, style, offset, width, inverse, product, result)
    same_numbers(f"rope {shape} {table_shape} {style} {element} {table} {result} {attributes}",
                 result, got, expected)


def check_ropes():
    for style in ("interleaved", "half"):
        for inverse in (False, True):
            # Llama, Qwen: heads behind the tokens; M of 0 and 1 too.
            for rows in (0, 1, 5):
                check_rope((rows, 3, 8), (rows, 4), style, "bf16", "f32", "bf16", {"inverse": inverse})
            # DeepSeek-V4: the last elements of each head, unrounded.
            check_rope((4, 2, 48), (4, 8), style, "bf16", "f32", "f32",
                       {"inverse": inverse, "offset": 32})
            # DeepSeek-V3: keys have no heads.
            check_rope((6, 64), (6, 32), style, "f32", "bf16", "bf16", {"inverse": inverse})
            # PyTorch: heads in front, an entry an element, products rounded.
            check_rope((2, 3, 5, 16), (2, 1, 5, 16), style, "bf16", "bf16", "bf16",
                       {"inverse": inverse, "product": "bf16", "per_element": True})
            # GPT-NeoX: a part of each head, an entry an element.
            check_rope((2, 5, 3, 24), (1, 5, 6), style, "f16", "f32", "f16",
                       {"inverse": inverse, "product": "f16", "per_element": True, "width": 6})
            check_rope((5, 24), (6,), style, "f16", "f16", "f32", {"inverse": inverse, "offset": 4})


# Activations: silu of vllm csrc/activation_kernels.cu (rounded before the
# product) and of aiter and flashinfer (not rounded), gelu of torch.


def activate(name, x):
    """Returns f(x) as f64; tails without cancellation."""
    if name == "silu":
        return x / (1 + np.exp(-x))
    if name == "gelu_tanh":
        u = np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)
        return x / (1 + np.exp(-2 * u))
    return 0.5 * x * np.vectorize(math.erfc, otypes=[float])(-x / np.sqrt(2))


def check_activation(name, element, activated, result, rows):
    gate = round_to(element, make_rows(40, 40)[:rows])
    up = round_to(element, np.flipud(make_rows(41, 40)[:rows]))
    gate_type, type_ = f"tensor<?x40x{element}>", f"tensor<?x40x{result}>"
    body = f"""
    func.func @f(%g: {gate_type}, %u: {gate_type}) -> {type_} {{
      %y = qfuse.gated_activation %g, %u {{activated = {activated}, activation = #qfuse.activation<{name}>}} : {gate_type}, {gate_type} -> {type_}
      return %y : {type_}
    }}"""
    got, = run(body, [to_file(element, gate), to_file(element, up)], 1)
    values = got if result == "f32" else decode(result, got.view(np.uint16))
    exact = activate(name, np.float64(gate))
    # What the f64 functions of two libraries may differ by.
    ends = [round_to(result, round_to(activated, F32(exact * (1 + sign * 2.0**-48))) * up)
            for sign in (-1, 1)]
    label = f"gated_activation {name} {element} {activated} {result} M={rows}"
    is_nan = np.isnan(ends[0])
    check(label + " shape", got.shape == gate.shape)
    check(label + " NaN", values.shape == is_nan.shape and np.array_equal(np.isnan(values), is_nan))
    if values.shape == is_nan.shape:
        low, high = np.minimum(*ends), np.maximum(*ends)
        inside(label, values[~is_nan], low[~is_nan], high[~is_nan])


def check_activations():
    for name in ("silu", "gelu_tanh", "gelu_erf"):
        for element, activated, result in (("bf16", "f32", "bf16"), ("bf16", "bf16", "bf16"),
                                           ("bf16", "f32", "f32"), ("f16", "f16", "f16"),
                                           ("f32", "f32", "f32"), ("f32", "bf16", "f16")):
            check_activation(name, element, activated, result, 160)
        for rows in (0, 1):
            check_activation(name, "bf16", "bf16", "bf16", rows)


def check_gather(codes, packed, indices):
    """Rows of codes and of their scales, and what they stand for."""
    random = np.random.default_rng(len(indices))
    rows, columns, width = 37, 64, 32
    count = columns // width
    is_fp4 = codes == "f4E2M1FN"
    values = random.integers(0, 16 if is_fp4 else 256, (rows, columns)).astype(np.uint8)
    scales = random.integers(0, 255, (rows, count)).astype(np.uint8)
    scale_type = f"tensor<{rows}x{count}xf8E8M0FNU>"
    if packed:
        layout = MX_SHUFFLE % "one"
        scale_type = f"!qfuse.packed<{rows}x{count}xf8E8M0FNU, {layout}>"
    result = f"tensor<?x{count}xf8E8M0FNU>"
    body = f"""
    #format = #qfuse.format<block = [1, {width}], scale_type = f8E8M0FNU>
    func.func @f(%q: tensor<{rows}x{columns}x{codes}>, %s: {scale_type}, %i: tensor<?xi32>) -> (tensor<?x{columns}x{codes}>, {result}, tensor<?x{columns}xf32>) {{
      %c = qfuse.gather_rows %q, %i : tensor<{rows}x{columns}x{codes}>, tensor<?xi32> -> tensor<?x{columns}x{codes}>
      %t = qfuse.gather_rows %s, %i : {scale_type}, tensor<?xi32> -> {result}
      %x = qfuse.dequantize %c by %t {{format = #format}} : tensor<?x{columns}x{codes}>, {result} -> tensor<?x{columns}xf32>
      return %c, %t, %x : tensor<?x{columns}x{codes}>, {result}, tensor<?x{columns}xf32>
    }}"""
    files = [pack_nibbles(values) if is_fp4 else values,
             mx_shuffle(scales, encode("f8E8M0FNU", 1.0)) if packed else scales, indices]
    got = run(body, files, 3)
    there = ((indices >= 0) & (indices < rows))[:, None]
    rows_read = np.where(there[:, 0], indices, 0)
    expected = np.where(there, values[rows_read], 0).astype(np.uint8)
    expected_scales = np.where(there, scales[rows_read], 0).astype(np.uint8)
    name = f"gather_rows {codes} packed={packed} {indices.tolist()}"
    equal(name + " codes", unpack_nibbles(got[0]) if is_fp4 else got[0], expected)
    equal(name + " scales", got[1], expected_scales)
    spread = np.repeat(F32(decode("f8E8M0FNU", expected_scales)), width, -1)
    equal(name + " values", got[2], F32(decode(codes, expected)) * spread)
    check(name + " zeros", got[2].ndim == 2 and not np.any(got[2][~there[:, 0]]))


def check_gathers():
    for codes in ("f4E2M1FN", "f8E4M3FN", "f8E4M3FNUZ", "f8E5M2"):
        for packed in (False, True):
            for indices in ([36, 0, 0, 17, 16], [-1, 37, 5, 2**31 - 1, -2**31], [3], []):
                check_gather(codes, packed, np.array(indices, np.int32))


def check_model_ops():
    check_ropes()
    check_activations()
    check_gathers()
