// Written by export_torch_mlir.py.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> (d0)>
#map4 = affine_map<(d0, d1) -> (0, d1)>
module {
  func.func @per_token_fp8(%arg0: tensor<?x256xbf16>, %arg1: tensor<?x256xbf16>, %arg2: tensor<128x256xf8E4M3FN>, %arg3: tensor<256xbf16>, %arg4: tensor<1x128xf32>) -> (tensor<?x128xbf16>, tensor<?x256xbf16>) {
    %c2_i64 = arith.constant 2 : i64
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF80 : bf16
    %cst_1 = arith.constant 9.9999999999999998E-13 : f64
    %cst_2 = arith.constant 9.9999999999999995E-7 : f64
    %cst_3 = arith.constant 2.560000e+02 : f32
    %cst_4 = arith.constant 4.480000e+02 : f32
    %cst_5 = arith.constant -4.480000e+02 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x256xbf16>
    %dim_6 = tensor.dim %arg1, %c0 : tensor<?x256xbf16>
    %0 = arith.cmpi eq, %dim, %dim_6 : index
    cf.assert %0, "mismatched size for broadcast"
    %1 = tensor.empty(%dim) : tensor<?x256xbf16>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<?x256xbf16>, tensor<?x256xbf16>) outs(%1 : tensor<?x256xbf16>) {
    ^bb0(%in: bf16, %in_7: bf16, %out: bf16):
      %40 = arith.addf %in, %in_7 : bf16
      linalg.yield %40 : bf16
    } -> tensor<?x256xbf16>
    %3 = tensor.empty(%dim) : tensor<?x256xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<?x256xbf16>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %40 = arith.extf %in : bf16 to f32
      linalg.yield %40 : f32
    } -> tensor<?x256xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<?x256xf32>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %40 : f32
    } -> tensor<?x256xf32>
    %6 = tensor.empty(%dim) : tensor<?x1xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<?x1xf32>) -> tensor<?x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%5 : tensor<?x256xf32>) outs(%7 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.addf %in, %out : f32
      linalg.yield %40 : f32
    } -> tensor<?x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<?x1xf32>) outs(%6 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.divf %in, %cst_3 : f32
      linalg.yield %40 : f32
    } -> tensor<?x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<?x1xf32>) outs(%6 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.truncf %cst_2 : f64 to f32
      %41 = arith.addf %in, %40 : f32
      linalg.yield %41 : f32
    } -> tensor<?x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<?x1xf32>) outs(%6 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = math.rsqrt %in : f32
      linalg.yield %40 : f32
    } -> tensor<?x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %11 : tensor<?x256xf32>, tensor<?x1xf32>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %40 = arith.mulf %in, %in_7 : f32
      linalg.yield %40 : f32
    } -> tensor<?x256xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<?x256xf32>) outs(%1 : tensor<?x256xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %40 = arith.truncf %in : f32 to bf16
      linalg.yield %40 : bf16
    } -> tensor<?x256xbf16>
    %14 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg3, %13 : tensor<256xbf16>, tensor<?x256xbf16>) outs(%1 : tensor<?x256xbf16>) {
    ^bb0(%in: bf16, %in_7: bf16, %out: bf16):
      %40 = arith.mulf %in, %in_7 : bf16
      linalg.yield %40 : bf16
    } -> tensor<?x256xbf16>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<?x256xbf16>) outs(%1 : tensor<?x256xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %40 = math.absf %in : bf16
      linalg.yield %40 : bf16
    } -> tensor<?x256xbf16>
    %16 = tensor.empty(%dim) : tensor<?xi64>
    %17 = linalg.fill ins(%c0_i64 : i64) outs(%16 : tensor<?xi64>) -> tensor<?xi64>
    %18 = tensor.empty(%dim) : tensor<?xbf16>
    %19 = linalg.fill ins(%cst_0 : bf16) outs(%18 : tensor<?xbf16>) -> tensor<?xbf16>
    %20:2 = linalg.generic {indexing_maps = [#map, #map3, #map3], iterator_types = ["parallel", "reduction"]} ins(%15 : tensor<?x256xbf16>) outs(%19, %17 : tensor<?xbf16>, tensor<?xi64>) {
    ^bb0(%in: bf16, %out: bf16, %out_7: i64):
      %40 = linalg.index 1 : index
      %41 = arith.index_cast %40 : index to i64
      %42 = arith.maximumf %in, %out : bf16
      %43 = arith.cmpf ogt, %in, %out : bf16
      %44 = arith.select %43, %41, %out_7 : i64
      linalg.yield %42, %44 : bf16, i64
    } -> (tensor<?xbf16>, tensor<?xi64>)
    %expanded = tensor.expand_shape %20#0 [[0, 1]] output_shape [%dim, 1] : tensor<?xbf16> into tensor<?x1xbf16>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<?x1xbf16>) outs(%6 : tensor<?x1xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %40 = arith.extf %in : bf16 to f32
      linalg.yield %40 : f32
    } -> tensor<?x1xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<?x1xf32>) outs(%6 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.divf %in, %cst_4 : f32
      linalg.yield %40 : f32
    } -> tensor<?x1xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<?x1xf32>) outs(%6 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.truncf %cst_1 : f64 to f32
      %41 = arith.cmpf ult, %in, %40 : f32
      %42 = arith.select %41, %40, %in : f32
      linalg.yield %42 : f32
    } -> tensor<?x1xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<?x256xbf16>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %40 = arith.extf %in : bf16 to f32
      linalg.yield %40 : f32
    } -> tensor<?x256xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%24, %23 : tensor<?x256xf32>, tensor<?x1xf32>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %40 = arith.divf %in, %in_7 : f32
      linalg.yield %40 : f32
    } -> tensor<?x256xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<?x256xf32>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.cmpf ult, %in, %cst_5 : f32
      %41 = arith.select %40, %cst_5, %in : f32
      %42 = arith.cmpf ugt, %41, %cst_4 : f32
      %43 = arith.select %42, %cst_4, %41 : f32
      linalg.yield %43 : f32
    } -> tensor<?x256xf32>
    %27 = tensor.empty(%dim) : tensor<?x256xf8E4M3FN>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<?x256xf32>) outs(%27 : tensor<?x256xf8E4M3FN>) {
    ^bb0(%in: f32, %out: f8E4M3FN):
      %40 = arith.truncf %in : f32 to f8E4M3FN
      linalg.yield %40 : f8E4M3FN
    } -> tensor<?x256xf8E4M3FN>
    %29 = tensor.empty() : tensor<256x128xf8E4M3FN>
    %transposed = linalg.transpose ins(%arg2 : tensor<128x256xf8E4M3FN>) outs(%29 : tensor<256x128xf8E4M3FN>) permutation = [1, 0] 
    %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%28 : tensor<?x256xf8E4M3FN>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: f8E4M3FN, %out: f32):
      %40 = arith.extf %in : f8E4M3FN to f32
      linalg.yield %40 : f32
    } -> tensor<?x256xf32>
    %31 = tensor.empty() : tensor<256x128xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<256x128xf8E4M3FN>) outs(%31 : tensor<256x128xf32>) {
    ^bb0(%in: f8E4M3FN, %out: f32):
      %40 = arith.extf %in : f8E4M3FN to f32
      linalg.yield %40 : f32
    } -> tensor<256x128xf32>
    %33 = tensor.empty(%dim) : tensor<?x128xf32>
    %34 = linalg.fill ins(%cst : f32) outs(%33 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %35 = linalg.matmul ins(%30, %32 : tensor<?x256xf32>, tensor<256x128xf32>) outs(%34 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%35, %23 : tensor<?x128xf32>, tensor<?x1xf32>) outs(%33 : tensor<?x128xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %40 = arith.mulf %in, %in_7 : f32
      linalg.yield %40 : f32
    } -> tensor<?x128xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel"]} ins(%36, %arg4 : tensor<?x128xf32>, tensor<1x128xf32>) outs(%33 : tensor<?x128xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %40 = arith.mulf %in, %in_7 : f32
      linalg.yield %40 : f32
    } -> tensor<?x128xf32>
    %38 = tensor.empty(%dim) : tensor<?x128xbf16>
    %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%37 : tensor<?x128xf32>) outs(%38 : tensor<?x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %40 = arith.truncf %in : f32 to bf16
      linalg.yield %40 : bf16
    } -> tensor<?x128xbf16>
    return %39, %2 : tensor<?x128xbf16>, tensor<?x256xbf16>
  }
}
