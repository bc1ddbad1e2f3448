// Each stage on the way to the code object is there to be read.
// RUN: qfuse-compile %s --target=gfx950 --emit=kernels | FileCheck %s --check-prefix=KERNELS
// RUN: qfuse-compile %s --target=gfx950 --emit=llvm | FileCheck %s --check-prefix=LLVM
// RUN: qfuse-compile %s --target=gfx950 --emit=asm | FileCheck %s --check-prefix=ASM
// RUN: qfuse-compile %s --target=gfx950 --emit=obj -o %t.hsaco
// RUN: llvm-readelf --symbols %t.hsaco | FileCheck %s --check-prefix=OBJECT
// RUN: qfuse-compile %s --target=gfx950 --emit=c | FileCheck %s --check-prefix=SOURCE

// KERNELS: gpu.module @kernels
// KERNELS: gpu.func @rms_norm_{{[0-9a-f]+}}(
// LLVM: define {{.*}}amdgpu_kernel void @rms_norm_{{[0-9a-f]+}}(
// ASM: .amdgcn_target "amdgcn-amd-amdhsa--gfx950"
// ASM: {{^}}rms_norm_{{[0-9a-f]+}}:
// ASM: s_endpgm
// OBJECT: FUNC {{.*}} rms_norm_{{[0-9a-f]+$}}
// SOURCE: #define QFUSE_STATUS
// SOURCE: qfuse_norm_launch(
func.func @norm(%x: tensor<?x64xbf16> {qfuse.dims = ["M", ""]})
    -> tensor<?x64xbf16> {
  %0 = qfuse.rms_norm %x {epsilon = 1.0e-6 : f32}
    : tensor<?x64xbf16> -> tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}
