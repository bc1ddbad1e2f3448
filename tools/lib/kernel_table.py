# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the table of tools/quickstart.

Usage: kernel_table.py ARTIFACT COUNTERS: the directory, and a file with the
`counters` lines of qfuse-run, of any number of calls.
"""

import json
import pathlib
import re
import sys

COLUMNS = ["kernel", "vgprs", "lds_bytes", "spills", "read", "written", "least_read", "least_written"]


def read_rows(artifact, counters):
    """Returns a row for each launch: what the compiler and the device say of it."""
    manifest = json.loads(pathlib.Path(artifact, "manifest.json").read_text())
    kernels = {kernel["name"]: kernel for kernel in manifest["kernels"]}
    rows = []
    for line in pathlib.Path(counters).read_text().splitlines():
        if not line.startswith("counters "):
            continue
        name = line.split()[1]
        row = {"kernel": name, **kernels[name], **dict(re.findall(r"(\w+)=(\d+)", line))}
        rows.append([str(row[column]) for column in COLUMNS])
    return rows


rows = read_rows(*sys.argv[1:])
if not rows:
    sys.exit("error: no kernel was executed")
widths = [max(map(len, column)) for column in zip(COLUMNS, *rows)]
print(" ".join(COLUMNS))
for name, *numbers in rows:
    print(" ".join([name.ljust(widths[0]), *map(str.rjust, numbers, widths[1:])]))
