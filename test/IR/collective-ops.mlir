// RUN: qfuse-opt %s | FileCheck %s
// RUN: qfuse-opt %s --mlir-print-op-generic | qfuse-opt | FileCheck %s
// RUN: qfuse-opt %s --emit-bytecode | qfuse-opt | FileCheck %s
// RUN: qfuse-opt %s --resolve-ranked-shaped-type-result-dims --cse --canonicalize | FileCheck %s --check-prefix=EXTENTS

#tiles = #qfuse.layout<map = (m, k) -> (m floordiv 16, k, m mod 16)>
#rows = #qfuse.layout<map = (m, k) -> (m, k floordiv 4, k mod 4)>
module attributes {qfuse.groups = {dp = 3, tp = 4}} {
  // CHECK-LABEL: func.func @all_reduce
  func.func @all_reduce(%x: tensor<?x64xbf16>, %n: tensor<i32>) -> (tensor<?x64xbf16>, tensor<i32>) {
    // CHECK: qfuse.all_reduce %{{.+}} {algorithm = #qfuse.algorithm<one_stage>, group = "tp"} : tensor<?x64xbf16>
    %0 = qfuse.all_reduce %x {group = "tp", algorithm = #qfuse.algorithm<one_stage>, reduction = #qfuse.reduction<sum>} : tensor<?x64xbf16>
    // CHECK: qfuse.all_reduce %{{.+}} {algorithm = #qfuse.algorithm<two_stage>, group = "dp", reduction = #qfuse.reduction<max>} : tensor<i32>
    %1 = qfuse.all_reduce %n {group = "dp", algorithm = #qfuse.algorithm<two_stage>, reduction = #qfuse.reduction<max>} : tensor<i32>
    return %0, %1 : tensor<?x64xbf16>, tensor<i32>
  }

  // CHECK-LABEL: func.func @parts
  func.func @parts(%x: tensor<?x64xf32>, %p: !qfuse.packed<128x8xf32, #tiles>) -> (tensor<?x64xf32>, tensor<?x16xf32>, !qfuse.packed<32x8xf32, #tiles>) {
    // CHECK: qfuse.reduce_scatter %{{.+}} {algorithm = #qfuse.algorithm<two_stage>, dim = 0 : i64, group = "tp"} : tensor<?x64xf32> -> tensor<?x64xf32>
    %0 = qfuse.reduce_scatter %x {dim = 0 : i64, group = "tp", algorithm = #qfuse.algorithm<two_stage>} : tensor<?x64xf32> -> tensor<?x64xf32>
    %1 = qfuse.reduce_scatter %x {dim = 1 : i64, group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<?x64xf32> -> tensor<?x16xf32>
    %2 = qfuse.reduce_scatter %p {dim = 0 : i64, group = "tp", algorithm = #qfuse.algorithm<one_stage>} : !qfuse.packed<128x8xf32, #tiles> -> !qfuse.packed<32x8xf32, #tiles>
    return %0, %1, %2 : tensor<?x64xf32>, tensor<?x16xf32>, !qfuse.packed<32x8xf32, #tiles>
  }

  // Any element type, and packed rows of any number if the outermost digit is
  // all of their dimension.
  // CHECK-LABEL: func.func @wholes
  func.func @wholes(%q: tensor<?x64xf4E2M1FN>, %p: !qfuse.packed<?x8xf8E8M0FNU, #rows>) -> (tensor<?x64xf4E2M1FN>, !qfuse.packed<?x8xf8E8M0FNU, #rows>) {
    // CHECK: qfuse.all_gather %{{.+}} {dim = 0 : i64, group = "tp"} : tensor<?x64xf4E2M1FN> -> tensor<?x64xf4E2M1FN>
    %0 = qfuse.all_gather %q {dim = 0 : i64, group = "tp"} : tensor<?x64xf4E2M1FN> -> tensor<?x64xf4E2M1FN>
    %1 = qfuse.all_gather %p {dim = 0 : i64, group = "tp"} : !qfuse.packed<?x8xf8E8M0FNU, #rows> -> !qfuse.packed<?x8xf8E8M0FNU, #rows>
    return %0, %1 : tensor<?x64xf4E2M1FN>, !qfuse.packed<?x8xf8E8M0FNU, #rows>
  }

  // EXTENTS-DAG: #[[$PART:.+]] = affine_map<()[s0] -> (s0 floordiv 4)>
  // EXTENTS-DAG: #[[$WHOLE:.+]] = affine_map<()[s0] -> (s0 * 4)>
  // EXTENTS-LABEL: func.func @extents
  //  EXTENTS-SAME:     %[[X:.+]]: tensor<?x64xf32>, %[[P:.+]]: !qfuse.packed
  //   EXTENTS-DAG:   %[[M:.+]] = tensor.dim %[[X]], %
  //   EXTENTS-DAG:   %[[PART:.+]] = affine.apply #[[$PART]]()[%[[M]]]
  //   EXTENTS-DAG:   %[[S:.+]] = qfuse.dim %[[P]], 0
  //   EXTENTS-DAG:   %[[WHOLE:.+]] = affine.apply #[[$WHOLE]]()[%[[S]]]
  //       EXTENTS:   return %[[M]], %[[PART]], %[[WHOLE]]
  func.func @extents(%x: tensor<?x64xf32>, %p: !qfuse.packed<?x8xf8E8M0FNU, #rows>) -> (index, index, index) {
    %c0 = arith.constant 0 : index
    %0 = qfuse.all_reduce %x {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<?x64xf32>
    %1 = qfuse.reduce_scatter %x {dim = 0 : i64, group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<?x64xf32> -> tensor<?x64xf32>
    %2 = qfuse.all_gather %p {dim = 0 : i64, group = "tp"} : !qfuse.packed<?x8xf8E8M0FNU, #rows> -> !qfuse.packed<?x8xf8E8M0FNU, #rows>
    %3 = tensor.dim %0, %c0 : tensor<?x64xf32>
    %4 = tensor.dim %1, %c0 : tensor<?x64xf32>
    %5 = qfuse.dim %2, 0 : !qfuse.packed<?x8xf8E8M0FNU, #rows>
    return %3, %4, %5 : index, index, index
  }
}
