// Each pass alone, in a fresh context, on input that has our dialect only.
// DEFINE: %{opt} = mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin
// RUN: %{opt} --pass-pipeline='builtin.module(qfuse-attach-target{target=gfx950})' | FileCheck %s --check-prefixes=CHECK,ROCDL
// RUN: %{opt} --pass-pipeline='builtin.module(qfuse-attach-target{target=sm_90})' | FileCheck %s --check-prefixes=CHECK,NVVM
// RUN: %{opt} --pass-pipeline='builtin.module(qfuse-fuse)' | FileCheck %s
// RUN: %{opt} --pass-pipeline='builtin.module(qfuse-inline-kernels)' | FileCheck %s --check-prefix=INLINED
// RUN: %{opt} --pass-pipeline='builtin.module(qfuse-outline-kernels)' | FileCheck %s
// RUN: %{opt} --pass-pipeline='builtin.module(qfuse-attach-target{target=gfx950},qfuse-verify-legal)' | FileCheck %s

//     ROCDL: #rocdl.target<chip = "gfx950">
//      NVVM: #nvvm.target
//     CHECK: qfuse.kernel_def @norm(
//     CHECK:   qfuse.rms_norm
//   INLINED: module {
// INLINED-NEXT: }
qfuse.kernel_def @norm(%x: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  %n = qfuse.rms_norm %x {epsilon = 1.0e-6 : f32} : tensor<4x64xbf16> -> tensor<4x64xbf16>
  qfuse.yield %n : tensor<4x64xbf16>
}
