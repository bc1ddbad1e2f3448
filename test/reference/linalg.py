# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What torch-mlir and JAX make of quantized chains, executed, against the chains
in numpy. Sums are taken in row-major order, with each rounding of their type."""

import pathlib

import numpy as np

from formats import decode, encode
from reference import F32
from runner import equal, make_rows, run

FOLDER = pathlib.Path(__file__).parents[1] / "inputs/linalg"


def bf16(values):
    """Rounds to bf16, as f32 values."""
    return F32(decode("bf16", encode("bf16", values)))


def same(values):
    return values


def total(x, rounding=same):
    """Returns the sums of the rows."""
    result = np.zeros(x.shape[:-1], F32)
    for column in range(x.shape[-1]):
        result = rounding(x[..., column] + result)
    return result[..., None]


def rsqrt(x):
    return F32(1 / np.sqrt(x.astype(np.float64)))


def normalize(h):
    mean = total(h * h) / F32(h.shape[-1])
    return h * rsqrt(mean + F32(1e-6))


def norm(h, weight):
    return bf16(weight * bf16(normalize(h)))


def norm_once(h, weight):
    return bf16(normalize(h) * weight)


def norm_gemma(h, weight):
    return bf16(normalize(h) * (weight + F32(1)))


def norm_in_bf16(h, weight):
    """Each op is of bf16, the additions of the sum too."""
    mean = bf16(total(bf16(h * h), bf16) / F32(h.shape[-1]))
    rstd = bf16(1 / np.sqrt(bf16(mean + bf16(1e-6)).astype(np.float64)))
    return bf16(bf16(h * rstd) * weight)


def largest(x):
    return np.max(np.abs(x), -1, keepdims=True)


def at_least(x, floor):
    """A comparison and a choice, which makes the floor of a NaN."""
    return np.where(x >= F32(floor), x, F32(floor))


def codes(x):
    clamped = np.where(x >= -448, x, F32(-448))
    clamped = np.where(clamped <= 448, clamped, F32(448))
    return F32(decode("f8E4M3FN", encode("f8E4M3FN", clamped)))


def codes_with_nan(x):
    clamped = np.minimum(np.maximum(x, F32(-448)), F32(448))
    return F32(decode("f8E4M3FN", encode("f8E4M3FN", clamped)))


def matmul(a, b):
    """a : M x K, b : N x K; one product and one sum after the other."""
    result = np.zeros((a.shape[0], b.shape[0]), F32)
    for k in range(a.shape[1]):
        result = result + a[:, k, None] * b[None, :, k]
    return result


def per_token(y, w, scales, floor=lambda s: at_least(s, 1e-12), to_codes=codes):
    scale = floor(largest(y) / F32(448))
    return bf16(matmul(to_codes(y / scale), w) * scale * scales)


def add_then(normalization, **options):
    def chain(x, residual, w, gamma, scales):
        h = bf16(x + residual)
        return per_token(normalization(h, gamma), w, scales, **options), h
    return chain


def static(x, residual, w, gamma, weight_scale, scale):
    h = bf16(x + residual)
    q = codes(norm(h, gamma) * (F32(1) / scale))
    return bf16(matmul(q, w) * scale * weight_scale), h


def block_dequant(x, residual, w, gamma, scales):
    h = bf16(x + residual)
    b = norm(h, gamma).reshape(len(h), h.shape[1] // 128, 128)
    scale = at_least(largest(b), 1e-10) / F32(448)
    a = (codes(b / scale) * scale).reshape(h.shape)
    return bf16(matmul(a, w * np.repeat(np.repeat(scales, 128, 0), 128, 1))), h


def silu_mul(gate_up, w, scales):
    gate, up = np.split(gate_up, 2, -1)
    e = F32(np.exp((-gate).astype(np.float64)))
    silu = bf16(F32(1) / (e + F32(1)) * gate)
    return (per_token(bf16(silu * up), w, scales),)


def dual_norm(x, w, gamma, gamma_kv, scales):
    q, kv, rope = x[:, :96], x[:, 96:160], x[:, 160:]
    return per_token(norm(q, gamma), w, scales), norm(kv, gamma_kv), rope


def jax(x, residual, gamma, w, scales):
    chain = add_then(norm_once, floor=lambda s: np.maximum(s, F32(1e-12)),
                     to_codes=codes_with_nan)
    return chain(x, residual, w, gamma, scales)


X, W, GAMMA, SCALES = ("bf16", "M", 256), ("f8E4M3FN", 128, 256), ("bf16", 256), ("f32", 1, 128)
ADDED = [X, X, W, GAMMA, SCALES]
# name: chain, arguments.
CHAINS = {
    "per_token_fp8": (add_then(norm), ADDED),
    "per_token_fp8_functional_norm": (add_then(norm_in_bf16), ADDED),
    "per_token_fp8_gemma": (add_then(norm_gemma), ADDED),
    "static_fp8": (static, [X, X, W, GAMMA, ("f32",), ("f32",)]),
    "block128_dequant": (block_dequant, [X, X, W, GAMMA, ("f32", 1, 2)]),
    "silu_mul_per_token": (silu_mul, [("bf16", "M", 512), W, SCALES]),
    "dual_norm": (dual_norm, [("bf16", "M", 176), ("f8E4M3FN", 128, 96), ("bf16", 96),
                              ("bf16", 64), SCALES]),
    "per_token_fp8_static_jax": (jax, [X, X, GAMMA, W, SCALES]),
}


def make(random, element, *shape):
    """Returns the bits in the file and the f32 values of an argument."""
    if element == "bf16" and len(shape) == 2:
        # Without those whose NaN has bits of its own in numpy.
        rows = make_rows(shape[1], shape[1])
        rows = rows[np.isfinite(rows).all(1) & (np.abs(rows) < 2.0**60).all(1)]
        values = random.permutation(rows)[np.arange(shape[0]) % len(rows)]
        values[:1] = 0
    elif element == "f32":
        values = F32(random.uniform(0.01, 0.02, shape))
    else:
        values = random.normal(size=shape)
    if element == "f32":
        return values, values
    bits = encode(element, values)
    return bits, F32(decode(element, bits))


def check_chain(name, m):
    chain, arguments = CHAINS[name]
    random = np.random.default_rng(len(name) + m)
    made = [make(random, element, *(m if extent == "M" else extent for extent in shape))
            for element, *shape in arguments]
    with np.errstate(all="ignore"):
        expected = chain(*(values for _, values in made))
    got = run((FOLDER / f"{name}.mlir").read_text(), [bits for bits, _ in made], len(expected))
    for index, (result, values) in enumerate(zip(got, expected)):
        equal(f"{name} M = {m} result {index}", result, encode("bf16", values))


def check_linalg():
    for name in CHAINS:
        # The shape of the JAX one is static.
        for m in (16,) if name.endswith("jax") else (0, 1, 5):
            check_chain(name, m)
