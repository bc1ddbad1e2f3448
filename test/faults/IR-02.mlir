// A plugin that is missing, no library, or of another API is refused by name,
// and what needs it fails without a crash. The host has the loader, and says no
// more than this.
// RUN: not mlir-opt %s --load-pass-plugin=%t.none.so --pass-pipeline='builtin.module(qfuse-fuse)' 2>&1 | FileCheck %s --implicit-check-not='Stack dump' --check-prefix=MISSING
// RUN: echo text > %t.text.so
// RUN: not mlir-opt %s --load-pass-plugin=%t.text.so --pass-pipeline='builtin.module(qfuse-fuse)' 2>&1 | FileCheck %s --implicit-check-not='Stack dump' --check-prefix=TEXT
// RUN: clang -shared -fPIC -o %t.version.so %S/IR-02-version.c
// RUN: not mlir-opt %s --load-pass-plugin=%t.version.so --pass-pipeline='builtin.module(qfuse-fuse)' 2>&1 | FileCheck %s --implicit-check-not='Stack dump' --check-prefix=VERSION
// The own tool has the same loader.
// RUN: not qfuse-opt %s --load-dialect-plugin=%t.version.so --pass-pipeline='builtin.module(other)' 2>&1 | FileCheck %s --implicit-check-not='Stack dump' --check-prefix=VERSION
// Only half of the plugin: its passes without its dialect.
// RUN: not mlir-opt %s --load-pass-plugin=%plugin --pass-pipeline='builtin.module(qfuse-fuse)' 2>&1 | FileCheck %s --implicit-check-not='Stack dump' --check-prefix=DIALECT

// MISSING: Failed to load passes from '{{.*}}none.so'. Request ignored.
// TEXT: Failed to load passes from '{{.*}}text.so'. Request ignored.
// VERSION: Failed to load {{passes|dialect plugin}} from '{{.*}}version.so'. Request ignored.
// DIALECT: error: Dialect `qfuse' not found for custom op 'qfuse.rms_norm'

func.func @norm(%x: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  %n = qfuse.rms_norm %x {epsilon = 1.0e-6 : f32} : tensor<4x64xbf16> -> tensor<4x64xbf16>
  return %n : tensor<4x64xbf16>
}
