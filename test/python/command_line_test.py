# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors of `python -m qfuse`: one line, exit code 2."""

import sys
import unittest

from support import qfuse_import, run


class CommandLine(unittest.TestCase):

    def check(self, done, message):
        self.assertEqual(done.returncode, 2, done)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertRegex(done.stderr, message)
        self.assertEqual(done.stdout, "")

    def test_missing_file(self):
        self.check(qfuse_import("missing.pt2"), r"^error: missing\.pt2: no such file")

    def test_missing_input(self):
        self.check(qfuse_import(), "^error: .*IN.pt2")

    def test_unknown_option(self):
        self.check(qfuse_import("a.pt2", "--stict"), "^error: .*--stict")

    def test_bad_range(self):
        for text in ("M", "M=3", "M=4:3", "M=a:b"):
            self.check(qfuse_import("a.pt2", f"--range={text}"), "^error: .*NAME=LOW:HIGH")

    def test_unknown_command(self):
        self.check(run(sys.executable, "-m", "qfuse", "improt"), "^error: .*improt")


if __name__ == "__main__":
    unittest.main()
