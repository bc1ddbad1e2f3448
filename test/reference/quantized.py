# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantized ops on values of each type and rank, blocks of several dimensions,
scales of each type, and second scales."""

import numpy as np

from formats import decode, encode, pack_nibbles, unpack_nibbles
from reference import F32, quantize_by, scale_of, scaled_matmul
from runner import check, equal, make_rows, round_to, run, same_numbers, to_file

CODES = {"f8E4M3FN": 448, "f8E4M3FNUZ": 240, "f8E5M2": 57344, "f8E5M2FNUZ": 57344,
         "f4E2M1FN": 6, "i8": 127}


class Blocks:
    """The blocks of a value: an extent of 0 is the whole dimension."""

    def __init__(self, shape, block):
        self.shape = tuple(-(-extent // size) if size else 1 for extent, size in zip(shape, block))
        self.index = np.ix_(*(np.arange(extent) // (size or max(extent, 1))
                              for extent, size in zip(shape, block)))

    def largest(self, x):
        amax = np.zeros(self.shape, F32)
        np.maximum.at(amax, tuple(np.broadcast_arrays(*self.index)), np.abs(x))
        return amax

    def spread(self, scales):
        return scales[self.index]


def tensor(shape, element):
    return f"tensor<{'x'.join([*map(str, shape), element])}>"


def numbers(element, array):
    """Returns the f32 numbers that an array of codes of `element` holds."""
    return array if element == "f32" else F32(decode(element, array))


def codes_of_file(element, array):
    return unpack_nibbles(array) if element == "f4E2M1FN" else array


def write_format(block, scales, outer):
    second = ", outer_scale = f32" if outer is not None else ""
    return f"#qfuse.format<block = {list(block)}, scale_type = {scales}{second}>"


def check_chain(shape, block, element, codes, scales, decoded, rule, outer=None):
    """block_scale, quantize and dequantize of one value."""
    x = round_to(element, np.resize(make_rows(shape[-1], shape[-1]), shape))
    blocks = Blocks(shape, block)
    given = F32(1) if outer is None else F32(outer)
    use, argument = "", ""
    if outer is not None:
        second = tensor([1] * len(shape), "f32")
        use, argument = f" outer(%o : {second})", f", %o: {second}"
    types = [tensor(shape, element), tensor(blocks.shape, scales), tensor(shape, codes), tensor(shape, decoded)]
    rule_text = ", ".join(f"{k} = {v}" for k, v in rule.items())
    body = f"""
    #format = {write_format(block, scales, outer)}
    func.func @f(%x: {types[0]}{argument}) -> ({types[1]}, {types[2]}, {types[3]}) {{
      %s = qfuse.block_scale %x{use} {{format = #format, rule = #qfuse.scale_rule<{rule_text}>}} : {types[0]} -> {types[1]}
      %q = qfuse.quantize %x by %s{use} {{format = #format}} : {types[0]}, {types[1]} -> {types[2]}
      %y = qfuse.dequantize %q by %s{use} {{format = #format}} : {types[2]}, {types[1]} -> {types[3]}
      return %s, %q, %y : {types[1]}, {types[2]}, {types[3]}
    }}"""
    arguments = [to_file(element, x)]
    if outer is not None:
        arguments.append(np.full([1] * len(shape), given))
    got_scales, got_codes, got = run(body, arguments, 3)
    name = f"{shape} {block} {element} -> {codes} by {scales} -> {decoded} {rule} outer={outer}"
    expected = scale_of(blocks.largest(x), rule, scales, given)
    equal(f"{name}: scales", got_scales.view(np.uint16) if scales == "f16" else got_scales, expected)
    values = blocks.spread(numbers(scales, expected))
    # A rounding each for the product of the scales and the quotient.
    expected_codes = quantize_by(x, values * given, {}, codes)
    equal(f"{name}: codes", codes_of_file(codes, got_codes), expected_codes)
    same_numbers(f"{name}: decoded", decoded, got,
                 round_to(decoded, F32(decode(codes, expected_codes)) * values * given))


def check_chains():
    for codes, largest in CODES.items():
        rule = {"max": float(largest), "zero": "one"}
        for element, scales, decoded in (("f32", "f32", "f32"), ("f16", "f16", "f16"), ("bf16", "bf16", "f32"),
                                         ("bf16", "f8E8M0FNU", "bf16"), ("f16", "f8E4M3FN", "bf16"),
                                         ("f32", "f8E5M2", "f16")):
            check_chain((160, 40), (1, 32), element, codes, scales, decoded, rule)
        for shape, block in (((160, 40), (3, 32)), ((160, 40), (0, 0)), ((160, 40), (0, 8)), ((2, 80, 40), (1, 7, 32)),
                             ((3, 53, 8), (0, 1, 0)), ((320,), (32,)), ((1, 40), (128, 128)), ((0, 40), (1, 32)),
                             ((2, 2, 40, 40), (1, 2, 16, 16))):
            check_chain(shape, block, "bf16", codes, "f32", "bf16", rule)
    for outer in (1.0, 0.37, 2.0**-13, 3.0e4):
        for element in ("f32", "bf16", "f16"):
            for rule in ({"max": 6.0}, {"max": 6.0, "scale_floor": 2.0**-9}, {"max": 6.0, "zero": "one"}):
                check_chain((160, 48), (1, 16), element, "f4E2M1FN", "f8E4M3FN", element, rule, outer)
        check_chain((2, 80, 48), (1, 1, 16), "bf16", "f4E2M1FN", "f8E4M3FN", "f32", {"max": 6.0, "pow2": "roundup"},
                    outer)


class Operand:
    """A or B with random codes and scales."""

    def __init__(self, random, shape, block, codes, scales, outer):
        self.block, self.codes, self.scales, self.outer = block, codes, scales, outer
        self.shape = shape
        blocks = Blocks(shape, block)
        self.array = encode(codes, random.normal(size=shape) * 2, overflow="saturate")
        factors = F32(2.0 ** random.uniform(-3, 3, blocks.shape))
        self.scale_array = factors if scales == "f32" else encode(scales, factors)
        self.scale_shape = blocks.shape
        self.values = decode(codes, self.array)
        self.factors = blocks.spread(numbers(scales, self.scale_array)) * F32(1 if outer is None else outer)

    def files(self):
        codes = pack_nibbles(self.array) if self.codes == "f4E2M1FN" else self.array
        second = [] if self.outer is None else [np.full([1] * len(self.shape), F32(self.outer))]
        scales = self.scale_array.view(np.float16) if self.scales == "f16" else self.scale_array
        return [codes, scales, *second]

    def write(self, name):
        """Returns arguments, uses, types and the format."""
        types = [tensor(self.shape, self.codes), tensor(self.scale_shape, self.scales)]
        arguments, uses = [f"%{name}: {types[0]}", f"%{name}s: {types[1]}"], f"%{name} by %{name}s"
        if self.outer is not None:
            second = tensor([1] * len(self.shape), "f32")
            arguments.append(f"%{name}o: {second}")
            uses += f" outer_{name}(%{name}o : {second})"
        return arguments, uses, types, write_format(self.block, self.scales, self.outer)


def check_matmul(batch, m, n, k, a_format, b_format, bias, result, order="per_block"):
    """`a_format`: block of the last two dimensions, codes, scales, outer."""
    random = np.random.default_rng(m + n + k)
    lead = [] if batch is None else [batch]
    sides = []
    for rows, (block, codes, scales, outer) in ((m, a_format), (n, b_format)):
        sides.append(Operand(random, (*lead, rows, k), (*[1 for _ in lead], *block), codes, scales, outer))
    (a_args, a_uses, a_types, a_attr), (b_args, b_uses, b_types, b_attr) = sides[0].write("a"), sides[1].write("b")
    arguments, files, use = a_args + b_args, sides[0].files() + sides[1].files(), ""
    added = np.zeros(n)
    if bias:
        added = np.float64(round_to(bias, F32(random.normal(size=n))))
        arguments, files = arguments + [f"%v: tensor<{n}x{bias}>"], files + [to_file(bias, added)]
        use = f" bias(%v : tensor<{n}x{bias}>)"
    type_ = tensor((*lead, m, n), result)
    body = f"""
    func.func @f({', '.join(arguments)}) -> {type_} {{
      %y = qfuse.scaled_matmul {a_uses}, {b_uses}{use} {{a_format = {a_attr}, b_format = {b_attr}, scale_order = #qfuse.scale_order<{order}>}} : {', '.join(a_types + b_types)} -> {type_}
      return %y : {type_}
    }}"""
    got, = run(body, files, 1)
    left, right = sides
    expected = scaled_matmul(left.values, right.values, left.factors, right.factors,
                             (left.block[-1], right.block[-1]), order, added)
    same_numbers(f"scaled_matmul {batch} {m}x{n}x{k} {a_format} {b_format} {bias} {result} {order}", result, got,
                 expected)


ORDERS = ("per_block", "per_block_product", "b_then_a", "a_then_b", "product")
# A step overflows or underflows in one order, and not in another.
EXTREME_SCALES = ((1e35, 1e-35), (1e-35, 1e35), (1e-23, 1e-23), (1e-38, 1e-38), (1e-43, 1e38), (1e20, 1e20))


def run_extreme(order, blocks):
    """Returns a row of results, of the largest codes by each pair of scales,
    and compares them."""
    k, count = 16 * blocks, len(EXTREME_SCALES)
    a_scales, b_scales = (np.repeat(F32(side)[:, None], blocks, 1) for side in zip(*EXTREME_SCALES))
    codes, scales = tensor((count, k), "f8E4M3FN"), tensor((count, blocks), "f32")
    body = f"""
    #f = #qfuse.format<block = [1, 16]>
    func.func @f(%a: {codes}, %as: {scales}, %b: {codes}, %bs: {scales}) -> tensor<{count}x{count}xf32> {{
      %y = qfuse.scaled_matmul %a by %as, %b by %bs {{a_format = #f, b_format = #f, scale_order = #qfuse.scale_order<{order}>}} : {codes}, {scales}, {codes}, {scales} -> tensor<{count}x{count}xf32>
      return %y : tensor<{count}x{count}xf32>
    }}"""
    values = np.full((count, k), 448.0)
    files = encode("f8E4M3FN", values)
    got, = run(body, [files, a_scales, files, b_scales], 1)
    spread = [np.repeat(side, 16, 1) for side in (a_scales, b_scales)]
    equal(f"scaled_matmul {order} of extreme scales, {blocks} blocks", got,
          scaled_matmul(values, values, *spread, (16, 16), order))
    return got


def check_orders():
    got = {order: run_extreme(order, 1) for order in ORDERS}
    for order in ("per_block", "per_block_product"):
        run_extreme(order, 3)
    one_block = {"per_block": "a_then_b", "per_block_product": "product"}
    for i, order in enumerate(ORDERS):
        for other in ORDERS[:i]:
            same = one_block.get(order, order) == one_block.get(other, other)
            check(f"{order} and {other} {'agree' if same else 'differ'} on extreme scales",
                  np.array_equal(got[order], got[other], equal_nan=True) == same)


def check_matmuls():
    nvfp4 = (1, 16), "f4E2M1FN", "f8E4M3FN"
    for result in ("f32", "bf16", "f16"):
        for batch in (None, 1, 3):
            # DeepSeek blocks, of which N and K are no multiples; MXFP4; NVFP4.
            check_matmul(batch, 5, 19, 70, ((1, 32), "f8E4M3FN", "f32", None), ((16, 32), "f8E4M3FN", "f32", None),
                         None, result)
            check_matmul(batch, 3, 8, 64, ((1, 32), "f4E2M1FN", "f8E8M0FNU", None),
                         ((1, 32), "f4E2M1FN", "f8E8M0FNU", None), "bf16", result, "per_block_product")
            check_matmul(batch, 4, 9, 48, (*nvfp4, 0.37), (*nvfp4, 2.5), "f32", result)
            check_matmul(batch, 1, 7, 33, ((1, 0), "i8", "f32", None), ((1, 0), "i8", "bf16", None), "f16", result,
                         "b_then_a")
    for m in (0, 1):
        check_matmul(2, m, 5, 32, (*nvfp4, 1.5), ((0, 0), "f8E4M3FN", "f16", None), None, "bf16")
    check_matmul(2, 3, 5, 0, ((1, 0), "f8E5M2", "f32", None), ((1, 0), "f8E5M2FNUZ", "f32", None), "f32", "f32")


def check_quantized():
    check_chains()
    check_matmuls()
    check_orders()
