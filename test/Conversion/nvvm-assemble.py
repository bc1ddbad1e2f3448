# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assembles row kernels for sm_90 with ptxas: no spill, no stack, no local memory.

Usage: nvvm-assemble.py QFUSE_COMPILE PTXAS. Prints each kernel that has one; ends with `N kernels`.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "emulated"))
from modules import Chain, MxChain  # noqa: E402

NOTHING = "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"


def chains():
    for k in (8, 64, 1536, 4104, 7168, 8192, 8200, 16384):
        for block in (0, 128):
            yield Chain("sm_90", k, block)
            yield Chain("sm_90", k, block, mirror=True, strided=True, layout="col")
            yield Chain("sm_90", k, block, element="f32", normalized="f32", layout="aligned")
    for format in ("mxfp4", "mxfp8"):
        yield MxChain("sm_90", 7168, format)


compiler, assembler = sys.argv[1:]
kernels = 0
with tempfile.TemporaryDirectory() as folder:
    source, ptx = pathlib.Path(folder, "k.mlir"), pathlib.Path(folder, "k.ptx")
    for chain in chains():
        source.write_text(chain.text())
        subprocess.run([compiler, source, "--target=sm_90", "--emit=asm", "-o", ptx], check=True,
                       stderr=subprocess.DEVNULL)
        done = subprocess.run([assembler, "-arch=sm_90", "-v", ptx, "-o", "/dev/null"], check=True,
                              capture_output=True, text=True)
        found = re.findall(r"\d+ bytes stack frame.*", done.stderr)
        kernels += len(found)
        if set(found) != {NOTHING}:
            print(f"expected {NOTHING}, got {found} for {chain}")
print(f"{kernels} kernels")
