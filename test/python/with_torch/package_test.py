# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""quantize, dequantize, pack, unpack and identify on tensors of PyTorch."""

import unittest

import numpy as np
import torch

import qfuse
from qfuse.formats import to_bf16
from qfuse.probes import random_rows

TYPES = {"f8E4M3FN": torch.float8_e4m3fn, "f8E4M3FNUZ": torch.float8_e4m3fnuz,
         "f8E8M0FNU": torch.float8_e8m0fnu, "f4E2M1FN": torch.float4_e2m1fn_x2,
         "f32": torch.float32, "i8": torch.int8}


def raw(tensor):
    if tensor.dtype in (torch.float32, torch.int8):
        return tensor.numpy()
    return tensor.view(torch.uint8).numpy()


class Torch(unittest.TestCase):

    def test_each_preset(self):
        x = random_rows(8, 256)
        for name, preset in qfuse.presets().items():
            for values, tensor in ((x, torch.from_numpy(x)),
                                   (to_bf16(x), torch.from_numpy(x).to(torch.bfloat16))):
                given = None if preset.scale_rule else np.float32([[0.05]])
                expected = qfuse.quantize(values, name, scales=given)
                given = None if given is None else torch.from_numpy(given)
                codes, scales = qfuse.quantize(tensor, name, scales=given)
                self.assertEqual((codes.dtype, scales.dtype),
                                 (TYPES[preset.codes], TYPES[preset.scales]), name)
                self.assertTrue(np.array_equal(raw(codes), expected[0]), name)
                self.assertTrue(np.array_equal(raw(scales), expected[1]), name)
                back = qfuse.dequantize(codes, scales, name)
                self.assertTrue(np.array_equal(back.numpy(), qfuse.dequantize(*expected, name)))

    def test_pack(self):
        x = torch.from_numpy(random_rows(40, 320))
        codes, scales = qfuse.quantize(x, "aiter_mxfp4_roundup")
        packed = qfuse.pack(scales, "mx_shuffle")
        self.assertEqual(packed.dtype, torch.float8_e8m0fnu)
        back = qfuse.unpack(packed, "mx_shuffle", scales.shape)
        self.assertTrue(torch.equal(back.view(torch.uint8), scales.view(torch.uint8)))

    def test_identify(self):
        x = torch.from_numpy(random_rows(40, 512))
        codes, scales = qfuse.quantize(x, "aiter_norm_fp8_block")
        found = qfuse.identify(x, codes, scales)[0]
        self.assertEqual((found.rule, found.equal, found.deviations),
                         ("aiter_norm_fp8_block", 160, ()))
        wrong = codes.view(torch.uint8).view(torch.float8_e4m3fnuz)
        self.assertIn("codes are f8E4M3FN, declared f8E4M3FNUZ",
                      qfuse.identify(x, wrong, scales)[0].deviations)


if __name__ == "__main__":
    unittest.main()
