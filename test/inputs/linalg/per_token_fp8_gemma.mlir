// Written by export_torch_mlir.py.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1) -> (0, d1)>
module {
  func.func @per_token_fp8_gemma(%arg0: tensor<?x256xbf16>, %arg1: tensor<?x256xbf16>, %arg2: tensor<128x256xf8E4M3FN>, %arg3: tensor<256xbf16>, %arg4: tensor<1x128xf32>) -> (tensor<?x128xbf16>, tensor<?x256xbf16>) {
    %c2_i64 = arith.constant 2 : i64
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF80 : bf16
    %cst_1 = arith.constant 9.9999999999999998E-13 : f64
    %cst_2 = arith.constant 9.9999999999999995E-7 : f64
    %cst_3 = arith.constant 2.560000e+02 : f32
    %cst_4 = arith.constant 1.000000e+00 : f32
    %cst_5 = arith.constant 4.480000e+02 : f32
    %cst_6 = arith.constant -4.480000e+02 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x256xbf16>
    %dim_7 = tensor.dim %arg1, %c0 : tensor<?x256xbf16>
    %0 = arith.cmpi eq, %dim, %dim_7 : index
    cf.assert %0, "mismatched size for broadcast"
    %1 = tensor.empty(%dim) : tensor<?x256xbf16>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<?x256xbf16>, tensor<?x256xbf16>) outs(%1 : tensor<?x256xbf16>) {
    ^bb0(%in: bf16, %in_8: bf16, %out: bf16):
      %43 = arith.addf %in, %in_8 : bf16
      linalg.yield %43 : bf16
    } -> tensor<?x256xbf16>
    %3 = tensor.empty(%dim) : tensor<?x256xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<?x256xbf16>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %43 = arith.extf %in : bf16 to f32
      linalg.yield %43 : f32
    } -> tensor<?x256xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<?x256xf32>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %43 : f32
    } -> tensor<?x256xf32>
    %6 = tensor.empty(%dim) : tensor<?x1xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<?x1xf32>) -> tensor<?x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%5 : tensor<?x256xf32>) outs(%7 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %out : f32
      linalg.yield %43 : f32
    } -> tensor<?x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<?x1xf32>) outs(%6 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.divf %in, %cst_3 : f32
      linalg.yield %43 : f32
    } -> tensor<?x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<?x1xf32>) outs(%6 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.truncf %cst_2 : f64 to f32
      %44 = arith.addf %in, %43 : f32
      linalg.yield %44 : f32
    } -> tensor<?x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<?x1xf32>) outs(%6 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = math.rsqrt %in : f32
      linalg.yield %43 : f32
    } -> tensor<?x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %11 : tensor<?x256xf32>, tensor<?x1xf32>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %43 = arith.mulf %in, %in_8 : f32
      linalg.yield %43 : f32
    } -> tensor<?x256xf32>
    %13 = tensor.empty() : tensor<256xf32>
    %14 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg3 : tensor<256xbf16>) outs(%13 : tensor<256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %43 = arith.extf %in : bf16 to f32
      linalg.yield %43 : f32
    } -> tensor<256xf32>
    %15 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%14 : tensor<256xf32>) outs(%13 : tensor<256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %cst_4 : f32
      linalg.yield %43 : f32
    } -> tensor<256xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %15 : tensor<?x256xf32>, tensor<256xf32>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %43 = arith.mulf %in, %in_8 : f32
      linalg.yield %43 : f32
    } -> tensor<?x256xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<?x256xf32>) outs(%1 : tensor<?x256xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %43 = arith.truncf %in : f32 to bf16
      linalg.yield %43 : bf16
    } -> tensor<?x256xbf16>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<?x256xbf16>) outs(%1 : tensor<?x256xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %43 = math.absf %in : bf16
      linalg.yield %43 : bf16
    } -> tensor<?x256xbf16>
    %19 = tensor.empty(%dim) : tensor<?xi64>
    %20 = linalg.fill ins(%c0_i64 : i64) outs(%19 : tensor<?xi64>) -> tensor<?xi64>
    %21 = tensor.empty(%dim) : tensor<?xbf16>
    %22 = linalg.fill ins(%cst_0 : bf16) outs(%21 : tensor<?xbf16>) -> tensor<?xbf16>
    %23:2 = linalg.generic {indexing_maps = [#map, #map4, #map4], iterator_types = ["parallel", "reduction"]} ins(%18 : tensor<?x256xbf16>) outs(%22, %20 : tensor<?xbf16>, tensor<?xi64>) {
    ^bb0(%in: bf16, %out: bf16, %out_8: i64):
      %43 = linalg.index 1 : index
      %44 = arith.index_cast %43 : index to i64
      %45 = arith.maximumf %in, %out : bf16
      %46 = arith.cmpf ogt, %in, %out : bf16
      %47 = arith.select %46, %44, %out_8 : i64
      linalg.yield %45, %47 : bf16, i64
    } -> (tensor<?xbf16>, tensor<?xi64>)
    %expanded = tensor.expand_shape %23#0 [[0, 1]] output_shape [%dim, 1] : tensor<?xbf16> into tensor<?x1xbf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<?x1xbf16>) outs(%6 : tensor<?x1xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %43 = arith.extf %in : bf16 to f32
      linalg.yield %43 : f32
    } -> tensor<?x1xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<?x1xf32>) outs(%6 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.divf %in, %cst_5 : f32
      linalg.yield %43 : f32
    } -> tensor<?x1xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<?x1xf32>) outs(%6 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.truncf %cst_1 : f64 to f32
      %44 = arith.cmpf ult, %in, %43 : f32
      %45 = arith.select %44, %43, %in : f32
      linalg.yield %45 : f32
    } -> tensor<?x1xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<?x256xbf16>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %43 = arith.extf %in : bf16 to f32
      linalg.yield %43 : f32
    } -> tensor<?x256xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%27, %26 : tensor<?x256xf32>, tensor<?x1xf32>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %43 = arith.divf %in, %in_8 : f32
      linalg.yield %43 : f32
    } -> tensor<?x256xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%28 : tensor<?x256xf32>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.cmpf ult, %in, %cst_6 : f32
      %44 = arith.select %43, %cst_6, %in : f32
      %45 = arith.cmpf ugt, %44, %cst_5 : f32
      %46 = arith.select %45, %cst_5, %44 : f32
      linalg.yield %46 : f32
    } -> tensor<?x256xf32>
    %30 = tensor.empty(%dim) : tensor<?x256xf8E4M3FN>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<?x256xf32>) outs(%30 : tensor<?x256xf8E4M3FN>) {
    ^bb0(%in: f32, %out: f8E4M3FN):
      %43 = arith.truncf %in : f32 to f8E4M3FN
      linalg.yield %43 : f8E4M3FN
    } -> tensor<?x256xf8E4M3FN>
    %32 = tensor.empty() : tensor<256x128xf8E4M3FN>
    %transposed = linalg.transpose ins(%arg2 : tensor<128x256xf8E4M3FN>) outs(%32 : tensor<256x128xf8E4M3FN>) permutation = [1, 0] 
    %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%31 : tensor<?x256xf8E4M3FN>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: f8E4M3FN, %out: f32):
      %43 = arith.extf %in : f8E4M3FN to f32
      linalg.yield %43 : f32
    } -> tensor<?x256xf32>
    %34 = tensor.empty() : tensor<256x128xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<256x128xf8E4M3FN>) outs(%34 : tensor<256x128xf32>) {
    ^bb0(%in: f8E4M3FN, %out: f32):
      %43 = arith.extf %in : f8E4M3FN to f32
      linalg.yield %43 : f32
    } -> tensor<256x128xf32>
    %36 = tensor.empty(%dim) : tensor<?x128xf32>
    %37 = linalg.fill ins(%cst : f32) outs(%36 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %38 = linalg.matmul ins(%33, %35 : tensor<?x256xf32>, tensor<256x128xf32>) outs(%37 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%38, %26 : tensor<?x128xf32>, tensor<?x1xf32>) outs(%36 : tensor<?x128xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %43 = arith.mulf %in, %in_8 : f32
      linalg.yield %43 : f32
    } -> tensor<?x128xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map5, #map], iterator_types = ["parallel", "parallel"]} ins(%39, %arg4 : tensor<?x128xf32>, tensor<1x128xf32>) outs(%36 : tensor<?x128xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %43 = arith.mulf %in, %in_8 : f32
      linalg.yield %43 : f32
    } -> tensor<?x128xf32>
    %41 = tensor.empty(%dim) : tensor<?x128xbf16>
    %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%40 : tensor<?x128xf32>) outs(%41 : tensor<?x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %43 = arith.truncf %in : f32 to bf16
      linalg.yield %43 : bf16
    } -> tensor<?x128xbf16>
    return %42, %2 : tensor<?x128xbf16>, tensor<?x256xbf16>
  }
}
