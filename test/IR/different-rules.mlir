// Ops that differ in a parameter of a rule alone are never merged; equal ones
// are, so that it is the rule that keeps them apart.
// RUN: qfuse-opt %s --cse --canonicalize | FileCheck %s

#block = #qfuse.format<block = [1, 32]>

// CHECK-LABEL: func.func @scale_rules
//  CHECK-SAME:     %[[X:.+]]: tensor<?x64xf32>
func.func @scale_rules(%x: tensor<?x64xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>) {
  // CHECK: %[[BASE:.+]] = qfuse.block_scale %[[X]]
  %base = qfuse.block_scale %x {format = #block, rule = #qfuse.scale_rule<max = 224.0>} : tensor<?x64xf32> -> tensor<?x2xf32>
  // CHECK-NEXT: %[[MAX:.+]] = qfuse.block_scale %[[X]]
  %max = qfuse.block_scale %x {format = #block, rule = #qfuse.scale_rule<max = 240.0>} : tensor<?x64xf32> -> tensor<?x2xf32>
  // CHECK-NEXT: %[[DIVIDE:.+]] = qfuse.block_scale %[[X]]
  %divide = qfuse.block_scale %x {format = #block, rule = #qfuse.scale_rule<max = 224.0, divide = by_reciprocal_constant>} : tensor<?x64xf32> -> tensor<?x2xf32>
  // CHECK-NEXT: %[[AMAX:.+]] = qfuse.block_scale %[[X]]
  %amax = qfuse.block_scale %x {format = #block, rule = #qfuse.scale_rule<max = 224.0, amax_floor = 1.0e-10>} : tensor<?x64xf32> -> tensor<?x2xf32>
  // CHECK-NEXT: %[[FLOOR:.+]] = qfuse.block_scale %[[X]]
  %floor = qfuse.block_scale %x {format = #block, rule = #qfuse.scale_rule<max = 224.0, scale_floor = 1.0e-10>} : tensor<?x64xf32> -> tensor<?x2xf32>
  // CHECK-NEXT: %[[ZERO:.+]] = qfuse.block_scale %[[X]]
  %zero = qfuse.block_scale %x {format = #block, rule = #qfuse.scale_rule<max = 224.0, zero = one>} : tensor<?x64xf32> -> tensor<?x2xf32>
  // CHECK-NEXT: %[[ZERO_NAN:.+]] = qfuse.block_scale %[[X]]
  %zero_nan = qfuse.block_scale %x {format = #block, rule = #qfuse.scale_rule<max = 224.0, zero = nan>} : tensor<?x64xf32> -> tensor<?x2xf32>
  // CHECK-NEXT: %[[NAN:.+]] = qfuse.block_scale %[[X]]
  %nan = qfuse.block_scale %x {format = #block, rule = #qfuse.scale_rule<max = 224.0, nan = ignore>} : tensor<?x64xf32> -> tensor<?x2xf32>
  // CHECK-NEXT: %[[EVEN:.+]] = qfuse.block_scale %[[X]]
  %even = qfuse.block_scale %x {format = #block, rule = #qfuse.scale_rule<max = 224.0, pow2 = even>} : tensor<?x64xf32> -> tensor<?x2xf32>
  // CHECK-NEXT: %[[BITS:.+]] = qfuse.block_scale %[[X]]
  %bits = qfuse.block_scale %x {format = #block, rule = #qfuse.scale_rule<max = 224.0, pow2 = even, even_bits = 3>} : tensor<?x64xf32> -> tensor<?x2xf32>
  // CHECK-NEXT: return %[[BASE]], %[[MAX]], %[[DIVIDE]], %[[AMAX]], %[[FLOOR]], %[[ZERO]], %[[ZERO_NAN]], %[[NAN]], %[[EVEN]], %[[BITS]]
  return %base, %max, %divide, %amax, %floor, %zero, %zero_nan, %nan, %even, %bits : tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>
}

// CHECK-LABEL: func.func @encode_rules
//  CHECK-SAME:     %[[X:.+]]: tensor<?x64xf32>, %[[S:.+]]: tensor<?x2xf32>
func.func @encode_rules(%x: tensor<?x64xf32>, %s: tensor<?x2xf32>) -> (tensor<?x64xi8>, tensor<?x64xi8>, tensor<?x64xi8>, tensor<?x64xi8>, tensor<?x64xi8>, tensor<?x64xi8>) {
  // CHECK: %[[BASE:.+]] = qfuse.quantize %[[X]] by %[[S]]
  %base = qfuse.quantize %x by %s {format = #block} : tensor<?x64xf32>, tensor<?x2xf32> -> tensor<?x64xi8>
  // CHECK-NEXT: %[[APPLY:.+]] = qfuse.quantize %[[X]] by %[[S]]
  %apply = qfuse.quantize %x by %s {format = #block, rule = #qfuse.encode_rule<apply = reciprocal>} : tensor<?x64xf32>, tensor<?x2xf32> -> tensor<?x64xi8>
  // CHECK-NEXT: %[[ROUND:.+]] = qfuse.quantize %[[X]] by %[[S]]
  %round = qfuse.quantize %x by %s {format = #block, rule = #qfuse.encode_rule<round = rtz>} : tensor<?x64xf32>, tensor<?x2xf32> -> tensor<?x64xi8>
  // CHECK-NEXT: %[[OVERFLOW:.+]] = qfuse.quantize %[[X]] by %[[S]]
  %overflow = qfuse.quantize %x by %s {format = #block, rule = #qfuse.encode_rule<overflow = ieee>} : tensor<?x64xf32>, tensor<?x2xf32> -> tensor<?x64xi8>
  // CHECK-NEXT: %[[MAX:.+]] = qfuse.quantize %[[X]] by %[[S]]
  %max = qfuse.quantize %x by %s {format = #block, rule = #qfuse.encode_rule<max = 127.0>} : tensor<?x64xf32>, tensor<?x2xf32> -> tensor<?x64xi8>
  // CHECK-NEXT: %[[MIN:.+]] = qfuse.quantize %[[X]] by %[[S]]
  %min = qfuse.quantize %x by %s {format = #block, rule = #qfuse.encode_rule<min = -127.0>} : tensor<?x64xf32>, tensor<?x2xf32> -> tensor<?x64xi8>
  // CHECK-NEXT: return %[[BASE]], %[[APPLY]], %[[ROUND]], %[[OVERFLOW]], %[[MAX]], %[[MIN]]
  return %base, %apply, %round, %overflow, %max, %min : tensor<?x64xi8>, tensor<?x64xi8>, tensor<?x64xi8>, tensor<?x64xi8>, tensor<?x64xi8>, tensor<?x64xi8>
}

// CHECK-LABEL: func.func @equal_rules
func.func @equal_rules(%x: tensor<?x64xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
  // CHECK: %[[S:.+]] = qfuse.block_scale
  %a = qfuse.block_scale %x {format = #block, rule = #qfuse.scale_rule<max = 224.0>} : tensor<?x64xf32> -> tensor<?x2xf32>
  %b = qfuse.block_scale %x {format = #block, rule = #qfuse.scale_rule<max = 224.0, zero = keep>} : tensor<?x64xf32> -> tensor<?x2xf32>
  // CHECK-NEXT: return %[[S]], %[[S]]
  return %a, %b : tensor<?x2xf32>, tensor<?x2xf32>
}

// CHECK-LABEL: func.func @ropes
//  CHECK-SAME:     %[[X:.+]]: tensor<?x64xf32>, %[[C:.+]]: tensor<?x16xf32>, %[[S:.+]]: tensor<?x16xf32>
func.func @ropes(%x: tensor<?x64xf32>, %c: tensor<?x16xf32>, %s: tensor<?x16xf32>) -> (tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x64xf32>) {
  // CHECK: %[[BASE:.+]] = qfuse.rope %[[X]], %[[C]], %[[S]]
  %base = qfuse.rope %x, %c, %s {style = #qfuse.rope_style<half>} : tensor<?x64xf32>, tensor<?x16xf32>, tensor<?x16xf32> -> tensor<?x64xf32>
  // CHECK-NEXT: %[[STYLE:.+]] = qfuse.rope %[[X]], %[[C]], %[[S]]
  %style = qfuse.rope %x, %c, %s {style = #qfuse.rope_style<interleaved>} : tensor<?x64xf32>, tensor<?x16xf32>, tensor<?x16xf32> -> tensor<?x64xf32>
  // CHECK-NEXT: %[[INVERSE:.+]] = qfuse.rope %[[X]], %[[C]], %[[S]]
  %inverse = qfuse.rope %x, %c, %s {inverse, style = #qfuse.rope_style<half>} : tensor<?x64xf32>, tensor<?x16xf32>, tensor<?x16xf32> -> tensor<?x64xf32>
  // CHECK-NEXT: %[[OFFSET:.+]] = qfuse.rope %[[X]], %[[C]], %[[S]]
  %offset = qfuse.rope %x, %c, %s {offset = 32, style = #qfuse.rope_style<half>} : tensor<?x64xf32>, tensor<?x16xf32>, tensor<?x16xf32> -> tensor<?x64xf32>
  // CHECK-NEXT: %[[WIDTH:.+]] = qfuse.rope %[[X]], %[[C]], %[[S]]
  %width = qfuse.rope %x, %c, %s {style = #qfuse.rope_style<half>, width = 16} : tensor<?x64xf32>, tensor<?x16xf32>, tensor<?x16xf32> -> tensor<?x64xf32>
  // CHECK-NEXT: %[[PRODUCT:.+]] = qfuse.rope %[[X]], %[[C]], %[[S]]
  %product = qfuse.rope %x, %c, %s {product = bf16, style = #qfuse.rope_style<half>} : tensor<?x64xf32>, tensor<?x16xf32>, tensor<?x16xf32> -> tensor<?x64xf32>
  // CHECK-NEXT: return %[[BASE]], %[[STYLE]], %[[INVERSE]], %[[OFFSET]], %[[WIDTH]], %[[PRODUCT]]
  return %base, %style, %inverse, %offset, %width, %product : tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x64xf32>
}

// CHECK-LABEL: func.func @activations
//  CHECK-SAME:     %[[G:.+]]: tensor<?x64xf32>
func.func @activations(%g: tensor<?x64xf32>) -> (tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x64xf32>) {
  // CHECK: %[[BASE:.+]] = qfuse.gated_activation %[[G]], %[[G]]
  %base = qfuse.gated_activation %g, %g {activation = #qfuse.activation<gelu_erf>} : tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?x64xf32>
  // CHECK-NEXT: %[[TANH:.+]] = qfuse.gated_activation %[[G]], %[[G]]
  %tanh = qfuse.gated_activation %g, %g {activation = #qfuse.activation<gelu_tanh>} : tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?x64xf32>
  // CHECK-NEXT: %[[ACTIVATED:.+]] = qfuse.gated_activation %[[G]], %[[G]]
  %activated = qfuse.gated_activation %g, %g {activated = bf16, activation = #qfuse.activation<gelu_erf>} : tensor<?x64xf32>, tensor<?x64xf32> -> tensor<?x64xf32>
  // CHECK-NEXT: return %[[BASE]], %[[TANH]], %[[ACTIVATED]]
  return %base, %tanh, %activated : tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x64xf32>
}
