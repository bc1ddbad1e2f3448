//===- qfuse-lsp-server.cpp - Language server -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "qfuse/Transforms/Registration.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::qfuse::registerToolDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
