# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The committed layers are what the script gives; so is the command line."""

import pathlib
import sys
import tempfile
import unittest

import torch

from programs import NORMS, RULES, Function, Norm, export, rows
from qfuse import importer
from support import INPUTS, qfuse_import

sys.path.insert(0, str(INPUTS))
import export_deepseek_v3 as layer


class CommittedLayers(unittest.TestCase):

    def test_are_what_the_script_gives(self):
        for name, (sizes, fp8) in layer.FILES.items():
            with self.subTest(name):
                committed = (INPUTS / f"{name}.mlir").read_text()
                self.assertEqual(layer.import_file(sizes, fp8), committed)


class CommandLine(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "in.pt2"

    def test_writes_what_the_function_returns(self):
        program = export(Function(RULES["block"][0]), rows())
        torch.export.save(program, self.file)
        done = qfuse_import(self.file, "-o", self.folder / "out.mlir", "--strict",
                            "--name=rows", "--range=M=0:7")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        written = (self.folder / "out.mlir").read_text()
        self.assertEqual(written, importer.from_exported(
            program, name="rows", ranges={"M": (0, 7)}))

    def test_unknown_op(self):
        torch.export.save(export(Function(torch.erf), rows()), self.file)
        done = qfuse_import(self.file)
        self.assertEqual(done.returncode, 0, done)
        self.assertRegex(done.stderr, r"^test/python/.*: remark: \[Missed\] UnknownOp \| "
                         r'Category:qfuse:import \| Reason="aten.erf.default ')
        self.assertIn("func.call @aten.erf.default", done.stdout)
        done = qfuse_import(self.file, "--strict")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"^test/python/.*: error: unknown op aten.erf.default")
        self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_file_that_is_no_program(self):
        self.file.write_text("nothing of the kind")
        done = qfuse_import(self.file)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"error: .*in\.pt2: not a program that PyTorch 2")

    def test_folder_that_is_not_there(self):
        torch.export.save(export(Norm(NORMS["gemma"][0]), rows()), self.file)
        done = qfuse_import(self.file, "-o", self.folder / "no" / "out.mlir")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^error: .*out\.mlir: No such file or directory")


if __name__ == "__main__":
    unittest.main()
