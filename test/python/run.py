# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tests in folders; ends with `N passed, N failed`.

usage: run.py FOLDER...
"""

import pathlib
import sys
import unittest


def main() -> int:
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    suite = unittest.TestSuite()
    for folder in map(pathlib.Path, sys.argv[1:]):
        sys.path.insert(0, str(folder))
        for file in sorted(folder.glob("*_test.py")):
            suite.addTests(unittest.defaultTestLoader.loadTestsFromName(file.stem))
    result = unittest.TextTestRunner(stream=sys.stdout).run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.skipped)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    return 0 if result.testsRun and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
