// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Features: PTX ISA 8.4. Bandwidth: data sheet of the H200. The cost of a
// launch is a guess. No kernels are generated for it yet, so it has no rows.

module attributes {qfuse.target = #qfuse.target<
  device = #nvvm.target<chip = "sm_90">,
  features = {subgroup = 32, lds_bytes = 232448, fp8 = "ocp", bf16_conversion = true},
  costs = {bytes_per_second = 4.8e12, launch_us = 2.0}>} {}
