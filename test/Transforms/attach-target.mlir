// RUN: qfuse-opt %s --qfuse-attach-target=target=gfx950 | FileCheck %s --check-prefix=GFX950
// RUN: qfuse-opt %s --qfuse-attach-target=target=gfx942 | FileCheck %s --check-prefix=GFX942
// RUN: qfuse-opt %s --qfuse-attach-target=target=%S/Inputs/target.mlir | FileCheck %s --check-prefixes=FILE,NOTHING
// RUN: qfuse-opt %s --qfuse-attach-target='target=%S/Inputs/target.mlir provide=aiter=0.1.19' | FileCheck %s --check-prefixes=FILE,OLD
// RUN: qfuse-opt %s --qfuse-attach-target='target=%S/Inputs/target.mlir provide=aiter=0.1.20,hip=7.2' | FileCheck %s --check-prefixes=FILE,NEW
// A second run replaces what the first one stated.
// RUN: qfuse-opt %s --qfuse-attach-target=target=gfx942 --qfuse-attach-target=target=gfx950 | FileCheck %s --check-prefix=GFX950

// RUN: not qfuse-opt %s --qfuse-attach-target=target=gfx1 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not qfuse-opt %s --qfuse-attach-target=target=%S/Inputs/none.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not qfuse-opt %s --qfuse-attach-target=target=%S/Inputs/target-malformed.mlir 2>&1 | FileCheck %s --check-prefix=MALFORMED
// RUN: not qfuse-opt %s --qfuse-attach-target=target=%S/Inputs/target-absent.mlir 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not qfuse-opt %s --qfuse-attach-target=target=%S/Inputs/target-needs.mlir 2>&1 | FileCheck %s --check-prefix=NEEDS
// RUN: not qfuse-opt %s --qfuse-attach-target='target=gfx950 provide=aiter' 2>&1 | FileCheck %s --check-prefix=PROVIDE

// GFX950: #qfuse.target<device = #rocdl.target<chip = "gfx950">, features = {{.*}}fp8 = "ocp"
// GFX950: module attributes {qfuse.target =
// GFX942: #qfuse.target<device = #rocdl.target<chip = "gfx942">, features = {{.*}}fp8 = "fnuz"
// FILE: #qfuse.target<device = "made up", features = {}, costs = {}
// NOTHING-SAME: rows = [#[[ROW:[a-z0-9_]+]]]>
// OLD-SAME: rows = [#[[ROW:[a-z0-9_]+]], #[[ANY:[a-z0-9_]+]]]>
// NEW-SAME: rows = [#[[ROW:[a-z0-9_]+]], #[[ANY:[a-z0-9_]+]], #[[NEWER:[a-z0-9_]+]]]>
// UNKNOWN: error: expected a target that is one of gfx942, gfx950, sm_90 or a file that ends in .mlir, got 'gfx1'
// MISSING: error: {{.*}}none.mlir
// MALFORMED: target-malformed.mlir:4:{{[0-9]+}}: error: expected a number as cost "launch_us", got "two"
// ABSENT: error: expected a module with qfuse.target in {{.*}}target-absent.mlir
// NEEDS: error: expected the needs of row 'odd' to be NAME or NAME >= VERSION, got 'aiter >= new'
// PROVIDE: error: expected provide to list NAME=VERSION, got 'aiter'
module {}
