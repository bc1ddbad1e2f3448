// RUN: qfuse-opt %s --split-input-file --verify-diagnostics

func.func @no_groups(%x: tensor<4xf32>) {
  // expected-error @+1 {{'qfuse.all_reduce' op expected group "tp" in qfuse.groups of the module, got {}}}
  qfuse.all_reduce %x {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<4xf32>
  return
}

// -----

module attributes {qfuse.groups = {dp = 2}} {
  func.func @unknown_group(%x: tensor<4xf32>) {
    // expected-error @+1 {{'qfuse.all_gather' op expected group "tp" in qfuse.groups of the module, got {dp = 2 : i64}}}
    qfuse.all_gather %x {dim = 0 : i64, group = "tp"} : tensor<4xf32> -> tensor<8xf32>
    return
  }
}

// -----

module attributes {qfuse.groups = {tp = 2}} {
  func.func @no_sum_of_codes(%x: tensor<4xf8E4M3FN>) {
    // expected-error @+1 {{'qfuse.reduce_scatter' op expected elements of f32, bf16, f16 or i32, got 'tensor<4xf8E4M3FN>'}}
    qfuse.reduce_scatter %x {dim = 0 : i64, group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<4xf8E4M3FN> -> tensor<2xf8E4M3FN>
    return
  }
}

// -----

module attributes {qfuse.groups = {tp = 2}} {
  func.func @dimension(%x: tensor<4xf32>) {
    // expected-error @+1 {{'qfuse.all_gather' op expected a dimension of 'tensor<4xf32>', got 1}}
    qfuse.all_gather %x {dim = 1 : i64, group = "tp"} : tensor<4xf32> -> tensor<8xf32>
    return
  }
}

// -----

module attributes {qfuse.groups = {tp = 2}} {
  func.func @types(%x: tensor<4x4xf32>) {
    // expected-error @+1 {{'qfuse.all_gather' op expected types that differ in the extent of dimension 0 only, got 'tensor<4x4xf32>' and 'tensor<8x8xf32>'}}
    qfuse.all_gather %x {dim = 0 : i64, group = "tp"} : tensor<4x4xf32> -> tensor<8x8xf32>
    return
  }
}

// -----

module attributes {qfuse.groups = {tp = 2}} {
  func.func @ranks(%x: tensor<4xf32>) {
    // expected-error @+1 {{'qfuse.all_gather' op expected types that differ in the extent of dimension 0 only, got 'tensor<4xf32>' and 'tensor<8x1xf32>'}}
    qfuse.all_gather %x {dim = 0 : i64, group = "tp"} : tensor<4xf32> -> tensor<8x1xf32>
    return
  }
}

// -----

module attributes {qfuse.groups = {tp = 3}} {
  func.func @ratio(%x: tensor<4xf32>) {
    // expected-error @+1 {{'qfuse.reduce_scatter' op expected extents whose ratio in dimension 0 is the 3 ranks of group "tp", got 'tensor<2xf32>' and 'tensor<4xf32>'}}
    qfuse.reduce_scatter %x {dim = 0 : i64, group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<4xf32> -> tensor<2xf32>
    return
  }
}

// -----

module attributes {qfuse.groups = {tp = 2}} {
  func.func @dynamic_ratio(%x: tensor<?xf32>) {
    // expected-error @+1 {{'qfuse.all_gather' op expected extents whose ratio in dimension 0 is the 2 ranks of group "tp", got 'tensor<?xf32>' and 'tensor<8xf32>'}}
    qfuse.all_gather %x {dim = 0 : i64, group = "tp"} : tensor<?xf32> -> tensor<8xf32>
    return
  }
}

// -----

// 24 rows are one tile and a half.
#tiles = #qfuse.layout<map = (m, k) -> (m floordiv 16, k, m mod 16)>
module attributes {qfuse.groups = {tp = 2}} {
  func.func @ragged_parts(%p: !qfuse.packed<24x8xf32, #tiles>) {
    // expected-error-re @+1 {{'qfuse.all_gather' op expected a layout of which parts follow one another along dimension 0, got {{.+}} as the part; use tensors, and pack what comes out}}
    qfuse.all_gather %p {dim = 0 : i64, group = "tp"} : !qfuse.packed<24x8xf32, #tiles> -> !qfuse.packed<48x8xf32, #tiles>
    return
  }
}

// -----

#tiles = #qfuse.layout<map = (m, k) -> (m floordiv 16, k, m mod 16)>
module attributes {qfuse.groups = {tp = 2}} {
  func.func @dynamic_parts(%p: !qfuse.packed<?x8xf32, #tiles>) {
    // expected-error-re @+1 {{'qfuse.all_gather' op expected a layout of which parts follow one another along dimension 0, got {{.+}}}}
    qfuse.all_gather %p {dim = 0 : i64, group = "tp"} : !qfuse.packed<?x8xf32, #tiles> -> !qfuse.packed<?x8xf32, #tiles>
    return
  }
}

// -----

#column = #qfuse.layout<map = (m, k) -> (k, m)>
module attributes {qfuse.groups = {tp = 2}} {
  func.func @other_dimension(%p: !qfuse.packed<16x8xf32, #column>) {
    // expected-error-re @+1 {{'qfuse.reduce_scatter' op expected a layout of which parts follow one another along dimension 0, got {{.+}}}}
    qfuse.reduce_scatter %p {dim = 0 : i64, group = "tp", algorithm = #qfuse.algorithm<one_stage>} : !qfuse.packed<16x8xf32, #column> -> !qfuse.packed<8x8xf32, #column>
    return
  }
}

// -----

module attributes {qfuse.groups = {tp = 2}} {
  func.func @second_collective(%x: tensor<4x8xf32>) {
    qfuse.kernel ins(%a = %x : tensor<4x8xf32>) -> (tensor<4x8xf32>) {
      // expected-note @+1 {{the first is here}}
      %0 = qfuse.all_reduce %a {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<4x8xf32>
      // expected-error @+1 {{'qfuse.all_reduce' op is the second collective of a kernel}}
      %1 = qfuse.all_reduce %0 {group = "tp", algorithm = #qfuse.algorithm<one_stage>} : tensor<4x8xf32>
      qfuse.yield %1 : tensor<4x8xf32>
    }
    return
  }
}

// -----

module attributes {qfuse.groups = {tp = 4}} {
  func.func @wraps(%x: tensor<4611686018427387904x3xf32>) {
    // expected-error @below {{expected extents whose ratio in dimension 0 is the 4 ranks of group "tp", got}}
    %g = qfuse.all_gather %x {dim = 0 : i64, group = "tp"} : tensor<4611686018427387904x3xf32> -> tensor<0x3xf32>
    return
  }
}
