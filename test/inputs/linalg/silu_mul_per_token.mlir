// Written by export_torch_mlir.py.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (0, d1)>
module {
  func.func @silu_mul_per_token(%arg0: tensor<?x512xbf16>, %arg1: tensor<128x256xf8E4M3FN>, %arg2: tensor<1x128xf32>) -> tensor<?x128xbf16> {
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 0xFF80 : bf16
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant 9.9999999999999998E-13 : f64
    %cst_3 = arith.constant 4.480000e+02 : f32
    %cst_4 = arith.constant -4.480000e+02 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x512xbf16>
    %extracted_slice = tensor.extract_slice %arg0[0, 0] [%dim, 256] [1, 1] : tensor<?x512xbf16> to tensor<?x256xbf16>
    %extracted_slice_5 = tensor.extract_slice %arg0[0, 256] [%dim, 256] [1, 1] : tensor<?x512xbf16> to tensor<?x256xbf16>
    %0 = tensor.empty(%dim) : tensor<?x256xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<?x256xbf16>) outs(%0 : tensor<?x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %33 = arith.extf %in : bf16 to f32
      linalg.yield %33 : f32
    } -> tensor<?x256xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<?x256xf32>) outs(%0 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.negf %in : f32
      %34 = math.exp %33 : f32
      %35 = arith.addf %34, %cst : f32
      %36 = arith.divf %cst, %35 : f32
      linalg.yield %36 : f32
    } -> tensor<?x256xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<?x256xf32>, tensor<?x256xf32>) outs(%0 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %33 = arith.mulf %in, %in_6 : f32
      linalg.yield %33 : f32
    } -> tensor<?x256xf32>
    %4 = tensor.empty(%dim) : tensor<?x256xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<?x256xf32>) outs(%4 : tensor<?x256xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %33 = arith.truncf %in : f32 to bf16
      linalg.yield %33 : bf16
    } -> tensor<?x256xbf16>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %extracted_slice_5 : tensor<?x256xbf16>, tensor<?x256xbf16>) outs(%4 : tensor<?x256xbf16>) {
    ^bb0(%in: bf16, %in_6: bf16, %out: bf16):
      %33 = arith.mulf %in, %in_6 : bf16
      linalg.yield %33 : bf16
    } -> tensor<?x256xbf16>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<?x256xbf16>) outs(%4 : tensor<?x256xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %33 = math.absf %in : bf16
      linalg.yield %33 : bf16
    } -> tensor<?x256xbf16>
    %8 = tensor.empty(%dim) : tensor<?xi64>
    %9 = linalg.fill ins(%c0_i64 : i64) outs(%8 : tensor<?xi64>) -> tensor<?xi64>
    %10 = tensor.empty(%dim) : tensor<?xbf16>
    %11 = linalg.fill ins(%cst_0 : bf16) outs(%10 : tensor<?xbf16>) -> tensor<?xbf16>
    %12:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<?x256xbf16>) outs(%11, %9 : tensor<?xbf16>, tensor<?xi64>) {
    ^bb0(%in: bf16, %out: bf16, %out_6: i64):
      %33 = linalg.index 1 : index
      %34 = arith.index_cast %33 : index to i64
      %35 = arith.maximumf %in, %out : bf16
      %36 = arith.cmpf ogt, %in, %out : bf16
      %37 = arith.select %36, %34, %out_6 : i64
      linalg.yield %35, %37 : bf16, i64
    } -> (tensor<?xbf16>, tensor<?xi64>)
    %expanded = tensor.expand_shape %12#0 [[0, 1]] output_shape [%dim, 1] : tensor<?xbf16> into tensor<?x1xbf16>
    %13 = tensor.empty(%dim) : tensor<?x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<?x1xbf16>) outs(%13 : tensor<?x1xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %33 = arith.extf %in : bf16 to f32
      linalg.yield %33 : f32
    } -> tensor<?x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<?x1xf32>) outs(%13 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.divf %in, %cst_3 : f32
      linalg.yield %33 : f32
    } -> tensor<?x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<?x1xf32>) outs(%13 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.truncf %cst_2 : f64 to f32
      %34 = arith.cmpf ult, %in, %33 : f32
      %35 = arith.select %34, %33, %in : f32
      linalg.yield %35 : f32
    } -> tensor<?x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<?x256xbf16>) outs(%0 : tensor<?x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %33 = arith.extf %in : bf16 to f32
      linalg.yield %33 : f32
    } -> tensor<?x256xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%17, %16 : tensor<?x256xf32>, tensor<?x1xf32>) outs(%0 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %33 = arith.divf %in, %in_6 : f32
      linalg.yield %33 : f32
    } -> tensor<?x256xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<?x256xf32>) outs(%0 : tensor<?x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %33 = arith.cmpf ult, %in, %cst_4 : f32
      %34 = arith.select %33, %cst_4, %in : f32
      %35 = arith.cmpf ugt, %34, %cst_3 : f32
      %36 = arith.select %35, %cst_3, %34 : f32
      linalg.yield %36 : f32
    } -> tensor<?x256xf32>
    %20 = tensor.empty(%dim) : tensor<?x256xf8E4M3FN>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<?x256xf32>) outs(%20 : tensor<?x256xf8E4M3FN>) {
    ^bb0(%in: f32, %out: f8E4M3FN):
      %33 = arith.truncf %in : f32 to f8E4M3FN
      linalg.yield %33 : f8E4M3FN
    } -> tensor<?x256xf8E4M3FN>
    %22 = tensor.empty() : tensor<256x128xf8E4M3FN>
    %transposed = linalg.transpose ins(%arg1 : tensor<128x256xf8E4M3FN>) outs(%22 : tensor<256x128xf8E4M3FN>) permutation = [1, 0] 
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<?x256xf8E4M3FN>) outs(%0 : tensor<?x256xf32>) {
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
    %27 = linalg.fill ins(%cst_1 : f32) outs(%26 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %28 = linalg.matmul ins(%23, %25 : tensor<?x256xf32>, tensor<256x128xf32>) outs(%27 : tensor<?x128xf32>) -> tensor<?x128xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%28, %16 : tensor<?x128xf32>, tensor<?x1xf32>) outs(%26 : tensor<?x128xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %33 = arith.mulf %in, %in_6 : f32
      linalg.yield %33 : f32
    } -> tensor<?x128xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%29, %arg2 : tensor<?x128xf32>, tensor<1x128xf32>) outs(%26 : tensor<?x128xf32>) {
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
    return %32 : tensor<?x128xbf16>
  }
}
