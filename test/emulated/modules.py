# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text of the modules that tests of compiled kernels verify."""

from dataclasses import dataclass

# Code type and largest number of the fp8 flavor of each target that is emulated.
FLAVORS = {"gfx950": ("f8E4M3FN", 448.0), "gfx942": ("f8E4M3FNUZ", 240.0)}
# The same of all targets.
CODES = {**FLAVORS, "sm_90": ("f8E4M3FN", 448.0)}

LAYOUTS = {
    "plain": None,
    "col": "map = (m, k) -> (k, m)",
    "aligned": "map = (m, k) -> (m, k), align = [1, 4]",
    # No GEMM reads f32 scales so; each kind of digit is in it.
    "tiled": "map = (m, k) -> (m floordiv 32, k floordiv 8, k mod 4, m mod 16, "
             "(k floordiv 4) mod 2, (m floordiv 16) mod 2), align = [32, 8]",
}


@dataclass(frozen=True)
class Chain:
    """add + rms_norm + block_scale + quantize, with what can vary of it."""

    target: str
    k: int
    block: int = 128  # 0: per token
    layout: str = "plain"
    element: str = "bf16"  # of the inputs
    normalized: str = "bf16"
    mirror: bool = False  # the normalized value as a result
    strided: bool = False  # the residual has a row stride and is donated
    layout_text: str = ""  # instead of that of `layout`
    largest: float = 0.0  # `max` of the rule; 0: that of the target
    scale_rule: str = "amax_floor = 1.0e-10"
    encode_rule: str = ""
    epsilon: str = "1.0e-6"
    offset: str = ""

    @property
    def codes(self):
        return CODES[self.target][0]

    def scales(self):
        extent = -(-self.k // self.block) if self.block else 1
        layout = self.layout_text or LAYOUTS[self.layout]
        if layout:
            return f"!qfuse.packed<?x{extent}xf32, #qfuse.layout<{layout}>>"
        return f"tensor<?x{extent}xf32>"

    def text(self):
        k, largest = self.k, self.largest or CODES[self.target][1]
        row, codes = f"tensor<?x{k}x{self.element}>", f"tensor<?x{k}x{self.codes}>"
        norm, scales = f"tensor<?x{k}xbf16>", self.scales()
        rule = f"max = {largest}" + (f", {self.scale_rule}" if self.scale_rule else "")
        encode = f", rule = #qfuse.encode_rule<{self.encode_rule}>" if self.encode_rule else ""
        dims = 'qfuse.dims = ["M", ""]'
        strides = ", qfuse.strides = strided<[?, 1]>, qfuse.donated" if self.strided else ""
        outputs = [("%codes", codes), ("%scales", scales), ("%sum", row)]
        if self.mirror:
            outputs.append(("%norm", norm))
        values, types = (", ".join(x) for x in zip(*outputs))
        return f"""#format = #qfuse.format<block = [1, {self.block}]>
func.func @chain(%x: {row} {{{dims}}}, %residual: {row} {{{dims}{strides}}},
    %weight: tensor<{k}x{self.element}> {{qfuse.role = "weight"}}) -> ({types}) {{
  %sum = arith.addf %x, %residual : {row}
  %norm = qfuse.rms_norm %sum weight(%weight : tensor<{k}x{self.element}>) {{epsilon = {self.epsilon} : f32, normalized = {self.normalized}{self.offset}}} : {row} -> {norm}
  %scales = qfuse.block_scale %norm {{format = #format, rule = #qfuse.scale_rule<{rule}>}} : {norm} -> {scales}
  %codes = qfuse.quantize %norm by %scales {{format = #format{encode}}} : {norm}, {scales} -> {codes}
  return {values} : {types}
}}
"""


# Targets that are emulated and formats with scales that are powers of two.
MX = [(target, format) for format in ("mxfp4", "mxfp8") for target in FLAVORS]


@dataclass(frozen=True)
class MxChain:
    """add + rms_norm + block_scale + quantize with scales of f8E8M0FNU."""

    target: str
    k: int
    format: str = "mxfp4"
    pow2: str = "roundup"
    layout: str = "plain"
    element: str = "bf16"
    rule: str = ""
    norm: bool = True

    def text(self):
        codes, largest = ("f4E2M1FN", 6.0) if self.format == "mxfp4" else CODES[self.target]
        k = self.k
        row, out = f"tensor<?x{k}x{self.element}>", f"tensor<?x{k}x{codes}>"
        extent = -(-k // 32)
        scales = f"tensor<?x{extent}xf8E8M0FNU>"
        if LAYOUTS[self.layout]:
            scales = f"!qfuse.packed<?x{extent}xf8E8M0FNU, #qfuse.layout<{LAYOUTS[self.layout]}>>"
        rule = f"max = {largest}, pow2 = {self.pow2}" + (f", {self.rule}" if self.rule else "")
        dims = 'qfuse.dims = ["M", ""]'
        norm = (f"qfuse.rms_norm %sum weight(%weight : tensor<{k}x{self.element}>) "
                f"{{epsilon = 1.0e-6 : f32}} : {row} -> {row}") if self.norm else \
            f"arith.mulf %sum, %sum : {row}"
        return f"""#format = #qfuse.format<block = [1, 32], scale_type = f8E8M0FNU>
func.func @chain(%x: {row} {{{dims}}}, %residual: {row} {{{dims}}},
    %weight: tensor<{k}x{self.element}> {{qfuse.role = "weight"}}) -> ({out}, {scales}, {row}) {{
  %sum = arith.addf %x, %residual : {row}
  %norm = {norm}
  %scales = qfuse.block_scale %norm {{format = #format, rule = #qfuse.scale_rule<{rule}>}} : {row} -> {scales}
  %codes = qfuse.quantize %norm by %scales {{format = #format}} : {row}, {scales} -> {out}
  return %codes, %scales, %sum : {out}, {scales}, {row}
}}
"""


@dataclass(frozen=True)
class Matmul:
    """A scaled_matmul by itself."""

    target: str
    k: int
    n: int = 80
    block: int = 128
    layout: str = "plain"  # of the scales of A
    weight_layout: str = "plain"
    order: str = "per_block"
    bias: bool = False
    result: str = "bf16"

    def scales(self, rows, layout):
        extent = -(-self.k // self.block) if self.block else 1
        if LAYOUTS[layout]:
            return f"!qfuse.packed<{rows}x{extent}xf32, #qfuse.layout<{LAYOUTS[layout]}>>"
        return f"tensor<{rows}x{extent}xf32>"

    def text(self):
        codes, k, n = FLAVORS[self.target][0], self.k, self.n
        a, b = f"tensor<?x{k}x{codes}>", f"tensor<{n}x{k}x{codes}>"
        blocks = -(-n // self.block) if self.block else n
        a_scales = self.scales("?", self.layout)
        b_scales = self.scales(blocks, self.weight_layout)
        b_block = f"[{self.block}, {self.block}]" if self.block else "[1, 0]"
        dims, weight = 'qfuse.dims = ["M", ""]', 'qfuse.role = "weight"'
        bias = f", %bias: tensor<{n}xf32> {{{weight}}}" if self.bias else ""
        use = f" bias(%bias : tensor<{n}xf32>)" if self.bias else ""
        return f"""#a = #qfuse.format<block = [1, {self.block}]>
#b = #qfuse.format<block = {b_block}>
func.func @matmul(%a: {a} {{{dims}}}, %a_scales: {a_scales} {{{dims}}},
    %b: {b} {{{weight}}}, %b_scales: {b_scales} {{{weight}}}{bias}) -> tensor<?x{n}x{self.result}> {{
  %y = qfuse.scaled_matmul %a by %a_scales, %b by %b_scales{use} {{a_format = #a, b_format = #b, scale_order = #qfuse.scale_order<{self.order}>}} : {a}, {a_scales}, {b}, {b_scales} -> tensor<?x{n}x{self.result}>
  return %y : tensor<?x{n}x{self.result}>
}}
"""


@dataclass(frozen=True)
class Overflowing:
    """quantize by the scales of smaller values: most quotients are too large."""

    encode_rule: str
    target: str = "gfx950"

    def text(self):
        row, scales = "tensor<?x512xf32>", "tensor<?x4xf32>"
        codes, dims = f"tensor<?x512x{FLAVORS[self.target][0]}>", '{qfuse.dims = ["M", ""]}'
        return f"""#format = #qfuse.format<block = [1, 128]>
func.func @overflowing(%x: {row} {dims}, %small: {row} {dims}) -> {codes} {{
  %scales = qfuse.block_scale %small {{format = #format, rule = #qfuse.scale_rule<max = 1.0e6, amax_floor = 1.0e-10>}} : {row} -> {scales}
  %codes = qfuse.quantize %x by %scales {{format = #format, rule = #qfuse.encode_rule<{self.encode_rule}>}} : {row}, {scales} -> {codes}
  return %codes : {codes}
}}
"""
