// Written by export_torch_mlir.py.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<() -> ()>
#map4 = affine_map<(d0, d1) -> ()>
module {
  func.func @static_fp8(%arg0: tensor<?x256xbf16>, %arg1: tensor<?x256xbf16>, %arg2: tensor<128x256xf8E4M3FN>, %arg3: tensor<256xbf16>, %arg4: tensor<f32>, %arg5: tensor<f32>) -> (tensor<?x128xbf16>, tensor<?x256xbf16>) {
    %c2_i64 = arith.constant 2 : i64
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 9.9999999999999995E-7 : f64
    %cst_2 = arith.constant 2.560000e+02 : f32
    %cst_3 = arith.constant -4.480000e+02 : f32
    %cst_4 = arith.constant 4.480000e+02 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x256xbf16>
    %dim_5 = tensor.dim %arg1, %c0 : tensor<?x256xbf16>
    %0 = arith.cmpi eq, %dim, %dim_5 : index
    cf.assert %0, "mismatched size for broadcast"
    %1 = tensor.empty(%dim) : tensor<?x256xbf16>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<?x256xbf16>, tensor<?x256xbf16>) outs(%1 : tensor<?x256xbf16>) {
    ^bb0(%in: bf16, %in_6: bf16, %out: bf16):
      %33 = arith.addf %in, %in_6 : bf16
      linalg.yield %33 : bf16
    } -> tensor<?x256xbf16>
    %3 = tensor.empty(%dim) : tensor<?x256xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<?x256xbf16>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %33 = arith.extf %in : bf16 to f32
      linalg.yield %33 : f32
    } -> tensor<?x256xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<?x256xf32>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %33 : f32
    } -> tensor<?x256xf32>
    %6 = tensor.empty(%dim) : tensor<?x1xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<?x1xf32>) -> tensor<?x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%5 : tensor<?x256xf32>) outs(%7 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.addf %in, %out : f32
      linalg.yield %33 : f32
    } -> tensor<?x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<?x1xf32>) outs(%6 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.divf %in, %cst_2 : f32
      linalg.yield %33 : f32
    } -> tensor<?x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<?x1xf32>) outs(%6 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.truncf %cst_1 : f64 to f32
      %34 = arith.addf %in, %33 : f32
      linalg.yield %34 : f32
    } -> tensor<?x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<?x1xf32>) outs(%6 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = math.rsqrt %in : f32
      linalg.yield %33 : f32
    } -> tensor<?x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %11 : tensor<?x256xf32>, tensor<?x1xf32>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %33 = arith.mulf %in, %in_6 : f32
      linalg.yield %33 : f32
    } -> tensor<?x256xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<?x256xf32>) outs(%1 : tensor<?x256xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %33 = arith.truncf %in : f32 to bf16
      linalg.yield %33 : bf16
    } -> tensor<?x256xbf16>
    %14 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg3, %13 : tensor<256xbf16>, tensor<?x256xbf16>) outs(%1 : tensor<?x256xbf16>) {
    ^bb0(%in: bf16, %in_6: bf16, %out: bf16):
      %33 = arith.mulf %in, %in_6 : bf16
      linalg.yield %33 : bf16
    } -> tensor<?x256xbf16>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<?x256xbf16>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %33 = arith.extf %in : bf16 to f32
      linalg.yield %33 : f32
    } -> tensor<?x256xf32>
    %16 = tensor.empty() : tensor<f32>
    %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = []} ins(%arg5 : tensor<f32>) outs(%16 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.cmpf one, %in, %cst : f32
      cf.assert %33, "unimplemented: tensor with zero element"
      %34 = arith.divf %cst_0, %in : f32
      linalg.yield %34 : f32
    } -> tensor<f32>
    %18 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel"]} ins(%15, %17 : tensor<?x256xf32>, tensor<f32>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %33 = arith.mulf %in, %in_6 : f32
      linalg.yield %33 : f32
    } -> tensor<?x256xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<?x256xf32>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.cmpf ult, %in, %cst_3 : f32
      %34 = arith.select %33, %cst_3, %in : f32
      %35 = arith.cmpf ugt, %34, %cst_4 : f32
      %36 = arith.select %35, %cst_4, %34 : f32
      linalg.yield %36 : f32
    } -> tensor<?x256xf32>
    %20 = tensor.empty(%dim) : tensor<?x256xf8E4M3FN>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<?x256xf32>) outs(%20 : tensor<?x256xf8E4M3FN>) {
    ^bb0(%in: f32, %out: f8E4M3FN):
      %33 = arith.truncf %in : f32 to f8E4M3FN
      linalg.yield %33 : f8E4M3FN
    } -> tensor<?x256xf8E4M3FN>
    %22 = tensor.empty() : tensor<256x128xf8E4M3FN>
    %transposed = linalg.transpose ins(%arg2 : tensor<128x256xf8E4M3FN>) outs(%22 : tensor<256x128xf8E4M3FN>) permutation = [1, 0] 
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<?x256xf8E4M3FN>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: f8E4M3FN, %out: f32):
      %33 = arith.extf %in : f8E4M3FN to f32
      linalg.yield %33 : f32
    } -> tensor<?x256xf32>
    %24 = tensor.empty() : tensor<256x128xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<256x128xf8E4M3FN>) outs(%24 : tensor<256x128xf32>) {
    ^bb0(%in: f8E4M3FN, %out: f32):
      %33 = arith.extf %in : f8E4M3FN to f32
      linalg.yield %33 : f32
    } -> tensor<256x128xf32>
    %26 = tensor.empty(%dim) : tensor<?x128xf32>
    %27 = linalg.fill ins(%cst : f32) outs(%26 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %28 = linalg.matmul ins(%23, %25 : tensor<?x256xf32>, tensor<256x128xf32>) outs(%27 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel"]} ins(%28, %arg5 : tensor<?x128xf32>, tensor<f32>) outs(%26 : tensor<?x128xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %33 = arith.mulf %in, %in_6 : f32
      linalg.yield %33 : f32
    } -> tensor<?x128xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel"]} ins(%29, %arg4 : tensor<?x128xf32>, tensor<f32>) outs(%26 : tensor<?x128xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %33 = arith.mulf %in, %in_6 : f32
      linalg.yield %33 : f32
    } -> tensor<?x128xf32>
    %31 = tensor.empty(%dim) : tensor<?x128xbf16>
    %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<?x128xf32>) outs(%31 : tensor<?x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %33 = arith.truncf %in : f32 to bf16
      linalg.yield %33 : bf16
    } -> tensor<?x128xbf16>
    return %32, %2 : tensor<?x128xbf16>, tensor<?x256xbf16>
  }
}
