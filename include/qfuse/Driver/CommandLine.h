//===- CommandLine.h - Options of the tools ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef QFUSE_DRIVER_COMMANDLINE_H
#define QFUSE_DRIVER_COMMANDLINE_H

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::qfuse {

/// Exit codes of the tools but qfuse-opt, which exits as mlir-opt does.
inline constexpr int answerIsNo = 1, refused = 2;

/// Prints `error: ` and `message`; returns `refused`.
inline int fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return refused;
}

/// Parses the options of `category`, the only ones that are shown. Returns
/// false, after one line that says what is wrong, for what cannot be parsed.
inline bool parseCommandLine(int argc, char **argv,
                             llvm::cl::OptionCategory &category,
                             llvm::StringRef overview) {
  llvm::cl::HideUnrelatedOptions(category);
  std::string mistakes;
  llvm::raw_string_ostream stream(mistakes);
  if (llvm::cl::ParseCommandLineOptions(argc, argv, overview, &stream))
    return true;
  // LLVM itself has reported a value that an option does not take.
  llvm::StringRef first = llvm::StringRef(mistakes).split('\n').first;
  fail(first.empty() ? "an option does not take its value, see above" : first);
  return false;
}

} // namespace mlir::qfuse

#endif // QFUSE_DRIVER_COMMANDLINE_H
