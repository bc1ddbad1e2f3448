# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""inspect, on made-up checkpoints of each family: right ones, and each fault."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

from qfuse.checkpoints import inspect
from safetensors_files import write

N, K = 96, 256
FP8 = np.arange(N * K, dtype=np.uint32).reshape(N, K) % 0x7F


def fp8(shape=(N, K), dtype="F8_E4M3"):
    return dtype, shape, np.resize(FP8, shape).astype(np.uint8)


def ones(shape):
    return "F8_E4M3", shape, np.full(shape, 0x38, np.uint8)


def f32(*shape):
    return "F32", shape, np.full(shape, 0.5, np.float32)


def u8(*shape):
    return "U8", shape, np.full(shape, 127, np.uint8)


def quark(dtype, qscheme, **more):
    return {"quant_method": "quark", "exclude": ["lm_head"], "layer_quant_config": {},
            "global_quant_config": {"weight": {"dtype": dtype, "qscheme": qscheme, **more}}}


def compressed(strategy, bits=8, kind="float", **more):
    weights = {"num_bits": bits, "type": kind, "strategy": strategy, **more}
    return {"quant_method": "compressed-tensors", "ignore": ["lm_head", "re:.*gate$"],
            "config_groups": {"group_0": {"weights": weights, "targets": ["Linear"]}}}


BLOCK = {"quant_method": "fp8", "weight_block_size": [128, 128]}
MXFP4 = {"quant_method": "mxfp4", "modules_to_not_convert": ["model.embed"]}


class Inspect(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def save(self, config, **tensors):
        """Writes a checkpoint of module `m`; names have `__` for a point."""
        if config is not None:
            (self.folder / "config.json").write_text(json.dumps({"quantization_config": config}))
        write(self.folder / "model.safetensors",
              {name.replace("__", "."): tensor for name, tensor in tensors.items()})

    def run_it(self, *arguments):
        return subprocess.run([sys.executable, "-m", "qfuse", "inspect", *arguments],
                              capture_output=True, text=True)

    def look(self, config, load=False, **tensors):
        self.save(config, **tensors)
        return inspect(self.folder, load)

    def check(self, config, form, problems, load=False, **tensors):
        found, = self.look(config, load, **tensors)
        self.assertEqual(found.format, form)
        self.assertEqual(len(found.problems), len(problems), found.problems)
        for problem, pattern in zip(found.problems, problems):
            self.assertRegex(problem, pattern)
        return found

    def test_right_ones(self):
        for config, form, tensors in (
                (BLOCK, "f8E4M3FN per block of 128 x 128",
                 {"m__weight": fp8(), "m__weight_scale_inv": f32(1, 2)}),
                ({"quant_method": "fp8"}, "f8E4M3FN per tensor",
                 {"m__weight": fp8(), "m__weight_scale": f32()}),
                (compressed("channel"), "f8E4M3FN per channel",
                 {"m__weight": fp8(), "m__weight_scale": f32(N, 1)}),
                (compressed("channel", kind="int"), "i8 per channel",
                 {"m__weight": ("I8", (N, K), np.ones((N, K), np.int8)),
                  "m__weight_scale": f32(N, 1)}),
                (compressed("tensor_group", bits=4, group_size=16), "f4E2M1FN per group of 16",
                 {"m__weight_packed": u8(N, K // 2), "m__weight_scale": ones((N, K // 16)),
                  "m__weight_global_scale": f32(1)}),
                (quark("fp4", "per_group", group_size=32), "f4E2M1FN per group of 32",
                 {"m__weight": u8(N, K // 2), "m__weight_scale": u8(N, K // 32)}),
                (quark("fp8_e4m3", "per_channel"), "f8E4M3FN per channel",
                 {"m__weight": fp8(), "m__weight_scale": f32(N)}),
                (MXFP4, "f4E2M1FN per group of 32",
                 {"m_blocks": u8(2, N, K // 32, 16), "m_scales": u8(2, N, K // 32)}),
                (None, "f8E4M3FN per channel", {"m__weight": fp8(), "m__weight_scale": f32(N, 1)})):
            with self.subTest(form=form, config=config):
                self.setUp()
                found = self.check(config, form, [], load=True, **tensors)
                self.assertEqual(found.shape[-2:], (N, K))
                self.assertIn(f"m: {form}, ", str(found))

    def test_scale_of_k(self):
        for shape, form in (((K,), f"f8E4M3FN with scales of {K}"),
                            ((1, K), "f8E4M3FN per block of 128 x 1")):
            self.check(compressed("channel"), form,
                       [f"weight_scale has K = {K} elements, expected N = {N}"],
                       m__weight=fp8(), m__weight_scale=f32(*shape))

    def test_channel_with_one_element(self):
        self.check(quark("fp8_e4m3", "per_channel"), "f8E4M3FN per tensor",
                   [f"declared per channel, but weight_scale has 1 element, expected N = {N}"],
                   m__weight=fp8(), m__weight_scale=f32(1))

    def test_transposed_block_scales(self):
        self.check(BLOCK, "f8E4M3FN per block of 64 x 256",
                   ["weight_scale_inv is transposed: expected 1 x 2, got 2 x 1"],
                   m__weight=fp8(), m__weight_scale_inv=f32(2, 1))

    def test_wrong_group(self):
        self.check(quark("fp4", "per_group", group_size=32), "f4E2M1FN per group of 16",
                   [f"expected to be {N} x {K // 32}, got {N} x {K // 16}"],
                   m__weight=u8(N, K // 2), m__weight_scale=u8(N, K // 16))

    def test_group_without_size(self):
        self.check(quark("fp4", "per_group"), "f4E2M1FN per group of 32",
                   ["declared per group, but without its size"],
                   m__weight=u8(N, K // 2), m__weight_scale=u8(N, K // 32))

    def test_flavors(self):
        self.check(compressed("channel"), "f8E4M3FNUZ per channel",
                   ["declared f8E4M3FN, but the weight is f8E4M3FNUZ: the same byte is half"],
                   m__weight=fp8(dtype="F8_E4M3FNUZ"), m__weight_scale=f32(N, 1))
        weight = fp8()
        weight[2][0, :3] = (0x7F, 0xFF, 0x80)
        tensors = {"m__weight": weight, "m__weight_scale": f32(N, 1)}
        self.check(compressed("channel"), "f8E4M3FN per channel",
                   ["^2 codes are 0x7f and 0xff, .* bytes of f8E4M3FNUZ under the name F8_E4M3$"],
                   load=True, **tensors)
        self.check(compressed("channel"), "f8E4M3FN per channel", [], **tensors)
        tensors["m__weight"] = ("F8_E4M3FNUZ", *weight[1:])
        self.check(quark("fp8_e4m3fnuz", "per_channel"), "f8E4M3FNUZ per channel",
                   ["^1 codes are 0x80, .* bytes of f8E4M3FN under"], load=True, **tensors)

    def test_scales_that_are_none(self):
        for value, words in ((np.nan, "1 of 96 elements of weight_scale are not finite"),
                             (0, "1 of 96 elements of weight_scale are not positive")):
            scale = f32(N, 1)
            scale[2][3] = value
            self.check(compressed("channel"), "f8E4M3FN per channel", [words], load=True,
                       m__weight=fp8(), m__weight_scale=scale)

    def test_without_scales(self):
        self.check(BLOCK, "f8E4M3FN without scales", ["there are no scales"], m__weight=fp8())

    def test_types_of_scales(self):
        self.check(quark("fp4", "per_group", group_size=32), "f4E2M1FN per group of 32",
                   [r"expected scales of E8M0 \(U8\) or F8_E4M3 for f4E2M1FN, got F32"],
                   m__weight=u8(N, K // 2), m__weight_scale=f32(N, K // 32))

    def test_excluded(self):
        found, = self.look(compressed("channel"), lm_head__weight=fp8(),
                           lm_head__weight_scale=f32(N, 1))
        self.assertRegex(found.problems[0], r"excludes it \('lm_head'\), but it is quantized")
        found, = self.look(compressed("channel"), a__gate__weight=fp8(),
                           a__gate__weight_scale=f32(N, 1))
        self.assertRegex(found.problems[0], r"excludes it \('re:\.\*gate\$'\)")

    def test_nothing_declared(self):
        self.check(None, f"f8E4M3FN with scales of {K}",
                   [f"weight_scale has {K} elements, which is neither 1 nor N = {N}, but K"],
                   m__weight=fp8(), m__weight_scale=f32(K))

    def test_layers_of_quark(self):
        config = quark("fp4", "per_group", group_size=32)
        config["layer_quant_config"] = {"*attn*": {"weight": {"dtype": "fp8_e4m3",
                                                              "qscheme": "per_channel"}}}
        found = self.look(config, a__attn__q__weight=fp8(), a__attn__q__weight_scale=f32(N, 1),
                          a__mlp__weight=u8(N, K // 2), a__mlp__weight_scale=u8(N, K // 32))
        self.assertEqual([(f.format, f.problems) for f in found],
                         [("f8E4M3FN per channel", ()), ("f4E2M1FN per group of 32", ())])

    def test_groups_of_compressed_tensors(self):
        """A group that names modules comes before that of all."""
        config = compressed("channel")
        config["config_groups"]["group_1"] = {
            "targets": ["re:.*attn.*"], "weights": {"num_bits": 8, "type": "float",
                                                    "strategy": "tensor"}}
        found = self.look(config, a__attn__q__weight=fp8(), a__attn__q__weight_scale=f32(1),
                          a__mlp__weight=fp8(), a__mlp__weight_scale=f32(N, 1))
        self.assertEqual([f.problems for f in found], [(), ()])

    def test_leaves_other_tensors_alone(self):
        self.assertEqual(self.look(BLOCK, norm__weight=f32(K), m__bias=f32(N),
                                   e__weight=("BF16", (N, K), np.ones((N, K), np.uint16))), [])

    def test_errors(self):
        with self.assertRaisesRegex(ValueError, "expected .safetensors files, got none"):
            inspect(self.folder)
        self.save({"quant_method": "gptq"}, m__weight=fp8())
        with self.assertRaisesRegex(ValueError, "expected a quant_method of quark, .* got 'gptq'"):
            inspect(self.folder)
        for config in (compressed("channel") | {"config_groups": [1]},
                       quark("fp4", "per_group", group_size="x"),
                       BLOCK | {"weight_block_size": 128}):
            self.save(config, m__weight=fp8())
            with self.assertRaisesRegex(ValueError, "quantization_config is not one of"):
                inspect(self.folder)
        (self.folder / "config.json").write_text("{")
        with self.assertRaisesRegex(ValueError, "config.json: expected JSON"):
            inspect(self.folder)

    def test_broken_files(self):
        self.save(None, m__weight=fp8())
        path = self.folder / "model.safetensors"
        data = path.read_bytes()
        for broken, message in (
                (data[:4], "expected a header of at most 0 bytes"),
                (data[:-1], "ends at byte .* may be cut off"),
                (data.replace(b'"shape"', b'"shapo"'), "expected dtype, shape and data_offsets"),
                (data.replace(b'{"_', b'["_'), "header: expected JSON"),
                (data.replace(b"[96, 256]", b"[96, 2.5]"), "expected dtype, shape and data"),
                (data.replace(b"[96, 256]", b"[96, 257]"), "expected 24672 bytes of F8_E4M3")):
            self.assertNotEqual(broken, data)
            path.write_bytes(broken)
            with self.assertRaisesRegex(ValueError, message):
                inspect(path)
        self.save(None, m__weight=("F8_E9M9", *fp8()[1:]), m__weight_scale=f32(1))
        with self.assertRaisesRegex(ValueError, "expected a dtype of F64, .* got 'F8_E9M9'"):
            inspect(path)
        deep = b"[" * 100000
        path.write_bytes(len(deep).to_bytes(8, "little") + deep)
        with self.assertRaisesRegex(ValueError, "header: expected JSON"):
            inspect(path)

    def test_sizes_that_a_strategy_does_not_use(self):
        for config in (compressed("channel", group_size=-1),
                       quark("fp8_e4m3", "per_channel", group_size=-1)):
            self.check(config, "f8E4M3FN per channel", [], m__weight=fp8(),
                       m__weight_scale=f32(N, 1))
        self.check(compressed("block", block_structure="128x128"),
                   "f8E4M3FN per block of 128 x 128", [], m__weight=fp8(),
                   m__weight_scale=f32(1, 2))

    def test_scales_that_divide_nothing(self):
        for shape in ((2 * K, 1), (N + 1, 1), (N, 2 * K)):
            self.check(compressed("channel"),
                       f"f8E4M3FN with scales of {shape[0]} x {shape[1]}",
                       ["declared f8E4M3FN per channel, so weight_scale is expected to be"],
                       m__weight=fp8(), m__weight_scale=f32(*shape))

    def index(self, places):
        (self.folder / "model.safetensors.index.json").write_text(
            json.dumps({"weight_map": places}))

    def test_absent_shards(self):
        places = {"m.weight": "model.safetensors", "m.weight_scale": "model.safetensors",
                  "n.weight": "b.safetensors", "n.weight_scale": "b.safetensors"}
        self.index(places)
        with self.assertRaisesRegex(ValueError, "got none; the index names 2, fetch these"):
            inspect(self.folder)
        tensors = {"m__weight": fp8(), "m__weight_scale": f32(N, 1)}
        found = self.look(None, **tensors)
        self.assertEqual([(f.name, f.format) for f in found[1:]],
                         [("b.safetensors", "an absent shard")])
        self.assertIn("n.weight, n.weight_scale", str(found[1]))
        done = self.run_it(str(self.folder))
        self.assertEqual(done.returncode, 1)
        self.assertIn("1 quantized weights, 0 with problems, 1 absent", done.stdout)
        self.index({**places, "n.weight": "model.safetensors"} | {"n.weight_scale":
                                                                  "model.safetensors"})
        self.assertEqual(self.look(None, **tensors)[1].format, "an incomplete shard")
        for wrong in ([1], {"m.weight": 1}):
            self.index(wrong)
            with self.assertRaisesRegex(ValueError, "index.json: expected a weight_map"):
                inspect(self.folder)

    def test_wrong_configs_are_one_line(self):
        for config in (BLOCK | {"weight_block_size": "x"}, BLOCK | {"weight_block_size": [1]},
                       {"quant_method": ["a"]}, compressed("channel", bits="8"),
                       compressed("channel") | {"ignore": [1]},
                       compressed("channel") | {"ignore": "ab"},
                       quark("fp4", "per_group", group_size=[1, "x"])):
            self.save(config, m__weight=fp8(), m__weight_scale=f32(N, 1))
            done = self.run_it(str(self.folder))
            self.assertEqual((done.returncode, done.stdout), (2, ""), config)
            self.assertRegex(done.stderr, r"^error: config.json: .*\n$")

    def test_command_line(self):
        self.save(compressed("channel"), m__weight=fp8(), m__weight_scale=f32(1))

        run = self.run_it
        done = run(str(self.folder))
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertRegex(done.stdout, r"^m: f8E4M3FN per tensor, 96 x 256; weight F8_E4M3 96 x 256, "
                         r"weight_scale F32 1\n  problem: declared per channel.*\n"
                         "1 quantized weights, 1 with problems\n$")
        self.save(compressed("tensor"), m__weight=fp8(), m__weight_scale=f32(1))
        self.assertEqual(run(str(self.folder), "--load").returncode, 0)
        done = run(str(self.folder / "missing"))
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "^error: .*missing: No such file.*\n$")


if __name__ == "__main__":
    unittest.main()
