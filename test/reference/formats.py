# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small number formats as tables of all their codes, sorted by value."""

import numpy as np

# name: (width, exponent bits, mantissa bits, bias)
FLOATS = {
    "f8E4M3FN": (8, 4, 3, 7),
    "f8E4M3FNUZ": (8, 4, 3, 8),
    "f8E5M2": (8, 5, 2, 15),
    "f8E5M2FNUZ": (8, 5, 2, 16),
    "f4E2M1FN": (4, 2, 1, 1),
    "f16": (16, 5, 10, 15),
    "bf16": (16, 8, 7, 127),
}
LARGEST = {"f8E4M3FN": 448.0, "f8E4M3FNUZ": 240.0, "f8E5M2": 57344.0,
           "f8E5M2FNUZ": 57344.0, "f4E2M1FN": 6.0, "f16": 65504.0,
           "bf16": 2.0**127 * (2 - 2.0**-7), "f8E8M0FNU": 2.0**127}
NAN = {"f8E4M3FN": 0x7F, "f8E4M3FNUZ": 0x80, "f8E5M2": 0x7E,
       "f8E5M2FNUZ": 0x80, "f4E2M1FN": 0x7, "f16": 0x7E00, "bf16": 0x7FC0,
       "f8E8M0FNU": 0xFF}
INFINITY = {"f8E5M2": 0x7C, "f16": 0x7C00, "bf16": 0x7F80}


def magnitudes(name):
    """Returns the values of the codes 0, 1, ... up to the largest one."""
    if name == "f8E8M0FNU":
        return 2.0 ** np.arange(-127, 128)
    _, exponent_bits, mantissa_bits, bias = FLOATS[name]
    codes = np.arange(1 << (exponent_bits + mantissa_bits))
    exponent, mantissa = codes >> mantissa_bits, codes & ((1 << mantissa_bits) - 1)
    unit = 2.0 ** (np.maximum(exponent, 1) - bias - mantissa_bits)
    values = (mantissa + np.where(exponent > 0, 1 << mantissa_bits, 0)) * unit
    return values[values <= LARGEST[name]]


def decode(name, codes):
    """Returns the f64 values of an array of codes."""
    if name == "i8":
        return codes.astype(np.int8).astype(np.float64)
    codes = codes.astype(np.int64)
    table = magnitudes(name)
    if name == "f8E8M0FNU":
        return np.where(codes == 255, np.nan, table[np.minimum(codes, 254)])
    sign = 1 << (FLOATS[name][0] - 1)
    magnitude = codes & (sign - 1)
    values = table[np.minimum(magnitude, len(table) - 1)]
    values = np.where(magnitude >= len(table), np.nan, values)
    if name in INFINITY:
        values = np.where(magnitude == INFINITY[name], np.inf, values)
    values = np.where(codes & sign, -values, values)
    if name.endswith("UZ"):
        values = np.where(codes == sign, np.nan, values)
    return values


def encode(name, values, rounding="rne", overflow="ieee"):
    """Returns the codes of f64 values: the closest entry of the table."""
    values = np.asarray(values, np.float64)
    if name == "i8":
        return encode_i8(values, rounding)
    table = magnitudes(name)
    # The first value beyond the largest one, if the exponent went on.
    beyond = 2 * table[-1] - table[-2] if name != "f8E8M0FNU" else 2.0**128
    steps = np.append(table, beyond)
    size = np.minimum(np.where(np.isnan(values), 0.0, np.abs(values)), beyond)
    low = np.clip(np.searchsorted(steps, size, side="right") - 1, 0, len(steps) - 2)
    middle = (steps[low] + steps[low + 1]) / 2
    odd = np.ones_like(low) if name == "f8E8M0FNU" else low % 2
    tie = {"rne": odd == 1, "rna": True, "rtz": False}[rounding]
    up = np.where(size == middle, tie, size > middle)
    if rounding == "rtz":
        up = size >= steps[low + 1]
    codes = low + up
    limit = {"f4E2M1FN": 7}.get(name, len(table) - 1)
    special = NAN[name] if name not in INFINITY else INFINITY[name]
    is_over = (codes >= len(table)) | np.isinf(values)
    over = limit if overflow == "saturate" or name == "f4E2M1FN" else special
    codes = np.where(is_over, over, codes)
    if name != "f8E8M0FNU":
        sign = 1 << (FLOATS[name][0] - 1)
        keeps = ~(is_over & (over == NAN[name])) if name != "f4E2M1FN" else True
        if name.endswith("UZ"):
            keeps = keeps & (codes != 0)
        codes = np.where(np.signbit(values) & keeps, codes | sign, codes)
    codes = np.where(np.isnan(values), NAN[name], codes)
    return codes.astype(np.uint16 if name in ("f16", "bf16") else np.uint8)


def encode_i8(values, rounding):
    rounded = {"rne": np.rint, "rtz": np.trunc,
               "rna": lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x)}[rounding]
    values = np.nan_to_num(rounded(values), nan=0.0)
    return np.clip(values, -128, 127).astype(np.int8)


def pack_nibbles(codes):
    return (codes[..., 0::2] | codes[..., 1::2] << 4).astype(np.uint8)


def unpack_nibbles(packed):
    nibbles = np.stack([packed & 15, packed >> 4], -1)
    return nibbles.reshape(*packed.shape[:-1], 2 * packed.shape[-1])
