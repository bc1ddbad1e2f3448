//===- qfuse-lsp-server.cpp - Language server -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/InitAllDialects.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "qfuse/IR/QFuse.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  registry.insert<mlir::qfuse::QFuseDialect>();
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
