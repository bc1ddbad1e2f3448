#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what h200.py needs into a folder: compiled artifacts for sm_90, inputs and expected intervals.

Usage: h200_prepare.py FOLDER. Needs the build tree; the machine with the GPU does not.
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test" / "emulated"), str(ROOT / "test" / "reference")]
from formats import decode, encode  # noqa: E402
from modules import Chain, MxChain  # noqa: E402
from reference import F32, rms_norm_interval  # noqa: E402

SIZES = (8, 64, 1536, 4104, 5120, 7168, 8200, 16384)
# What varies beside size and block goes along with the layout, as in test/emulated/sweep.py.
VARIANTS = {
    "plain": {},
    "col": dict(layout="col", strided=True),
    "aligned": dict(layout="aligned", element="f32", normalized="f32"),
}
EPSILON = float(F32(1e-6))


def make_rows(random, columns):
    """Rows for each case that arithmetic treats in its own way, then random ones."""
    x = random.normal(size=(20, columns)) * 2.0 ** random.integers(-8, 8, (20, 1))
    x[0] = 0
    x[1] = -0.0
    x[2, columns // 2] = np.nan
    x[3, 0] = np.inf
    x[4, -1] = -np.inf
    x[5] = np.resize([6, .25, .75, 1.25, 1.75, 2.5, 3.5, 5, -.25, -2.5, -5], columns)
    x[6] *= 2.0**-130
    x[7, ::7] *= 4096
    x[8] = 2.0**-133
    x[9, 1:] = 0
    return x


def round_to(element, values):
    return F32(values) if element == "f32" else F32(decode(element, encode(element, values)))


def to_file(element, values):
    return F32(values) if element == "f32" else encode(element, values)


def make_inputs(columns, element, normalized):
    """Returns inputs, the sum, and the ends of the norm, which are of bf16."""
    random = np.random.default_rng(columns)
    x = round_to(element, make_rows(random, columns))
    residual = round_to(element, random.normal(size=x.shape) * (np.arange(20) > 9)[:, None])
    weight = round_to(element, random.normal(size=columns))
    total = round_to(element, x + residual)
    with np.errstate(all="ignore"):
        low, high = rms_norm_interval(total.astype(np.float64), weight, EPSILON, 0.0, normalized, "bf16")
    return {"x": to_file(element, x), "residual": to_file(element, residual),
            "weight": to_file(element, weight), "sum": to_file(element, total),
            "low": encode("bf16", low), "high": encode("bf16", high)}


def write_steps(chain):
    """Returns the ops of `chain` as a function each: what is not fused."""
    k, element = chain.k, chain.element
    row, norm, scales = f"tensor<?x{k}x{element}>", f"tensor<?x{k}xbf16>", chain.scales()
    codes, weight = f"tensor<?x{k}x{chain.codes}>", f"tensor<{k}x{element}>"
    dims = '{qfuse.dims = ["M", ""]}'
    return f"""#format = #qfuse.format<block = [1, {chain.block}]>
func.func @add(%x: {row} {dims}, %residual: {row} {dims}) -> {row} {{
  %sum = arith.addf %x, %residual : {row}
  return %sum : {row}
}}
func.func @norm(%sum: {row} {dims}, %weight: {weight} {{qfuse.role = "weight"}}) -> {norm} {{
  %norm = qfuse.rms_norm %sum weight(%weight : {weight}) {{epsilon = {chain.epsilon} : f32, normalized = {chain.normalized}}} : {row} -> {norm}
  return %norm : {norm}
}}
func.func @scale(%norm: {norm} {dims}) -> {scales} {{
  %scales = qfuse.block_scale %norm {{format = #format, rule = #qfuse.scale_rule<max = 448.0, {chain.scale_rule}>}} : {norm} -> {scales}
  return %scales : {scales}
}}
func.func @quantize(%norm: {norm} {dims}, %scales: {scales} {dims}) -> {codes} {{
  %codes = qfuse.quantize %norm by %scales {{format = #format}} : {norm}, {scales} -> {codes}
  return %codes : {codes}
}}
"""


def compile_to(folder, text):
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "source.mlir"
    source.write_text(text)
    subprocess.run([ROOT / "build" / "bin" / "qfuse-compile", source, "--target=sm_90", "-o", folder],
                   check=True, stderr=subprocess.DEVNULL)


def write_chains(folder):
    for variant, what in VARIANTS.items():
        for k in SIZES:
            element, normalized = what.get("element", "bf16"), what.get("normalized", "bf16")
            inputs = f"inputs-{variant}-{k}.npz"
            np.savez_compressed(folder / inputs, **make_inputs(k, element, normalized))
            for block in (128, 0):
                name = f"{variant}-{k}-{block}"
                chain = Chain("sm_90", k, block, **what)
                compile_to(folder / name / "plain", chain.text())
                compile_to(folder / name / "probed", Chain("sm_90", k, block, mirror=True, **what).text())
                compile_to(folder / name / "steps", write_steps(chain))
                yield {"name": name, "kind": "chain", "k": k, "block": block, "layout": chain.layout,
                       "element": element, "strided": chain.strided, "inputs": inputs}


def write_powers(folder):
    """Chains without a norm: each value follows exactly from the inputs."""
    for format in ("mxfp8", "mxfp4"):
        for pow2 in ("roundup", "even", "floor", "ceil"):
            name = f"{format}-{pow2}"
            chain = MxChain("sm_90", 520, format, pow2, element="f32", norm=False,
                            rule="amax_floor = 1.0e-10, zero = one")
            inputs = make_inputs(520, "f32", "f32")
            np.savez_compressed(folder / f"inputs-{name}.npz", **inputs)
            compile_to(folder / name / "plain", chain.text())
            yield {"name": name, "kind": "powers", "k": 520, "format": format, "pow2": pow2,
                   "inputs": f"inputs-{name}.npz"}


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    cases = [*write_chains(folder), *write_powers(folder)]
    (folder / "cases.json").write_text(json.dumps(cases, indent=1))
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{len(cases)} cases, {size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
