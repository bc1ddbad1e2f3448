# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What PyTorch users write, and what it is imported as."""

import unittest

import torch
import torch.nn.functional as F

from programs import FN, FNUZ, HIDDEN, NORMS, RULES, Function, Norm, export, per_token, rows
from qfuse import importer
from support import qfuse_opt, stderr_text


def imported(module, *inputs, decompose=False, strict=True):
    text = importer.from_exported(export(module, *inputs, decompose=decompose), strict=strict)
    qfuse_opt(text)
    return text


class Norms(unittest.TestCase):

    def test_spellings(self):
        for name, (function, parameters) in NORMS.items():
            for decompose in (False, True):
                with self.subTest(name, decompose=decompose):
                    text = imported(Norm(function), rows(), decompose=decompose)
                    self.assertIn(f"{parameters} : tensor<?x256xbf16> -> tensor<?x256xbf16>", text)
                    ops = [line for line in text.splitlines() if line.startswith("    %")]
                    self.assertEqual(len(ops), 1, text)

    def test_f32_weight_gives_an_f32_result(self):
        text = imported(Norm(NORMS["transformers"][0], torch.float32), rows())
        self.assertIn("weight(%weight : tensor<256xf32>) {epsilon = 1.0e-06 : f32, "
                      "normalized = bf16} : tensor<?x256xbf16> -> tensor<?x256xf32>", text)

    def test_square_of_another_value_is_no_norm(self):
        def function(x, y):
            f = x.float()
            return (f * torch.rsqrt(y.float().pow(2).mean(-1, keepdim=True) + 1e-6)).to(x.dtype)
        with stderr_text() as remarks:
            text = imported(Function(function), rows(), rows(), strict=False)
        self.assertNotIn("qfuse.rms_norm", text)
        self.assertIn("aten.mean.dim became an opaque call", remarks.getvalue())

    def test_mean_over_rows_is_no_norm(self):
        def function(x):
            f = x.float()
            return (f * torch.rsqrt(f.pow(2).mean(0, keepdim=True) + 1e-6)).to(x.dtype)
        with stderr_text():
            text = imported(Function(function), rows(), strict=False)
        self.assertNotIn("qfuse.rms_norm", text)


class Rules(unittest.TestCase):

    def test_rules(self):
        for name, (function, scale_rule, encode_rule) in RULES.items():
            for decompose in (False, True):
                with self.subTest(name, decompose=decompose):
                    text = imported(Function(function), rows(), decompose=decompose)
                    self.assertIn(f"#scale_rule = #qfuse.scale_rule{scale_rule}\n", text)
                    self.assertIn("qfuse.quantize %", text)
                    if encode_rule:
                        self.assertIn(f"#encode_rule = #qfuse.encode_rule{encode_rule}\n", text)
                    else:
                        self.assertNotIn("encode_rule", text)

    def test_arithmetic_in_bf16_is_another_rule(self):
        def function(x):
            scales = x.abs().amax(-1, keepdim=True) / 448.0  # rounded to bf16
            return (x.float() / scales.float()).to(FN), scales
        with stderr_text():
            text = imported(Function(function), rows(), strict=False)
        self.assertIn("qfuse.quantize", text)
        self.assertNotIn("qfuse.block_scale", text)

    def test_scales_of_another_value_are_given(self):
        def function(x, y):
            scales = y.abs().amax(-1, keepdim=True).float() / 448.0
            return (x.float() / scales).to(FN)
        with stderr_text():
            text = imported(Function(function), rows(), rows(), strict=False)
        self.assertIn("qfuse.quantize %inputs_0 by", text)
        self.assertNotIn("qfuse.block_scale", text)


class Matmuls(unittest.TestCase):

    def project(self, scale_shape, weight_scale_shape, fp8=FN):
        class Project(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.w = torch.nn.Parameter(torch.randn(48, HIDDEN).to(fp8), requires_grad=False)
                self.register_buffer("ws", torch.rand(weight_scale_shape))
                self.register_buffer("xs", torch.rand(()))

            def forward(self, x):
                codes, scales = per_token(lambda a: a.clamp(min=1e-10) / 224.0, fp8, 224.0)(x)
                if not scale_shape:
                    scales = self.xs
                    codes = (x.float() / scales).clamp(-224.0, 224.0).to(fp8)
                return torch._scaled_mm(codes, self.w.t(), scale_a=scales, scale_b=self.ws,
                                        out_dtype=torch.bfloat16)
        return Project()

    def test_rows(self):
        for fp8, name in ((FN, "f8E4M3FN"), (FNUZ, "f8E4M3FNUZ")):
            text = imported(self.project(True, (1, 48), fp8), rows())
            self.assertIn(f"tensor<?x256x{name}>, tensor<?x1xf32>, tensor<48x256x{name}>, "
                          "tensor<48x1xf32> -> tensor<?x48xbf16>", text)
            self.assertIn("scale_order = #qfuse.scale_order<b_then_a>", text)

    def test_whole_tensors(self):
        text = imported(self.project(False, ()), rows())
        self.assertIn("tensor<1x1xf32>, tensor<48x256xf8E4M3FN>, tensor<1x1xf32>", text)
        self.assertIn("scale_order = #qfuse.scale_order<product>", text)

    def test_what_is_not_quantized_is_opaque(self):
        with stderr_text() as remarks:
            text = imported(Norm(lambda x, w: F.linear(x, w[None])), rows(), strict=False)
        self.assertIn("func.call @aten.linear.default(", text)
        self.assertIn("aten.linear.default became an opaque call", remarks.getvalue())


if __name__ == "__main__":
    unittest.main()
