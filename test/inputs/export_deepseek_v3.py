# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports the attention input of a DeepSeek-V3 layer and imports it.

usage: PYTHONPATH=python python test/inputs/export_deepseek_v3.py [OUTDIR]

Run it from the top of the source tree, as locations are relative to the current
directory. Writes deepseek_v3_attention_input.mlir (OCP fp8), _fnuz.mlir and
_small.mlir (hidden 640) beside itself, or into OUTDIR. Needs torch 2.13 and
transformers 5.24; weights are random and do not reach the files.

The layer is that of transformers: residual add and input norm are its own
code. What follows is how inference engines run its two projections: the norm's
bf16 result is quantized once and read by q_a_proj and kv_a_proj_with_mqa, and
is returned, since the attention may have further readers of it.
"""

from __future__ import annotations

import pathlib
import sys
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.export import Dim, ExportedProgram
from transformers import DeepseekV3Config
from transformers.models.deepseek_v3.modeling_deepseek_v3 import DeepseekV3DecoderLayer

from qfuse import importer

BLOCK = 128
TOKENS = 16384
# The largest code that kernels scale to. Rows of zeros get the scale of the
# floor, as in AITER csrc/kernels/quant_kernels.cu.
MAX = {torch.float8_e4m3fn: 448.0, torch.float8_e4m3fnuz: 240.0}
AMAX_FLOOR = 1e-10


@dataclass(frozen=True)
class Sizes:
    """Extents of the two projections; the defaults are DeepSeek-V3's."""

    hidden: int = 7168
    q_rank: int = 1536
    kv_rank: int = 512
    rope: int = 64


# Ragged too: five blocks of K, aligned to eight, and one and a quarter of N.
SMALL = Sizes(hidden=640, q_rank=256, kv_rank=144, rope=16)

#===----------------------------------------------------------------------===#
# A library op, and its meaning
#===----------------------------------------------------------------------===#

_SCHEMA = ("block_scaled_mm(Tensor a, Tensor b, Tensor a_scales, Tensor b_scales) "
           "-> Tensor")
_library = torch.library.Library("inference_engine", "DEF")
_library.define(_SCHEMA)


def block_scaled_mm(a: torch.Tensor, b: torch.Tensor, a_scales: torch.Tensor,
                    b_scales: torch.Tensor) -> torch.Tensor:
    """Multiplies A by the transpose of B, both fp8 with f32 scales.

    Args:
      a: fp8, M x K.
      b: fp8, N x K; N need not be a multiple of 128.
      a_scales: f32, M x K/128, strides (1, M); one for 1 x 128 elements.
      b_scales: f32, ceil(N/128) x K/128; one for 128 x 128 elements.

    Returns:
      bf16, M x N: the sum over blocks of K of `(p * a_scale) * b_scale`, in f32.
    """
    columns = b_scales.repeat_interleave(BLOCK, 0)[:b.shape[0]]
    total = torch.zeros(a.shape[0], b.shape[0])
    for block in range(a.shape[1] // BLOCK):
        k = slice(block * BLOCK, (block + 1) * BLOCK)
        product = a[:, k].float() @ b[:, k].float().t()
        total += product * a_scales[:, block, None] * columns[None, :, block]
    return total.to(torch.bfloat16)


_library.impl("block_scaled_mm", block_scaled_mm, "CPU")


@torch.library.register_fake("inference_engine::block_scaled_mm", lib=_library)
def _(a, b, a_scales, b_scales):
    return a.new_empty((a.shape[0], b.shape[0]), dtype=torch.bfloat16)


def _import_block_scaled_mm(call: importer.Call) -> importer.Node:
    scales = call.pack(call["a_scales"], importer.COLUMN_MAJOR)
    return call.scaled_matmul(call["a"], scales, call["b"], call["b_scales"],
                              importer.BLOCK_1X128, importer.BLOCK_128X128)


importer.register(f"inference_engine::{_SCHEMA}", _import_block_scaled_mm)

#===----------------------------------------------------------------------===#
# The layer
#===----------------------------------------------------------------------===#


def _layer(sizes: Sizes) -> DeepseekV3DecoderLayer:
    """Returns the first layer, without memory for its weights."""
    config = DeepseekV3Config(
        hidden_size=sizes.hidden, q_lora_rank=sizes.q_rank,
        kv_lora_rank=sizes.kv_rank, qk_rope_head_dim=sizes.rope,
        num_hidden_layers=1, attn_implementation="eager")
    with torch.device("meta"):
        return DeepseekV3DecoderLayer(config, layer_idx=0).to(torch.bfloat16)


class AttentionInput(nn.Module):
    """What the layer does before its attention proper, quantized."""

    def __init__(self, sizes: Sizes, fp8: torch.dtype):
        super().__init__()
        layer = _layer(sizes)
        self.fp8, self.max = fp8, MAX[fp8]
        self.norm = layer.input_layernorm.to_empty(device="cpu")
        nn.init.uniform_(self.norm.weight, 0.5, 1.5)
        self.norm.requires_grad_(False)
        self.q_a = self._weight(layer.self_attn.q_a_proj)
        self.kv_a = self._weight(layer.self_attn.kv_a_proj_with_mqa)

    def _weight(self, projection: nn.Linear) -> nn.Parameter:
        values = torch.randn(projection.weight.shape).to(self.fp8)
        return nn.Parameter(values, requires_grad=False)


class PerToken(AttentionInput):
    """One scale a token and one a channel, through torch._scaled_mm."""

    def __init__(self, sizes: Sizes, fp8: torch.dtype):
        super().__init__(sizes, fp8)
        self.register_buffer("q_a_scales", torch.rand(1, self.q_a.shape[0]))
        self.register_buffer("kv_a_scales", torch.rand(1, self.kv_a.shape[0]))

    def forward(self, x: torch.Tensor, residual: torch.Tensor):
        """Takes and returns bf16, M x hidden; q_a and kv_a are bf16 as well."""
        residual = x + residual
        normed = self.norm(residual)
        amax = normed.abs().amax(-1, keepdim=True).float()
        scales = amax.clamp(min=AMAX_FLOOR) / self.max
        codes = (normed.float() / scales).clamp(-self.max, self.max).to(self.fp8)
        q_a = torch._scaled_mm(codes, self.q_a.t(), scale_a=scales,
                               scale_b=self.q_a_scales, out_dtype=torch.bfloat16)
        kv_a = torch._scaled_mm(codes, self.kv_a.t(), scale_a=scales,
                                scale_b=self.kv_a_scales, out_dtype=torch.bfloat16)
        return q_a, kv_a, normed, residual


class Block(AttentionInput):
    """One scale for 1 x 128 elements of A and 128 x 128 of B.

    q_a goes through torch.nn.functional.scaled_mm, which wants whole blocks of
    N; kv_a, whose N is ragged, through the library op. Both read the same
    column-major scales of A.
    """

    def __init__(self, sizes: Sizes, fp8: torch.dtype):
        super().__init__(sizes, fp8)
        blocks = sizes.hidden // BLOCK
        # PyTorch wants [K/128 rounded up to 4, N/128], first dimension contiguous.
        aligned = torch.rand(self.q_a.shape[0] // BLOCK, -(-blocks // 4) * 4).t()
        self.register_buffer("q_a_scales", aligned)
        rows = -(-self.kv_a.shape[0] // BLOCK)
        self.register_buffer("kv_a_scales", torch.rand(rows, blocks))

    def forward(self, x: torch.Tensor, residual: torch.Tensor):
        """Takes and returns bf16, M x hidden; q_a and kv_a are bf16 as well."""
        residual = x + residual
        normed = self.norm(residual)
        blocks = normed.float().unflatten(-1, (-1, BLOCK))
        scales = blocks.abs().amax(-1).clamp(min=AMAX_FLOOR) / self.max
        codes = (blocks / scales[..., None]).clamp(-self.max, self.max)
        codes = codes.to(self.fp8).flatten(-2)
        scales = scales.t().contiguous().t()  # strides (1, M)
        recipe = F.ScalingType
        q_a = F.scaled_mm(codes, self.q_a.t(), scales, recipe.BlockWise1x128,
                          self.q_a_scales, recipe.BlockWise128x128,
                          output_dtype=torch.bfloat16)
        kv_a = torch.ops.inference_engine.block_scaled_mm(
            codes, self.kv_a, scales, self.kv_a_scales)
        return q_a, kv_a, normed, residual


#===----------------------------------------------------------------------===#
# Export and import
#===----------------------------------------------------------------------===#

MODULES = {"per_token_fp8": PerToken, "block_fp8": Block}
FILES = {
    "deepseek_v3_attention_input": (Sizes(), torch.float8_e4m3fn),
    "deepseek_v3_attention_input_fnuz": (Sizes(), torch.float8_e4m3fnuz),
    "deepseek_v3_attention_input_small": (SMALL, torch.float8_e4m3fn),
}


HEADER = """// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Made by export_deepseek_v3.py, with PyTorch 2.13 and transformers 5.24.
"""


def export(module: AttentionInput) -> ExportedProgram:
    """Returns the program of `module` for 0 to 16384 tokens."""
    hidden = module.norm.weight.shape[0]
    tokens = Dim("tokens", min=0, max=TOKENS)
    inputs = tuple(torch.randn(16, hidden, dtype=torch.bfloat16) for _ in range(2))
    return torch.export.export(module.eval(), inputs,
                               dynamic_shapes=({0: tokens}, {0: tokens}))


def import_file(sizes: Sizes, fp8: torch.dtype) -> str:
    """Returns the module with both functions, as MLIR text."""
    torch.manual_seed(0)
    programs = {name: export(module(sizes, fp8)) for name, module in MODULES.items()}
    return HEADER + importer.from_exported(programs, strict=True)


def main() -> None:
    outdir = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__)
    outdir = outdir.parent if outdir.is_file() else outdir
    for name, (sizes, fp8) in FILES.items():
        (outdir / f"{name}.mlir").write_text(import_file(sizes, fp8))


if __name__ == "__main__":
    main()
