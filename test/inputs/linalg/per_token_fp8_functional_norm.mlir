// Written by export_torch_mlir.py.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> (d0)>
#map4 = affine_map<(d0, d1) -> (0, d1)>
module {
  func.func @per_token_fp8_functional_norm(%arg0: tensor<?x256xbf16>, %arg1: tensor<?x256xbf16>, %arg2: tensor<128x256xf8E4M3FN>, %arg3: tensor<256xbf16>, %arg4: tensor<1x128xf32>) -> (tensor<?x128xbf16>, tensor<?x256xbf16>) {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : bf16
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF80 : bf16
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant 9.9999999999999998E-13 : f64
    %cst_3 = arith.constant 9.9999999999999995E-7 : f64
    %cst_4 = arith.constant 2.560000e+02 : bf16
    %cst_5 = arith.constant 4.480000e+02 : f32
    %cst_6 = arith.constant -4.480000e+02 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x256xbf16>
    %dim_7 = tensor.dim %arg1, %c0 : tensor<?x256xbf16>
    %0 = arith.cmpi eq, %dim, %dim_7 : index
    cf.assert %0, "mismatched size for broadcast"
    %1 = tensor.empty(%dim) : tensor<?x256xbf16>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<?x256xbf16>, tensor<?x256xbf16>) outs(%1 : tensor<?x256xbf16>) {
    ^bb0(%in: bf16, %in_8: bf16, %out: bf16):
      %39 = arith.addf %in, %in_8 : bf16
      linalg.yield %39 : bf16
    } -> tensor<?x256xbf16>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %2 : tensor<?x256xbf16>, tensor<?x256xbf16>) outs(%1 : tensor<?x256xbf16>) {
    ^bb0(%in: bf16, %in_8: bf16, %out: bf16):
      %39 = arith.mulf %in, %in_8 : bf16
      linalg.yield %39 : bf16
    } -> tensor<?x256xbf16>
    %4 = tensor.empty(%dim) : tensor<?x1xbf16>
    %5 = linalg.fill ins(%cst : bf16) outs(%4 : tensor<?x1xbf16>) -> tensor<?x1xbf16>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%3 : tensor<?x256xbf16>) outs(%5 : tensor<?x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %39 = arith.addf %in, %out : bf16
      linalg.yield %39 : bf16
    } -> tensor<?x1xbf16>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<?x1xbf16>) outs(%4 : tensor<?x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %39 = arith.divf %in, %cst_4 : bf16
      linalg.yield %39 : bf16
    } -> tensor<?x1xbf16>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<?x1xbf16>) outs(%4 : tensor<?x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %39 = arith.truncf %cst_3 : f64 to bf16
      %40 = arith.addf %in, %39 : bf16
      linalg.yield %40 : bf16
    } -> tensor<?x1xbf16>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<?x1xbf16>) outs(%4 : tensor<?x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %39 = math.rsqrt %in : bf16
      linalg.yield %39 : bf16
    } -> tensor<?x1xbf16>
    %10 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %9 : tensor<?x256xbf16>, tensor<?x1xbf16>) outs(%1 : tensor<?x256xbf16>) {
    ^bb0(%in: bf16, %in_8: bf16, %out: bf16):
      %39 = arith.mulf %in, %in_8 : bf16
      linalg.yield %39 : bf16
    } -> tensor<?x256xbf16>
    %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%10, %arg3 : tensor<?x256xbf16>, tensor<256xbf16>) outs(%1 : tensor<?x256xbf16>) {
    ^bb0(%in: bf16, %in_8: bf16, %out: bf16):
      %39 = arith.mulf %in, %in_8 : bf16
      linalg.yield %39 : bf16
    } -> tensor<?x256xbf16>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<?x256xbf16>) outs(%1 : tensor<?x256xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %39 = math.absf %in : bf16
      linalg.yield %39 : bf16
    } -> tensor<?x256xbf16>
    %13 = tensor.empty(%dim) : tensor<?xi64>
    %14 = linalg.fill ins(%c0_i64 : i64) outs(%13 : tensor<?xi64>) -> tensor<?xi64>
    %15 = tensor.empty(%dim) : tensor<?xbf16>
    %16 = linalg.fill ins(%cst_0 : bf16) outs(%15 : tensor<?xbf16>) -> tensor<?xbf16>
    %17:2 = linalg.generic {indexing_maps = [#map, #map3, #map3], iterator_types = ["parallel", "reduction"]} ins(%12 : tensor<?x256xbf16>) outs(%16, %14 : tensor<?xbf16>, tensor<?xi64>) {
    ^bb0(%in: bf16, %out: bf16, %out_8: i64):
      %39 = linalg.index 1 : index
      %40 = arith.index_cast %39 : index to i64
      %41 = arith.maximumf %in, %out : bf16
      %42 = arith.cmpf ogt, %in, %out : bf16
      %43 = arith.select %42, %40, %out_8 : i64
      linalg.yield %41, %43 : bf16, i64
    } -> (tensor<?xbf16>, tensor<?xi64>)
    %expanded = tensor.expand_shape %17#0 [[0, 1]] output_shape [%dim, 1] : tensor<?xbf16> into tensor<?x1xbf16>
    %18 = tensor.empty(%dim) : tensor<?x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<?x1xbf16>) outs(%18 : tensor<?x1xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %39 = arith.extf %in : bf16 to f32
      linalg.yield %39 : f32
    } -> tensor<?x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<?x1xf32>) outs(%18 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = arith.divf %in, %cst_5 : f32
      linalg.yield %39 : f32
    } -> tensor<?x1xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<?x1xf32>) outs(%18 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = arith.truncf %cst_2 : f64 to f32
      %40 = arith.cmpf ult, %in, %39 : f32
      %41 = arith.select %40, %39, %in : f32
      linalg.yield %41 : f32
    } -> tensor<?x1xf32>
    %22 = tensor.empty(%dim) : tensor<?x256xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<?x256xbf16>) outs(%22 : tensor<?x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %39 = arith.extf %in : bf16 to f32
      linalg.yield %39 : f32
    } -> tensor<?x256xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%23, %21 : tensor<?x256xf32>, tensor<?x1xf32>) outs(%22 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %39 = arith.divf %in, %in_8 : f32
      linalg.yield %39 : f32
    } -> tensor<?x256xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<?x256xf32>) outs(%22 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %39 = arith.cmpf ult, %in, %cst_6 : f32
      %40 = arith.select %39, %cst_6, %in : f32
      %41 = arith.cmpf ugt, %40, %cst_5 : f32
      %42 = arith.select %41, %cst_5, %40 : f32
      linalg.yield %42 : f32
    } -> tensor<?x256xf32>
    %26 = tensor.empty(%dim) : tensor<?x256xf8E4M3FN>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<?x256xf32>) outs(%26 : tensor<?x256xf8E4M3FN>) {
    ^bb0(%in: f32, %out: f8E4M3FN):
      %39 = arith.truncf %in : f32 to f8E4M3FN
      linalg.yield %39 : f8E4M3FN
    } -> tensor<?x256xf8E4M3FN>
    %28 = tensor.empty() : tensor<256x128xf8E4M3FN>
    %transposed = linalg.transpose ins(%arg2 : tensor<128x256xf8E4M3FN>) outs(%28 : tensor<256x128xf8E4M3FN>) permutation = [1, 0] 
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<?x256xf8E4M3FN>) outs(%22 : tensor<?x256xf32>) {
    ^bb0(%in: f8E4M3FN, %out: f32):
      %39 = arith.extf %in : f8E4M3FN to f32
      linalg.yield %39 : f32
    } -> tensor<?x256xf32>
    %30 = tensor.empty() : tensor<256x128xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<256x128xf8E4M3FN>) outs(%30 : tensor<256x128xf32>) {
    ^bb0(%in: f8E4M3FN, %out: f32):
      %39 = arith.extf %in : f8E4M3FN to f32
      linalg.yield %39 : f32
    } -> tensor<256x128xf32>
    %32 = tensor.empty(%dim) : tensor<?x128xf32>
    %33 = linalg.fill ins(%cst_1 : f32) outs(%32 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %34 = linalg.matmul ins(%29, %31 : tensor<?x256xf32>, tensor<256x128xf32>) outs(%33 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%34, %21 : tensor<?x128xf32>, tensor<?x1xf32>) outs(%32 : tensor<?x128xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %39 = arith.mulf %in, %in_8 : f32
      linalg.yield %39 : f32
    } -> tensor<?x128xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel"]} ins(%35, %arg4 : tensor<?x128xf32>, tensor<1x128xf32>) outs(%32 : tensor<?x128xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %39 = arith.mulf %in, %in_8 : f32
      linalg.yield %39 : f32
    } -> tensor<?x128xf32>
    %37 = tensor.empty(%dim) : tensor<?x128xbf16>
    %38 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<?x128xf32>) outs(%37 : tensor<?x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %39 = arith.truncf %in : f32 to bf16
      linalg.yield %39 : bf16
    } -> tensor<?x128xbf16>
    return %38, %2 : tensor<?x128xbf16>, tensor<?x256xbf16>
  }
}
