# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs tools of the build tree, several at a time, and counts."""

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BIN = os.path.join(ROOT, "build", "bin")


class Results:
    """Counts cases, and prints what failed."""

    def __init__(self):
        self.passed = self.failed = 0

    def add(self, ok, what):
        if ok:
            self.passed += 1
        else:
            self.failed += 1
            print(f"failed: {what}", flush=True)

    def finish(self):
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(self.failed != 0 or self.passed == 0)


def run(tool, *args):
    """Returns the exit code, standard output and errors of a tool."""
    done = subprocess.run([os.path.join(BIN, tool), *args], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def write(directory, name, text):
    path = os.path.join(directory, name + ".mlir")
    with open(path, "w") as file:
        file.write(text)
    return path


def in_parallel(jobs, work):
    """Calls work(job) for each job, on all cores; yields the results in order."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(work, jobs)


def temporary_directory():
    return tempfile.TemporaryDirectory(prefix="qfuse-emulated-")
