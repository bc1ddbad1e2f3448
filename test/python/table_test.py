# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python copy of the table: what the generator makes, what the compiler
prints, and what the interpreter computes."""

import importlib.util
import pathlib
import re
import sys
import tempfile
import unittest

import numpy as np

import qfuse
from support import BIN, ROOT, run

sys.path.append(str(ROOT / "test/python/package"))
from references import GIVEN, cases, formats, same  # noqa: E402


def generator():
    spec = importlib.util.spec_from_file_location("generate_table",
                                                  ROOT / "python/generate_table.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Table(unittest.TestCase):

    def test_is_generated(self):
        done = run(sys.executable, "python/generate_table.py", "--check")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_edit_is_found(self):
        made = generator()
        text = made.TABLE.read_text()
        self.assertEqual(made.make(text), made.RESULT.read_text())
        changed = text.replace("#aiter_mxfp4_even = #qfuse.scale_rule<max = 6.0",
                               "#aiter_mxfp4_even = #qfuse.scale_rule<max = 4.0")
        self.assertNotEqual(made.make(changed), made.RESULT.read_text())

    def test_unknown_entries_are_errors(self):
        made = generator()
        text = made.TABLE.read_text()
        for old, new, message in (
                ("align = [4, 1]", "aling = [4, 1]", "aling"),
                ("(m floordiv 8, k floordiv 4, m mod 8", "(m ceildiv 8, k floordiv 4, m mod 8",
                 "expected a digit"),
                ("block = [1, 128]>", "block = [128, 128]>", "expected blocks within a row")):
            self.assertIn(old, text)
            with self.assertRaisesRegex(ValueError, message):
                made.make(text.replace(old, new))

    def test_has_what_the_compiler_prints(self):
        text = run(BIN / "qfuse-compile", "--print-presets").stdout
        names = re.findall(r"^func\.func (?:private )?@(\w+)", text, re.M)
        table = sys.modules["qfuse.table"]
        entries = [*qfuse.presets(), *qfuse.layouts(), *(n.name for n in table.norms()),
                   *(n.name for n in table.not_expressible())]
        self.assertEqual(sorted(names), sorted(entries))


class Interpreter(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.table = self.folder / "table.mlir"
        self.table.write_text(run(BIN / "qfuse-compile", "--print-presets").stdout)

    def execute(self, name, arguments):
        command = [BIN / "qfuse-run", self.table, "--device=interpreter", f"--function={name}",
                   f"--output-dir={self.folder}"]
        for index, argument in enumerate(arguments):
            np.save(self.folder / f"in{index}.npy", argument)
            command.append(f"--input={self.folder}/in{index}.npy")
        done = run(*command)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [np.load(self.folder / f"out{index}.npy") for index in range(2)]

    def test_each_preset_bitwise(self):
        for name, preset in qfuse.presets().items():
            given = [GIVEN] if preset.scale_rule is None else []
            for case, x in cases(preset):
                x = x if preset.input == "f32" else formats.encode("bf16", x)
                got = qfuse.quantize(x, name, scales=given[0] if given else None)
                for ours, theirs in zip(got, self.execute(name, [x, *given])):
                    self.assertTrue(same(ours, theirs), (name, case))


if __name__ == "__main__":
    unittest.main()
