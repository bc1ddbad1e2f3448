# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""Ops in generic form with any operands, results and attributes, and attributes
with any parameters: a diagnostic or nothing, never a crash."""

import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[2]
BIN = ROOT / "build/bin"
# What is valid is canonicalized and planned too.
PASSES = ["--canonicalize", "--cse", "--resolve-ranked-shaped-type-result-dims",
          "--qfuse-fuse", "--qfuse-outline-kernels"]
LAYOUTS = ["(d0) -> (d0)", "(d0, d1) -> (d1, d0)", "() -> ()", "(d0, d1, d2) -> (d2, d0, d1)"]
TYPES = [
    "tensor<*xbf16>", "memref<*xf32>", "tensor<*xf4E2M1FN>", "tensor<bf16>", "tensor<f4E2M1FN>",
    "tensor<i8>", "tensor<f8E8M0FNU>", "tensor<8xbf16>", "tensor<?xbf16>", "tensor<8x?xbf16>",
    "tensor<?x?xbf16>", "tensor<?x64xbf16>", "tensor<?x64xf32>", "tensor<?x2xf32>", "tensor<?x1xf32>",
    "tensor<1x1xf32>", "tensor<?x64xf8E4M3FN>", "tensor<?x64xf4E2M1FN>", "tensor<?x63xf4E2M1FN>",
    "tensor<?x2xf8E8M0FNU>", "tensor<2x?x64xi8>", "tensor<0x0xf32>", "tensor<?xi8>", "tensor<?xi32>",
    "tensor<9223372036854775807x2xi8>", "tensor<4xindex>", "tensor<4xi4>", "tensor<4xcomplex<f32>>",
    "tensor<2x3x4x5x6xf16>", "tensor<?x64xf64>", "memref<4xf32>", "vector<4xf32>", "f32", "i32",
    "index", "none", "() -> ()", "!qfuse.packed<?x2xf8E8M0FNU, #layout1>",
    "!qfuse.packed<8x64xf4E2M1FN, #layout1>", "!qfuse.packed<8xbf16, #layout0>",
    "!qfuse.packed<2x?x64xi8, #layout3>", "!qfuse.packed<f32, #layout2>"]
ATTRIBUTES = [
    "1", "-1 : i64", "0 : i64", "9223372036854775807 : i64", "true", "unit", '"text"', "@symbol", "f32", "bf16",
    "tensor<*xf32>", "1.0 : f32", "0x7FC00000 : f32", "1.0", "[]", "[1, 2]", "{}", "dense<1> : tensor<1xi64>",
    "array<i64: 1, 2>", "array<i32: 1, 2>", "array<i32: -1, 1, 1, 1, 1, 1, 1>", "affine_map<(d0) -> (d0)>",
    "#qfuse.format<block = [1, 32]>", "#qfuse.format<block = []>", "#qfuse.format<block = [0, 0, 0]>",
    "#qfuse.format<block = [1, 9223372036854775807]>", "#qfuse.format<block = [1, 16], outer_scale = f32>",
    "#qfuse.scale_rule<max = 6.0>", "#qfuse.scale_rule<max = 6.0, zero = nan>", "#qfuse.encode_rule",
    "#qfuse.encode_rule<apply = max_over_amax>", "#qfuse.scale_order<product>",
    '"tp"', "#qfuse.algorithm<two_stage>", "#qfuse.reduction<max>", "#qfuse.rope_style<half>", "#qfuse.activation<silu>", "#layout1"]
PARAMETERS = [
    "0", "1", "-1", "9223372036854775807", "0.0", "1.0", "-1.0", "1.0e40", "0x7FF8000000000000", "[]", "[1]",
    "[1, 0]", "[-1, 2]", "[0, 9223372036854775807]", "f32", "i8", "f8E8M0FNU", "tensor<*xf32>", "none",
    "(d0) -> (d0)", "(d0, d1) -> (d1 mod 0, d0)", "() -> ()", "(d0)[s0] -> (d0 + s0)", '"text"', "one", "keep",
    "exact", "even", "rtz", "ieee", "product", "two_stage", "max", "half", "silu", "unit", "<block = [1, 32]>", "{a = 1}",
    "#qfuse.format<block = [1, 32]>", "affine_set<(d0) : (d0 == 0)>"]
REGIONS = ["", "({})", "({^bb0:\n})", '({^bb0:\n "qfuse.yield"() : () -> ()\n})',
           '({^bb0(%x: tensor<*xbf16>):\n "qfuse.yield"(%x) : (tensor<*xbf16>) -> ()\n})',
           '({^bb0(%x: tensor<bf16>):\n "qfuse.yield"(%x, %x) : (tensor<bf16>, tensor<bf16>) -> ()\n})']
MODULE = "module attributes {qfuse.groups = {dp = 3, tp = 4}} {\n"
HEADER = "".join(f"#layout{i} = #qfuse.layout<map = {map}>\n" for i, map in enumerate(LAYOUTS))
ALIASES = re.compile(r"^[#!][\w$.]+ = .*$", re.M)
# `"qfuse.op"(%a, %b) <{...}> : (types) -> types`, without regions.
OP = re.compile(r'"(qfuse\.\w+)"\(([^)]*)\) (?:<\{(.*)\}> )?: \((.*)\) -> (\(.*\)|[^(\n]+)$', re.M)


def declared(pattern):
    """Returns what the .td files declare, in order."""
    texts = [path.read_text() for path in sorted((ROOT / "include/qfuse/IR").glob("*.td"))]
    return sorted({name for text in texts for name in re.findall(pattern, text)})


def split(text):
    """Splits a list at the commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for index, letter in enumerate(text.replace("->", "  ")):
        depth += (letter in "<([{") - (letter in ">)]}")
        if letter == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    return parts + [text[start:].strip()] if text.strip() else []


def write_op(header, name, properties, operands, results, region, where):
    """Returns a module with one op whose operands are arguments."""
    arguments = ", ".join(f"%a{i}: {type_}" for i, type_ in enumerate(operands))
    names = ", ".join(f"%a{i}" for i in range(len(operands)))
    text = ", ".join(properties)
    dictionary = f"<{{{text}}}> {region}" if where == "properties" else f"{region} {{{text}}}"
    bind = f"%r:{len(results)} = " if results else ""
    return (f'{header}{MODULE}func.func @f({arguments}) {{\n  {bind}"{name}"({names}) {dictionary} : '
            f"({', '.join(operands)}) -> ({', '.join(results)})\n  return\n}}\n}}\n")


def make_ops(source, names, keys):
    """Each op with each type in each place, then at random."""
    for name in names:
        for type_ in TYPES:
            for count in range(4):
                yield write_op(HEADER, f"qfuse.{name}", [], [type_] * count, [type_], "", "properties")
    for _ in range(1500):
        properties = {source.choice(keys): source.choice(ATTRIBUTES) for _ in range(source.randrange(5))}
        yield write_op(
            HEADER, f"qfuse.{source.choice(names)}", [f"{k} = {v}" for k, v in properties.items()],
            source.choices(TYPES, k=source.randrange(7)), source.choices(TYPES, k=source.randrange(3)),
            source.choice(REGIONS), source.choice(["properties", "attributes"]))


def mutate(source, items, pool):
    """Replaces, drops or repeats one item."""
    items = list(items)
    if not items:
        return [source.choice(pool)]
    index = source.randrange(len(items))
    items[index:index + 1] = source.choice([[source.choice(pool)], [source.choice(pool)], [],
                                            [items[index]] * 2])
    return items


def make_mutants(source):
    """Ops of the other tests with one or two things changed."""
    for path in sorted((ROOT / "test/IR").glob("*ops.mlir")):
        done = subprocess.run([BIN / "qfuse-opt", path, "--mlir-print-op-generic"],
                              capture_output=True, text=True, check=True)
        header = HEADER.replace("#layout", "#own") + "\n".join(ALIASES.findall(done.stdout)) + "\n"
        types = [type_.replace("#layout", "#own") for type_ in TYPES]
        attributes = [attribute.replace("#layout", "#own") for attribute in ATTRIBUTES]
        for match in OP.finditer(done.stdout):
            name, _, properties, operands, results = match.groups()
            properties, operands = split(properties or ""), split(operands)
            results = split(results[1:-1] if results.startswith("(") else results)
            yield write_op(header, name, properties, operands, results, "", "properties")
            for _ in range(60):
                parts = [properties, operands, results]
                for which in source.choices(range(3), k=source.choice([1, 1, 2])):
                    if which:
                        parts[which] = mutate(source, parts[which], types)
                    elif properties:
                        key = source.choice(properties).split(" = ")[0]
                        parts[0] = [p for p in parts[0] if p.split(" = ")[0] != key]
                        parts[0] += source.choice([[], [f"{key} = {source.choice(attributes)}"]])
                yield write_op(header, name, *parts, "", "properties")


def make_attributes(source, mnemonics, keys):
    for _ in range(2000):
        parameters = {source.choice(keys): source.choice(PARAMETERS) for _ in range(source.randrange(4))}
        text = ", ".join(f"{k} = {v}" if source.randrange(8) else v for k, v in parameters.items())
        yield f"func.func private @f() attributes {{a = #qfuse.{source.choice(mnemonics)}<{text}>}}\n"


def crashes(modules):
    """Returns whether qfuse-opt crashes on the modules, and how many have no
    error."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "fuzz.mlir"
        path.write_text("// -----\n".join(modules))
        done = subprocess.run([BIN / "qfuse-opt", path, "--split-input-file", *PASSES],
                              capture_output=True, text=True)
    return done.returncode not in (0, 1), done.stdout.count("func.func")


def main():
    source = random.Random(12)
    names = declared(r'QFuse_(?:Fusible|Collective)?Op<\s*"(\w+)"')
    mnemonics = declared(r'(?:QFuse_Attr<"\w+", |EnumAttr<QFuse_Dialect, \w+, )"(\w+)"')
    keys = declared(r":\$(\w+)")
    modules = [*make_ops(source, names, keys), *make_mutants(source),
               *make_attributes(source, mnemonics, keys)]
    valid, batch = 0, 400
    for begin in range(0, len(modules), batch):
        part = modules[begin:begin + batch]
        crashed, count = crashes(part)
        valid += count
        if crashed:
            culprits = [module for module in part if crashes([module])[0]]
            sys.exit("qfuse-opt crashes on\n" + "// -----\n".join(culprits or part))
    print(f"{len(modules)} modules, {valid} valid")
    # Else nothing but the parser has been tested.
    if not (len(names) > 12 and len(mnemonics) > 8 and valid > 150):
        sys.exit("expected more ops, attributes and valid modules")


main()
