// A quantize that makes NaN of a zero row is refused, unless the rule says that
// it is meant, or the pass is told not to.
// RUN: qfuse-opt %s --qfuse-verify-legal --split-input-file --verify-diagnostics
// RUN: qfuse-opt %s --pass-pipeline='builtin.module(qfuse-verify-legal{refuse-nan-rows=false})' --split-input-file -o /dev/null

#per_token = #qfuse.format<block = [1, 0]>
#mxfp = #qfuse.format<block = [1, 32], scale_type = f8E8M0FNU>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}>} {
  func.func @legal(%x: tensor<?x64xbf16>, %given: tensor<?x1xf32>) {
    // Said, floors, one, and powers of two, whose smallest is no zero.
    %0 = qfuse.block_scale %x {format = #per_token, rule = #qfuse.scale_rule<max = 448.0, zero = nan>} : tensor<?x64xbf16> -> tensor<?x1xf32>
    %1 = qfuse.quantize %x by %0 {format = #per_token} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
    %2 = qfuse.block_scale %x {format = #per_token, rule = #qfuse.scale_rule<max = 448.0, amax_floor = 1.0e-10>} : tensor<?x64xbf16> -> tensor<?x1xf32>
    %3 = qfuse.quantize %x by %2 {format = #per_token} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
    %4 = qfuse.block_scale %x {format = #per_token, rule = #qfuse.scale_rule<max = 448.0, zero = one>} : tensor<?x64xbf16> -> tensor<?x1xf32>
    %5 = qfuse.quantize %x by %4 {format = #per_token} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
    %6 = qfuse.block_scale %x {format = #mxfp, rule = #qfuse.scale_rule<max = 6.0, pow2 = even>} : tensor<?x64xbf16> -> tensor<?x2xf8E8M0FNU>
    %7 = qfuse.quantize %x by %6 {format = #mxfp} : tensor<?x64xbf16>, tensor<?x2xf8E8M0FNU> -> tensor<?x64xf4E2M1FN>
    // A scale of 0, by which nothing is divided, or of which i8 makes 0.
    %8 = qfuse.block_scale %x {format = #per_token, rule = #qfuse.scale_rule<max = 448.0>} : tensor<?x64xbf16> -> tensor<?x1xf32>
    %9 = qfuse.quantize %x by %8 {format = #per_token, rule = #qfuse.encode_rule<apply = max_over_amax, max = 448.0>} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
    %10 = qfuse.quantize %x by %8 {format = #per_token} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xi8>
    // Not judged.
    %11 = qfuse.quantize %x by %given {format = #per_token} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
    return
  }
}

// -----

#per_token = #qfuse.format<block = [1, 0]>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}>} {
  func.func @zero_scale(%x: tensor<?x64xbf16>) {
    // expected-note @below {{by #qfuse.scale_rule<max = 4.480000e+02> of this block_scale}}
    %0 = qfuse.block_scale %x {format = #per_token, rule = #qfuse.scale_rule<max = 448.0>} : tensor<?x64xbf16> -> tensor<?x1xf32>
    // expected-error @below {{'qfuse.quantize' op ZeroRowIsNan: expected a scale of a zero row that zeros can be divided by, or a rule that says zero = nan, got the scale 0.000000e+00}}
    %1 = qfuse.quantize %x by %0 {format = #per_token} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
    return
  }
}

// -----

// The reciprocal of a scale as small as this is infinite.
#per_token = #qfuse.format<block = [1, 0]>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}>} {
  func.func @tiny_scale(%x: tensor<?x64xbf16>) {
    // expected-note @below {{of this block_scale}}
    %0 = qfuse.block_scale %x {format = #per_token, rule = #qfuse.scale_rule<max = 448.0, scale_floor = 1.0e-39>} : tensor<?x64xbf16> -> tensor<?x1xf32>
    %1 = qfuse.quantize %x by %0 {format = #per_token} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
    // expected-error @below {{'qfuse.quantize' op ZeroRowIsNan: expected a scale of a zero row that zeros can be divided by, or a rule that says zero = nan, got the scale 1.000000e-39}}
    %2 = qfuse.quantize %x by %0 {format = #per_token, rule = #qfuse.encode_rule<apply = reciprocal>} : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
    return
  }
}

// -----

// A floor that the type of the scale does not have; behind casts, and kernels.
#per_token = #qfuse.format<block = [1, 0]>
#nvfp4 = #qfuse.format<block = [1, 16], scale_type = f8E4M3FN, outer_scale = f32>
#f16_scales = #qfuse.format<block = [1, 0], scale_type = f16>
#col = #qfuse.layout<map = (m, k) -> (k, m)>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {}, costs = {}>} {
  func.func @rounded_floor(%x: tensor<?x64xbf16>, %o: tensor<1x1xf32>) {
    %s = qfuse.kernel ins(%in = %x : tensor<?x64xbf16>) -> (!qfuse.packed<?x1xf32, #col>) {
      // expected-note @below {{of this block_scale}}
      %0 = qfuse.block_scale %in {format = #f16_scales, rule = #qfuse.scale_rule<max = 448.0, amax_floor = 1.0e-10>} : tensor<?x64xbf16> -> tensor<?x1xf16>
      %1 = arith.extf %0 : tensor<?x1xf16> to tensor<?x1xf32>
      %2 = qfuse.pack %1 : tensor<?x1xf32> -> !qfuse.packed<?x1xf32, #col>
      qfuse.yield %2 : !qfuse.packed<?x1xf32, #col>
    }
    %q = qfuse.kernel ins(%in = %x : tensor<?x64xbf16>, %p = %s : !qfuse.packed<?x1xf32, #col>) -> (tensor<?x64xf8E5M2>) {
      // expected-error @below {{ZeroRowIsNan}}
      %0 = qfuse.quantize %in by %p {format = #per_token} : tensor<?x64xbf16>, !qfuse.packed<?x1xf32, #col> -> tensor<?x64xf8E5M2>
      qfuse.yield %0 : tensor<?x64xf8E5M2>
    }
    // expected-note @below {{of this block_scale}}
    %t = qfuse.block_scale %x outer(%o : tensor<1x1xf32>) {format = #nvfp4, rule = #qfuse.scale_rule<max = 6.0>} : tensor<?x64xbf16> -> tensor<?x4xf8E4M3FN>
    // expected-error @below {{ZeroRowIsNan}}
    %c = qfuse.quantize %x by %t outer(%o : tensor<1x1xf32>) {format = #nvfp4} : tensor<?x64xbf16>, tensor<?x4xf8E4M3FN> -> tensor<?x64xf4E2M1FN>
    return
  }
}
