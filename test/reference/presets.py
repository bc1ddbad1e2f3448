# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The presets of the table, executed, against the formulas of their sources."""

import re
import subprocess

import numpy as np

from formats import FLOATS, decode, encode, magnitudes, unpack_nibbles
from reference import F32, block_scale, quantize, rms_norm_interval
from runner import BIN, equal, check, inside, make_rows, run

# Sources: aiter csrc/include/mx_quant_utils.h; vllm csrc/quantization; the
# functions that the table names. amax is an array of f32.
# Largest code as the scale uses it, exponent and mantissa bits of it.
LARGEST = {"mxfp4": (6, 2, 1), "mxfp8": (448, 8, 3), "mxfp8fnuz": (240, 7, 3),
           "fp8": (448, 8, 3), "fnuz": (240, 7, 3), "int8": (127, None, None)}


def exponents(values):
    """Returns floor and ceiling of log2 of f32 numbers, as large negative
    numbers for 0."""
    mantissa, exponent = np.frexp(values.astype(np.float64))
    floor = np.where(values == 0, -1000, exponent - 1)
    return floor, np.where((mantissa == 0.5) | (values == 0), floor, floor + 1)


def byte(exponent):
    return np.clip(exponent + 127, 0, 254).astype(np.uint8)


def reciprocal(amax, largest):
    return amax * (F32(1) / F32(largest))


def even(amax, power, mantissa_bits):
    rounded = amax.view(np.uint32).astype(np.int64) + (1 << (22 - mantissa_bits))
    return byte((rounded >> 23) - 127 - power)


def at_least(floor, values):
    return np.maximum(F32(floor), values)


def mx_scale(rule, largest, power, mantissa_bits, amax):
    if rule == "roundup":
        return byte(exponents(reciprocal(at_least(1e-10, amax), largest))[1])
    if rule == "rounddown":
        return byte(exponents(amax)[0] - power)
    if rule == "ceil":
        return byte(exponents(amax)[1] - power)
    return even(amax, power, mantissa_bits)


def to_bf16(values):
    return F32(decode("bf16", encode("bf16", values)))


def mx(floor, largest=448):
    return lambda a: byte(exponents(reciprocal(at_least(floor, a), largest))[1])


def pow2(values):
    return F32(2.0) ** F32(exponents(values)[1])


SCALES = {
    "aiter_triton_mxfp4_even": lambda a: even(a, 2, 1),
    # The constant of fp4 on fp8.
    "aiter_triton_mxfp8_even": lambda a: even(a, 8, 1),
    "aiter_allreduce_mxfp4_even": lambda a: even(a, 2, 1),
    "quark_mxfp4_even": lambda a: even(a, 2, 1),
    "flashinfer_mxfp4_roundup": mx(0, 6),
    "aiter_inverse_rope_fp8_roundup": mx(1e-8),
    "sglang_fp8_block_roundup": mx(1e-10),
    "vllm_inverse_rope_fp8_roundup": lambda a: pow2(reciprocal(at_least(1e-10, a), 448)),
    "flashinfer_allreduce_fp8_block_roundup":
        lambda a: byte(exponents(at_least(1e-10, a / F32(448)))[1]),
    "aiter_norm_int8_per_token": lambda a: reciprocal(at_least(1e-10, a), 127),
    "aiter_opus_int8_per_token": lambda a: a / F32(127),
    "vllm_fp8_per_token": lambda a: at_least(F32(1) / F32(448 * 512), a / F32(448)),
    "vllm_fnuz_per_token": lambda a: at_least(F32(1) / F32(224 * 512), a / F32(224)),
    "vllm_fp8_block": lambda a: at_least(1e-10, a) / F32(448),
    "vllm_fnuz_block": lambda a: at_least(1e-10, a) / F32(224),
    "vllm_int8_per_token": lambda a: at_least(np.finfo(F32).eps, a / F32(127)),
    "sglang_fp8_per_token": lambda a: a / F32(448),
    "flashinfer_allreduce_fp8_per_token": lambda a: at_least(F32(2**-9) / F32(448), a / F32(448)),
    "flashinfer_allreduce_fp8_block": lambda a: at_least(1e-10, a / F32(448)),
    "torch_int8_per_token": lambda a: at_least(2.0**-23, to_bf16(a / F32(127.5))),
}
for _name, _largest in LARGEST.items():
    if _name.startswith("mx"):
        for _rule in ("roundup", "rounddown", "even", "ceil"):
            SCALES[f"aiter_{_name}_{_rule}"] = (
                lambda a, arguments=(_rule, *_largest): mx_scale(*arguments, a))
for _flavor in ("fp8", "fnuz"):
    _max = LARGEST[_flavor][0]
    for _kind in ("per_token", "block"):
        SCALES[f"aiter_norm_{_flavor}_{_kind}"] = (
            lambda a, m=_max: reciprocal(at_least(1e-10, a), m))
        SCALES[f"aiter_allreduce_{_flavor}_{_kind}"] = (
            lambda a, m=_max: np.where(a == 0, F32(1), a / F32(m)))
    SCALES[f"aiter_{_flavor}_block"] = lambda a, m=_max: reciprocal(at_least(1e-10, a), m)
    SCALES[f"aiter_{_flavor}_per_token"] = lambda a, m=_max: reciprocal(a, m)
    SCALES[f"aiter_triton_{_flavor}_block"] = lambda a, m=_max: at_least(1e-10, a) / F32(m)
for _kind in ("per_token", "block", "per_tensor"):
    SCALES[f"torch_fp8_{_kind}"] = lambda a: to_bf16(a / F32(448))

# Which multiply by a reciprocal instead of dividing, and which do not round to
# nearest even.
MULTIPLIES = re.compile(
    r"aiter_(norm|opus|triton)_(fp8|fnuz|int8)|aiter_(fp8|fnuz)_|vllm_int8|vllm_.*_static|"
    r"sglang_fp8_per_token|flashinfer_norm|torch_int8")
# Without a clamp, and the conversion does not saturate either.
UNCLAMPED = re.compile(r"aiter_allreduce_(fp8|fnuz)")
ROUNDINGS = {"aiter_allreduce_mxfp4_even": "rna", "aiter_norm_int8_per_token": "rtz"}
LIMITS = {"vllm_fnuz": 224.0}


def source_codes(name, x, scales, codes):
    """Returns the codes of `x` by scales of its own shape."""
    value = x * (F32(1) / scales) if MULTIPLIES.match(name) else x / scales
    for prefix, limit in LIMITS.items():
        if name.startswith(prefix):
            value = np.clip(value, -limit, limit)
    overflow = "ieee" if UNCLAMPED.match(name) else "saturate"
    return encode(codes, value, ROUNDINGS.get(name, "rne"), overflow)


def parse_parameters(text):
    """Returns the parameters of an attribute that no bracket nests in."""
    text = re.sub(r"\[[^]]*\]", lambda m: m.group().replace(",", ";"), text)
    parameters = {}
    for part in filter(None, text.split(", ")):
        key, value = part.split(" = ")
        parameters[key] = value
        if re.match(r"[-\d]", value):
            parameters[key] = float(value)
    if "even_bits" in parameters:
        parameters["even_bits"] = int(parameters["even_bits"])
    return parameters


class Preset:
    """One function of the table."""

    def __init__(self, aliases, name, text):
        self.name = name
        self.input = re.search(r"%x: tensor<\?x\?x(\w+)>", text).group(1)
        self.codes = re.search(r"-> \(tensor<\?x\?x(\w+)>", text).group(1)
        scale = re.search(r"block_scale %x \{format = #(\w+), rule = #(\w+)\}", text)
        encode_rule = re.search(r"#qfuse.encode_rule<(.*)>}", text)
        format_name = re.search(r"by %s \{format = #(\w+)", text).group(1)
        self.block = tuple(map(int, aliases[format_name]["block"].strip("[]").split("; ")))
        self.scales = aliases[format_name].get("scale_type", "f32")
        self.computed = aliases[scale.group(1)].get("scale_type", "f32") if scale else None
        self.scale_rule = aliases[scale.group(2)] if scale else None
        self.nan_on_zero_block = (self.scale_rule or {}).get("zero") == "nan"
        self.encode_rule = parse_parameters(encode_rule.group(1)) if encode_rule else {}


def read_table():
    """Returns the text of the table, its presets and its layouts: the maps of
    the element types of each."""
    text = subprocess.run([BIN / "qfuse-compile", "--print-presets"], check=True,
                          capture_output=True, text=True).stdout
    aliases = {}
    for name, kind, body in re.findall(r"^#(\w+) = #qfuse\.(\w+)<(.*)>$", text, re.M):
        aliases[name] = body if kind == "layout" else parse_parameters(body)
    functions = re.findall(r"^func\.func @(\w+)(\(.*?^\}$)", text, re.M | re.S)
    presets = [Preset(aliases, *function) for function in functions if "qfuse.quantize" in function[1]]
    layouts = {}
    for name, arguments in re.findall(r"^func\.func private @(\w+)\((!.*)\)$", text, re.M):
        for shape, element, layout in re.findall(r"packed<([?x2]+)x(\w+), #(\w+)>", arguments):
            layouts[name, element] = (shape, aliases[layout])
    return text, presets, layouts


def make_codes(name, width):
    """Returns one row with each code and each tie between two, in each sign,
    where each block of `width` has the largest one first."""
    if name == "i8":
        values = np.arange(0, 127.5, 0.5)
    else:
        table = magnitudes(name)
        values = np.sort(np.concatenate([table, (table[1:] + table[:-1]) / 2]))
    values = np.concatenate([values, -values])
    values = values[np.abs(values) <= values.max()]
    rest = np.resize(values, -(-len(values) // (width - 1)) * (width - 1))
    first = np.full((len(rest) // (width - 1), 1), values.max())
    return np.hstack([first, rest.reshape(-1, width - 1)]).reshape(1, -1)


def make_f32_rows(columns):
    """Rows whose largest magnitudes lie around powers of two and around what a
    rule rounds to them, to the last bit of f32, and subnormal ones."""
    random = np.random.default_rng(3)
    edges = np.float64([1, 1.5, 1.75, 1.9375, 1.875, 448, 240, 6, 127, 1e-10, 1e-8, 5e-8,
                        2.0**-126, 2.0**-140, 2.0**-149, 3.3e38])
    peaks = np.concatenate([np.nextafter(F32(edges), F32(0)), F32(edges),
                            np.nextafter(F32(edges), F32(np.inf)),
                            F32(2.0) ** F32(random.uniform(-30, 30, 64))])
    x = F32(random.uniform(-1, 1, (len(peaks), columns))) * peaks[:, None]
    x[:, ::8] = peaks[:, None]
    return x


def make_ties(name, width, factors):
    """Returns rows of ties times a scale of about `factors`, where a quotient
    and a product with a reciprocal may differ; the largest code first in each
    block."""
    row = make_codes(name, width)
    return F32(np.vstack([F32(row) * F32(factor) for factor in factors]))


def get_cases(preset):
    """Yields a name and rows of f32 numbers of the input type."""
    width = preset.block[1] or 320
    # The last block has one element, or two of fp4.
    yield "rows", make_rows(7, 129)
    yield "one column", make_rows(8, 2)
    codes = make_codes(preset.codes, min(width, 32))
    yield "codes", to_bf16(np.vstack([codes * 2.0**power for power in (0, -20, 40)]))
    if preset.input == "bf16":
        # So few bits that a product with a code of fp8 is a number of bf16.
        yield "ties", to_bf16(make_ties(preset.codes, min(width, 32), (3, 5, 7)))
    else:
        factors = (3, 7, 13, 41, 3.3, 0.7, 1.9, 0.011)
        yield "ties", make_ties(preset.codes, min(width, 32), factors)
        yield "edges", make_f32_rows(40)


def spread(preset, scales, shape):
    """Returns the scale of each element."""
    rows, columns = (extent or whole for extent, whole in zip(preset.block, shape))
    scales = np.repeat(np.repeat(scales, rows, 0), columns, 1)
    return scales[: shape[0], : shape[1]]


def amax_of(preset, x):
    """Returns the largest magnitude of each block."""
    rows, columns = (extent or whole for extent, whole in zip(preset.block, x.shape))
    padded = np.pad(np.abs(x), [(0, -x.shape[0] % rows), (0, -x.shape[1] % columns)])
    parts = padded.reshape(padded.shape[0] // rows, rows, -1, columns)
    return np.max(parts, (1, 3))


def check_case(text, preset, case, x):
    if x.shape[1] % 2 and preset.codes == "f4E2M1FN":
        x = np.hstack([x, x[:, :1]])
    arguments = [x if preset.input == "f32" else encode("bf16", x)]
    name = f"{preset.name} {case}"
    whole = x if preset.block[0] else x.reshape(1, -1)
    width = preset.block[1] or whole.shape[1]
    if preset.scale_rule is None:
        given = F32([[7.0]])
        arguments.append(given)
        expected = given
    else:
        expected = block_scale(whole, width, preset.scale_rule, preset.computed)
        if preset.computed == "bf16":
            expected = F32(decode("bf16", expected))
    codes, scales = run(text, arguments, 2, preset.name)
    equal(f"{name}: scales", scales, expected)
    values = expected if preset.scales == "f32" else F32(decode(preset.scales, expected))
    rule_codes = quantize(whole, values, width, preset.encode_rule, preset.codes).reshape(x.shape)
    if preset.codes == "f4E2M1FN" and codes.size:
        codes = unpack_nibbles(codes)
    equal(f"{name}: codes", codes, rule_codes)
    if preset.scale_rule is None or codes.shape != x.shape:
        return
    # Sources do not say what NaN and infinity become.
    amax = amax_of(preset, x)
    finite = np.isfinite(amax)
    of_source = SCALES[preset.name](np.where(finite, amax, F32(1)))
    equal(f"{name}: scales of the source", scales[finite], of_source[finite])
    elements = spread(preset, finite, x.shape) & ~np.isnan(spread(preset, values, x.shape))
    if preset.nan_on_zero_block:
        elements &= spread(preset, amax, x.shape) > 0
    with_scale = np.where(elements, spread(preset, values, x.shape), F32(1))
    source = source_codes(preset.name, np.where(elements, x, F32(0)), with_scale, preset.codes)
    known = elements & np.isfinite(x / with_scale)
    equal(f"{name}: codes of the source", codes[known], source[known])


def check_zero_block(text, preset):
    """A zero block has codes that are zero, unless the table says otherwise."""
    x = np.zeros((3, 128), F32)
    codes, _ = run(text, [x if preset.input == "f32" else encode("bf16", x)], 2, preset.name)
    values = decode(preset.codes, codes) if preset.codes in FLOATS and codes.size else codes
    has_nan = bool(np.any(np.isnan(values.astype(np.float64))))
    check(f"{preset.name} zero block", codes.size and has_nan == preset.nan_on_zero_block
          and (has_nan or not np.any(codes)))


# Whether the sum is rounded before the norm, the type to which the norm is
# rounded before the weight, that of the result, the rounding of the residual.
NORMS = {
    "aiter_add_rms_norm": (False, "f32", "f32"),
    "aiter_allreduce_rms_norm_rounded": (True, "f32", "f32"),
    "aiter_opus_rms_norm_truncated": (False, "f32", "f32", "rtz"),
    "aiter_opus_rms_norm_model_sensitive": (True, "bf16", "f32"),
    "aiter_triton_rms_norm_converted": (False, "f32", "bf16"),
    "vllm_add_rms_norm": (False, "bf16", "bf16"),
    "vllm_add_rms_norm_static": (True, "bf16", "bf16"),
    "flashinfer_allreduce_rms_norm": (True, "f32", "bf16"),
}


def check_norm(text, name, rounded, normalized, result, rounding="rne"):
    """The residual is exact; the norm lies in the interval of its own input,
    which is outside that of the other for some value."""
    random = np.random.default_rng(4)
    x, residual = to_bf16(random.normal(size=(2, 64, 40)) * [[[64]], [[0.25]]])
    weight = to_bf16(random.normal(size=40))
    files = [encode("bf16", value) for value in (x, residual, weight)]
    norm, total = run(text, files, 2, name)
    equal(f"{name}: residual", total, encode("bf16", x + residual, rounding))
    value = decode("bf16", total) if rounded else np.float64(x + residual)
    low, high = rms_norm_interval(value, weight, float(F32(1e-6)), 0.0, normalized, result)
    got = decode("bf16", norm) if result == "bf16" else norm
    inside(f"{name}: norm", got, low, high)
    other = np.float64(x + residual) if rounded else decode("bf16", total)
    low, high = rms_norm_interval(other, weight, float(F32(1e-6)), 0.0, normalized, result)
    check(f"{name}: not the other input", not np.all((low <= got) & (got <= high)))


def check_presets():
    text, presets, _ = read_table()
    check("each preset has a formula",
          {p.name for p in presets if p.scale_rule is not None} == set(SCALES))
    check("each norm has a formula", set(re.findall(r"func @(\w*rms_norm\w*)\(", text)) == set(NORMS))
    for name, roundings in NORMS.items():
        check_norm(text, name, *roundings)
    for preset in presets:
        for case, x in get_cases(preset):
            check_case(text, preset, case, x)
        if preset.scale_rule is not None:
            check_zero_block(text, preset)
