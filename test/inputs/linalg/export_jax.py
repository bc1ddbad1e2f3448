# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports the norm + quantize + dot chain from JAX as StableHLO text.

usage: python export_jax.py OUTDIR

Needs jax 0.10. torch-mlir-opt makes linalg of it:

    torch-mlir-opt per_token_fp8_static.stablehlo.mlir --inline \\
      --stablehlo-legalize-to-linalg -o per_token_fp8_static_jax.mlir
"""
import pathlib
import re
import sys

import jax
import jax.numpy as jnp
from jax import export

H, N = 256, 128


def rms_norm(x, w, eps=1e-6):
    f = x.astype(jnp.float32)
    return (f * jax.lax.rsqrt(jnp.mean(f * f, -1, keepdims=True) + eps) * w.astype(jnp.float32)).astype(x.dtype)


def per_token_fp8(x, residual, norm_w, w, w_scale):
    h = x + residual
    y = rms_norm(h, norm_w).astype(jnp.float32)
    scale = jnp.maximum(jnp.max(jnp.abs(y), -1, keepdims=True) / 448.0, 1e-12)
    q = jnp.clip(y / scale, -448.0, 448.0).astype(jnp.float8_e4m3fn)
    acc = jax.lax.dot_general(q, w, (((1,), (1,)), ((), ())), preferred_element_type=jnp.float32)
    return (acc * scale * w_scale).astype(x.dtype), h


def block_scaled(q, w, s, w_scale):
    return jax.nn.scaled_matmul(q, w, s, w_scale, preferred_element_type=jnp.float32)


def strip_locations(text):
    text = re.sub(r"(?m)^#loc.*\n", "", text)
    return re.sub(r" loc\((?:[^()\"]|\"[^\"]*\"|\([^()]*\))*\)", "", text)


def main():
    out = pathlib.Path(sys.argv[1])
    S, bf16, f8, e8 = jax.ShapeDtypeStruct, jnp.bfloat16, jnp.float8_e4m3fn, jnp.float8_e8m0fnu
    (m,) = export.symbolic_shape("m")
    chain = lambda rows: (S((rows, H), bf16), S((rows, H), bf16), S((H,), bf16), S((N, H), f8), S((1, N), jnp.float32))
    scaled = (S((1, 128, H), f8), S((1, N, H), f8), S((1, 128, H // 32), e8), S((1, N, H // 32), e8))
    for name, fn, args, platform in (("per_token_fp8", per_token_fp8, chain(m), "cpu"),
                                     ("per_token_fp8_static", per_token_fp8, chain(16), "cpu"),
                                     ("scaled_matmul_rocm", block_scaled, scaled, "rocm"),
                                     ("scaled_matmul_cuda", block_scaled, scaled, "cuda")):
        e = export.export(jax.jit(fn), platforms=[platform],
                          disabled_checks=[export.DisabledSafetyCheck.custom_call("__op$block_scaled_dot")])(*args)
        (out / f"{name}.stablehlo.mlir").write_text(strip_locations(e.mlir_module()))
        print("ok", name, "jax", jax.__version__)


if __name__ == "__main__":
    main()
