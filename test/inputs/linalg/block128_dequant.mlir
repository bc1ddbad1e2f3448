// Written by export_torch_mlir.py.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d2)>
module {
  func.func @block128_dequant(%arg0: tensor<?x256xbf16>, %arg1: tensor<?x256xbf16>, %arg2: tensor<128x256xf8E4M3FN>, %arg3: tensor<256xbf16>, %arg4: tensor<1x2xf32>) -> (tensor<?x128xbf16>, tensor<?x256xbf16>) {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.000000e-10 : f64
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
    ^bb0(%in: bf16, %in_10: bf16, %out: bf16):
      %44 = arith.addf %in, %in_10 : bf16
      linalg.yield %44 : bf16
    } -> tensor<?x256xbf16>
    %3 = tensor.empty(%dim) : tensor<?x256xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<?x256xbf16>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %44 = arith.extf %in : bf16 to f32
      linalg.yield %44 : f32
    } -> tensor<?x256xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<?x256xf32>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %44 : f32
    } -> tensor<?x256xf32>
    %6 = tensor.empty(%dim) : tensor<?x1xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<?x1xf32>) -> tensor<?x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%5 : tensor<?x256xf32>) outs(%7 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.addf %in, %out : f32
      linalg.yield %44 : f32
    } -> tensor<?x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<?x1xf32>) outs(%6 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.divf %in, %cst_3 : f32
      linalg.yield %44 : f32
    } -> tensor<?x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<?x1xf32>) outs(%6 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.truncf %cst_2 : f64 to f32
      %45 = arith.addf %in, %44 : f32
      linalg.yield %45 : f32
    } -> tensor<?x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<?x1xf32>) outs(%6 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = math.rsqrt %in : f32
      linalg.yield %44 : f32
    } -> tensor<?x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %11 : tensor<?x256xf32>, tensor<?x1xf32>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %44 = arith.mulf %in, %in_10 : f32
      linalg.yield %44 : f32
    } -> tensor<?x256xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<?x256xf32>) outs(%1 : tensor<?x256xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %44 = arith.truncf %in : f32 to bf16
      linalg.yield %44 : bf16
    } -> tensor<?x256xbf16>
    %14 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg3, %13 : tensor<256xbf16>, tensor<?x256xbf16>) outs(%1 : tensor<?x256xbf16>) {
    ^bb0(%in: bf16, %in_10: bf16, %out: bf16):
      %44 = arith.mulf %in, %in_10 : bf16
      linalg.yield %44 : bf16
    } -> tensor<?x256xbf16>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<?x256xbf16>) outs(%3 : tensor<?x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %44 = arith.extf %in : bf16 to f32
      linalg.yield %44 : f32
    } -> tensor<?x256xf32>
    %expanded = tensor.expand_shape %15 [[0], [1, 2]] output_shape [%dim, 2, 128] : tensor<?x256xf32> into tensor<?x2x128xf32>
    %16 = tensor.empty(%dim) : tensor<?x2x128xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<?x2x128xf32>) outs(%16 : tensor<?x2x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = math.absf %in : f32
      linalg.yield %44 : f32
    } -> tensor<?x2x128xf32>
    %18 = tensor.empty(%dim) : tensor<?x2xi64>
    %19 = linalg.fill ins(%c0_i64 : i64) outs(%18 : tensor<?x2xi64>) -> tensor<?x2xi64>
    %20 = tensor.empty(%dim) : tensor<?x2xf32>
    %21 = linalg.fill ins(%cst_0 : f32) outs(%20 : tensor<?x2xf32>) -> tensor<?x2xf32>
    %22:2 = linalg.generic {indexing_maps = [#map3, #map4, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%17 : tensor<?x2x128xf32>) outs(%21, %19 : tensor<?x2xf32>, tensor<?x2xi64>) {
    ^bb0(%in: f32, %out: f32, %out_10: i64):
      %44 = linalg.index 2 : index
      %45 = arith.index_cast %44 : index to i64
      %46 = arith.maximumf %in, %out : f32
      %47 = arith.cmpf ogt, %in, %out : f32
      %48 = arith.select %47, %45, %out_10 : i64
      linalg.yield %46, %48 : f32, i64
    } -> (tensor<?x2xf32>, tensor<?x2xi64>)
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%22#0 : tensor<?x2xf32>) outs(%20 : tensor<?x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.truncf %cst_1 : f64 to f32
      %45 = arith.cmpf ult, %in, %44 : f32
      %46 = arith.select %45, %44, %in : f32
      linalg.yield %46 : f32
    } -> tensor<?x2xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<?x2xf32>) outs(%20 : tensor<?x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.divf %in, %cst_4 : f32
      linalg.yield %44 : f32
    } -> tensor<?x2xf32>
    %expanded_7 = tensor.expand_shape %24 [[0], [1, 2]] output_shape [%dim, 2, 1] : tensor<?x2xf32> into tensor<?x2x1xf32>
    %25 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %expanded_7 : tensor<?x2x128xf32>, tensor<?x2x1xf32>) outs(%16 : tensor<?x2x128xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %44 = arith.divf %in, %in_10 : f32
      linalg.yield %44 : f32
    } -> tensor<?x2x128xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<?x2x128xf32>) outs(%16 : tensor<?x2x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %44 = arith.cmpf ult, %in, %cst_5 : f32
      %45 = arith.select %44, %cst_5, %in : f32
      %46 = arith.cmpf ugt, %45, %cst_4 : f32
      %47 = arith.select %46, %cst_4, %45 : f32
      linalg.yield %47 : f32
    } -> tensor<?x2x128xf32>
    %27 = tensor.empty(%dim) : tensor<?x2x128xf8E4M3FN>
    %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<?x2x128xf32>) outs(%27 : tensor<?x2x128xf8E4M3FN>) {
    ^bb0(%in: f32, %out: f8E4M3FN):
      %44 = arith.truncf %in : f32 to f8E4M3FN
      linalg.yield %44 : f8E4M3FN
    } -> tensor<?x2x128xf8E4M3FN>
    %29 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<?x2x128xf8E4M3FN>) outs(%16 : tensor<?x2x128xf32>) {
    ^bb0(%in: f8E4M3FN, %out: f32):
      %44 = arith.extf %in : f8E4M3FN to f32
      linalg.yield %44 : f32
    } -> tensor<?x2x128xf32>
    %30 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29, %expanded_7 : tensor<?x2x128xf32>, tensor<?x2x1xf32>) outs(%16 : tensor<?x2x128xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %44 = arith.mulf %in, %in_10 : f32
      linalg.yield %44 : f32
    } -> tensor<?x2x128xf32>
    %collapsed = tensor.collapse_shape %30 [[0], [1, 2]] : tensor<?x2x128xf32> into tensor<?x256xf32>
    %31 = tensor.empty() : tensor<128x256xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<128x256xf8E4M3FN>) outs(%31 : tensor<128x256xf32>) {
    ^bb0(%in: f8E4M3FN, %out: f32):
      %44 = arith.extf %in : f8E4M3FN to f32
      linalg.yield %44 : f32
    } -> tensor<128x256xf32>
    %33 = tensor.empty() : tensor<1x128x2xf32>
    %34 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<1x2xf32>) outs(%33 : tensor<1x128x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x128x2xf32>
    %collapsed_8 = tensor.collapse_shape %34 [[0, 1], [2]] : tensor<1x128x2xf32> into tensor<128x2xf32>
    %35 = tensor.empty() : tensor<128x2x128xf32>
    %36 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_8 : tensor<128x2xf32>) outs(%35 : tensor<128x2x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x2x128xf32>
    %collapsed_9 = tensor.collapse_shape %36 [[0], [1, 2]] : tensor<128x2x128xf32> into tensor<128x256xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%32, %collapsed_9 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%31 : tensor<128x256xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %44 = arith.mulf %in, %in_10 : f32
      linalg.yield %44 : f32
    } -> tensor<128x256xf32>
    %38 = tensor.empty() : tensor<256x128xf32>
    %transposed = linalg.transpose ins(%37 : tensor<128x256xf32>) outs(%38 : tensor<256x128xf32>) permutation = [1, 0] 
    %39 = tensor.empty(%dim) : tensor<?x128xf32>
    %40 = linalg.fill ins(%cst : f32) outs(%39 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %41 = linalg.matmul ins(%collapsed, %transposed : tensor<?x256xf32>, tensor<256x128xf32>) outs(%40 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %42 = tensor.empty(%dim) : tensor<?x128xbf16>
    %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%41 : tensor<?x128xf32>) outs(%42 : tensor<?x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %44 = arith.truncf %in : f32 to bf16
      linalg.yield %44 : bf16
    } -> tensor<?x128xbf16>
    return %43, %2 : tensor<?x128xbf16>, tensor<?x256xbf16>
  }
}
