// Values that are used behind a fused chain are what they were before it, and
// the two operands of a sum may be one value.
// RUN: qfuse-verify %s --target=gfx950 --device=emulated --function=used_again --dim=M=1,5 | FileCheck %s
// RUN: qfuse-verify %s --target=gfx950 --device=emulated --function=twice --dim=M=1,5 | FileCheck %s
// CHECK: 2 equal, 0 different
func.func @used_again(%x: tensor<?x256xbf16> {qfuse.dims = ["M", ""]},
    %residual: tensor<?x256xbf16> {qfuse.dims = ["M", ""]})
    -> (tensor<?x256xbf16>, tensor<?x256xbf16>, tensor<?x256xbf16>, tensor<?x256xbf16>) {
  %sum = arith.addf %x, %residual : tensor<?x256xbf16>
  %norm = qfuse.rms_norm %sum {epsilon = 1.0e-6 : f32}
    : tensor<?x256xbf16> -> tensor<?x256xbf16>
  %again = qfuse.rms_norm %x {epsilon = 1.0e-6 : f32}
    : tensor<?x256xbf16> -> tensor<?x256xbf16>
  %difference = arith.subf %again, %residual : tensor<?x256xbf16>
  return %norm, %sum, %again, %difference
    : tensor<?x256xbf16>, tensor<?x256xbf16>, tensor<?x256xbf16>, tensor<?x256xbf16>
}

func.func @twice(%x: tensor<?x256xbf16> {qfuse.dims = ["M", ""]})
    -> (tensor<?x256xbf16>, tensor<?x256xbf16>) {
  %sum = arith.addf %x, %x : tensor<?x256xbf16>
  %norm = qfuse.rms_norm %sum {epsilon = 1.0e-6 : f32}
    : tensor<?x256xbf16> -> tensor<?x256xbf16>
  return %norm, %sum : tensor<?x256xbf16>, tensor<?x256xbf16>
}
