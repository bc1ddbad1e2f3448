// RUN: qfuse-opt %s --qfuse-verify-legal --split-input-file --verify-diagnostics

#per_token = #qfuse.format<block = [1, 0]>
#col = #qfuse.layout<map = (m, k) -> (k, m)>
#whole = affine_set<(m, n, k) : (k mod 128 == 0)>
#gemm = #qfuse.matmul_row<name = "gemm", a = <type = f8E4M3FN, format = #per_token, scale_layout = #col>, b = <type = f8E4M3FN, format = #per_token>, results = [bf16], when = #whole>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {fp8 = "ocp"}, costs = {}, rows = [#gemm]>} {
  func.func @legal(
      %a: tensor<?x128xf8E4M3FN>,
      %as: !qfuse.packed<?x1xf32, #col>,
      %b: tensor<80x128xf8E4M3FN>, %bs: tensor<80x1xf32>) -> tensor<?x80xbf16> {
    %y = qfuse.scaled_matmul %a by %as, %b by %bs {a_format = #per_token, b_format = #per_token}
        : tensor<?x128xf8E4M3FN>, !qfuse.packed<?x1xf32, #col>, tensor<80x128xf8E4M3FN>, tensor<80x1xf32> -> tensor<?x80xbf16>
    return %y : tensor<?x80xbf16>
  }
}

// -----

#per_token = #qfuse.format<block = [1, 0]>
#col = #qfuse.layout<map = (m, k) -> (k, m)>
#whole = affine_set<(m, n, k) : (k mod 128 == 0)>
#gemm = #qfuse.matmul_row<name = "gemm", a = <type = f8E4M3FN, format = #per_token, scale_layout = #col>, b = <type = f8E4M3FN, format = #per_token>, results = [bf16], when = #whole>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {fp8 = "ocp"}, costs = {}, rows = [#gemm]>} {
  func.func @scales_of_another_layout(
      %a: tensor<?x128xf8E4M3FN>,
      // expected-note @below {{scales of A comes from here}}
      %as: tensor<?x1xf32>,
      %b: tensor<80x128xf8E4M3FN>, %bs: tensor<80x1xf32>) -> tensor<?x80xbf16> {
    // expected-error @below {{'qfuse.scaled_matmul' op ScaleLayoutMismatch: expected scales of A in #qfuse.layout<map = (d0, d1) -> (d1, d0)>, as row 'gemm' of the target reads it, got 'tensor<?x1xf32>'}}
    %y = qfuse.scaled_matmul %a by %as, %b by %bs {a_format = #per_token, b_format = #per_token}
        : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>, tensor<80x128xf8E4M3FN>, tensor<80x1xf32> -> tensor<?x80xbf16>
    return %y : tensor<?x80xbf16>
  }
}

// -----

// The producer is named, also across a kernel.
#per_token = #qfuse.format<block = [1, 0]>
#col = #qfuse.layout<map = (m, k) -> (k, m)>
#whole = affine_set<(m, n, k) : (k mod 128 == 0)>
#gemm = #qfuse.matmul_row<name = "gemm", a = <type = f8E4M3FN, format = #per_token, scale_layout = #col>, b = <type = f8E4M3FN, format = #per_token>, results = [bf16], when = #whole>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {fp8 = "ocp"}, costs = {}, rows = [#gemm]>} {
  func.func @scales_of_a_kernel(%x: tensor<?x128xbf16>, %b: tensor<80x128xf8E4M3FN>, %bs: tensor<80x1xf32>) -> tensor<?x80xbf16> {
    // expected-note @below {{scales of A comes from here}}
    %s = qfuse.block_scale %x {format = #per_token, rule = #qfuse.scale_rule<max = 448.0, amax_floor = 1.0e-10>} : tensor<?x128xbf16> -> tensor<?x1xf32>
    %q = qfuse.quantize %x by %s {format = #per_token} : tensor<?x128xbf16>, tensor<?x1xf32> -> tensor<?x128xf8E4M3FN>
    // expected-error @below {{ScaleLayoutMismatch: expected scales of A in #qfuse.layout<map = (d0, d1) -> (d1, d0)>, as row 'gemm' of the target reads it, got 'tensor<?x1xf32>'}}
    %y = qfuse.scaled_matmul %q by %s, %b by %bs {a_format = #per_token, b_format = #per_token}
        : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>, tensor<80x128xf8E4M3FN>, tensor<80x1xf32> -> tensor<?x80xbf16>
    return %y : tensor<?x80xbf16>
  }
}

// -----

#per_token = #qfuse.format<block = [1, 0]>
#col = #qfuse.layout<map = (m, k) -> (k, m)>
#whole = affine_set<(m, n, k) : (k mod 128 == 0)>
#gemm = #qfuse.matmul_row<name = "gemm", a = <type = f8E4M3FN, format = #per_token, scale_layout = #col>, b = <type = f8E4M3FN, format = #per_token>, results = [bf16], when = #whole>
#gemm_b_col = #qfuse.matmul_row<name = "gemm_b_col", a = <type = f8E4M3FN, format = #per_token, scale_layout = #col>, b = <type = f8E4M3FN, layout = #col, format = #per_token>, results = [bf16], when = #whole>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {fp8 = "ocp"}, costs = {}, rows = [#gemm, #gemm_b_col]>} {
  func.func @weight_of_another_layout(
      %a: tensor<?x128xf8E4M3FN>,
      %as: !qfuse.packed<?x1xf32, #col>,
      // expected-note @below {{B comes from here}}
      %b: !qfuse.packed<80x128xf8E4M3FN, #qfuse.layout<map = (n, k) -> (n, k), align = [16, 1]>>, %bs: tensor<80x1xf32>) -> tensor<?x80xbf16> {
    // expected-error @below {{'qfuse.scaled_matmul' op WeightLayoutMismatch: expected B in row-major order, as row 'gemm' of the target reads it, got '!qfuse.packed<80x128xf8E4M3FN, #qfuse.layout<map = (d0, d1) -> (d0, d1), align = [16, 1]>>'}}
    // expected-note @below {{row 'gemm_b_col' reads B in #qfuse.layout<map = (d0, d1) -> (d1, d0)> (WeightLayoutMismatch)}}
    %y = qfuse.scaled_matmul %a by %as, %b by %bs {a_format = #per_token, b_format = #per_token}
        : tensor<?x128xf8E4M3FN>, !qfuse.packed<?x1xf32, #col>, !qfuse.packed<80x128xf8E4M3FN, #qfuse.layout<map = (n, k) -> (n, k), align = [16, 1]>>, tensor<80x1xf32> -> tensor<?x80xbf16>
    return %y : tensor<?x80xbf16>
  }
}

// -----

#per_token = #qfuse.format<block = [1, 0]>
#col = #qfuse.layout<map = (m, k) -> (k, m)>
#whole = affine_set<(m, n, k) : (k mod 128 == 0)>
#gemm = #qfuse.matmul_row<name = "gemm", a = <type = f8E4M3FN, format = #per_token, scale_layout = #col>, b = <type = f8E4M3FN, format = #per_token>, results = [bf16], when = #whole>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {fp8 = "ocp"}, costs = {}, rows = [#gemm]>} {
  func.func @extents(
      %a: tensor<?x64xf8E4M3FN>,
      %as: !qfuse.packed<?x1xf32, #col>,
      %b: tensor<80x64xf8E4M3FN>, %bs: tensor<80x1xf32>) -> tensor<?x80xbf16> {
    // expected-error @below {{'qfuse.scaled_matmul' op ExtentNotMultiple: expected extents (m, n, k) in affine_set<(d0, d1, d2) : (d2 mod 128 == 0)>, for which row 'gemm' of the target is, got A of type 'tensor<?x64xf8E4M3FN>' and B of type 'tensor<80x64xf8E4M3FN>'}}
    %y = qfuse.scaled_matmul %a by %as, %b by %bs {a_format = #per_token, b_format = #per_token}
        : tensor<?x64xf8E4M3FN>, !qfuse.packed<?x1xf32, #col>, tensor<80x64xf8E4M3FN>, tensor<80x1xf32> -> tensor<?x80xbf16>
    return %y : tensor<?x80xbf16>
  }
}

// -----

#per_token = #qfuse.format<block = [1, 0]>
#col = #qfuse.layout<map = (m, k) -> (k, m)>
#whole = affine_set<(m, n, k) : (k mod 128 == 0)>
#gemm = #qfuse.matmul_row<name = "gemm", a = <type = f8E4M3FN, format = #per_token, scale_layout = #col>, b = <type = f8E4M3FN, format = #per_token>, results = [bf16], when = #whole>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {fp8 = "ocp"}, costs = {}, rows = [#gemm]>} {
  func.func @types(
      // expected-note @below {{A comes from here}}
      %a: tensor<?x128xi8>,
      %as: !qfuse.packed<?x1xf32, #col>,
      // expected-note @below {{B comes from here}}
      %b: tensor<80x128xi8>, %bs: tensor<80x1xf32>) -> tensor<?x80xbf16> {
    // expected-error @below {{'qfuse.scaled_matmul' op NoMatmulRow: expected operands that a matmul row of the target reads, got A of type 'tensor<?x128xi8>' in #qfuse.format<block = [1, 0]> and B of type 'tensor<80x128xi8>' in #qfuse.format<block = [1, 0]> with a result of type 'tensor<?x80xbf16>'}}
    %y = qfuse.scaled_matmul %a by %as, %b by %bs {a_format = #per_token, b_format = #per_token}
        : tensor<?x128xi8>, !qfuse.packed<?x1xf32, #col>, tensor<80x128xi8>, tensor<80x1xf32> -> tensor<?x80xbf16>
    return %y : tensor<?x80xbf16>
  }
}

// -----

#per_token = #qfuse.format<block = [1, 0]>
#col = #qfuse.layout<map = (m, k) -> (k, m)>
#whole = affine_set<(m, n, k) : (k mod 128 == 0)>
#gemm = #qfuse.matmul_row<name = "gemm", a = <type = f8E4M3FN, format = #per_token, scale_layout = #col>, b = <type = f8E4M3FN, format = #per_token>, results = [bf16], when = #whole>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {fp8 = "ocp"}, costs = {}, rows = [#gemm]>} {
  func.func @result_type(
      // expected-note @below {{A comes from here}}
      %a: tensor<?x128xf8E4M3FN>,
      %as: !qfuse.packed<?x1xf32, #col>,
      // expected-note @below {{B comes from here}}
      %b: tensor<80x128xf8E4M3FN>, %bs: tensor<80x1xf32>) -> tensor<?x80xf32> {
    // expected-error @below {{'qfuse.scaled_matmul' op NoMatmulRow: expected operands that a matmul row of the target reads, got A of type 'tensor<?x128xf8E4M3FN>' in #qfuse.format<block = [1, 0]> and B of type 'tensor<80x128xf8E4M3FN>' in #qfuse.format<block = [1, 0]> with a result of type 'tensor<?x80xf32>'}}
    %y = qfuse.scaled_matmul %a by %as, %b by %bs {a_format = #per_token, b_format = #per_token}
        : tensor<?x128xf8E4M3FN>, !qfuse.packed<?x1xf32, #col>, tensor<80x128xf8E4M3FN>, tensor<80x1xf32> -> tensor<?x80xf32>
    return %y : tensor<?x80xf32>
  }
}

// -----

#per_token = #qfuse.format<block = [1, 0]>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {fp8 = "ocp"}, costs = {}, rows = []>} {
  func.func @ocp_codes_on_ocp(%x: tensor<?x128xbf16>, %s: tensor<?x1xf32>) -> tensor<?x128xf8E4M3FN> {
    %q = qfuse.quantize %x by %s {format = #per_token} : tensor<?x128xbf16>, tensor<?x1xf32> -> tensor<?x128xf8E4M3FN>
    return %q : tensor<?x128xf8E4M3FN>
  }
}

// -----

#per_token = #qfuse.format<block = [1, 0]>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {fp8 = "fnuz"}, costs = {}, rows = []>} {
  func.func @ocp_codes_on_fnuz(%x: tensor<?x128xbf16>, %s: tensor<?x1xf32>) -> tensor<?x128xf8E4M3FN> {
    // expected-error @below {{'qfuse.quantize' op Fp8FlavorUnsupported: expected codes of the fnuz flavor of fp8, which is that of the target, got 'f8E4M3FN'}}
    %q = qfuse.quantize %x by %s {format = #per_token} : tensor<?x128xbf16>, tensor<?x1xf32> -> tensor<?x128xf8E4M3FN>
    return %q : tensor<?x128xf8E4M3FN>
  }
}

// -----

#per_token = #qfuse.format<block = [1, 0]>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {fp8 = "ocp"}, costs = {}, rows = []>} {
  func.func @ocp_codes_on_ocp(%x: tensor<?x128xbf16>, %s: tensor<?x1xf32>) -> tensor<?x128xf8E5M2> {
    %q = qfuse.quantize %x by %s {format = #per_token} : tensor<?x128xbf16>, tensor<?x1xf32> -> tensor<?x128xf8E5M2>
    return %q : tensor<?x128xf8E5M2>
  }
}

// -----

#per_token = #qfuse.format<block = [1, 0]>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {fp8 = "fnuz"}, costs = {}, rows = []>} {
  func.func @ocp_codes_on_fnuz(%x: tensor<?x128xbf16>, %s: tensor<?x1xf32>) -> tensor<?x128xf8E5M2> {
    // expected-error @below {{'qfuse.quantize' op Fp8FlavorUnsupported: expected codes of the fnuz flavor of fp8, which is that of the target, got 'f8E5M2'}}
    %q = qfuse.quantize %x by %s {format = #per_token} : tensor<?x128xbf16>, tensor<?x1xf32> -> tensor<?x128xf8E5M2>
    return %q : tensor<?x128xf8E5M2>
  }
}

// -----

#per_token = #qfuse.format<block = [1, 0]>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {fp8 = "ocp"}, costs = {}, rows = []>} {
  func.func @fnuz_codes_on_ocp(%x: tensor<?x128xbf16>, %s: tensor<?x1xf32>) -> tensor<?x128xf8E4M3FNUZ> {
    // expected-error @below {{'qfuse.quantize' op Fp8FlavorUnsupported: expected codes of the ocp flavor of fp8, which is that of the target, got 'f8E4M3FNUZ'}}
    %q = qfuse.quantize %x by %s {format = #per_token} : tensor<?x128xbf16>, tensor<?x1xf32> -> tensor<?x128xf8E4M3FNUZ>
    return %q : tensor<?x128xf8E4M3FNUZ>
  }
}

// -----

#per_token = #qfuse.format<block = [1, 0]>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {fp8 = "fnuz"}, costs = {}, rows = []>} {
  func.func @fnuz_codes_on_fnuz(%x: tensor<?x128xbf16>, %s: tensor<?x1xf32>) -> tensor<?x128xf8E4M3FNUZ> {
    %q = qfuse.quantize %x by %s {format = #per_token} : tensor<?x128xbf16>, tensor<?x1xf32> -> tensor<?x128xf8E4M3FNUZ>
    return %q : tensor<?x128xf8E4M3FNUZ>
  }
}

// -----

#per_token = #qfuse.format<block = [1, 0]>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {fp8 = "ocp"}, costs = {}, rows = []>} {
  func.func @fnuz_codes_on_ocp(%x: tensor<?x128xbf16>, %s: tensor<?x1xf32>) -> tensor<?x128xf8E5M2FNUZ> {
    // expected-error @below {{'qfuse.quantize' op Fp8FlavorUnsupported: expected codes of the ocp flavor of fp8, which is that of the target, got 'f8E5M2FNUZ'}}
    %q = qfuse.quantize %x by %s {format = #per_token} : tensor<?x128xbf16>, tensor<?x1xf32> -> tensor<?x128xf8E5M2FNUZ>
    return %q : tensor<?x128xf8E5M2FNUZ>
  }
}

// -----

#per_token = #qfuse.format<block = [1, 0]>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {fp8 = "fnuz"}, costs = {}, rows = []>} {
  func.func @fnuz_codes_on_fnuz(%x: tensor<?x128xbf16>, %s: tensor<?x1xf32>) -> tensor<?x128xf8E5M2FNUZ> {
    %q = qfuse.quantize %x by %s {format = #per_token} : tensor<?x128xbf16>, tensor<?x1xf32> -> tensor<?x128xf8E5M2FNUZ>
    return %q : tensor<?x128xf8E5M2FNUZ>
  }
}

// -----

// Codes of eight bits that are no fp8 have no flavor.
#per_token = #qfuse.format<block = [1, 0]>
module attributes {qfuse.target = #qfuse.target<device = "made up", features = {fp8 = "ocp"}, costs = {}, rows = []>} {
  func.func @i8_codes(%x: tensor<?x128xbf16>, %s: tensor<?x1xf32>) -> tensor<?x128xi8> {
    %q = qfuse.quantize %x by %s {format = #per_token} : tensor<?x128xbf16>, tensor<?x1xf32> -> tensor<?x128xi8>
    return %q : tensor<?x128xi8>
  }
}

// -----

module attributes {qfuse.target = #qfuse.target<device = "made up", features = {fp8 = "ocp"}, costs = {}, rows = []>} {
  func.func @constant_of_packed_type() -> !qfuse.packed<4x1xf32, #qfuse.layout<map = (m, k) -> (k, m)>> {
    // expected-error @below {{'arith.constant' op expected no constant of packed type, whose bytes a dense attribute does not state, got '!qfuse.packed<4x1xf32, #qfuse.layout<map = (d0, d1) -> (d1, d0)>>'}}
    %c = arith.constant dense<1.0> : !qfuse.packed<4x1xf32, #qfuse.layout<map = (m, k) -> (k, m)>>
    return %c : !qfuse.packed<4x1xf32, #qfuse.layout<map = (m, k) -> (k, m)>>
  }
}

// -----

// expected-error @below {{expected a module with qfuse.target; run qfuse-attach-target first}}
module {}
