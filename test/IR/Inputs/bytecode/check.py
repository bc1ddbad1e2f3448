# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares each NAME.mlirbc with the text NAME.mlir that was written to it.

usage: check.py QFUSE_OPT LLVM_TBLGEN

A file is never written again. What the dialect gains goes into a new pair:
`qfuse-opt NAME.mlir --emit-bytecode -o NAME.mlirbc`.
"""

import json
import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path(__file__).parent
SOURCE = FOLDER.parents[3]


def call(*command):
    return subprocess.run([str(word) for word in command], check=True,
                          capture_output=True, text=True).stdout


def find_changed(opt):
    """Returns the files that no longer mean what they did."""
    files = sorted(FOLDER.glob("*.mlirbc"))
    assert files, "there are files to read"
    return [file.name for file in files
            if call(opt, file) != call(opt, file.with_suffix(".mlir"))]


def find_missing(tblgen, text):
    """Returns what the dialect has and `text` has not."""
    headers = pathlib.Path(tblgen).resolve().parents[1] / "include"
    records = json.loads(call(
        tblgen, "--dump-json", "-I", SOURCE / "include", "-I", headers,
        SOURCE / "include/qfuse/IR/QFuseOps.td"))

    def get(kind):
        return [record for name in records["!instanceof"][kind]
                if (record := records[name]).get("mnemonic", True)]

    wanted = {}
    for op in get("QFuse_Op"):
        wanted[f"qfuse.{op['opName']}"] = rf"\bqfuse\.{op['opName']} [^=]"
    for definition in [*get("AttrDef"), *get("TypeDef")]:
        if definition["dialect"]["def"] != "QFuse_Dialect":
            continue
        name = definition["mnemonic"]
        wanted[f"#qfuse.{name}"] = rf"[#!]qfuse\.{name}\b"
        if "struct(" not in definition["assemblyFormat"]:
            continue  # Parameters are printed without their names.
        for _, parameter in definition["parameters"]["args"]:
            wanted[f"{parameter} of {name}"] = rf"\b{parameter} = "
    for enum in get("QFuse_Enum"):
        for case in enum["enumerants"]:
            value = records[case["def"]]["str"]
            wanted[f"{value} of {enum['className']}"] = rf"(= |<){value}\b"
    return [name for name, pattern in wanted.items()
            if not re.search(pattern, text, re.MULTILINE)]


def main():
    opt, tblgen = sys.argv[1:]
    text = "\n".join(file.read_text() for file in sorted(FOLDER.glob("*.mlir")))
    mistakes = [f"{name}: means something else" for name in find_changed(opt)]
    mistakes += [f"{name}: in no file; {__doc__.splitlines()[-1]}"
                 for name in find_missing(tblgen, text)]
    print("\n".join(mistakes))
    return bool(mistakes)


sys.exit(main())
