# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The names of remarks in the code and the headings of docs/remarks.md are the
# same.
# RUN: %python %s
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CAMEL = r"[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+"


def emitted_names():
    """Returns the names: literals of one word, those that begin an error, and those of Python's remarks."""
    names = set()
    for folder in ("Analysis", "Transforms"):
        for path in (ROOT / "lib" / folder).glob("*.cpp"):
            names.update(re.findall(rf'"({CAMEL})(?:: [^"]*)?"', path.read_text()))
    for path in (ROOT / "python").rglob("*.py"):
        names.update(re.findall(rf"\[(?:Missed|Passed|Failure)\] ({CAMEL})", path.read_text()))
    return names


headings = set(re.findall(rf"^## ({CAMEL})$", (ROOT / "docs" / "remarks.md").read_text(), re.M))
names = emitted_names()
if not {"ChainFused", "NoMatmulRow", "UnknownOp", "Fp8FlavorUnsupported"} <= names:
    sys.exit(f"the search for names in the code finds too little: {sorted(names)}")
for name in sorted(names - headings):
    print(f"docs/remarks.md has no heading for {name}")
for name in sorted(headings - names):
    print(f"nothing emits {name}, which docs/remarks.md has")
sys.exit(names != headings)
