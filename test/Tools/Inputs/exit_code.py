# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Usage: exit_code.py CODE COMMAND...: runs COMMAND; fails unless it exits with CODE."""
import subprocess
import sys

expected, command = int(sys.argv[1]), sys.argv[2:]
code = subprocess.run(command).returncode
if code != expected:
    sys.exit(f"expected exit code {expected}, got {code}")
