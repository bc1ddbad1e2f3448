# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The libraries keep their order, and a copy that breaks it is found out.
# RUN: %python %S/../layering.py
# RUN: rm -rf %t && mkdir -p %t/lib/A %t/lib/B/NVVM %t/lib/Runtime %t/lib/Support
# RUN: printf 'add_subdirectory(Support)\nadd_subdirectory(A)\nadd_subdirectory(B)\nadd_subdirectory(Runtime)\n' > %t/lib/CMakeLists.txt
# RUN: echo '#include "qfuse/B/B.h"' > %t/lib/A/A.cpp
# RUN: echo '#include "qfuse/A/A.h"' > %t/lib/B/B.cpp
# RUN: echo '#include "qfuse/A/A.h"' > %t/lib/Runtime/Runtime.cpp
# RUN: echo '#include "mlir/IR/Types.h"' > %t/lib/Support/Support.h
# RUN: echo '#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"' > %t/lib/B/NVVM/Hooks.h
# RUN: not %python %S/../layering.py %t | FileCheck %s --implicit-check-not=B.cpp
# CHECK-DAG: lib/A/A.cpp:1: A may not include qfuse/B/B.h
# CHECK-DAG: lib/B/NVVM/Hooks.h:1: NVVM may not include mlir/Dialect/LLVMIR/ROCDLDialect.h
# CHECK-DAG: lib/Runtime/Runtime.cpp:1: Runtime may not include qfuse/A/A.h
# CHECK-DAG: lib/Support/Support.h:1: Support may not include mlir/IR/Types.h, as it needs no LLVM
