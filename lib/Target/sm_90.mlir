// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Features: PTX ISA 8.4, the first with all that kernels use; CUDA C++
// Programming Guide, Compute Capabilities: 65536 registers and 227 KiB of shared
// memory a block, so 128 registers for each of 512 lanes. Bandwidth: data sheet
// of the H200. The cost of a launch is a guess. It has no rows, since no matmul
// is generated for it yet.

module attributes {qfuse.target = #qfuse.target<
  device = #nvvm.target<chip = "sm_90", features = "+ptx84">,
  features = {subgroup = 32, lds_bytes = 232448, fp8 = "ocp",
              bf16_conversion = true, lane_registers = 128},
  costs = {bytes_per_second = 4.8e12, launch_us = 2.0}>} {}
