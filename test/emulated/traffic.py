#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the bytes of device memory that fused row kernels read and write.

They have to be the least there can be: each input and output once, the weight
of a norm once a work-group. No kernel may spill or use scratch memory. Ends
with `N passed, N failed`.
"""

import json
import os
import re

from modules import FLAVORS, MX, Chain, MxChain
from runner import Results, in_parallel, run, temporary_directory, write

ROWS = 3


def chains():
    for target in FLAVORS:
        for k in (64, 1536, 5120, 7168, 16384):
            for block in (128, 0):
                yield Chain(target, k, block, mirror=True)
            yield Chain(target, k, layout="col")
            yield Chain(target, k, layout="aligned", element="f32")
    for target, format in MX:
        yield MxChain(target, 4096, format)


def measure(chain):
    """Returns what is wrong with the kernel of `chain`, or an empty string."""
    with temporary_directory() as directory:
        module = write(directory, "module", chain.text())
        artifact = os.path.join(directory, "artifact")
        code, _, err = run("qfuse-compile", module, f"--target={chain.target}", "-o", artifact)
        if code:
            return err
        with open(os.path.join(artifact, "manifest.json")) as file:
            kernels = json.load(file)["kernels"]
        code, out, err = run("qfuse-run", artifact, "--device=emulated", "--counters",
                             f"--dim=M={ROWS}")
    counters = [dict(re.findall(r"(\w+)=(\d+)", line))
                for line in out.splitlines() if line.startswith("counters ")]
    if code or len(kernels) != 1 or len(counters) != 1:
        return f"expected one kernel, got {len(kernels)}: {out} {err}"
    (kernel,), (counted,) = kernels, counters
    if kernel["spills"] or kernel["scratch_bytes"]:
        return f"it spills: {kernel}"
    for way in ("read", "written"):
        if counted[way] != counted[f"least_{way}"]:
            return f"expected {counted[f'least_{way}']} bytes {way}, got {counted[way]}"
    return ""


def main():
    results = Results()
    all_chains = list(chains())
    for chain, mistake in zip(all_chains, in_parallel(all_chains, measure)):
        results.add(not mistake, f"{chain}: {mistake}")
    results.finish()


if __name__ == "__main__":
    main()
