// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#a = #qfuse.operand<type = i8, format = <block = [1, 0]>>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}, rows = [
  #qfuse.matmul_row<name = "own", a = #a, b = #a, results = [bf16], needs = "qfuse">,
  #qfuse.matmul_row<name = "any", a = #a, b = #a, results = [bf16], needs = "aiter">,
  #qfuse.matmul_row<name = "newer", a = #a, b = #a, results = [bf16], needs = "aiter >= 0.1.20">]>} {}
