// Scales with strides that the kernel does not go by are refused where they are
// stated, or, where they are open, when the function is called.
// RUN: qfuse-compile %s --target=gfx950 -o %t.dense
// RUN: sed 's/strided<\[8, 1\]>/strided<[1, 8]>/' %s > %t.transposed.mlir
// RUN: %refused qfuse-compile %t.transposed.mlir --target=gfx950 -o %t.out | FileCheck %s --check-prefix=TRANSPOSED
// RUN: sed 's/strided<\[8, 1\]>/strided<[16, 2]>/' %s > %t.every-other.mlir
// RUN: %refused qfuse-compile %t.every-other.mlir --target=gfx950 -o %t.out | FileCheck %s --check-prefix=OTHER
// RUN: sed 's/strided<\[8, 1\]>/strided<[16, 1]>/' %s > %t.padded.mlir
// RUN: %refused qfuse-compile %t.padded.mlir --target=gfx950 -o %t.out | FileCheck %s --check-prefix=PADDED
// RUN: sed 's/strided<\[8, 1\]>/strided<[-8, 1]>/' %s > %t.negative.mlir
// RUN: %refused qfuse-compile %t.negative.mlir --target=gfx950 -o %t.out | FileCheck %s --check-prefix=NEGATIVE
// RUN: sed 's/strided<\[8, 1\]>/strided<[?, ?]>/' %s > %t.open.mlir
// RUN: qfuse-compile %t.open.mlir --target=gfx950 -o %t.open
// RUN: FileCheck %s --check-prefix=OPEN --input-file=%t.open/manifest.json

// TRANSPOSED: error: expected argument 1 in row-major order, without gaps between its elements, got strided<[1, 8]>
// OTHER: error: expected argument 1 in row-major order, without gaps between its elements, got strided<[16, 2]>
// PADDED: error: expected argument 1 in row-major order, without gaps between its elements, got strided<[16, 1]>
// NEGATIVE: error: expected argument 1 in row-major order, without gaps between its elements, got strided<[-8, 1]>
// OPEN-DAG: "message": "stride 0 of arg1 is not that of a row-major array"
// OPEN-DAG: "message": "stride 1 of arg1 is not that of a row-major array"
#token = #qfuse.format<block = [1, 128]>
#weight = #qfuse.format<block = [128, 128]>
func.func @matmul(%a: tensor<?x1024xf8E4M3FN> {qfuse.dims = ["M", ""]},
    %as: tensor<?x8xf32> {qfuse.dims = ["M", ""], qfuse.strides = strided<[8, 1]>},
    %b: tensor<80x1024xf8E4M3FN>, %bs: tensor<1x8xf32>) -> tensor<?x80xbf16> {
  %y = qfuse.scaled_matmul %a by %as, %b by %bs
      {a_format = #token, b_format = #weight}
      : tensor<?x1024xf8E4M3FN>, tensor<?x8xf32>,
        tensor<80x1024xf8E4M3FN>, tensor<1x8xf32> -> tensor<?x80xbf16>
  return %y : tensor<?x80xbf16>
}
