# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantized chains in the spellings that PyTorch users write.

Each entry of CHAINS is name -> (module, example inputs, dynamic shapes).
"""
import torch
import torch.nn.functional as F
from torch import nn
from torch.export import Dim

FP8, MX = torch.float8_e4m3fn, torch.float8_e8m0fnu
H, N = 256, 128
TOKENS = Dim("tokens", min=1, max=65536)


class HFRMSNorm(nn.Module):
    """The norm of transformers' Llama, Qwen3 and DeepSeek-V3."""

    def __init__(self, h, eps=1e-6):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(h, dtype=torch.bfloat16), requires_grad=False), eps

    def forward(self, x):
        dt = x.dtype
        x = x.to(torch.float32)
        x = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)
        return self.weight * x.to(dt)


class GemmaRMSNorm(HFRMSNorm):
    """Weight offset 1, product in f32, one rounding."""

    def forward(self, x):
        f = x.float()
        f = f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + self.eps)
        return (f * (1.0 + self.weight.float())).type_as(x)


def fp8_weight(n=N, k=H):
    return nn.Parameter(torch.randn(n, k).to(FP8), requires_grad=False)


class PerTokenFP8(nn.Module):
    """add + rms_norm -> dynamic per-token fp8 -> torch._scaled_mm, per-channel weight scale."""

    def __init__(self, norm=HFRMSNorm):
        super().__init__()
        self.norm, self.w = norm(H), fp8_weight()
        self.register_buffer("w_scale", torch.rand(1, N) + 0.5)

    def forward(self, x, residual):
        h = x + residual
        y = self.norm(h)
        amax = y.abs().amax(-1, keepdim=True).float()
        scale = (amax / 448.0).clamp(min=1e-12)
        q = (y.float() / scale).clamp(-448.0, 448.0).to(FP8)
        out = torch._scaled_mm(q, self.w.t(), scale_a=scale, scale_b=self.w_scale, out_dtype=torch.bfloat16)
        return out, h


class FunctionalNorm(PerTokenFP8):
    """The same with torch.nn.functional.rms_norm."""

    def forward(self, x, residual):
        h = x + residual
        y = F.rms_norm(h, (H,), self.norm.weight, 1e-6)
        scale = (y.abs().amax(-1, keepdim=True).float() / 448.0).clamp(min=1e-12)
        q = (y.float() / scale).clamp(-448.0, 448.0).to(FP8)
        return torch._scaled_mm(q, self.w.t(), scale_a=scale, scale_b=self.w_scale, out_dtype=torch.bfloat16), h


class StaticFP8(PerTokenFP8):
    """Static per-tensor scales."""

    def __init__(self):
        super().__init__()
        self.register_buffer("in_scale", torch.tensor(0.02))
        self.register_buffer("w_scale", torch.tensor(0.01))

    def forward(self, x, residual):
        h = x + residual
        y = self.norm(h)
        q = (y.float() * self.in_scale.reciprocal()).clamp(-448.0, 448.0).to(FP8)
        return torch._scaled_mm(q, self.w.t(), scale_a=self.in_scale, scale_b=self.w_scale, out_dtype=torch.bfloat16), h


class Block128(nn.Module):
    """1x128 activation, 128x128 weight, torch.nn.functional.scaled_mm."""

    def __init__(self):
        super().__init__()
        self.norm, self.w = HFRMSNorm(H), fp8_weight()
        # torch wants [K/128 rounded up to 4, N/128], first dimension contiguous
        self.register_buffer("w_scale", torch.rand(N // 128, -(-H // 512) * 4).t())

    def forward(self, x, residual):
        h = x + residual
        y = self.norm(h)
        b = y.float().unflatten(-1, (-1, 128))
        scale = b.abs().amax(-1).clamp(min=1e-10) / 448.0
        q = (b / scale[..., None]).clamp(-448.0, 448.0).to(FP8).flatten(-2)
        scale = scale.t().contiguous().t()  # strides (1, M)
        s = F.ScalingType
        out = F.scaled_mm(q, self.w.t(), scale, s.BlockWise1x128, self.w_scale, s.BlockWise128x128,
                          output_dtype=torch.bfloat16)
        return out, h


class Block128Dequant(Block128):
    """The same with the reference dequantizing matmul."""

    def __init__(self):
        super().__init__()
        self.register_buffer("w_scale", torch.rand(N // 128, H // 128))

    def forward(self, x, residual):
        h = x + residual
        y = self.norm(h)
        b = y.float().unflatten(-1, (-1, 128))
        scale = b.abs().amax(-1).clamp(min=1e-10) / 448.0
        q = (b / scale[..., None]).clamp(-448.0, 448.0).to(FP8)
        a = (q.float() * scale[..., None]).flatten(-2)
        w = self.w.float() * self.w_scale.repeat_interleave(128, 0).repeat_interleave(128, 1)
        return (a @ w.t()).to(torch.bfloat16), h


def swizzle_32_4_4(s):
    """Row-major scales [M, K/32] -> the 128x4-tiled order, zero padded, flat."""
    m, k = s.shape
    tm, tk = (m + 127) // 128, (k + 3) // 4  # this spelling keeps M symbolic; -m % 128 does not
    s = F.pad(s, (0, tk * 4 - k, 0, tm * 128 - m))
    return s.view(tm, 4, 32, tk, 4).permute(0, 3, 2, 1, 4).reshape(tm * tk * 512)


def mx_matmul(a, a_scale, w, w_scale):
    """torch's MX matmul: CUDA builds accept only the swizzled scales, HIP builds only plain ones."""
    r = F.ScalingType.BlockWise1x32
    hip = torch.version.hip is not None
    z = F.SwizzleType.NO_SWIZZLE if hip else F.SwizzleType.SWIZZLE_32_4_4
    if not hip:
        a_scale = swizzle_32_4_4(a_scale)
    if a.dtype == torch.float4_e2m1fn_x2:
        # torch 2.13's shape check of scaled_mm counts packed bytes as elements; _scaled_mm's does not
        return torch._scaled_mm(a, w.t(), a_scale.view(MX), w_scale.flatten(), out_dtype=torch.bfloat16)
    return F.scaled_mm(a, w.t(), a_scale.view(MX), r, w_scale, r, swizzle_a=z, swizzle_b=z,
                       output_dtype=torch.bfloat16)


def e8m0_floor(amax, emax):
    """OCP floor rule on the f32 bits."""
    e = (amax.view(torch.int32) >> 23) & 0xFF
    return (e - emax).clamp(0, 254).to(torch.uint8)


class MXFP8(nn.Module):
    """1x32, e8m0 scales, torch._scaled_mm's MX form."""

    def __init__(self):
        super().__init__()
        self.norm, self.w = HFRMSNorm(H), fp8_weight()
        self.w_scale = nn.Parameter(torch.full((N, H // 32), 127, dtype=torch.uint8).view(MX), requires_grad=False)

    def quantize(self, y):
        b = y.float().unflatten(-1, (-1, 32))
        s = e8m0_floor(b.abs().amax(-1), 8)
        inv = ((254 - s.to(torch.int32)) << 23).view(torch.float32)
        q = (b * inv[..., None]).clamp(-448.0, 448.0).to(FP8).flatten(-2)
        return q, s

    def forward(self, x, residual):
        h = x + residual
        q, s = self.quantize(self.norm(h))
        return mx_matmul(q, s, self.w, self.w_scale), h


class MXFP4(nn.Module):
    """1x32 e2m1 packed in pairs, e8m0 scales; the rounding by thresholds (ties to even)."""

    def __init__(self):
        super().__init__()
        self.norm = HFRMSNorm(H)
        self.w = nn.Parameter(torch.randint(0, 255, (N, H // 2), dtype=torch.uint8).view(torch.float4_e2m1fn_x2),
                              requires_grad=False)
        self.w_scale = nn.Parameter(torch.full((N, H // 32), 127, dtype=torch.uint8).view(MX), requires_grad=False)

    def forward(self, x, residual):
        h = x + residual
        b = self.norm(h).float().unflatten(-1, (-1, 32))
        bits = b.abs().amax(-1).view(torch.int32) + 0x200000
        s = (((bits >> 23) & 0xFF) - 2).clamp(0, 254)
        v = b * ((254 - s) << 23).view(torch.float32)[..., None]
        a = v.abs()
        code = ((a > 0.25).to(torch.uint8) + (a >= 0.75) + (a > 1.25) + (a >= 1.75) + (a > 2.5) + (a >= 3.5)
                + (a > 5.0)) | (torch.signbit(v).to(torch.uint8) << 3)
        code = code.flatten(-2)
        packed = (code[..., ::2] | (code[..., 1::2] << 4)).view(torch.float4_e2m1fn_x2)
        return mx_matmul(packed, s.to(torch.uint8), self.w, self.w_scale), h


class SiluMulPerToken(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = fp8_weight(N, H)
        self.register_buffer("w_scale", torch.rand(1, N))

    def forward(self, gate_up):
        gate, up = gate_up.chunk(2, -1)
        y = F.silu(gate) * up
        scale = (y.abs().amax(-1, keepdim=True).float() / 448.0).clamp(min=1e-12)
        q = (y.float() / scale).clamp(-448.0, 448.0).to(FP8)
        return torch._scaled_mm(q, self.w.t(), scale_a=scale, scale_b=self.w_scale, out_dtype=torch.bfloat16)


class DualNorm(nn.Module):
    """DeepSeek MLA: one wide projection, two norms of different widths, one quantized."""

    def __init__(self):
        super().__init__()
        self.q_norm, self.kv_norm, self.w = HFRMSNorm(96), HFRMSNorm(64), fp8_weight(N, 96)
        self.register_buffer("w_scale", torch.rand(1, N))

    def forward(self, wide):
        q, kv, k_pe = wide.split([96, 64, 16], -1)
        y = self.q_norm(q)
        scale = (y.abs().amax(-1, keepdim=True).float() / 448.0).clamp(min=1e-12)
        x = (y.float() / scale).clamp(-448.0, 448.0).to(FP8)
        out = torch._scaled_mm(x, self.w.t(), scale_a=scale, scale_b=self.w_scale, out_dtype=torch.bfloat16)
        return out, self.kv_norm(kv), k_pe


class WeightsAsInputs(nn.Module):
    """A module whose parameters and buffers follow its inputs as arguments."""

    def __init__(self, module):
        super().__init__()
        self.held = (module,)  # a tuple hides the module's parameters
        self.values = {**dict(module.named_parameters()), **dict(module.named_buffers())}

    def forward(self, *args):
        n = len(args) - len(self.values)
        return torch.func.functional_call(self.held[0], dict(zip(self.values, args[n:])), args[:n])

    def inputs(self, inputs, dynamic):
        weights = tuple(self.values.values())
        return (*inputs, *weights), ((*dynamic, *[None] * len(weights)),)


def xr(m=16):
    return torch.randn(m, H, dtype=torch.bfloat16), torch.randn(m, H, dtype=torch.bfloat16)


TWO = ({0: TOKENS}, {0: TOKENS})
MANY = ({0: Dim("tokens", min=129, max=65536)},) * 2
CHAINS = {
    "per_token_fp8": (PerTokenFP8, xr, TWO),
    "per_token_fp8_functional_norm": (FunctionalNorm, xr, TWO),
    "per_token_fp8_gemma": (lambda: PerTokenFP8(GemmaRMSNorm), xr, TWO),
    "static_fp8": (StaticFP8, xr, TWO),
    "block128": (Block128, xr, TWO),
    "block128_dequant": (Block128Dequant, xr, TWO),
    # one row of scale tiles would be specialized to exactly one: export above it
    "mxfp8": (MXFP8, lambda: xr(300), MANY),
    "mxfp4": (MXFP4, lambda: xr(300), MANY),
    "silu_mul_per_token": (SiluMulPerToken, lambda: (torch.randn(16, 2 * H, dtype=torch.bfloat16),), ({0: TOKENS},)),
    "dual_norm": (DualNorm, lambda: (torch.randn(16, 176, dtype=torch.bfloat16),), ({0: TOKENS},)),
}
