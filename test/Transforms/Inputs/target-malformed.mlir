// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module attributes {
  // The cost is no number.
  qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {launch_us = "two"}, rows = []>
} {}
