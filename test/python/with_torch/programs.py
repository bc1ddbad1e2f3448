# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small modules for the tests: norms and quantization in several spellings."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn
from torch.export import Dim

FN, FNUZ = torch.float8_e4m3fn, torch.float8_e4m3fnuz
HIDDEN = 256


def export(module: nn.Module, *inputs: torch.Tensor, decompose: bool = False):
    """Returns the program of `module` for any number of rows of its inputs."""
    tokens = Dim("tokens", min=0, max=64)
    dynamic = tuple({0: tokens} for _ in inputs)
    # A signature of *inputs is one parameter.
    shapes = (dynamic,) if isinstance(module, Function) else dynamic
    program = torch.export.export(module.eval(), inputs, dynamic_shapes=shapes)
    return program.run_decompositions() if decompose else program


def rows(count: int = 16, columns: int = HIDDEN, dtype=torch.bfloat16) -> torch.Tensor:
    return torch.randn(count, columns).to(dtype)


class Function(nn.Module):
    """A module without parameters, from a function of tensors."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


class Norm(nn.Module):
    """A norm in the spelling that `function(x, weight)` has."""

    def __init__(self, function, dtype=torch.bfloat16):
        super().__init__()
        self.function = function
        self.weight = nn.Parameter(torch.rand(HIDDEN).to(dtype), requires_grad=False)

    def forward(self, x):
        return self.function(x, self.weight)


def _normalized(x, eps=1e-6):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)


def _power(x, w):
    f = x.float()
    return w * (f * ((f * f).sum(-1, keepdim=True) / HIDDEN + 1e-5).pow(-0.5)).to(x.dtype)


# name -> (the norm, the parameters and types that the op has for bf16 rows).
NORMS = {
    "transformers": (lambda x, w: w * _normalized(x.float()).to(x.dtype),
                     "{epsilon = 1.0e-06 : f32, normalized = bf16}"),
    "weight_second": (lambda x, w: _normalized(x.float()).to(x.dtype) * w,
                      "{epsilon = 1.0e-06 : f32, normalized = bf16}"),
    "functional": (lambda x, w: F.rms_norm(x, (HIDDEN,), w, 1e-6),
                   "{epsilon = 1.0e-06 : f32}"),
    "gemma": (lambda x, w: (_normalized(x.float()) * (1.0 + w.float())).type_as(x),
              "{epsilon = 1.0e-06 : f32, weight_offset = 1.0 : f32}"),
    "one_rounding": (lambda x, w: (_normalized(x.float()) * w.float()).to(x.dtype),
                     "{epsilon = 1.0e-06 : f32}"),
    "no_weight": (lambda x, w: _normalized(x.float()).to(x.dtype),
                  "{epsilon = 1.0e-06 : f32}"),
    "square_sum_power": (_power, "{epsilon = 1.0e-05 : f32, normalized = bf16}"),
}


def per_token(scale, fp8=FN, clamp=448.0, apply=torch.div):
    """Returns a function from x to codes and scales, one a row.

    Args:
      scale: from the largest magnitudes to the scales, both f32.
      fp8: type of the codes.
      clamp: the bound before the cast, None for no clamp.
      apply: scales the values.
    """
    def quantize(x):
        scales = scale(x.abs().amax(-1, keepdim=True).float())
        values = apply(x.float(), scales)
        if clamp is not None:
            values = values.clamp(-clamp, clamp)
        return values.to(fp8), scales
    return quantize


def block(scale, fp8=FN, clamp=448.0):
    """The same with one scale for each 1 x 128."""
    def quantize(x):
        blocks = x.float().unflatten(-1, (-1, 128))
        scales = scale(blocks.abs().amax(-1))
        values = (blocks / scales[..., None]).clamp(-clamp, clamp)
        return values.to(fp8).flatten(-2), scales
    return quantize


# name -> (quantization, the scale rule, the encode rule or None for the default).
RULES = {
    "amax_floor": (per_token(lambda a: a.clamp(min=1e-10) / 448.0),
                   "<max = 448.0, amax_floor = 1.0e-10>", None),
    "scale_floor": (per_token(lambda a: (a / 448.0).clamp(min=1e-12)),
                    "<max = 448.0, scale_floor = 1.0e-12>", None),
    "reciprocal_constant": (
        per_token(lambda a: a.clamp(min=1e-10) * (1.0 / 448.0)),
        "<max = 448.0, divide = by_reciprocal_constant, amax_floor = 1.0e-10>", None),
    "multiplied_by_reciprocal": (
        per_token(lambda a: a.clamp(min=1e-10) / 448.0,
                  apply=lambda x, s: x * s.reciprocal()),
        "<max = 448.0, amax_floor = 1.0e-10>", "<apply = reciprocal>"),
    "narrow_clamp": (per_token(lambda a: a.clamp(min=1e-10) / 240.0, FNUZ, 224.0),
                     "<max = 240.0, amax_floor = 1.0e-10>", "<max = 224.0, min = -224.0>"),
    "fnuz": (per_token(lambda a: a.clamp(min=1e-10) / 240.0, FNUZ, 240.0),
             "<max = 240.0, amax_floor = 1.0e-10>", None),
    "fnuz_without_clamp": (per_token(lambda a: a.clamp(min=1e-10) / 300.0, FNUZ, None),
                           "<max = 300.0, amax_floor = 1.0e-10>", "<overflow = ieee>"),
    "fn_without_clamp": (per_token(lambda a: a.clamp(min=1e-10) / 500.0, FN, None),
                         "<max = 500.0, amax_floor = 1.0e-10>", None),
    "block": (block(lambda a: a.clamp(min=1e-10) / 448.0),
              "<max = 448.0, amax_floor = 1.0e-10>", None),
    "block_fnuz": (block(lambda a: a.clamp(min=1e-10) / 240.0, FNUZ, 240.0),
                   "<max = 240.0, amax_floor = 1.0e-10>", None),
}
