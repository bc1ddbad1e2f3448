# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs the package in a fresh virtual environment of each Python from 3.10 to
3.13 that is found, and runs test/python/package there. Needs the network for
numpy. Ends with `N passed, N failed`.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSIONS = ("3.10", "3.11", "3.12", "3.13")


def find(version: str) -> str | None:
    """Returns the interpreter of a version, or None."""
    pyenv = sorted(pathlib.Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    return str(pyenv[-1]) if pyenv else shutil.which(f"python{version}")


def check(interpreter: str, folder: pathlib.Path) -> tuple[int, int]:
    """Returns how many tests passed and failed with an interpreter."""
    # Building leaves files in the source.
    source = folder / "python"
    shutil.copytree(ROOT / "python", source)
    python = folder / "venv/bin/python"
    clean = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    for command in ([interpreter, "-m", "venv", folder / "venv"],
                    [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", source],
                    [python, "-c", "import qfuse; assert 'site-packages' in qfuse.__file__"]):
        done = subprocess.run(command, capture_output=True, text=True, env=clean, cwd=folder)
        if done.returncode != 0:
            print(done.stdout + done.stderr)
            return 0, 1
    done = subprocess.run([python, ROOT / "test/python/run.py", ROOT / "test/python/package"],
                          capture_output=True, text=True, env=clean, cwd=folder)
    last = done.stdout.strip().splitlines()[-1:] or [""]
    words = last[0].split()
    if len(words) != 4 or (done.returncode != 0) == (words[2] == "0"):
        print(done.stdout + done.stderr)
        return 0, 1
    if done.returncode != 0:
        print(done.stdout)
    return int(words[0]), int(words[2])


def main() -> int:
    passed = failed = 0
    for version in VERSIONS:
        interpreter = find(version)
        if interpreter is None:
            print(f"Python {version}: not found")
            continue
        with tempfile.TemporaryDirectory() as folder:
            counts = check(interpreter, pathlib.Path(folder))
        print(f"Python {version}: {counts[0]} passed, {counts[1]} failed")
        passed, failed = passed + counts[0], failed + counts[1]
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
