# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sixty-one layers in one block plan in well under half a second, and as the
# same kernels in whichever order the block has its ops.
# RUN: %python %s %t.in-order.mlir %t.shuffled.mlir
# RUN: %python %s --time qfuse-opt %t.in-order.mlir
# RUN: qfuse-opt %t.in-order.mlir --qfuse-fuse --qfuse-outline-kernels -o %t.in-order.out
# RUN: qfuse-opt %t.shuffled.mlir --qfuse-fuse --qfuse-outline-kernels -o %t.shuffled.out
# RUN: grep -c 'qfuse.kernel_def' %t.in-order.out | FileCheck %s --check-prefix=DEFS
# RUN: grep -o 'launch @[a-z_0-9]*' %t.in-order.out | sort > %t.in-order.kernels
# RUN: grep -o 'launch @[a-z_0-9]*' %t.shuffled.out | sort > %t.shuffled.kernels
# RUN: diff %t.in-order.kernels %t.shuffled.kernels
# RUN: grep -c quantize %t.in-order.kernels | FileCheck %s --check-prefix=CHAINS
# The first layer adds nothing before its norm, the last has no norm behind it.
# DEFS: {{^}}4{{$}}
# CHAINS: {{^}}122{{$}}
import random
import re
import subprocess
import sys
import time

LAYERS, PROJECTIONS = 61, 4
ROW, SCALES, CODES = "tensor<?x64xbf16>", "tensor<?x1xf32>", "tensor<?x64xf8E4M3FN>"
WEIGHT, WEIGHT_SCALES = "tensor<64x64xf8E4M3FN>", "tensor<64x1xf32>"


def block(stream, name):
    """Returns the ops of one norm, quantize and PROJECTIONS matmuls, and the name of their sum with the stream."""
    ops = [
        f"%n{name} = qfuse.rms_norm {stream} {{epsilon = 1.0e-6 : f32}} : {ROW} -> {ROW}",
        f"%s{name} = qfuse.block_scale %n{name} {{format = #f, rule = #r}} : {ROW} -> {SCALES}",
        f"%q{name} = qfuse.quantize %n{name} by %s{name} {{format = #f}} : {ROW}, {SCALES} -> {CODES}",
    ]
    for p in range(PROJECTIONS):
        ops.append(
            f"%y{name}_{p} = qfuse.scaled_matmul %q{name} by %s{name}, %w by %t {{a_format = #f, b_format = #f}}"
            f" : {CODES}, {SCALES}, {WEIGHT}, {WEIGHT_SCALES} -> {ROW}")
        ops.append(f"%e{name}_{p} = math.sin %y{name}_{p} : {ROW}")
    ops.append(f"%m{name}_0 = math.cos %e{name}_0 : {ROW}")
    for p in range(1, PROJECTIONS):
        ops.append(f"%m{name}_{p} = math.powf %m{name}_{p - 1}, %e{name}_{p} : {ROW}")
    ops.append(f"%h{name} = arith.addf {stream}, %m{name}_{PROJECTIONS - 1} : {ROW}")
    return ops, f"%h{name}"


def shuffled(ops, seed):
    """Returns `ops` in another order in which each stands behind what it reads."""
    generator = random.Random(seed)
    made = {op.split(" ")[0] for op in ops}
    waiting, done, result = list(ops), set(), []
    while waiting:
        ready = [op for op in waiting[:40]
                 if all(use in done or use not in made for use in re.findall(r"%\w+", op)[1:])]
        op = generator.choice(ready)
        waiting.remove(op)
        done.add(op.split(" ")[0])
        result.append(op)
    return result


def write(path, ops, result):
    body = "\n  ".join(ops)
    with open(path, "w") as file:
        file.write("#f = #qfuse.format<block = [1, 0]>\n#r = #qfuse.scale_rule<max = 448.0>\n"
                   f"func.func @model(%x: {ROW}, %w: {WEIGHT}, %t: {WEIGHT_SCALES}) -> {ROW} {{\n"
                   f"  {body}\n  return {result} : {ROW}\n}}\n")


def main():
    if sys.argv[1] == "--time":
        tool, path = sys.argv[2:]
        best = {}
        for passes in ((), ("--qfuse-fuse",)):
            times = []
            for _ in range(3):
                start = time.monotonic()
                subprocess.run([tool, path, "-o", "/dev/null", *passes], check=True)
                times.append(time.monotonic() - start)
            best[passes] = min(times)
        seconds = best[("--qfuse-fuse",)] - best[()]
        if seconds > 0.5:
            sys.exit(f"expected fusion to take 0.5 s at most, got {seconds:.2f} s")
        return
    ops, stream = [], "%x"
    for layer in range(LAYERS):
        for part in "ab":
            more, stream = block(stream, f"{layer}{part}")
            ops += more
    write(sys.argv[1], ops, stream)
    write(sys.argv[2], shuffled(ops, 1), stream)


main()
