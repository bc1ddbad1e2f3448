# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""quantize, dequantize, pack and unpack, against the reference."""

import dataclasses
import unittest

import numpy as np

import qfuse
from qfuse.formats import FLOATS, decode_table, encode, round_to_bf16, to_bf16
from qfuse.quantization import scales_of_amax
from references import F32, GIVEN, cases, formats, layouts, quantize, same


class Formats(unittest.TestCase):

    def test_decodes_each_code(self):
        for name in FLOATS:
            codes = np.arange(16 if name == "f4E2M1FN" else 256)
            expected = F32(formats.decode(name, codes))
            self.assertTrue(np.array_equal(decode_table(name), expected, equal_nan=True), name)

    def test_encodes_around_each_code(self):
        """All codes, all ties, and the f32 next to each on both sides."""
        for name in FLOATS:
            table = np.append(formats.magnitudes(name), [0, 1e-45, 3e38, np.inf])
            middle = (table[1:] + table[:-1]) / 2
            exact = F32(np.concatenate([table, middle, table[table < 1e38] * 1.5]))
            near = np.concatenate([np.nextafter(exact, F32(0)), exact,
                                   np.nextafter(exact, F32(np.inf)), F32([np.nan])])
            values = np.concatenate([near, -near])
            for rounding in ("rne", "rna", "rtz"):
                for overflow in ("saturate", "ieee"):
                    if name == "f8E8M0FNU" and rounding != "rne":
                        continue
                    got = encode(name, values, rounding, overflow)
                    expected = formats.encode(name, values, rounding, overflow)
                    self.assertEqual(got.tolist(), expected.tolist(), (name, rounding, overflow))

    def test_encodes_i8(self):
        values = F32([-1e9, -128.5, -128, -127.5, -1.5, -0.5, 0.49999997, 0.5, 1.5, 2.5, 126.5,
                      127.5, 1e9, np.nan, np.inf, -np.inf])
        for rounding in ("rne", "rna", "rtz"):
            self.assertEqual(encode("i8", values, rounding).tolist(),
                             formats.encode("i8", values, rounding).tolist(), rounding)

    def test_rounds_to_bf16(self):
        bits = np.arange(1 << 16, dtype=np.uint32) << 16
        values = np.concatenate([(bits | low).view(F32) for low in (0, 1, 0x7FFF, 0x8000, 0x8001)])
        self.assertTrue(np.array_equal(to_bf16(values), formats.encode("bf16", values)))


class Quantize(unittest.TestCase):

    def test_each_preset(self):
        for name, preset in qfuse.presets().items():
            given = GIVEN if preset.scale_rule is None else None
            for case, x in cases(preset):
                codes, scales = qfuse.quantize(x, name, scales=given)
                expected_codes, expected_scales = quantize(preset, x)
                self.assertTrue(same(scales, expected_scales), (name, case, "scales"))
                self.assertTrue(same(codes, expected_codes), (name, case, "codes"))

    def test_dequantize(self):
        x = round_to_bf16(np.random.default_rng(0).normal(size=(5, 256)).astype(F32))
        for name, preset in qfuse.presets().items():
            given = F32([[0.01]]) if preset.scale_rule is None else None
            codes, scales = qfuse.quantize(x, name, scales=given)
            got = qfuse.dequantize(codes, scales, name)
            wide = formats.unpack_nibbles(codes) if preset.codes == "f4E2M1FN" else codes
            rows = preset.block[0] or len(x)
            factors = scales if preset.scales == "f32" else formats.decode(preset.scales, scales)
            factors = np.repeat(np.repeat(factors, rows, 0), preset.block[1] or 256, 1)
            expected = F32(formats.decode(preset.codes, wide)) * F32(factors)
            self.assertTrue(same(got, expected), name)

    def test_nvfp4_divides_by_the_outer_scale(self):
        preset = dataclasses.replace(
            qfuse.presets()["sglang_fp8_per_token"], name="nvfp4", codes="f4E2M1FN",
            block=(1, 16), scales="f8E4M3FN", scale_rounding="f8E4M3FN", outer="f32",
            scale_rule=dataclasses.replace(
                qfuse.presets()["sglang_fp8_per_token"].scale_rule, max=6.0))
        x = F32(np.random.default_rng(1).normal(size=(4, 64)) * 10)
        outer = F32([[np.abs(x).max() / (6 * 448)]])
        codes, scales = qfuse.quantize(to_bf16(x), preset, outer=outer)
        x = round_to_bf16(x)
        amax = np.abs(x).reshape(4, 4, 16).max(-1)
        expected = formats.encode("f8E4M3FN", amax / F32(6) / outer)
        self.assertTrue(np.array_equal(scales, expected))
        factor = F32(1) / (F32(formats.decode("f8E4M3FN", expected)) * outer)
        wide = formats.encode("f4E2M1FN", x * np.repeat(factor, 16, 1), overflow="saturate")
        self.assertTrue(np.array_equal(codes, formats.pack_nibbles(wide)))
        back = qfuse.dequantize(codes, scales, preset, outer=outer)
        self.assertLess(np.abs(back - x).max(), 0.25 * np.abs(x).max())

    def test_zero_blocks(self):
        """Codes are zero, or NaN where the table says so."""
        zeros = np.zeros((2, 128), F32)
        for name, preset in qfuse.presets().items():
            if preset.scale_rule is None:
                continue
            codes, scales = qfuse.quantize(zeros, name)
            if preset.nan_on_zero_block:
                self.assertTrue(np.isnan(qfuse.dequantize(codes, scales, name)).all(), name)
                self.assertFalse(scales.any(), name)
            else:
                self.assertFalse(codes.any(), name)

    def test_nan_is_ignored_where_the_rule_says_so(self):
        preset = qfuse.presets()["sglang_fp8_per_token"]
        rule = dataclasses.replace(preset.scale_rule, nan="ignore")
        preset = dataclasses.replace(preset, scale_rule=rule)
        _, scales = qfuse.quantize(F32([[np.nan, -448, 2]]), preset)
        self.assertEqual(scales.tolist(), [[1.0]])

    def test_rounds_to_the_input_type(self):
        x = np.random.default_rng(0).normal(size=(8, 128)).astype(F32)
        for name in ("vllm_fp8_block", "aiter_norm_fp8_block"):
            codes, _ = qfuse.quantize(x, name)
            rounded, _ = qfuse.quantize(to_bf16(x), name)
            self.assertEqual(np.array_equal(codes, rounded), name.startswith("vllm"), name)

    def test_keeps_other_ranks(self):
        x = np.random.default_rng(0).normal(size=(2, 3, 64)).astype(F32)
        codes, scales = qfuse.quantize(x, "aiter_mxfp4_roundup")
        flat_codes, flat_scales = qfuse.quantize(x.reshape(6, 64), "aiter_mxfp4_roundup")
        self.assertTrue(np.array_equal(codes, flat_codes.reshape(2, 3, 32)))
        self.assertTrue(np.array_equal(scales, flat_scales.reshape(2, 3, 2)))
        codes, scales = qfuse.quantize(x[0, 0], "torch_fp8_per_tensor")
        self.assertEqual((codes.shape, scales.shape), ((64,), (1,)))

    def test_takes_no_rows_and_no_columns(self):
        for name, preset in qfuse.presets().items():
            given = GIVEN if preset.scale_rule is None else None
            for shape in ((0, 128), (3, 0)):
                codes, scales = qfuse.quantize(np.zeros(shape, F32), name, scales=given)
                self.assertEqual(scales.shape, preset.scale_shape(shape), (name, shape))
                self.assertEqual(codes.size, 0)

    def test_reads_raw_bytes(self):
        x = np.random.default_rng(0).normal(size=(2, 64)).astype(F32)
        codes, _ = qfuse.quantize(to_bf16(x).view("V2"), "vllm_fp8_per_token")
        expected, _ = qfuse.quantize(x, "vllm_fp8_per_token")
        self.assertTrue(np.array_equal(codes, expected))
        self.assertTrue(np.array_equal(
            qfuse.dequantize(codes.view("V1"), GIVEN.repeat(2, 0), "vllm_fp8_per_token"),
            qfuse.dequantize(codes, GIVEN.repeat(2, 0), "vllm_fp8_per_token")))


class Pack(unittest.TestCase):

    def shapes(self, layout):
        step = layout.forms[0].align or layout.forms[0].tile
        for extra in (0, 1, 17):
            shape = [e + (extra if e > 1 else 0) for e in step]
            shape = [2 if layout.rank == 3 and e == 1 else e for e in shape]
            if layout.name == "gate_up_interleave":
                shape[0] = 2
            yield tuple(shape)

    def test_each_layout_is_the_torch_idiom(self):
        random = np.random.default_rng(0)
        for name, layout in qfuse.layouts().items():
            for element in layout.elements:
                for shape in self.shapes(layout):
                    shape = (*shape[:-1], shape[-1] + shape[-1] % 2)
                    kind = {"f32": np.uint32, "bf16": np.uint16}.get(element, np.uint8)
                    a = random.integers(1, 16, shape).astype(kind)
                    expected = layouts.pack(a, name, element, 0)
                    if element == "f4E2M1FN":
                        a, expected = formats.pack_nibbles(a), formats.pack_nibbles(expected)
                    a = a.view(F32) if element == "f32" else a
                    packed = qfuse.pack(a, name)
                    self.assertEqual(packed.view(kind).tolist(), expected.tolist(), (name, shape))
                    self.assertTrue(same(qfuse.unpack(packed, name, a.shape), a), (name, shape))

    def test_quantize_packs_scales(self):
        x = np.random.default_rng(0).normal(size=(33, 320)).astype(F32)
        codes, scales = qfuse.quantize(x, "aiter_mxfp4_roundup")
        same_codes, packed = qfuse.quantize(x, "aiter_mxfp4_roundup", "mx_shuffle")
        self.assertTrue(np.array_equal(codes, same_codes))
        self.assertTrue(np.array_equal(packed, qfuse.pack(scales, "mx_shuffle")))
        self.assertTrue(np.array_equal(
            qfuse.dequantize(codes, packed, "aiter_mxfp4_roundup", "mx_shuffle"),
            qfuse.dequantize(codes, scales, "aiter_mxfp4_roundup")))


class Errors(unittest.TestCase):
    X = np.zeros((2, 64), F32)

    def check(self, message, function, *arguments, **keywords):
        with self.assertRaisesRegex(ValueError, message):
            function(*arguments, **keywords)

    def test_names(self):
        self.check(r"expected a name of qfuse\.presets\(\), got 'mxfp4'",
                   qfuse.quantize, self.X, "mxfp4")
        self.check("'sglang_fp8_block' cannot be computed: .*max_over_amax",
                   qfuse.quantize, self.X, "sglang_fp8_block")
        self.check(r"expected a name of qfuse\.layouts\(\), got 'row'", qfuse.pack, self.X, "row")

    def test_values(self):
        for values in (np.zeros((2, 4)), [[0.0, 1.0]]):
            self.check(r"expected values of f32, f16 or bf16 \(uint16\), got float64",
                       qfuse.quantize, values, "aiter_mxfp4_roundup")
        self.check("expected values of f32, f16 or bf16", qfuse.quantize,
                   np.zeros((2, 4), np.uint8), "aiter_mxfp4_roundup")
        self.check("expected values with a last dimension", qfuse.quantize, F32(1),
                   "aiter_fp8_block")
        self.check("expected an even K for f4E2M1FN, got 3", qfuse.quantize, self.X[:, :3],
                   "aiter_mxfp4_roundup")

    def test_scales_that_are_numbers(self):
        for number in (1, 1.0, np.int64(1), np.float64(1), np.float32(1)):
            codes, scales = qfuse.quantize(self.X, "vllm_fp8_static", scales=number)
            self.assertEqual((scales.dtype, scales.tolist()), (np.float32, [[1.0]]))

    def test_shapes(self):
        packed = qfuse.pack(np.zeros((64, 8), np.uint8), "mx_shuffle")
        for shape in (5, None, "ab", (5.5, 7), (-1, 8)):
            self.check("expected a shape of integers", qfuse.unpack, packed, "mx_shuffle", shape)
        self.check("expected a name of qfuse.layouts", qfuse.pack, self.X, ["col"])

    def test_scales(self):
        self.check("expected scales=, as preset 'vllm_fp8_static'", qfuse.quantize, self.X,
                   "vllm_fp8_static")
        self.check("expected no scales=, as preset 'vllm_fp8_block'", qfuse.quantize, self.X,
                   "vllm_fp8_block", scales=GIVEN)
        self.check(r"expected f32 scales of shape \[1, 1\] .* \[2, 64\]", qfuse.quantize, self.X,
                   "vllm_fp8_static", scales=self.X)
        self.check("expected outer= only with a format", qfuse.quantize, self.X,
                   "vllm_fp8_block", outer=GIVEN)
        codes, scales = qfuse.quantize(self.X, "aiter_mxfp4_roundup")
        self.check(r"expected f8E8M0FNU scales of shape \[2, 2\], got uint8 \[1, 2\]",
                   qfuse.dequantize, codes, scales[:1], "aiter_mxfp4_roundup")
        self.check(r"expected f8E8M0FNU scales .* got float32", qfuse.dequantize, codes,
                   F32(scales), "aiter_mxfp4_roundup")

    def test_layouts(self):
        self.check("expected a layout of f32 scales, got 'mx_shuffle'", qfuse.quantize, self.X,
                   "vllm_fp8_block", "mx_shuffle")
        self.check(r"expected values of rank 3 for layout 'n32k4_scale', got shape \[2, 64\]",
                   qfuse.quantize, self.X, "aiter_mxfp4_roundup", "n32k4_scale")
        self.check("expected rank 2 for layout 'mx_shuffle'", qfuse.pack, np.zeros(3, np.uint8),
                   "mx_shuffle")
        self.check("got items of 4 bytes", qfuse.pack, self.X, "mx_shuffle")
        self.check(r"expected 2048 items for shape \[2, 2\]", qfuse.unpack,
                   np.zeros(7, np.uint8), "mx_shuffle", (2, 2))

    def test_unknown_parameter_of_a_rule(self):
        preset = qfuse.presets()["sglang_fp8_per_token"]
        rule = dataclasses.replace(preset.scale_rule, zero="two")
        with self.assertRaisesRegex(NotImplementedError, "zero = two"):
            scales_of_amax(F32([0]), dataclasses.replace(preset, scale_rule=rule))


if __name__ == "__main__":
    unittest.main()
