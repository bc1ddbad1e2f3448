// Written by export_torch_mlir.py.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> (d0)>
#map4 = affine_map<(d0, d1) -> (0, d1)>
module {
  func.func @dual_norm(%arg0: tensor<?x176xbf16>, %arg1: tensor<128x96xf8E4M3FN>, %arg2: tensor<96xbf16>, %arg3: tensor<64xbf16>, %arg4: tensor<1x128xf32>) -> (tensor<?x128xbf16>, tensor<?x64xbf16>, tensor<?x16xbf16>) {
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF80 : bf16
    %cst_1 = arith.constant 9.9999999999999998E-13 : f64
    %cst_2 = arith.constant 9.9999999999999995E-7 : f64
    %cst_3 = arith.constant 9.600000e+01 : f32
    %cst_4 = arith.constant 4.480000e+02 : f32
    %cst_5 = arith.constant -4.480000e+02 : f32
    %cst_6 = arith.constant 6.400000e+01 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x176xbf16>
    %extracted_slice = tensor.extract_slice %arg0[0, 0] [%dim, 96] [1, 1] : tensor<?x176xbf16> to tensor<?x96xbf16>
    %extracted_slice_7 = tensor.extract_slice %arg0[0, 96] [%dim, 64] [1, 1] : tensor<?x176xbf16> to tensor<?x64xbf16>
    %extracted_slice_8 = tensor.extract_slice %arg0[0, 160] [%dim, 16] [1, 1] : tensor<?x176xbf16> to tensor<?x16xbf16>
    %0 = tensor.empty(%dim) : tensor<?x96xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<?x96xbf16>) outs(%0 : tensor<?x96xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %49 = arith.extf %in : bf16 to f32
      linalg.yield %49 : f32
    } -> tensor<?x96xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<?x96xf32>) outs(%0 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %49 : f32
    } -> tensor<?x96xf32>
    %3 = tensor.empty(%dim) : tensor<?x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<?x1xf32>) -> tensor<?x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<?x96xf32>) outs(%4 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.addf %in, %out : f32
      linalg.yield %49 : f32
    } -> tensor<?x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<?x1xf32>) outs(%3 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.divf %in, %cst_3 : f32
      linalg.yield %49 : f32
    } -> tensor<?x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<?x1xf32>) outs(%3 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.truncf %cst_2 : f64 to f32
      %50 = arith.addf %in, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<?x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<?x1xf32>) outs(%3 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = math.rsqrt %in : f32
      linalg.yield %49 : f32
    } -> tensor<?x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %8 : tensor<?x96xf32>, tensor<?x1xf32>) outs(%0 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %49 = arith.mulf %in, %in_9 : f32
      linalg.yield %49 : f32
    } -> tensor<?x96xf32>
    %10 = tensor.empty(%dim) : tensor<?x96xbf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<?x96xf32>) outs(%10 : tensor<?x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %49 = arith.truncf %in : f32 to bf16
      linalg.yield %49 : bf16
    } -> tensor<?x96xbf16>
    %12 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2, %11 : tensor<96xbf16>, tensor<?x96xbf16>) outs(%10 : tensor<?x96xbf16>) {
    ^bb0(%in: bf16, %in_9: bf16, %out: bf16):
      %49 = arith.mulf %in, %in_9 : bf16
      linalg.yield %49 : bf16
    } -> tensor<?x96xbf16>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<?x96xbf16>) outs(%10 : tensor<?x96xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %49 = math.absf %in : bf16
      linalg.yield %49 : bf16
    } -> tensor<?x96xbf16>
    %14 = tensor.empty(%dim) : tensor<?xi64>
    %15 = linalg.fill ins(%c0_i64 : i64) outs(%14 : tensor<?xi64>) -> tensor<?xi64>
    %16 = tensor.empty(%dim) : tensor<?xbf16>
    %17 = linalg.fill ins(%cst_0 : bf16) outs(%16 : tensor<?xbf16>) -> tensor<?xbf16>
    %18:2 = linalg.generic {indexing_maps = [#map, #map3, #map3], iterator_types = ["parallel", "reduction"]} ins(%13 : tensor<?x96xbf16>) outs(%17, %15 : tensor<?xbf16>, tensor<?xi64>) {
    ^bb0(%in: bf16, %out: bf16, %out_9: i64):
      %49 = linalg.index 1 : index
      %50 = arith.index_cast %49 : index to i64
      %51 = arith.maximumf %in, %out : bf16
      %52 = arith.cmpf ogt, %in, %out : bf16
      %53 = arith.select %52, %50, %out_9 : i64
      linalg.yield %51, %53 : bf16, i64
    } -> (tensor<?xbf16>, tensor<?xi64>)
    %expanded = tensor.expand_shape %18#0 [[0, 1]] output_shape [%dim, 1] : tensor<?xbf16> into tensor<?x1xbf16>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<?x1xbf16>) outs(%3 : tensor<?x1xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %49 = arith.extf %in : bf16 to f32
      linalg.yield %49 : f32
    } -> tensor<?x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<?x1xf32>) outs(%3 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.divf %in, %cst_4 : f32
      linalg.yield %49 : f32
    } -> tensor<?x1xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<?x1xf32>) outs(%3 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.truncf %cst_1 : f64 to f32
      %50 = arith.cmpf ult, %in, %49 : f32
      %51 = arith.select %50, %49, %in : f32
      linalg.yield %51 : f32
    } -> tensor<?x1xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<?x96xbf16>) outs(%0 : tensor<?x96xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %49 = arith.extf %in : bf16 to f32
      linalg.yield %49 : f32
    } -> tensor<?x96xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%22, %21 : tensor<?x96xf32>, tensor<?x1xf32>) outs(%0 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %49 = arith.divf %in, %in_9 : f32
      linalg.yield %49 : f32
    } -> tensor<?x96xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<?x96xf32>) outs(%0 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.cmpf ult, %in, %cst_5 : f32
      %50 = arith.select %49, %cst_5, %in : f32
      %51 = arith.cmpf ugt, %50, %cst_4 : f32
      %52 = arith.select %51, %cst_4, %50 : f32
      linalg.yield %52 : f32
    } -> tensor<?x96xf32>
    %25 = tensor.empty(%dim) : tensor<?x96xf8E4M3FN>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<?x96xf32>) outs(%25 : tensor<?x96xf8E4M3FN>) {
    ^bb0(%in: f32, %out: f8E4M3FN):
      %49 = arith.truncf %in : f32 to f8E4M3FN
      linalg.yield %49 : f8E4M3FN
    } -> tensor<?x96xf8E4M3FN>
    %27 = tensor.empty() : tensor<96x128xf8E4M3FN>
    %transposed = linalg.transpose ins(%arg1 : tensor<128x96xf8E4M3FN>) outs(%27 : tensor<96x128xf8E4M3FN>) permutation = [1, 0] 
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<?x96xf8E4M3FN>) outs(%0 : tensor<?x96xf32>) {
    ^bb0(%in: f8E4M3FN, %out: f32):
      %49 = arith.extf %in : f8E4M3FN to f32
      linalg.yield %49 : f32
    } -> tensor<?x96xf32>
    %29 = tensor.empty() : tensor<96x128xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<96x128xf8E4M3FN>) outs(%29 : tensor<96x128xf32>) {
    ^bb0(%in: f8E4M3FN, %out: f32):
      %49 = arith.extf %in : f8E4M3FN to f32
      linalg.yield %49 : f32
    } -> tensor<96x128xf32>
    %31 = tensor.empty(%dim) : tensor<?x128xf32>
    %32 = linalg.fill ins(%cst : f32) outs(%31 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %33 = linalg.matmul ins(%28, %30 : tensor<?x96xf32>, tensor<96x128xf32>) outs(%32 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%33, %21 : tensor<?x128xf32>, tensor<?x1xf32>) outs(%31 : tensor<?x128xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %49 = arith.mulf %in, %in_9 : f32
      linalg.yield %49 : f32
    } -> tensor<?x128xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel"]} ins(%34, %arg4 : tensor<?x128xf32>, tensor<1x128xf32>) outs(%31 : tensor<?x128xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %49 = arith.mulf %in, %in_9 : f32
      linalg.yield %49 : f32
    } -> tensor<?x128xf32>
    %36 = tensor.empty(%dim) : tensor<?x128xbf16>
    %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<?x128xf32>) outs(%36 : tensor<?x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %49 = arith.truncf %in : f32 to bf16
      linalg.yield %49 : bf16
    } -> tensor<?x128xbf16>
    %38 = tensor.empty(%dim) : tensor<?x64xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_7 : tensor<?x64xbf16>) outs(%38 : tensor<?x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %49 = arith.extf %in : bf16 to f32
      linalg.yield %49 : f32
    } -> tensor<?x64xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%39 : tensor<?x64xf32>) outs(%38 : tensor<?x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %49 : f32
    } -> tensor<?x64xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%40 : tensor<?x64xf32>) outs(%4 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.addf %in, %out : f32
      linalg.yield %49 : f32
    } -> tensor<?x1xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%41 : tensor<?x1xf32>) outs(%3 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.divf %in, %cst_6 : f32
      linalg.yield %49 : f32
    } -> tensor<?x1xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%42 : tensor<?x1xf32>) outs(%3 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = arith.truncf %cst_2 : f64 to f32
      %50 = arith.addf %in, %49 : f32
      linalg.yield %50 : f32
    } -> tensor<?x1xf32>
    %44 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%43 : tensor<?x1xf32>) outs(%3 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %49 = math.rsqrt %in : f32
      linalg.yield %49 : f32
    } -> tensor<?x1xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%39, %44 : tensor<?x64xf32>, tensor<?x1xf32>) outs(%38 : tensor<?x64xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %49 = arith.mulf %in, %in_9 : f32
      linalg.yield %49 : f32
    } -> tensor<?x64xf32>
    %46 = tensor.empty(%dim) : tensor<?x64xbf16>
    %47 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%45 : tensor<?x64xf32>) outs(%46 : tensor<?x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %49 = arith.truncf %in : f32 to bf16
      linalg.yield %49 : bf16
    } -> tensor<?x64xbf16>
    %48 = linalg.generic {indexing_maps = [#map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg3, %47 : tensor<64xbf16>, tensor<?x64xbf16>) outs(%46 : tensor<?x64xbf16>) {
    ^bb0(%in: bf16, %in_9: bf16, %out: bf16):
      %49 = arith.mulf %in, %in_9 : bf16
      linalg.yield %49 : bf16
    } -> tensor<?x64xbf16>
    return %37, %48, %extracted_slice_8 : tensor<?x128xbf16>, tensor<?x64xbf16>, tensor<?x16xbf16>
  }
}
