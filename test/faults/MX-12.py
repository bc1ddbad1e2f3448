# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python -B %s
"""Division by max and multiplication by its reciprocal are two rules, about half of
whose scales differ."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "reference"))

import numpy as np

from formats import decode, encode
from runner import check, counts, equal, run

F32 = np.float32
BODY = """
#per_token = #qfuse.format<block = [1, 0]>
func.func @f(%x: tensor<?x1xbf16>) -> (tensor<?x1xf32>, tensor<?x1xf32>) {
  %a = qfuse.block_scale %x {format = #per_token, rule = #qfuse.scale_rule<max = 448.0>} : tensor<?x1xbf16> -> tensor<?x1xf32>
  %b = qfuse.block_scale %x {format = #per_token, rule = #qfuse.scale_rule<max = 448.0, divide = by_reciprocal_constant>} : tensor<?x1xbf16> -> tensor<?x1xf32>
  return %a, %b : tensor<?x1xf32>, tensor<?x1xf32>
}"""
# Each number of bf16 from 0.5 to 8.
codes = np.arange(encode("bf16", 0.5), encode("bf16", 8.0), dtype=np.uint16).reshape(-1, 1)
amax = F32(decode("bf16", codes))
divided, multiplied = run(BODY, [codes], 2)
equal("divided", divided, amax / F32(448))
equal("multiplied", multiplied, amax * (F32(1) / F32(448)))
check("0.56 of them differ", abs(np.mean(divided != multiplied) - 0.56) < 0.01)
one = amax == 3.65625
equal("3.65625", np.array([divided[one], multiplied[one]]).ravel(), F32([0.00816127192, 0.00816127285]))

sys.exit(counts[False])
