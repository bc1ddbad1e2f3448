# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imported functions compute what PyTorch computes.

Codes, scales and sums of two numbers do not depend on an order and are equal
to the bit. Norms and products are within what other orders can give.
"""

import sys
import unittest
from unittest import mock

import torch
from torch import nn

from execution import arguments_of, execute
from programs import FN, FNUZ, NORMS, RULES, Function, Norm, export, rows
from qfuse import importer
from support import INPUTS

sys.path.insert(0, str(INPUTS))
import export_deepseek_v3 as layer

_INTEGERS = {1: torch.uint8, 2: torch.int16, 4: torch.int32}


def special_rows() -> torch.Tensor:
    """Returns bf16 rows of all kinds that inputs and padding have."""
    x = rows(9)
    x[1] = 0
    x[2, 7] = 3e4  # all others become small codes
    x[3] *= 1e-38
    x[4, 200] = float("nan")
    x[5, 3] = float("inf")
    x[6] = torch.arange(256).to(x.dtype) / 16 - 8  # ties
    x[7] = -x[6]
    return x


class Fixed(nn.Module):
    """A norm whose result is known."""

    def __init__(self, value: torch.Tensor):
        super().__init__()
        self.value = value

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.value


class Values(unittest.TestCase):

    def assert_same_bits(self, got: torch.Tensor, expected: torch.Tensor) -> None:
        """A NaN equals any NaN."""
        self.assertEqual(got.shape, expected.shape)
        integer = _INTEGERS[got.element_size()]
        expected = expected.contiguous()
        same = got.view(integer) == expected.view(integer)
        same |= got.float().isnan() & expected.float().isnan()
        where = (~same).nonzero()
        self.assertEqual(where.numel(), 0, f"{where[:5]}: got {got[~same][:5]}, "
                         f"expected {expected[~same][:5]}")

    def assert_within(self, got, expected, bound) -> None:
        excess = (got.double() - expected.double()).abs() - bound
        self.assertLessEqual(excess.max().item(), 0)


class Quantization(Values):

    def test_codes_and_scales(self):
        torch.manual_seed(1)
        x = special_rows()
        for name, (function, _, _) in RULES.items():
            with self.subTest(name):
                text = importer.from_exported(export(Function(function), x), strict=True)
                expected = function(x)
                got = execute(text, "main", [x], x.shape[0], expected)
                for value, reference in zip(got, expected):
                    self.assert_same_bits(value, reference)

    def test_other_rule_differs(self):
        """The comparison sees a rule that is not PyTorch's."""
        torch.manual_seed(1)
        x, function = rows(64), RULES["amax_floor"][0]
        text = importer.from_exported(export(Function(function), x), strict=True)
        text = text.replace("<max = 448.0,", "<max = 448.0, divide = by_reciprocal_constant,")
        _, scales = execute(text, "main", [x], x.shape[0], function(x))
        self.assertFalse(torch.equal(scales, function(x)[1]))


class Elementwise(Values):

    def test_casts_and_clamps(self):
        """What no quantization is recognized in, but saturates all the same."""
        def function(x, y):
            z = (x * 2.0 - y).clamp(-3.0, 5.0)
            return (z, (x * 300.0).to(FN), (x * 300.0).to(FNUZ),
                    (z * 1e6).to(torch.float8_e5m2), z.to(torch.bfloat16) + 0.1)
        torch.manual_seed(4)
        x, y = rows(4, dtype=torch.float32), rows(4)
        x[1, 2], x[2, 2] = float("nan"), float("inf")
        text = importer.from_exported(export(Function(function), x, y), strict=True)
        expected = function(x, y)
        for got, reference in zip(execute(text, "main", [x, y], 4, expected), expected):
            self.assert_same_bits(got, reference)


class Norms(Values):

    def test_norms(self):
        torch.manual_seed(2)
        x = rows(5)
        x[1] = 0
        for name, (function, _) in NORMS.items():
            with self.subTest(name):
                module = Norm(function)
                program = export(module, x)
                text = importer.from_exported(program, strict=True)
                expected = module(x)
                got, = execute(text, "main", arguments_of(program, [x]), 5, [expected])
                # Another order of the sum may round the normalized value the
                # other way, and the product in turn: two units in the last
                # place of 8 bits, each at most 2^-7 of the value.
                self.assert_within(got, expected, 2 * 2**-7 * expected.double().abs())
                differing = (got != expected).float().mean().item()
                self.assertLess(differing, 0.01)


class Layers(Values):

    def run_layer(self, module: nn.Module, name: str, program, text: str, count: int):
        hidden = layer.SMALL.hidden
        x, residual = rows(count, hidden), rows(count, hidden)
        if count > 2:
            x[1] = residual[1] = 0
        like = [torch.empty(0, dtype=torch.bfloat16)] * 4
        got = execute(text, name, arguments_of(program, [x, residual]), count, like)
        return x, residual, got

    def reference(self, module: nn.Module, normed: torch.Tensor, x, residual):
        """Runs the module's own code after the norm, on the norm's value there.

        PyTorch's block-scaled matmul does not run on CPUs; the library op has
        the same meaning.
        """
        def block_scaled(a, b, a_scales, _, b_scales, *rest, **options):
            blocks = a.shape[1] // layer.BLOCK
            return layer.block_scaled_mm(a, b.t(), a_scales, b_scales.t()[:, :blocks])
        module.norm = Fixed(normed)
        with mock.patch("torch.nn.functional.scaled_mm", block_scaled):
            return module(x, residual)

    def product_bound(self, module, normed, weight, expected):
        """Returns how far two orders of a scaled product may be apart.

        Each of up to 2K + 8 roundings to f32 moves a sum by at most 2^-24 of
        the sum of magnitudes, and each side rounds to bf16 once. 2^1 covers
        what codes and scales add to the magnitudes of what they stand for.
        """
        magnitude = 2 * normed.double().abs() @ weight.double().abs().t()
        roundings = 2 * normed.shape[1] + 8
        return 2**-8 * expected.double().abs() + roundings * 2**-24 * magnitude

    def check(self, name: str, count: int) -> None:
        torch.manual_seed(3)
        module = layer.MODULES[name](layer.SMALL, torch.float8_e4m3fn)
        program = layer.export(module)
        text = importer.from_exported({name: program}, strict=True)
        x, residual, got = self.run_layer(module, name, program, text, count)
        q_a, kv_a, normed, total = got
        self.assert_same_bits(total, x + residual)
        expected = module.norm(x + residual)
        self.assert_within(normed, expected, 2 * 2**-7 * expected.double().abs())
        q_reference, kv_reference, _, _ = self.reference(module, normed, x, residual)
        for value, reference, weight in ((q_a, q_reference, module.q_a),
                                         (kv_a, kv_reference, module.kv_a)):
            self.assertEqual(value.shape, reference.shape)
            self.assertTrue(count == 0 or reference.abs().max() > 1)
            if count:
                # Scales of B are at most 1.
                self.assert_within(value, reference, self.product_bound(
                    module, normed, weight.float(), reference))

    def test_per_token(self):
        for count in (1, 5):
            with self.subTest(rows=count):
                self.check("per_token_fp8", count)

    def test_block(self):
        for count in (1, 5):
            with self.subTest(rows=count):
                self.check("block_fp8", count)

    def test_no_rows(self):
        for name, kind in layer.MODULES.items():
            module = kind(layer.SMALL, torch.float8_e4m3fn)
            program = layer.export(module)
            text = importer.from_exported({name: program}, strict=True)
            _, _, got = self.run_layer(module, name, program, text, 0)
            self.assertEqual([value.shape[0] for value in got], [0] * 4)


if __name__ == "__main__":
    unittest.main()
