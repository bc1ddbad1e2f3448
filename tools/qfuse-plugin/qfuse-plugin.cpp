//===- qfuse-plugin.cpp - Dialect and passes for a stock mlir-opt ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "qfuse/Transforms/Passes.h"
#include "qfuse/Transforms/Registration.h"
#include "llvm/Config/llvm-config.h"

static void registerDialect(mlir::DialectRegistry *registry) {
  mlir::qfuse::registerQFuseDialects(*registry);
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "QFuse", LLVM_VERSION_STRING,
          registerDialect};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "QFuse", LLVM_VERSION_STRING,
          mlir::qfuse::registerQFusePasses};
}
