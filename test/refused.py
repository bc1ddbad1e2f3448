# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command that has to refuse: exit code 2, one error and nothing else.

Usage: refused.py COMMAND...; prints the error.
"""

import subprocess
import sys

done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
sys.stdout.write(done.stderr)
if done.returncode != 2:
    sys.exit(f"expected exit code 2, got {done.returncode}\n{done.stdout}")
if done.stderr.count("error:") != 1:
    sys.exit("expected one error")
if done.stdout:
    sys.exit(f"expected nothing on stdout, got {done.stdout}")
