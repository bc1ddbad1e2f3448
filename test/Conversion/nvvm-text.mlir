// What the PTX of a row kernel says: wide accesses, no local memory, no call,
// and a rounding in each operation of f32, so that ptxas contracts none.
// DEFINE: %{only} = --implicit-check-not=.local --implicit-check-not=call '--implicit-check-not={{(add|sub|mul|fma|div)[.]f32}}'
// RUN: split-file %s %t
// RUN: qfuse-compile %t/block.mlir --target=sm_90 --emit=asm | FileCheck %t/block.mlir %{only}
// RUN: qfuse-compile %t/token.mlir --target=sm_90 --emit=asm | FileCheck %t/token.mlir %{only}
// RUN: qfuse-compile %t/ieee.mlir --target=sm_90 --emit=asm | FileCheck %t/ieee.mlir %{only}
// RUN: qfuse-compile %t/fp4.mlir --target=sm_90 --emit=asm | FileCheck %t/fp4.mlir %{only}
// RUN: qfuse-compile %t/block.mlir --target=sm_90 -o %t/artifact
// RUN: FileCheck %t/block.mlir --check-prefix=MANIFEST --input-file=%t/artifact/manifest.json
// RUN: qfuse-compile %t/block.mlir --target=sm_90 --emit=asm -o %t/text.ptx
// RUN: diff %t/artifact/kernels.ptx %t/text.ptx
// RUN: not qfuse-compile %t/block.mlir --target=sm_90 --emit=c 2>&1 | FileCheck %t/block.mlir --check-prefix=SOURCE

//--- block.mlir
// SOURCE: error: expected an object that HIP loads for a C file, got kernels.ptx; emit the artifact instead

//      MANIFEST: "lds_bytes": 56,
//      MANIFEST: "object": "kernels.ptx"
//      MANIFEST: "threads": 448
//      MANIFEST: "target": "sm_90"

//          CHECK: .target sm_90
//          CHECK: .maxntid 448, 1, 1
// Two chunks of two rows and a weight.
// CHECK-COUNT-6:   ld.global.v4.b32
// The row is stored before the sum over it is waited for.
// CHECK-COUNT-2:   st.global.v4.b32
// CHECK-COUNT-5:   shfl.sync.bfly.b32
//          CHECK:   bar.sync 0
//          CHECK:   rsqrt.approx.f32
// CHECK-COUNT-7:   max.NaN.f32
// The 16 lanes of a block, for each chunk.
// CHECK-COUNT-4:   shfl.sync.bfly.b32
// CHECK-COUNT-4:   shfl.sync.bfly.b32
//          CHECK:   rcp.approx.ftz.f32
//      CHECK-NOT:   setp.gt.f32
// CHECK-COUNT-8:   cvt.rn.satfinite.e4m3x2.f32
// CHECK-COUNT-2:   st.global.v2.b32
//          CHECK:   ret;
#format = #qfuse.format<block = [1, 128]>
func.func @block(%x: tensor<?x7168xbf16> {qfuse.dims = ["M", ""]}, %residual: tensor<?x7168xbf16> {qfuse.dims = ["M", ""]}, %weight: tensor<7168xbf16>)
    -> (tensor<?x7168xf8E4M3FN>, tensor<?x56xf32>, tensor<?x7168xbf16>) {
  %sum = arith.addf %x, %residual : tensor<?x7168xbf16>
  %norm = qfuse.rms_norm %sum weight(%weight : tensor<7168xbf16>) {epsilon = 1.0e-6 : f32, normalized = bf16} : tensor<?x7168xbf16> -> tensor<?x7168xbf16>
  %scales = qfuse.block_scale %norm {format = #format, rule = #qfuse.scale_rule<max = 448.0, amax_floor = 1.0e-10>} : tensor<?x7168xbf16> -> tensor<?x56xf32>
  %codes = qfuse.quantize %norm by %scales {format = #format} : tensor<?x7168xbf16>, tensor<?x56xf32> -> tensor<?x7168xf8E4M3FN>
  return %codes, %scales, %sum : tensor<?x7168xf8E4M3FN>, tensor<?x56xf32>, tensor<?x7168xbf16>
}

//--- token.mlir
//          CHECK: .maxntid 64, 1, 1
// Each of the two is read by wide loads, whatever its size is.
//          CHECK: .shared .align 16 .b8 {{.+}}_0[8];
//          CHECK: .shared .align 16 .b8 {{.+}}_1[8];
// CHECK-COUNT-6:   ld.global.v4.b32
//          CHECK:   bar.sync 0
//          CHECK:   redux.sync.max.u32
//          CHECK:   bar.sync 0
// CHECK-COUNT-1:   rcp.approx.ftz.f32
//      CHECK-NOT:   rcp
//          CHECK:   ret;
#format = #qfuse.format<block = [1, 0]>
func.func @token(%x: tensor<?x1536xbf16> {qfuse.dims = ["M", ""]}, %weight: tensor<1536xbf16>)
    -> (tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>) {
  %norm = qfuse.rms_norm %x weight(%weight : tensor<1536xbf16>) {epsilon = 1.0e-6 : f32, normalized = bf16} : tensor<?x1536xbf16> -> tensor<?x1536xbf16>
  %scales = qfuse.block_scale %norm {format = #format, rule = #qfuse.scale_rule<max = 448.0, amax_floor = 1.0e-10>} : tensor<?x1536xbf16> -> tensor<?x1xf32>
  %codes = qfuse.quantize %norm by %scales {format = #format} : tensor<?x1536xbf16>, tensor<?x1xf32> -> tensor<?x1536xf8E4M3FN>
  return %codes, %scales : tensor<?x1536xf8E4M3FN>, tensor<?x1xf32>
}

//--- ieee.mlir
// The conversion saturates: what is beyond 464 is made NaN before.
//          CHECK: .entry
// CHECK-COUNT-8:   setp.gt.f32 {{.+}}, 0f43E80000;
// CHECK-COUNT-4:   cvt.rn.satfinite.e4m3x2.f32
#format = #qfuse.format<block = [1, 64]>
func.func @ieee(%x: tensor<?x256xf32> {qfuse.dims = ["M", ""]}, %scales: tensor<?x4xf32> {qfuse.dims = ["M", ""]}) -> tensor<?x256xf8E4M3FN> {
  %codes = qfuse.quantize %x by %scales {format = #format, rule = #qfuse.encode_rule<overflow = ieee>} : tensor<?x256xf32>, tensor<?x4xf32> -> tensor<?x256xf8E4M3FN>
  return %codes : tensor<?x256xf8E4M3FN>
}

//--- fp4.mlir
// There is no conversion to fp4: its codes are computed.
//          CHECK: .entry
//      CHECK-NOT:   cvt.rn.satfinite
//          CHECK:   st.global.b32
#format = #qfuse.format<block = [1, 32], scale_type = f8E8M0FNU>
func.func @fp4(%x: tensor<?x256xf32> {qfuse.dims = ["M", ""]}) -> (tensor<?x256xf4E2M1FN>, tensor<?x8xf8E8M0FNU>) {
  %scales = qfuse.block_scale %x {format = #format, rule = #qfuse.scale_rule<max = 6.0, pow2 = roundup>} : tensor<?x256xf32> -> tensor<?x8xf8E8M0FNU>
  %codes = qfuse.quantize %x by %scales {format = #format} : tensor<?x256xf32>, tensor<?x8xf8E8M0FNU> -> tensor<?x256xf4E2M1FN>
  return %codes, %scales : tensor<?x256xf4E2M1FN>, tensor<?x8xf8E8M0FNU>
}
