// The plugin adds no command-line option to its host, and loading it twice, by
// the same or by another path, changes nothing.
// RUN: mlir-opt --help-list-hidden > %t.without
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --help-list-hidden > %t.with
// RUN: not diff -U0 %t.without %t.with | FileCheck %s --check-prefix=OPTIONS
// RUN: rm -f %t.so && ln -s %plugin %t.so
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin \
// RUN:     --load-dialect-plugin=%plugin --load-pass-plugin=%plugin \
// RUN:     --load-dialect-plugin=%t.so --load-pass-plugin=%t.so \
// RUN:     --pass-pipeline='builtin.module(qfuse-fuse)' | FileCheck %s
// The tool that has it built in may load it as well.
// RUN: qfuse-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --qfuse-fuse | FileCheck %s

// Passes with their own options are all that there is more.
//      OPTIONS: {{^@@}}
// OPTIONS-NEXT: + {{ *}}--qfuse-attach-target
// OPTIONS-NEXT: + {{ *}}--provide=
// OPTIONS-NEXT: + {{ *}}--target=
// OPTIONS-NEXT: + {{ *}}--qfuse-fuse
// OPTIONS-NEXT: + {{ *}}--qfuse-inline-kernels
// OPTIONS-NEXT: + {{ *}}--qfuse-outline-kernels
// OPTIONS-NEXT: + {{ *}}--qfuse-verify-legal
// OPTIONS-NEXT: + {{ *}}--refuse-nan-rows
//  OPTIONS-NOT: {{^[+-]}}

// CHECK-LABEL: func.func @chain
//       CHECK:   qfuse.kernel
//       CHECK:     qfuse.rms_norm
//       CHECK:     qfuse.quantize
//       CHECK:   return
func.func @chain(%x: tensor<4x64xbf16>, %s: tensor<4x1xf32>) -> tensor<4x64xi8> {
  %n = qfuse.rms_norm %x {epsilon = 1.0e-6 : f32} : tensor<4x64xbf16> -> tensor<4x64xbf16>
  %q = qfuse.quantize %n by %s {format = #qfuse.format<block = [1, 0]>} : tensor<4x64xbf16>, tensor<4x1xf32> -> tensor<4x64xi8>
  return %q : tensor<4x64xi8>
}
