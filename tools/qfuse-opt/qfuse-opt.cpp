//===- qfuse-opt.cpp - Optimizer driver -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "qfuse/Transforms/Passes.h"
#include "qfuse/Transforms/Registration.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::qfuse::registerToolDialects(registry);
  mlir::registerAllPasses();
  mlir::qfuse::registerQFusePasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "qfuse optimizer\n", registry));
}
