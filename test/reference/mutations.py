# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each parameter of an op changes what the op computes: a text with one of them
mutated has another result, so that no comparison with the reference, which the
text itself passes, can miss it. The rules of scales and codes are mutated where
compiled kernels are verified, in test/emulated/mutations.py."""

import numpy as np

from collectives import run_ranks
from formats import encode
from runner import check, run

ROPE = """
func.func @f(%x: tensor<3x2x16xf32>, %c: tensor<3x4xf32>, %s: tensor<3x4xf32>) -> tensor<3x2x16xf32> {
  %y = qfuse.rope %x, %c, %s {style = #qfuse.rope_style<interleaved>, offset = 2 : i64, width = 8 : i64, product = bf16}
      : tensor<3x2x16xf32>, tensor<3x4xf32>, tensor<3x4xf32> -> tensor<3x2x16xf32>
  return %y : tensor<3x2x16xf32>
}"""
GATE = """
func.func @f(%g: tensor<4x8xbf16>, %u: tensor<4x8xbf16>) -> tensor<4x8xf32> {
  %y = qfuse.gated_activation %g, %u {activated = bf16, activation = #qfuse.activation<silu>}
      : tensor<4x8xbf16>, tensor<4x8xbf16> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}"""
REDUCE = """
module attributes {qfuse.groups = {tp = 3, other = 1}} {
  func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
    %y = qfuse.all_reduce %x {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<16xf32>
    return %y : tensor<16xf32>
  }
}"""
PACK = """
func.func @f(%x: tensor<3x3xf32>) -> !qfuse.packed<3x3xf32, #qfuse.layout<map = (m, k) -> (m, k), align = [1, 4], pad = zero>> {
  %y = qfuse.pack %x : tensor<3x3xf32> -> !qfuse.packed<3x3xf32, #qfuse.layout<map = (m, k) -> (m, k), align = [1, 4], pad = zero>>
  return %y : !qfuse.packed<3x3xf32, #qfuse.layout<map = (m, k) -> (m, k), align = [1, 4], pad = zero>>
}"""
SECOND_SCALE = """
#nvfp4 = #qfuse.format<block = [1, 16], scale_type = f8E4M3FN, outer_scale = f32>
func.func @f(%x: tensor<2x32xf32>, %o: tensor<1x1xf32>) -> tensor<2x2xf8E4M3FN> {
  %s = qfuse.block_scale %x outer(%o : tensor<1x1xf32>) {format = #nvfp4, rule = #qfuse.scale_rule<max = 6.0>}
      : tensor<2x32xf32> -> tensor<2x2xf8E4M3FN>
  return %s : tensor<2x2xf8E4M3FN>
}"""
# Text, old, new.
MUTATIONS = [
    (ROPE, "rope_style<interleaved>", "rope_style<half>"), (ROPE, "offset = 2", "offset = 4"),
    (ROPE, ", width = 8 : i64", ", width = 4 : i64"), (ROPE, ", product = bf16", ""),
    (ROPE, "{style", "{inverse, style"),
    (GATE, "activated = bf16, ", ""), (GATE, "activation<silu>", "activation<gelu_tanh>"),
    (GATE.replace("<silu>", "<gelu_tanh>"), "activation<gelu_tanh>", "activation<gelu_erf>"),
    (REDUCE, "one_stage", "two_stage"), (REDUCE, "tp\",", "tp\", reduction = #qfuse.reduction<max>,"),
    (REDUCE, 'group = "tp"', 'group = "other"'),
    (PACK, "pad = zero", "pad = one"), (PACK, "align = [1, 4]", "align = [1, 5]"),
    (SECOND_SCALE, ", outer_scale = f32", ""),
]


def make_arguments(text, random):
    if text is SECOND_SCALE or "nvfp4" in text:
        return [random.normal(size=(2, 32)).astype(np.float32), np.full((1, 1), 3.0, np.float32)]
    if "rope" in text:
        tables = 2 if "width = 4" in text else 4
        return [random.normal(size=(3, 2, 16)).astype(np.float32)] + [
            table[:, :tables].copy() for table in random.normal(size=(2, 3, 4)).astype(np.float32)]
    if "gated" in text:
        return [encode("bf16", random.normal(size=(4, 8)).astype(np.float32)) for _ in range(2)]
    return [random.normal(size=(3, 3)).astype(np.float32)]


def execute(text):
    if "all_reduce" in text:
        random = np.random.default_rng(5)
        values = random.normal(size=(3, 16)) * np.exp2(random.integers(-20, 20, (3, 16)))
        return np.array(run_ranks(text, [[v.astype(np.float32)] for v in values], 1))
    return run(text, make_arguments(text, np.random.default_rng(5)), 1)[0]


def mutate(text, old, new):
    changed = text.replace(old, new)
    if "width = 4" in changed:
        changed = changed.replace("tensor<3x4xf32>", "tensor<3x2xf32>")
    if "outer_scale" not in changed:
        changed = changed.replace("outer(%o : tensor<1x1xf32>) ", "")
    return changed


def check_mutations():
    for text, old, new in MUTATIONS:
        changed = mutate(text, old, new)
        before, after = execute(text), execute(changed)
        check(f"{old} for {new or 'nothing'} is seen",
              changed != text and before.size and after.size and not np.array_equal(before, after))
