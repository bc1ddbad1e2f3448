//===- Files.cpp - Writing of files ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Conversion/Files.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::qfuse;

LogicalResult qfuse::writeFile(StringRef path, StringRef contents,
                               Location loc) {
  std::error_code code;
  llvm::raw_fd_ostream file(path, code);
  if (!code) {
    file << contents;
    file.close();
    code = file.error();
    file.clear_error();
  }
  if (code)
    return emitError(loc) << "cannot write " << path << ": " << code.message();
  return success();
}
