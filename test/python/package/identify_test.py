# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""identify: finds each rule, each layout and each fault that was made here."""

import dataclasses
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import qfuse
from qfuse import probes
from qfuse.formats import round_to_bf16, to_bf16
from qfuse.identification import SAMPLE
from qfuse.probes import random_rows
from references import F32, presets
from safetensors_files import write

ROUNDUP, EVEN = "aiter_mxfp4_roundup", "aiter_triton_mxfp4_even"



def best(*triple):
    return qfuse.identify(*triple)[0]


class Rules(unittest.TestCase):

    def test_each_preset_is_among_the_best(self):
        x = random_rows(48, 512)
        for name, preset in qfuse.presets().items():
            given = F32([[0.05]]) if preset.scale_rule is None else None
            found = qfuse.identify(x, *qfuse.quantize(x, name, scales=given))
            first = found[0]
            self.assertEqual((first.equal, first.layout), (first.total, "row-major"), name)
            self.assertEqual(first.deviations, (), name)
            self.assertIn(name, (first.rule, *first.alike))
            if first.rule != name:
                # Only what has the same bytes on this input may come first.
                for got, wanted in zip(qfuse.quantize(x, name, scales=given),
                                       qfuse.quantize(x, first.rule, scales=given if
                                                      qfuse.presets()[first.rule].scale_rule is None
                                                      else None)):
                    self.assertTrue(np.array_equal(got, wanted), (name, first.rule))

    def test_reproduces_the_22_percent(self):
        x = random_rows(4096, 512)
        codes, scales = qfuse.quantize(x, ROUNDUP)
        found = best(x, codes, scales)
        self.assertEqual((found.rule, found.rival, found.equal), (ROUNDUP, EVEN, scales.size))
        self.assertAlmostEqual(found.distinguishing / found.total, np.log2(1.75 / 1.5), delta=0.01)
        other_codes, other_scales = qfuse.quantize(x, EVEN)
        differ = (codes != other_codes).reshape(*scales.shape, 16).any(-1)
        self.assertEqual(found.distinguishing, (differ | (scales != other_scales)).sum())

    def test_sentence(self):
        x = random_rows(256, 7168)
        codes, scales = qfuse.quantize(x, ROUNDUP)
        packed = qfuse.pack(scales, "mx_shuffle").reshape(scales.shape)
        found = best(x, codes, packed)
        self.assertEqual(
            str(found), f"codes follow {ROUNDUP} in 57344 of 57344 blocks, {found.distinguishing} "
            f"of which tell it from {EVEN}; scale bytes are mx_shuffle, declared row-major")
        self.assertEqual(best(x, codes, packed.reshape(-1)).sentence,
                         str(found).removesuffix(", declared row-major"))

    def test_scales_that_are_nan(self):
        x = random_rows(16, 256)
        x[3, 5] = np.nan
        found = best(x, *qfuse.quantize(x, "aiter_norm_fp8_block"))
        self.assertEqual((found.rule, found.equal), ("aiter_norm_fp8_block", found.total))

    def test_some_wrong_blocks(self):
        x = random_rows(16, 256)
        codes, scales = qfuse.quantize(x, ROUNDUP)
        codes[3, 17] ^= 1
        scales[5, 2] += 1
        found = best(x, codes, scales)
        self.assertEqual((found.rule, found.equal, found.total), (ROUNDUP, 126, 128))
        self.assertIn("in 127 of 128 blocks", str(found))
        self.assertIn("scales follow it in 127 of 128, both in 126", str(found))

    def test_all_rows_are_compared(self):
        """A block that no sample of rows has is counted."""
        x = random_rows(2 * SAMPLE // 512 + 1, 512)
        codes, scales = qfuse.quantize(x, ROUNDUP)
        codes[1::2, 0] ^= 8
        wrong = codes[1::2].shape[0]
        found = best(x, codes, scales)
        self.assertEqual((found.rule, found.equal), (ROUNDUP, scales.size - wrong))

    def test_approximate_reciprocals(self):
        """A device's reciprocal may be off by 1 ulp."""
        x = presets.make_ties("f8E4M3FN", 128, np.arange(3, 99, 2) / 7)
        codes, scales = qfuse.quantize(x, "aiter_norm_fp8_block")
        factor = np.nextafter(F32(1) / scales, F32(np.inf))
        wide = (x.reshape(*scales.shape, 128) * factor[..., None]).reshape(x.shape)
        moved, _ = qfuse.quantize(wide, "flashinfer_norm_fp8_static", scales=F32([[1]]))
        self.assertFalse(np.array_equal(codes, moved))
        found = best(x, moved, scales)
        self.assertEqual((found.rule, found.equal), ("aiter_norm_fp8_block", scales.size))

    def test_no_rule(self):
        random = np.random.default_rng(0)
        x = random_rows(32, 256)
        found = best(x, random.integers(0, 256, x.shape).astype(np.uint8),
                     random.normal(size=(32, 2)).astype(F32))
        self.assertLess(found.equal, 2)
        self.assertRegex(str(found), "^no known rule made these codes; the closest, ")

    def test_codes_of_one_rule_and_scales_of_another(self):
        x = random_rows(64, 256)
        codes, _ = qfuse.quantize(x, ROUNDUP)
        _, scales = qfuse.quantize(x, "aiter_mxfp4_ceil")
        found = best(x, codes, scales)
        self.assertEqual(found.rule, ROUNDUP)
        self.assertIn("scales are those of aiter_mxfp4_ceil in 512 of 512", str(found))


class Faults(unittest.TestCase):
    """Codes and scales of one rule, damaged in one way."""

    def setUp(self):
        self.x = random_rows(64, 1024)
        self.codes, self.scales = qfuse.quantize(self.x, ROUNDUP)
        self.fp8 = qfuse.quantize(self.x, "aiter_triton_fp8_block")

    def check(self, triple, rule, words, layout="row-major", equal=None):
        found = best(*triple)
        self.assertEqual((found.rule, found.layout), (rule, layout), found)
        self.assertEqual(found.equal, found.total if equal is None else equal, found)
        self.assertRegex(str(found), words)
        return found

    def test_nibbles(self):
        swapped = (self.codes >> 4) | (self.codes << 4)
        self.check((self.x, swapped, self.scales), ROUNDUP, "nibbles are swapped")

    def test_transposed(self):
        turned = np.ascontiguousarray(self.scales.T)
        self.check((self.x, self.codes, turned.reshape(self.scales.shape)), ROUNDUP,
                   "scale bytes are col, declared row-major", "col")
        found = self.check((self.x, self.codes, turned), ROUNDUP, "scale bytes are col", "col")
        self.assertNotIn("declared", str(found))
        self.check((self.x, self.fp8[0], np.ascontiguousarray(self.fp8[1].T)),
                   "aiter_triton_fp8_block", "scales are col", "col")

    def test_each_layout(self):
        for name, layout in qfuse.layouts().items():
            if "f8E8M0FNU" not in layout.elements:
                continue
            x = random_rows(3 * 37, 320).reshape(37, 3, 320) if layout.rank == 3 else (
                random_rows(37, 320))
            codes, scales = qfuse.quantize(x, ROUNDUP, name)
            self.check((x, codes, scales), ROUNDUP, f"scale bytes are {name}", name)

    def test_inverted(self):
        self.check((self.x, self.codes, 254 - self.scales), ROUNDUP, "scales are inverted")
        self.check((self.x, self.fp8[0], 1 / self.fp8[1]), "aiter_triton_fp8_block",
                   "scales are inverted")

    def test_one_block_off(self):
        size = self.scales.size
        for moved, words, wrong in (
                (np.roll(self.scales, 1, 1), r"column i is at column i \+ 1", 64),
                (np.roll(self.scales, -1, 0), r"row i is at row i - 1", 32),
                (np.append(self.scales.reshape(-1)[1:], np.uint8(0)).reshape(64, 32),
                 "1 item before its place", 1)):
            found = self.check((self.x, self.codes, moved), ROUNDUP, words, equal=best(
                self.x, self.codes, moved).equal)
            # Those at the edge may be equal by chance.
            self.assertGreaterEqual(found.equal, size - wrong)

    def test_ocp_and_fnuz(self):
        codes, scales = self.fp8
        self.check((self.x, codes, 2 * scales), "aiter_triton_fp8_block",
                   "scales are twice .* read as f8E4M3FNUZ")
        fnuz, scales = qfuse.quantize(self.x, "aiter_triton_fnuz_block")
        self.check((self.x, fnuz, scales / 2), "aiter_triton_fnuz_block",
                   "scales are half .* read as f8E4M3FN")
        fnuz, scales = qfuse.quantize(self.x, "aiter_mxfp8fnuz_roundup")
        self.check((self.x, fnuz, scales - 1), "aiter_mxfp8fnuz_roundup", "scales are half")

    def test_declared_flavor(self):
        try:
            import ml_dtypes
        except ImportError:
            from qfuse.arrays import Plain
            declared = Plain(self.fp8[0], "f8E4M3FNUZ")
        else:
            declared = self.fp8[0].view(ml_dtypes.float8_e4m3fnuz)
        self.check((self.x, declared, self.fp8[1]), "aiter_triton_fp8_block",
                   "codes are f8E4M3FN, declared f8E4M3FNUZ")

    def test_stale_padding(self):
        codes, packed = qfuse.quantize(self.x[:60, :992], ROUNDUP, "nv_128x4_scale")
        found = self.check((self.x[:60, :992], codes, packed), ROUNDUP, "are nv_128x4_scale",
                           "nv_128x4_scale")
        self.assertNotIn("padding", str(found))
        index = np.flatnonzero(packed == 0)[-5:]
        packed[index] = 127
        self.check((self.x[:60, :992], codes, packed), ROUNDUP,
                   f"5 of {128 * 32 - 60 * 31} items of padding are stale: expected 0",
                   "nv_128x4_scale")
        codes, packed = qfuse.quantize(self.x[:60], ROUNDUP, "mx_shuffle")
        packed[packed == 0] = 99
        found = self.check((self.x[:60], codes, packed), ROUNDUP, "undefined and were not compared",
                           "mx_shuffle")

    def test_codes_in_a_layout_of_weights(self):
        self.check((self.x, qfuse.pack(self.codes, "weight_16x16_nibble"), self.scales), ROUNDUP,
                   "codes are bytes of weight_16x16_nibble")
        self.check((self.x, qfuse.pack(self.fp8[0], "weight_32x16_byte"), self.fp8[1]),
                   "aiter_triton_fp8_block", "codes are bytes of weight_32x16_byte")

    def test_rounded_before(self):
        rounded = round_to_bf16(self.x)
        triple = (self.x, *qfuse.quantize(rounded, "aiter_norm_fp8_block"))
        # The same but for what a device's reciprocal may do.
        self.check(triple, "aiter_fp8_block", "aiter_norm_fp8_block would have made the same, "
                   "had x been rounded to bf16 before")
        unrounded = dataclasses.replace(qfuse.presets()["torch_int8_per_token"], input="f32")
        self.check((self.x, *qfuse.quantize(self.x, unrounded)), "torch_int8_per_token",
                   "x was not rounded to bf16 before")
        self.check((self.x, *qfuse.quantize(self.x, "vllm_int8_per_token")), "vllm_int8_per_token",
                   "x was rounded to bf16 before it was quantized, as this rule has it")


class Honesty(unittest.TestCase):

    def test_rounding_that_cannot_be_seen(self):
        x = round_to_bf16(random_rows(32, 256))
        found = best(to_bf16(x), *qfuse.quantize(x, ROUNDUP))
        self.assertIn("x holds numbers of bf16 only", str(found))
        self.assertEqual(found.alike, ("flashinfer_mxfp4_roundup",))

    def test_rules_that_are_alike(self):
        x = random_rows(32, 256)
        found = best(x, *qfuse.quantize(x, "vllm_fp8_block"))
        self.assertIn("the data cannot tell it from flashinfer_allreduce_fp8_block "
                      "(a block of zeros would)", str(found))
        self.assertIn("flashinfer_allreduce_fp8_block", found.alike)
        x[0] = 0
        found = best(x, *qfuse.quantize(x, "vllm_fp8_block"))
        self.assertNotIn("flashinfer_allreduce_fp8_block", found.alike)

    def test_layouts_that_are_alike(self):
        x = np.resize(F32([1, -3]), (64, 512))
        found = best(x, *qfuse.quantize(x, ROUNDUP))
        self.assertIn("they fit col, ", str(found))
        self.assertIn("scales that differ between blocks would tell", str(found))


    def test_random_scales_get_no_diagnosis(self):
        x = random_rows(64, 1024)
        codes, scales = qfuse.quantize(x, ROUNDUP)
        for seed in range(3):
            random = np.random.default_rng(seed).integers(0, 256, scales.shape, "u1")
            found = best(x, codes, random)
            self.assertEqual((found.rule, found.layout, found.deviations),
                             (ROUNDUP, "unknown", ()))
            self.assertIn("scale bytes follow no known rule or order", str(found))

    def test_factors_of_fp8_are_of_fp8_codes_only(self):
        x = random_rows(64, 1024)
        codes, scales = qfuse.quantize(x, ROUNDUP)
        self.assertNotIn("f8E4M3FN", str(best(x, codes, scales + 1)))

    def test_mx_shuffle_without_its_padding(self):
        x = random_rows(64, 1024)
        codes, scales = qfuse.quantize(x, ROUNDUP)
        packed = qfuse.pack(scales, "mx_shuffle")
        self.assertGreater(packed.size, scales.size)
        found = best(x, codes, packed[:scales.size])
        self.assertEqual((found.equal, found.layout),
                         (found.total, "mx_shuffle without its padding"))
        self.assertIn("are mx_shuffle without its padding", str(found))

    def test_partial_matches_fit_no_other_layout(self):
        x = np.resize(F32([1, -3]), (64, 512))
        codes, scales = qfuse.quantize(x, ROUNDUP)
        scales[0, 0] += 1
        self.assertNotIn("as well", str(best(x, codes, scales)))

    def test_a_tie_by_a_factor_is_none(self):
        x = random_rows(32, 512)
        for name in ("vllm_fp8_per_token", "aiter_mxfp8_ceil"):
            found = best(x, *qfuse.quantize(x, name))
            self.assertEqual((found.rule, found.equal, found.deviations),
                             (name, found.total, ()))
            self.assertNotIn("fnuz", f"{found.alike} {found}")

    def test_inputs_tell_rules_apart_clearly(self):
        """Never one on which rules hardly differ if there is a clearer one."""
        names = [p for p in qfuse.presets().values() if p.codes == "f8E4M3FN"]
        probes_of = [*probes._probes()]
        for one in names[:6]:
            for other in names[:6]:
                named = probes.telling_input(one, other)
                shares = {n: probes._share(one, other, x) for n, x in
                          (*probes_of, ("values halfway between two codes", probes._ties(one)))}
                if named in shares:
                    self.assertGreaterEqual(shares[named],
                                            min(probes.CLEAR, max(shares.values())))

    def test_big_endian(self):
        x = random_rows(16, 256)
        codes, scales = qfuse.quantize(x, "vllm_fp8_block")
        wanted = str(best(x, codes, scales))
        self.assertEqual(str(best(x.astype(">f4"), codes, scales.astype(">f4"))), wanted)
        for kind in ("f4", "f2"):
            narrow = x.astype(kind)
            for got, right in zip(qfuse.quantize(narrow.astype(f">{kind}"), ROUNDUP),
                                  qfuse.quantize(narrow, ROUNDUP)):
                np.testing.assert_array_equal(got, right)
        bits = to_bf16(x)
        np.testing.assert_array_equal(qfuse.quantize(bits.astype(">u2"), ROUNDUP)[0],
                                      qfuse.quantize(bits, ROUNDUP)[0])
        np.testing.assert_array_equal(qfuse.dequantize(codes, scales.astype(">f4"),
                                                       "vllm_fp8_block"),
                                      qfuse.dequantize(codes, scales, "vllm_fp8_block"))


class Errors(unittest.TestCase):

    def test_sizes_and_types(self):
        x = np.ones((4, 64), F32)
        codes, scales = qfuse.quantize(x, ROUNDUP)
        for triple, message in (
                ((x, codes[:3], scales), r"expected 256 bytes of codes, or 128 .* got 96 items"),
                ((x, codes.astype(np.uint16), scales), "got 128 items of uint16"),
                ((x, codes, scales.astype(np.float16)), "expected scales of f32, or E8M0"),
                ((x, codes, scales[:0]), "expected scales, got none"),
                ((x[:0], codes[:0], scales), "expected values, got none"),
                ((codes, codes, scales), "expected values of f32, f16 or bf16"),
                ((x, codes.astype(float), scales), "expected codes as bytes"),
                ((x, codes, scales.astype(float)), "expected scales of f32, or E8M0")):
            with self.assertRaisesRegex(ValueError, message):
                qfuse.identify(*triple)


class CommandLine(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.x = random_rows(8, 256)
        self.codes, self.scales = qfuse.quantize(self.x, ROUNDUP)

    def run_it(self, *arguments):
        files = (a if a.startswith("-") else str(self.folder / a) for a in arguments)
        return subprocess.run([sys.executable, "-m", "qfuse", "identify", *files],
                              capture_output=True, text=True)

    def save(self):
        for name in ("x", "codes", "scales"):
            np.save(self.folder / f"{name}.npy", getattr(self, name))
        return "x.npy", "codes.npy", "scales.npy"

    def test_npy(self):
        done = self.run_it(*self.save())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, f"{best(self.x, self.codes, self.scales)}\n")
        self.codes[0, 0] ^= 1
        done = self.run_it("--all", *self.save())
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stdout.splitlines()),
                         len(qfuse.identify(self.x, self.codes, self.scales)))

    def test_npy_of_another_byte_order(self):
        files = self.save()
        np.save(self.folder / "x.npy", self.x.astype(">f4"))
        self.assertEqual(self.run_it(*files).stdout,
                         f"{best(self.x, self.codes, self.scales)}\n")

    def test_safetensors(self):
        write(self.folder / "all.safetensors", {
            "x": ("BF16", self.x.shape, to_bf16(self.x)),
            "codes": ("F4", self.x.shape, self.codes),
            "scales": ("F8_E8M0", self.scales.shape, self.scales)})
        done = self.run_it("all.safetensors")
        self.assertIn(f"codes follow {ROUNDUP} in ", done.stdout)
        again = self.run_it(*(f"all.safetensors:{name}" for name in ("x", "codes", "scales")))
        self.assertEqual(again.stdout, done.stdout)

    def test_errors(self):
        self.save()
        (self.folder / "bad.npy").write_text("no")
        (self.folder / "bad.safetensors").write_bytes(bytes(range(1, 20)))
        header = b"{bad".ljust(54) + b"\n"
        (self.folder / "header.npy").write_bytes(
            b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)
        write(self.folder / "two.safetensors", {
            name: ("U8", (2,), np.zeros(2, np.uint8)) for name in "ab"})
        for arguments, message in (
                (("x.npy", "codes.npy"), "expected 3 files, or 1 .safetensors, got 2"),
                (("x.npy", "codes.npy", "missing.npy"), "missing.npy: No such file"),
                (("x.npy", "codes.npy", "bad.npy"), "bad.npy: no .npy file"),
                (("header.npy", "codes.npy", "scales.npy"), "header.npy: no .npy file"),
                (("x.npy", "codes.npy", "x.txt"), "x.txt: expected a .npy or .safetensors"),
                (("bad.safetensors",), "expected a header of at most 11 bytes"),
                (("x.npy", "codes.npy", "two.safetensors"), "expected :NAME of one of a, b"),
                (("x.npy", "codes.npy", "two.safetensors:c"), "got 'c'"),
                (("codes.npy", "codes.npy", "scales.npy"), "expected values of f32")):
            done = self.run_it(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertRegex(done.stderr, rf"^error: .*{message}.*\n$")


if __name__ == "__main__":
    unittest.main()
