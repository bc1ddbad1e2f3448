# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several ranks, executed, against what the descriptions of the collectives say,
in numpy."""

import pathlib
import subprocess
import tempfile

import numpy as np

from formats import decode, encode
from reference import F32
from runner import BIN, check, equal

UNIT = 16  # bytes


def run_ranks(body, arguments, results):
    """Executes `body` on lists of arrays, one list for each rank; returns such
    lists."""
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        (directory / "f.mlir").write_text(body)
        command = [BIN / "qfuse-run", directory / "f.mlir", "--device=interpreter",
                   f"--output-dir={directory}"]
        for index in range(len(arguments[0])):
            for rank, of_rank in enumerate(arguments):
                np.save(directory / f"in{index}_{rank}.npy", of_rank[index])
            command.append(f"--input={directory}/in{index}_%r.npy")
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            print(body, done.stderr)
            return [[np.array([])] * results] * len(arguments)
        return [[np.load(directory / f"rank{rank}/out{i}.npy") for i in range(results)]
                for rank in range(len(arguments))]


def add_from(values, first):
    """Returns the f32 sum of the ranks from `first` on, element by element."""
    order = np.roll(np.arange(len(values)), -first)
    total = values[order[0]]
    for rank in order[1:]:
        total = F32(total + values[rank])
    return total


def owners(shape, width, ranks):
    """Returns which rank adds up each element of a two-stage all_reduce."""
    count = int(np.prod(shape))
    units = -(-count * width // UNIT)
    owner = np.full(units, ranks - 1)
    for rank in range(ranks):
        owner[rank * (units // ranks):(rank + 1) * (units // ranks)] = rank
    return np.repeat(owner, UNIT // width)[:count].reshape(shape)


def all_reduce(values, width, algorithm):
    if algorithm == "one_stage":
        return add_from(values, 0)
    owner = owners(values[0].shape, width, len(values))
    total = np.zeros_like(values[0])
    for rank in range(len(values)):
        total = np.where(owner == rank, add_from(values, rank), total)
    return total


def reduce_scatter(values, rank, dim, algorithm):
    total = add_from(values, rank if algorithm == "two_stage" else 0)
    return np.split(total, len(values), dim)[rank]


WIDTHS = {"f32": 4, "bf16": 2, "f16": 2}


def to_file(element, values):
    if element == "f32":
        return values
    codes = encode(element, values)
    return codes.view(np.float16) if element == "f16" else codes


def make_values(random, element, ranks, shape):
    """Magnitudes that differ so much that each order has its own sum."""
    values = random.normal(size=(ranks, *shape)) * 2.0 ** random.integers(-6, 6, (ranks, *shape))
    if element == "f32":
        return F32(values)
    return F32(decode(element, encode(element, values)))


def check_sums(element, ranks, algorithm, m):
    """A sum on all ranks, the same in parts along both dimensions, and the parts
    together again."""
    k = 6 * ranks
    random = np.random.default_rng(m * 8 + ranks)
    values = make_values(random, element, ranks, (m * ranks, k))
    whole, rows, columns = (f"tensor<{shape}x{element}>" for shape in
                            (f"?x{k}", f"?x{k}", f"?x{k // ranks}"))
    attributes = f'group = "tp", algorithm = #qfuse.algorithm<{algorithm}>'
    body = f"""
    module attributes {{qfuse.groups = {{tp = {ranks}}}}} {{
      func.func @f(%x: {whole}) -> ({whole}, {rows}, {columns}, {whole}) {{
        %a = qfuse.all_reduce %x {{{attributes}}} : {whole}
        %r = qfuse.reduce_scatter %x {{dim = 0 : i64, {attributes}}} : {whole} -> {rows}
        %c = qfuse.reduce_scatter %x {{dim = 1 : i64, {attributes}}} : {whole} -> {columns}
        %g = qfuse.all_gather %c {{dim = 1 : i64, group = "tp"}} : {columns} -> {whole}
        return %a, %r, %c, %g : {whole}, {rows}, {columns}, {whole}
      }}
    }}"""
    got = run_ranks(body, [[to_file(element, value)] for value in values], 4)
    parts = [reduce_scatter(values, rank, 1, algorithm) for rank in range(ranks)]
    for rank, (everywhere, own_rows, own_columns, together) in enumerate(got):
        name = f"{algorithm} {element} ranks = {ranks} M = {m} rank {rank}"
        equal(name, everywhere, to_file(element, all_reduce(values, WIDTHS[element], algorithm)))
        equal(name + " rows", own_rows,
              to_file(element, reduce_scatter(values, rank, 0, algorithm)))
        equal(name + " columns", own_columns, to_file(element, parts[rank]))
        equal(name + " gathered", together, to_file(element, np.concatenate(parts, 1)))
    one, two = all_reduce(values, 4, "one_stage"), all_reduce(values, 4, "two_stage")
    if ranks > 2 and m and element == "f32":
        check("the orders differ on these values", not np.array_equal(one, two))


def check_largest():
    values = F32([[np.nan, -0.0, 3, -np.inf], [1, 0.0, -5, 2]])
    got = run_ranks("""
    module attributes {qfuse.groups = {tp = 2}} {
      func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
        %y = qfuse.all_reduce %x {group = "tp", algorithm = #qfuse.algorithm<one_stage>,
                                  reduction = #qfuse.reduction<max>} : tensor<4xf32>
        return %y : tensor<4xf32>
      }
    }""", [[value] for value in values], 1)
    for (result,) in got:
        equal("largest", result, F32([np.nan, 0, 3, 2]))
        check("largest zero", not np.signbit(result[1]))


def check_packed_gather():
    """Scales in tiles: packed on each rank, gathered, unpacked."""
    layout = ("#qfuse.layout<map = (m, k) -> (m floordiv 32, k floordiv 8, k mod 4, m mod 16, "
              "(k floordiv 4) mod 2, (m floordiv 16) mod 2), align = [32, 8]>")
    part, whole = (f"!qfuse.packed<{m}x5xf8E8M0FNU, {layout}>" for m in (64, 128))
    random = np.random.default_rng(1)
    scales = random.integers(100, 140, (2, 64, 5), np.uint8)
    got = run_ranks(f"""
    module attributes {{qfuse.groups = {{tp = 2}}}} {{
      func.func @f(%x: tensor<64x5xf8E8M0FNU>) -> tensor<128x5xf8E8M0FNU> {{
        %p = qfuse.pack %x : tensor<64x5xf8E8M0FNU> -> {part}
        %g = qfuse.all_gather %p {{dim = 0 : i64, group = "tp"}} : {part} -> {whole}
        %y = qfuse.unpack %g : {whole} -> tensor<128x5xf8E8M0FNU>
        return %y : tensor<128x5xf8E8M0FNU>
      }}
    }}""", [[of_rank] for of_rank in scales], 1)
    for (result,) in got:
        equal("packed scales, gathered", result, scales.reshape(128, 5))


def check_collectives():
    for element in WIDTHS:
        for ranks in (2, 3, 4):
            for algorithm in ("one_stage", "two_stage"):
                for m in (0, 1, 3):
                    check_sums(element, ranks, algorithm, m)
    check_largest()
    check_packed_gather()
