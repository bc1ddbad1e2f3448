// Written by export_jax.py.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> ()>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1) -> (0, d1)>
#map7 = affine_map<() -> ()>
#map8 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map9 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map10 = affine_map<(d0, d1, d2) -> (d0, d1)>
module @jit_per_token_fp8 attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x256xbf16>, %arg1: tensor<16x256xbf16>, %arg2: tensor<256xbf16>, %arg3: tensor<128x256xf8E4M3FN>, %arg4: tensor<1x128xf32>) -> (tensor<16x128xbf16> {jax.result_info = "result[0]"}, tensor<16x256xbf16> {jax.result_info = "result[1]"}) {
    %cst = arith.constant dense<-4.480000e+02> : tensor<f32>
    %cst_0 = arith.constant dense<9.99999996E-13> : tensor<f32>
    %cst_1 = arith.constant dense<4.480000e+02> : tensor<f32>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_3 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %cst_4 = arith.constant dense<2.560000e+02> : tensor<f32>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<16x256xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<16x256xbf16>, tensor<16x256xbf16>) outs(%0 : tensor<16x256xbf16>) {
    ^bb0(%in: bf16, %in_11: bf16, %out: bf16):
      %83 = arith.addf %in, %in_11 : bf16
      linalg.yield %83 : bf16
    } -> tensor<16x256xbf16>
    %2 = tensor.empty() : tensor<16x256xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<16x256xbf16>) outs(%2 : tensor<16x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %83 = arith.extf %in : bf16 to f32
      linalg.yield %83 : f32
    } -> tensor<16x256xf32>
    %4 = tensor.empty() : tensor<16x256xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %3 : tensor<16x256xf32>, tensor<16x256xf32>) outs(%4 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %83 = arith.mulf %in, %in_11 : f32
      linalg.yield %83 : f32
    } -> tensor<16x256xf32>
    %cst_6 = arith.constant 0.000000e+00 : f32
    %6 = tensor.empty() : tensor<16xf32>
    %7 = linalg.fill ins(%cst_6 : f32) outs(%6 : tensor<16xf32>) -> tensor<16xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%5 : tensor<16x256xf32>) outs(%7 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_11 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_11[] : tensor<f32>
      %extracted_12 = tensor.extract %from_elements[] : tensor<f32>
      %83 = arith.addf %extracted, %extracted_12 : f32
      %from_elements_13 = tensor.from_elements %83 : tensor<f32>
      %extracted_14 = tensor.extract %from_elements_13[] : tensor<f32>
      linalg.yield %extracted_14 : f32
    } -> tensor<16xf32>
    %9 = tensor.empty() : tensor<16x1xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<16xf32>) outs(%9 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x1xf32>
    %11 = tensor.empty() : tensor<16x1xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%11 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x1xf32>
    %13 = tensor.empty() : tensor<16x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%10, %12 : tensor<16x1xf32>, tensor<16x1xf32>) outs(%13 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %83 = arith.divf %in, %in_11 : f32
      linalg.yield %83 : f32
    } -> tensor<16x1xf32>
    %15 = tensor.empty() : tensor<16x1xf32>
    %16 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%15 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x1xf32>
    %17 = tensor.empty() : tensor<16x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %16 : tensor<16x1xf32>, tensor<16x1xf32>) outs(%17 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %83 = arith.addf %in, %in_11 : f32
      linalg.yield %83 : f32
    } -> tensor<16x1xf32>
    %19 = tensor.empty() : tensor<16x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<16x1xf32>) outs(%19 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %83 = math.rsqrt %in : f32
      linalg.yield %83 : f32
    } -> tensor<16x1xf32>
    %21 = tensor.empty() : tensor<16x256xf32>
    %22 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<16x1xf32>) outs(%21 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x256xf32>
    %23 = tensor.empty() : tensor<16x256xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %22 : tensor<16x256xf32>, tensor<16x256xf32>) outs(%23 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %83 = arith.mulf %in, %in_11 : f32
      linalg.yield %83 : f32
    } -> tensor<16x256xf32>
    %25 = tensor.empty() : tensor<256xf32>
    %26 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel"]} ins(%arg2 : tensor<256xbf16>) outs(%25 : tensor<256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %83 = arith.extf %in : bf16 to f32
      linalg.yield %83 : f32
    } -> tensor<256xf32>
    %27 = tensor.empty() : tensor<1x256xf32>
    %28 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<256xf32>) outs(%27 : tensor<1x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x256xf32>
    %29 = tensor.empty() : tensor<16x256xf32>
    %30 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel"]} ins(%28 : tensor<1x256xf32>) outs(%29 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x256xf32>
    %31 = tensor.empty() : tensor<16x256xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%24, %30 : tensor<16x256xf32>, tensor<16x256xf32>) outs(%31 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %83 = arith.mulf %in, %in_11 : f32
      linalg.yield %83 : f32
    } -> tensor<16x256xf32>
    %33 = tensor.empty() : tensor<16x256xbf16>
    %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%32 : tensor<16x256xf32>) outs(%33 : tensor<16x256xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %83 = arith.truncf %in : f32 to bf16
      linalg.yield %83 : bf16
    } -> tensor<16x256xbf16>
    %35 = tensor.empty() : tensor<16x256xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%34 : tensor<16x256xbf16>) outs(%35 : tensor<16x256xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %83 = arith.extf %in : bf16 to f32
      linalg.yield %83 : f32
    } -> tensor<16x256xf32>
    %37 = tensor.empty() : tensor<16x256xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<16x256xf32>) outs(%37 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      %83 = math.absf %in : f32
      linalg.yield %83 : f32
    } -> tensor<16x256xf32>
    %cst_7 = arith.constant 0xFF800000 : f32
    %39 = tensor.empty() : tensor<16xf32>
    %40 = linalg.fill ins(%cst_7 : f32) outs(%39 : tensor<16xf32>) -> tensor<16xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%38 : tensor<16x256xf32>) outs(%40 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_11 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_11[] : tensor<f32>
      %extracted_12 = tensor.extract %from_elements[] : tensor<f32>
      %83 = arith.maximumf %extracted, %extracted_12 : f32
      %from_elements_13 = tensor.from_elements %83 : tensor<f32>
      %extracted_14 = tensor.extract %from_elements_13[] : tensor<f32>
      linalg.yield %extracted_14 : f32
    } -> tensor<16xf32>
    %42 = tensor.empty() : tensor<16x1xf32>
    %43 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%41 : tensor<16xf32>) outs(%42 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x1xf32>
    %44 = tensor.empty() : tensor<16x1xf32>
    %45 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%44 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x1xf32>
    %46 = tensor.empty() : tensor<16x1xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%43, %45 : tensor<16x1xf32>, tensor<16x1xf32>) outs(%46 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %83 = arith.divf %in, %in_11 : f32
      linalg.yield %83 : f32
    } -> tensor<16x1xf32>
    %48 = tensor.empty() : tensor<16x1xf32>
    %49 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%48 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x1xf32>
    %50 = tensor.empty() : tensor<16x1xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%47, %49 : tensor<16x1xf32>, tensor<16x1xf32>) outs(%50 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %83 = arith.maximumf %in, %in_11 : f32
      linalg.yield %83 : f32
    } -> tensor<16x1xf32>
    %52 = tensor.empty() : tensor<16x256xf32>
    %53 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%51 : tensor<16x1xf32>) outs(%52 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x256xf32>
    %54 = tensor.empty() : tensor<16x256xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%36, %53 : tensor<16x256xf32>, tensor<16x256xf32>) outs(%54 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %83 = arith.divf %in, %in_11 : f32
      linalg.yield %83 : f32
    } -> tensor<16x256xf32>
    %56 = tensor.empty() : tensor<f32>
    %cst_8 = arith.constant -4.480000e+02 : f32
    %57 = linalg.generic {indexing_maps = [#map7], iterator_types = []} outs(%56 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst_8 : f32
    } -> tensor<f32>
    %58 = tensor.empty() : tensor<16x256xf32>
    %59 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%57 : tensor<f32>) outs(%58 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x256xf32>
    %60 = tensor.empty() : tensor<16x256xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%59, %55 : tensor<16x256xf32>, tensor<16x256xf32>) outs(%60 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %83 = arith.maximumf %in, %in_11 : f32
      linalg.yield %83 : f32
    } -> tensor<16x256xf32>
    %62 = tensor.empty() : tensor<f32>
    %cst_9 = arith.constant 4.480000e+02 : f32
    %63 = linalg.generic {indexing_maps = [#map7], iterator_types = []} outs(%62 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst_9 : f32
    } -> tensor<f32>
    %64 = tensor.empty() : tensor<16x256xf32>
    %65 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%63 : tensor<f32>) outs(%64 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x256xf32>
    %66 = tensor.empty() : tensor<16x256xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%65, %61 : tensor<16x256xf32>, tensor<16x256xf32>) outs(%66 : tensor<16x256xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %83 = arith.minimumf %in, %in_11 : f32
      linalg.yield %83 : f32
    } -> tensor<16x256xf32>
    %68 = tensor.empty() : tensor<16x256xf8E4M3FN>
    %69 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%67 : tensor<16x256xf32>) outs(%68 : tensor<16x256xf8E4M3FN>) {
    ^bb0(%in: f32, %out: f8E4M3FN):
      %83 = arith.truncf %in : f32 to f8E4M3FN
      linalg.yield %83 : f8E4M3FN
    } -> tensor<16x256xf8E4M3FN>
    %70 = tensor.empty() : tensor<16x128xf32>
    %cst_10 = arith.constant 0.000000e+00 : f32
    %71 = linalg.fill ins(%cst_10 : f32) outs(%70 : tensor<16x128xf32>) -> tensor<16x128xf32>
    %72 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%69, %arg3 : tensor<16x256xf8E4M3FN>, tensor<128x256xf8E4M3FN>) outs(%71 : tensor<16x128xf32>) {
    ^bb0(%in: f8E4M3FN, %in_11: f8E4M3FN, %out: f32):
      %83 = arith.extf %in : f8E4M3FN to f32
      %84 = arith.extf %in_11 : f8E4M3FN to f32
      %85 = arith.mulf %83, %84 : f32
      %86 = arith.addf %out, %85 : f32
      linalg.yield %86 : f32
    } -> tensor<16x128xf32>
    %73 = tensor.empty() : tensor<16x128xf32>
    %74 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%51 : tensor<16x1xf32>) outs(%73 : tensor<16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x128xf32>
    %75 = tensor.empty() : tensor<16x128xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%72, %74 : tensor<16x128xf32>, tensor<16x128xf32>) outs(%75 : tensor<16x128xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %83 = arith.mulf %in, %in_11 : f32
      linalg.yield %83 : f32
    } -> tensor<16x128xf32>
    %77 = tensor.empty() : tensor<16x128xf32>
    %78 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<1x128xf32>) outs(%77 : tensor<16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x128xf32>
    %79 = tensor.empty() : tensor<16x128xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%76, %78 : tensor<16x128xf32>, tensor<16x128xf32>) outs(%79 : tensor<16x128xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %83 = arith.mulf %in, %in_11 : f32
      linalg.yield %83 : f32
    } -> tensor<16x128xf32>
    %81 = tensor.empty() : tensor<16x128xbf16>
    %82 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%80 : tensor<16x128xf32>) outs(%81 : tensor<16x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %83 = arith.truncf %in : f32 to bf16
      linalg.yield %83 : bf16
    } -> tensor<16x128xbf16>
    return %82, %1 : tensor<16x128xbf16>, tensor<16x256xbf16>
  }
}

