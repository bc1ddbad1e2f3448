#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifies compiled kernels on the emulated device over sizes and inputs.

Each line of qfuse-verify is a case. Ends with `N passed, N failed`.
"""

import os
import re

from modules import FLAVORS, MX, Chain, Matmul, MxChain
from runner import ROOT, Results, in_parallel, run, temporary_directory, write

KINDS = "random,zero_rows,outlier,ties,denormal,nan,inf"
SIZES = (64, 1536, 5120, 7168, 16384)
ROWS = (0, 1, 3, 64, 257)
FULL = os.environ.get("QFUSE_CHECK_FULL") == "1"

# What else varies goes along with the layout, so that all of it is covered.
VARIANTS = (
    dict(layout="plain", mirror=True),
    dict(layout="col", strided=True),
    dict(layout="aligned", element="f32", normalized="f32"),
)


def chains():
    for target in FLAVORS:
        for block in (128, 0):
            for k in SIZES:
                for variant in VARIANTS:
                    chain = Chain(target, k, block, **variant)
                    yield chain, ROWS[:-1], KINDS
                    # Most of the time goes here; all kinds with --full.
                    yield chain, ROWS[-1:], KINDS if FULL else "random,outlier"
        # Sizes that leave lanes, waves and blocks partly empty.
        for k in (8, 136, 520, 1032, 4104, 6664, 8200, 12296):
            yield Chain(target, k, mirror=True), (2,), "random,nan"
            yield Chain(target, k, block=0, offset=", weight_offset = 1.0 : f32"), (2,), "random"
        for apply in ("reciprocal", "reciprocal_approx"):
            yield Chain(target, 1536, encode_rule=f"apply = {apply}"), (3,), KINDS
        yield Chain(target, 1536, scale_rule="divide = by_reciprocal_constant, zero = one, "
                    "scale_floor = 1.0e-5"), (3,), KINDS
        yield Chain(target, 1536, scale_rule="zero = nan", encode_rule="max = 100.0, min = -50.0"), (3,), KINDS
        yield Chain(target, 2048, layout="tiled"), (67,), "random"
        yield Chain(target, 1536, block=32), (3,), KINDS


def mx_chains():
    for target, format in MX:
        for pow2 in ("roundup", "even", "floor", "ceil"):
            yield MxChain(target, 1536, format, pow2), (0, 3), KINDS
            # Values that no norm bounds.
            yield MxChain(target, 520, format, pow2, element="f32", norm=False,
                          rule="amax_floor = 1.0e-10, zero = one"), (3,), KINDS
        yield MxChain(target, 7168, format), (5,), KINDS
        yield MxChain(target, 2048, format, layout="tiled"), (67,), "random"


def matmuls():
    for target in FLAVORS:
        for k in SIZES:
            yield Matmul(target, k, block=0), ROWS, "random,zero_rows"
            for layout, weights in (("plain", "plain"), ("col", "aligned"), ("aligned", "plain")):
                yield Matmul(target, k, layout=layout, weight_layout=weights), ROWS, \
                    "random,zero_rows"
        for order in ("b_then_a", "a_then_b", "product"):
            yield Matmul(target, 1536, block=0, order=order, bias=True), (17,), "random"
        yield Matmul(target, 1536, order="per_block_product", bias=True), (17,), "random"
        for n in (1, 15, 83, 131, 576):  # ragged columns
            yield Matmul(target, 400, n=n), (1, 17), "random"
            yield Matmul(target, 1536, n=n, block=0), (33,), "random"


def layers():
    for target, suffix in (("gfx950", ""), ("gfx942", "_fnuz")):
        path = os.path.join(ROOT, "test", "inputs",
                            f"deepseek_v3_attention_input{suffix}.mlir")
        yield path, target, (1, 64), "random"


def jobs(directory):
    for number, (module, rows, kinds) in enumerate([*chains(), *mx_chains(), *matmuls()]):
        yield write(directory, f"case{number}", module.text()), module.target, rows, kinds, module
    for path, target, rows, kinds in layers():
        yield path, target, rows, kinds, os.path.basename(path)


def verify(job):
    path, target, rows, kinds, module = job
    code, out, err = run("qfuse-verify", path, f"--target={target}", "--device=emulated",
                         "--dim=M=" + ",".join(map(str, rows)), f"--inputs={kinds}")
    return module, code, out, err


def main():
    results = Results()
    with temporary_directory() as directory:
        for module, code, out, err in in_parallel(list(jobs(directory)), verify):
            lines = [x for x in out.splitlines() if not re.match(r"\d+ equal, \d+ different$", x)]
            for line in lines:
                results.add(line.startswith("equal "), f"{module}: {line}")
            if code == 2 or not lines:
                results.add(False, f"{module}: {err.strip() or 'no case'}")
    results.finish()


if __name__ == "__main__":
    main()
