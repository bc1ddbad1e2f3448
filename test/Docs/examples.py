# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Each op, attribute and type of the dialect reference has an example, and each
# example parses; an op states its shapes.
# RUN: %python %s qfuse-opt
# RUN: %python %s --break qfuse-opt | FileCheck %s
# CHECK: qfuse.rms_norm: the example does not parse
# CHECK: qfuse.unpack: no example
"""Usage: examples.py [--break] QFUSE-OPT. --break: with a page that has two faults, which are printed."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def sections(text):
    """Yields (kind, name, text) for each op, attribute and type."""
    for kind, body in re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", text, re.M | re.S):
        if kind in ("Operations", "Attributes", "Types"):
            for heading, section in re.findall(r"^### ([^\n]+)\n(.*?)(?=^### |\Z)", body, re.M | re.S):
                yield kind, heading.split(" (")[0].strip("`"), section


def examples(text):
    return re.findall(r"^```mlir\n(.*?)^```", text, re.M | re.S)


def aliases(text):
    """Returns the definitions of attributes in `text` by their names."""
    found = re.findall(r"^(#\w+) = (.*?)(?=^#|\Z)", text, re.M | re.S)
    return {name: f"{name} = {value}" for name, value in found}


def parse(qfuse_opt, example, names):
    """Parses `example`, whose unknown values get the types with which it uses them. Returns the errors."""
    own = aliases(example)
    prelude = "".join(text for name, text in names.items() if name not in own)
    values = {}
    while True:
        # A module is a graph region: a value may be defined behind its uses.
        tail = "".join(f'{name} = "example.value"() : () -> {type}\n' for name, type in values.items())
        errors = subprocess.run([qfuse_opt, "--allow-unregistered-dialect", "-o", "/dev/null"],
                                input=prelude + example + "\n" + tail, text=True, capture_output=True).stderr
        unknown = re.search(r"use of undeclared SSA value name\n.*?(%\w+)", errors, re.S)
        typed = re.search(r"definition of SSA value '(%\w+)#0' has type 'none'.*?here with type '([^\n]*)'\n", errors,
                          re.S)
        if typed and values.get(typed[1]) == "none":
            values[typed[1]] = typed[2]
        elif unknown and unknown_name(errors) not in values:
            values[unknown_name(errors)] = "none"
        else:
            return errors


def unknown_name(errors):
    """Returns the value under the caret of the first error."""
    line, caret = re.search(r"undeclared SSA value name\n(.*)\n( *)\^", errors).groups()
    return re.match(r"%\w+", line[len(caret):])[0]


def faults(qfuse_opt, text):
    names = aliases(examples(text[:text.index("\n## ")])[0])
    for kind, name, section in sections(text):
        found = examples(section)
        if not found:
            yield f"{name}: no example"
        for example in found:
            errors = parse(qfuse_opt, example, names)
            if errors:
                yield f"{name}: the example does not parse: {errors}"
        if kind == "Operations" and "Shapes" not in section:
            yield f"{name}: no shapes"


def main(arguments):
    text = (ROOT / "docs" / "dialect.md").read_text()
    breaks = arguments[0] == "--break"
    if breaks:
        text = text.replace("%y = qfuse.rms_norm %x weight", "%y = qfuse.rms_norm %x wait")
        text = re.sub(r"```mlir\n(%s = qfuse.unpack.*?)```", r"\1", text, flags=re.S)
    names = [name for _, name, _ in sections(text)]
    if len(names) < 20 or "qfuse.rms_norm" not in names or "PackedType" not in names:
        sys.exit(f"expected the ops, attributes and types of the dialect, got {names}")
    found = list(faults(arguments[-1], text))
    print("\n".join(found))
    if found and not breaks:
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
