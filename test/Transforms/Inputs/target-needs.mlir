// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#a = #qfuse.operand<type = i8, format = <block = [1, 0]>>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}, rows = [
  #qfuse.matmul_row<name = "odd", a = #a, b = #a, results = [bf16], needs = "aiter >= new">]>} {}
