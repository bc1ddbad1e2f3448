# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The committed layers, without PyTorch."""

import unittest

from support import INPUTS, qfuse_opt


class CommittedLayers(unittest.TestCase):

    def test_parse_and_round_trip(self):
        files = sorted(INPUTS.glob("deepseek_v3_attention_input*.mlir"))
        self.assertEqual(len(files), 3)
        for file in files:
            with self.subTest(file.name):
                once = qfuse_opt(file.read_text(), "--mlir-print-debuginfo")
                self.assertEqual(qfuse_opt(once, "--mlir-print-debuginfo"), once)
                self.assertIn('loc("test/inputs/export_deepseek_v3.py":', once)

    def test_weights_are_arguments(self):
        for file in INPUTS.glob("deepseek_v3_attention_input*.mlir"):
            text = file.read_text()
            self.assertNotIn("arith.constant", text)
            self.assertEqual(text.count('qfuse.role = "weight"'), 10)


if __name__ == "__main__":
    unittest.main()
