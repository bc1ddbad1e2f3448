#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the checks: each mutation has to be found, by the check that is named.

A mutation of the meaning changes one parameter in a copy of the module, which
is then the reference. A mutation of the code removes instructions from the
compiled kernel, which the emulated device has to report. Ends with
`N passed, N failed`.
"""

import os
import re
import subprocess
from dataclasses import dataclass, replace

from modules import LAYOUTS, Chain, Matmul, MxChain, Overflowing
from runner import Results, in_parallel, run, temporary_directory, write

LLVM = "/usr/lib/llvm-22/bin"
CHAIN = Chain("gfx950", 1536)
KINDS = "random,zero_rows,denormal,nan,ties"


@dataclass(frozen=True)
class Mutation:
    """`module` is compiled, `reference` is the meaning; `check` finds it."""

    name: str
    module: object
    reference: object
    check: str
    rows: int = 5
    kinds: str = KINDS


def rule_mutations():
    floor = "amax_floor = 1.0e-10, "
    for parameter in ("divide = by_reciprocal_constant", "scale_floor = 1.0e-3", "zero = one",
                      "nan = ignore", "pow2 = floor", "pow2 = even", "pow2 = ceil",
                      "pow2 = roundup"):
        yield parameter, "A", dict(scale_rule=floor + parameter)
    yield "max", "A", dict(largest=440.0)
    yield "amax_floor", "A", dict(scale_rule="amax_floor = 1.0e-9")
    for parameter in ("apply = reciprocal", "apply = max_over_amax, max = 448.0", "round = rna",
                      "round = rtz", "max = 400.0", "min = -400.0"):
        yield parameter, "A", dict(encode_rule=parameter)
    yield "normalized", "B", dict(normalized="f32")
    yield "weight_offset", "B", dict(offset=", weight_offset = 1.0 : f32")
    yield "epsilon", "B", dict(epsilon="1.0e-5")


def power_mutations():
    """Of scales that are powers of two."""
    chain = MxChain("gfx950", 256, pow2="even")
    yield Mutation("even_bits of f8E8M0FNU", chain, replace(chain, rule="even_bits = 2"), "A")
    for pow2 in ("floor", "ceil", "roundup"):
        yield Mutation(f"{pow2} of f8E8M0FNU", chain, replace(chain, pow2=pow2), "A")
    yield Mutation("amax_floor of f8E8M0FNU", chain, replace(chain, rule="amax_floor = 1.0e-2"), "A")
    yield Mutation("max of f8E8M0FNU", chain, Text(chain, "max = 6.0", "max = 3.0"), "A")
    roundup = replace(chain, pow2="roundup")
    yield Mutation("zero of f8E8M0FNU", roundup, replace(roundup, rule="zero = one"), "A")
    yield Mutation("nan of f8E8M0FNU", roundup, replace(roundup, rule="nan = ignore"), "A")


def layout_mutations():
    """Each digit of a layout in the place of its neighbor."""
    base = Chain("gfx950", 4096, layout="tiled")
    digits = ["m floordiv 32", "k floordiv 8", "k mod 4", "m mod 16", "(k floordiv 4) mod 2",
              "(m floordiv 16) mod 2"]
    for i in range(len(digits) - 1):
        order = digits[:i] + [digits[i + 1], digits[i]] + digits[i + 2:]
        text = f"map = (m, k) -> ({', '.join(order)}), align = [32, 8]"
        yield Mutation(f"digits {i} and {i + 1} of a layout", base,
                       replace(base, layout_text=text), "A", rows=70, kinds="random")
    three = Chain("gfx950", 384, layout="aligned")  # three scales a row
    yield Mutation("align", three, replace(
        three, layout_text=LAYOUTS["aligned"].replace("[1, 4]", "[1, 8]")), "A", kinds="random")
    col = replace(CHAIN, layout="col")
    yield Mutation("layout", col, replace(CHAIN, layout="aligned"), "A", kinds="random")


class Text:
    """A module with a piece of text replaced."""

    def __init__(self, module, old, new):
        self.target, self.changed = module.target, module.text().replace(old, new)
        assert self.changed != module.text(), f"{old} is not in the module"

    def text(self):
        return self.changed


def mutations():
    for name, check, change in rule_mutations():
        yield Mutation(name, CHAIN, replace(CHAIN, **change), check)
    yield Mutation("overflow", Overflowing("overflow = saturate"),
                   Overflowing("overflow = ieee"), "A", kinds="random")
    yield Mutation("sum", CHAIN, Text(CHAIN, "arith.addf", "arith.subf"), "B", kinds="random")
    yield Mutation("operand of quantize", CHAIN,
                   Text(CHAIN, "quantize %norm by", "quantize %sum by"), "A", kinds="random")
    yield Mutation("operand of block_scale", CHAIN,
                   Text(CHAIN, "block_scale %norm", "block_scale %sum"), "A", kinds="random")
    yield from layout_mutations()
    yield from power_mutations()
    # Few products, as codes are large and a bias is small.
    matmul = Matmul("gfx950", 16, bias=True, result="f32")
    yield Mutation("bias", matmul, Text(matmul, " bias(%bias : tensor<80xf32>)", ""), "B",
                   kinds="random")


def verify(mutation):
    with temporary_directory() as directory:
        module = write(directory, "module", mutation.module.text())
        reference = write(directory, "reference", mutation.reference.text())
        code, out, err = run("qfuse-verify", module, f"--reference={reference}",
                             f"--target={mutation.module.target}", "--device=emulated",
                             f"--dim=M={mutation.rows}", f"--inputs={mutation.kinds}")
    found = set(re.findall(r"^different .*? check=(\w)", out, re.M))
    ok = code == 1 and mutation.check in found
    return ok, (f"{mutation.name}: expected check {mutation.check}, found "
                f"{''.join(sorted(found)) or 'none'} {err.strip()}")


# Mutations of the code: (name, pattern of the instruction, kind of the hazard).
CODE = (
    ("barrier", r"s_barrier\b", "race"),
    ("wait for loads", r"s_waitcnt vmcnt\(\d+\)(?! lgkmcnt)", "wait_count"),
    ("wait for LDS or scalar loads", r"s_waitcnt lgkmcnt\(\d+\)", "wait_count"),
)


def assemble(assembly, path):
    """Assembles and links `assembly` into the code object `path`."""
    source, object = path + ".s", path + ".o"
    with open(source, "w") as file:
        file.write(assembly)
    subprocess.run([f"{LLVM}/llvm-mc", "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx950",
                    "-filetype=obj", source, "-o", object], check=True)
    subprocess.run([f"{LLVM}/ld.lld", "-shared", "--no-undefined", object, "-o", path],
                   check=True)


def run_mutated(artifact, assembly):
    assemble(assembly, os.path.join(artifact, "kernels.hsaco"))
    return run("qfuse-run", artifact, "--device=emulated", "--dim=M=3")


def code_mutations():
    """The fused kernel over seven waves, each instruction of a kind removed."""
    with temporary_directory() as directory:
        module = write(directory, "module", Chain("gfx950", 7168).text())
        artifact = os.path.join(directory, "artifact")
        run("qfuse-compile", module, "--target=gfx950", "-o", artifact)
        _, assembly, _ = run("qfuse-compile", module, "--target=gfx950", "--emit=asm")
        code, out, err = run_mutated(artifact, assembly)
        yield code == 0 and "hazard" not in out, f"the kernel as it is: {out} {err}"
        for name, pattern, kind in CODE:
            mutated, count = re.subn(pattern, "s_nop 0", assembly)
            code, out, err = run_mutated(artifact, mutated)
            ok = count > 0 and code == 1 and f"kind={kind}" in out
            yield ok, f"removed {name} ({count}): expected {kind}, got {code}: {out[:300]} {err}"


def main():
    results = Results()
    for ok, what in in_parallel(list(mutations()), verify):
        results.add(ok, what)
    for ok, what in code_mutations():
        results.add(ok, what)
    results.finish()


if __name__ == "__main__":
    main()
