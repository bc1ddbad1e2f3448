// Upstream dialects have the interfaces that they promise, in each tool.
// RUN: qfuse-opt %s --convert-to-llvm | FileCheck %s
// RUN: qfuse-opt %s --pass-pipeline='builtin.module(gpu.module(convert-amdgpu-to-rocdl{chipset=gfx950}))' | FileCheck %s --check-prefix=ROCDL
// RUN: qfuse-compile %s --target=gfx950 --emit=fused | FileCheck %s --check-prefix=DRIVER

// CHECK-LABEL: llvm.func @load
//       CHECK:   llvm.load
// ROCDL-LABEL: gpu.func @barrier
//       ROCDL:   rocdl.s.barrier
// DRIVER-LABEL: func.func @load
//       DRIVER:   memref.load
func.func @load(%m: memref<4xf32>, %i: index) -> f32 {
  %0 = memref.load %m[%i] : memref<4xf32>
  return %0 : f32
}

gpu.module @device {
  gpu.func @barrier() {
    amdgpu.lds_barrier
    gpu.return
  }
}
