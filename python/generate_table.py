#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes qfuse/_table.py, the Python copy of lib/IR/Presets.mlir.

Usage: generate_table.py [--check]. With --check nothing is written; a file that
differs is printed as a diff, and the exit code is then 1. Needs no build: the
text of the table is plain enough to be read here. What this does not know is an
error, so that an entry of a new kind cannot vanish.
"""

from __future__ import annotations

import difflib
import pathlib
import pprint
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
TABLE = ROOT / "lib/IR/Presets.mlir"
RESULT = ROOT / "python/qfuse/_table.py"
HEADER = '''# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Presets and layouts. Made by python/generate_table.py; do not edit."""

'''
FUNCTION = re.compile(
    r"^func\.func (private )?@(\w+)\((.*?)\)(?: -> \((.*?)\))?\s+attributes \{(.*?)\}"
    r"(?: \{\n(.*?)^\}|\n|\Z)", re.M | re.S)
FLOATS = ("max", "min", "amax_floor", "scale_floor")
INTEGERS = ("even_bits",)
WORDS = ("divide", "zero", "nan", "pow2", "apply", "round", "overflow", "scale_type", "outer_scale")


def split(text: str) -> list[str]:
    """Splits at commas outside of brackets."""
    parts, depth = [""], 0
    for character in text.replace("->", "\0"):
        depth += (character in "[(<{") - (character in "])>}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.replace("\0", "->").strip() for part in parts if part.strip()]


def read_value(name: str, text: str):
    """Returns the value of a parameter of a format, rule or layout."""
    if name in FLOATS:
        return float(text)
    if name in INTEGERS:
        return int(text)
    if name in WORDS and re.fullmatch(r"\w+", text):
        return text
    if name in ("block", "align"):
        return [int(extent) for extent in text.strip("[]").split(",")]
    if name == "pad":
        return text
    if name == "map":
        return read_map(text)
    raise ValueError(f"expected a parameter of a format, rule or layout, got '{name} = {text}'")


def read_map(text: str) -> list[tuple[int, int, int]]:
    """Returns a digit `(index floordiv divisor) mod modulus` a result, as
    (dimension, divisor, modulus), where 0 is no modulus."""
    sides = re.fullmatch(r"\((.*?)\) -> \((.*)\)", text)
    dims, digits = split(sides[1]), []
    for result in split(sides[2]):
        digit = re.fullmatch(r"\(?(\w+)(?: floordiv (\d+))?\)?(?: mod (\d+))?", result)
        if not digit or digit[1] not in dims:
            raise ValueError(f"expected a digit of one of {dims}, got '{result}'")
        digits.append((dims.index(digit[1]), int(digit[2] or 1), int(digit[3] or 0)))
    return digits


def read_parameters(text: str) -> dict:
    """Reads `#qfuse.mnemonic<name = value, ...>`."""
    inner = re.fullmatch(r"#qfuse\.\w+(?:<(.*)>)?", text)[1]
    pairs = (part.split(" = ", 1) for part in split(inner or ""))
    return {name: read_value(name, value) for name, value in pairs}


def read_aliases(text: str) -> dict[str, dict]:
    return {name: read_parameters(value)
            for name, value in re.findall(r"^(#\w+) = (.*)$", text, re.M)}


def read_attributes(text: str) -> dict:
    """Reads `name = "text"` and unit attributes."""
    found = dict(re.findall(r'(\w+) = "((?:[^"\\]|\\.)*)"', text))
    rest = re.sub(r'\w+ = "(?:[^"\\]|\\.)*"', "", text)
    return found | {name: True for name in re.findall(r"\w+", rest)}


def read_op(name: str, body: str, aliases: dict[str, dict]) -> dict[str, dict] | None:
    """Returns the attributes of the op `name` in `body`, or None without one."""
    found = re.search(rf"= qfuse\.{name} .*?\{{(.*?)\}} :", body)
    if not found:
        return None
    pairs = (part.split(" = ", 1) for part in split(found[1]))
    return {key: aliases[value] if value in aliases else read_parameters(value)
            for key, value in pairs}


def read_preset(name: str, arguments: str, body: str, attributes: dict, aliases) -> dict:
    """Returns a preset as its dataclass takes it."""
    elements = re.findall(r"tensor<[?x0-9]*x(\w+)>", arguments)
    scale, quantize = (read_op(op, body, aliases) for op in ("block_scale", "quantize"))
    codes = re.search(r"qfuse\.quantize .* -> tensor<\?x\?x(\w+)>", body)[1]
    if (scale is None) != (len(elements) == 2):
        raise ValueError(f"{name}: expected scales that are given or computed")
    block = quantize["format"]["block"]
    if block not in ([0, 0], [1, 0]) and (block[0] != 1 or len(block) != 2):
        raise ValueError(f"{name}: expected blocks within a row, or of all, got {block}")
    return {
        "name": name, "summary": attributes["summary"], "source": attributes["source"],
        "input": elements[0], "codes": codes,
        "block": tuple(block), "scales": quantize["format"].get("scale_type", "f32"),
        "outer": quantize["format"].get("outer_scale"),
        # To which the scale is rounded before it is widened to its type.
        "scale_rounding": scale and scale["format"].get("scale_type", "f32"),
        "scale_rule": scale and scale["rule"],
        "encode_rule": quantize.get("rule", {}),
    }


def read_layout(name: str, arguments: str, attributes: dict, aliases) -> dict:
    """Returns a layout, with a form for each map of its arguments."""
    forms = {}
    for element, alias in re.findall(r"!qfuse\.packed<[?x0-9]*x(\w+), (#\w+)>", arguments):
        forms.setdefault(alias, []).append(element)
    parts = [{"elements": tuple(elements), "digits": tuple(aliases[alias]["map"]),
              "align": tuple(aliases[alias].get("align", ())),
              "pad": aliases[alias].get("pad", "undef")} for alias, elements in forms.items()]
    return {"name": name, "summary": attributes["summary"], "source": attributes["source"],
            "forms": parts}


def read_table(text: str) -> dict[str, list[dict]]:
    """Returns the entries of the table, by kind."""
    aliases = read_aliases(text)
    table = {"PRESETS": [], "NORMS": [], "NOT_EXPRESSIBLE": [], "LAYOUTS": []}
    for private, name, arguments, _, attributes, body in FUNCTION.findall(text):
        about = read_attributes(attributes)
        entry = {"name": name, "source": about["source"]}
        if not private and "qfuse.quantize" in body:
            table["PRESETS"].append(read_preset(name, arguments, body, about, aliases))
        elif not private:
            table["NORMS"].append(entry | {"summary": about["summary"]})
        elif "not_expressible" in about:
            table["NOT_EXPRESSIBLE"].append(entry | {"reason": about["not_expressible"]})
        else:
            table["LAYOUTS"].append(read_layout(name, arguments, about, aliases))
    read, written = sum(map(len, table.values())), len(re.findall(r"^func\.func ", text, re.M))
    if read != written:
        raise ValueError(f"expected {written} entries, got {read}")
    return table


def make(text: str) -> str:
    """Returns the Python file for the text of the table."""
    return HEADER + "\n".join(
        f"{kind} = {pprint.pformat(entries, width=100, sort_dicts=False)}\n"
        for kind, entries in read_table(text).items())


def main(arguments: list[str]) -> None:
    if arguments not in ([], ["--check"]):
        sys.exit(f"usage: generate_table.py [--check], got {' '.join(arguments)}")
    text = make(TABLE.read_text())
    if not arguments:
        RESULT.write_text(text)
        return
    diff = list(difflib.unified_diff(RESULT.read_text().splitlines(), text.splitlines(),
                                     "python/qfuse/_table.py", "made", lineterm=""))
    if diff:
        print("\n".join(diff))
        sys.exit("python/qfuse/_table.py is not that of the table: run python/generate_table.py")


if __name__ == "__main__":
    main(sys.argv[1:])
