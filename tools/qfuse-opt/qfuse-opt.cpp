//===- qfuse-opt.cpp - Optimizer driver -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "qfuse/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<mlir::qfuse::QFuseDialect>();
  mlir::registerAllPasses();
  mlir::qfuse::registerQFusePasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "qfuse optimizer\n", registry));
}
