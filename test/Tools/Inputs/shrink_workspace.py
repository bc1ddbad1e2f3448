# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes the scratch memory from each function of an artifact."""

import json
import pathlib
import sys

path = pathlib.Path(sys.argv[1], "manifest.json")
manifest = json.loads(path.read_text())
for function in manifest["functions"].values():
    function["workspace"] = 0
path.write_text(json.dumps(manifest))
