# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the libraries to their order: each includes only those above it in lib/CMakeLists.txt.

Usage: layering.py [ROOT]. Prints each include that breaks it; exits with 1 if there is one.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[1])
# What is held apart although it comes late in the list.
ONLY = {"Interpreter": {"Support", "IR"}, "Runtime": {"Support"}}
# Folders of one library that know nothing of each other.
APART = {"ROCDL": "NVVM", "NVVM": "ROCDL"}
# Libraries that need neither LLVM nor MLIR.
PLAIN = {"Support", "Runtime"}


def libraries():
    """Returns the libraries from the bottom up."""
    return re.findall(r"^add_subdirectory\((\w+)\)", (ROOT / "lib" / "CMakeLists.txt").read_text(), re.M)


def files(library):
    for folder in (ROOT / "lib" / library, ROOT / "include" / "qfuse" / library):
        yield from (path for path in folder.rglob("*") if path.suffix in (".h", ".cpp", ".td"))


def faults():
    """Yields a message for each include that is not allowed."""
    order = libraries()
    for position, library in enumerate(order):
        allowed = ONLY.get(library, set(order[:position])) | {library}
        for path in files(library):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = re.match(r'\s*#?\s*include\s+[<"]([^">]+)[">]', line)
                if not match:
                    continue
                parts = match[1].split("/")
                where = f"{path.relative_to(ROOT)}:{number}"
                if parts[0] == "qfuse" and parts[1] not in allowed:
                    yield f"{where}: {library} may not include {match[1]}"
                elif parts[0] in ("mlir", "llvm", "lld") and library in PLAIN:
                    yield f"{where}: {library} may not include {match[1]}, as it needs no LLVM"
                elif APART.get(path.parent.name, "\0") in match[1]:
                    yield f"{where}: {path.parent.name} may not include {match[1]}"
                elif ".." in parts:
                    yield f"{where}: expected a path from include/ or inside the library, got {match[1]}"


if not libraries():
    sys.exit(f"expected libraries in {ROOT}/lib/CMakeLists.txt, got none")
found = list(faults())
print("\n".join(found))
sys.exit(1 if found else 0)
