/*===- compile.c - A C program that embeds the compiler -------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Usage: compile IN.mlir. Succeeds if the file compiles for gfx950.
\*===----------------------------------------------------------------------===*/

#include "qfuse-c/Compiler.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  static char text[1 << 20];
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file) {
    fprintf(stderr, "usage: compile IN.mlir\n");
    return 1;
  }
  QfuseString source = {text, fread(text, 1, sizeof text, file)};
  QfuseString name = {argv[1], strlen(argv[1])};
  fclose(file);

  QfuseContext *context = qfuseContextCreate();
  QfuseModule *module = qfuseModuleParse(context, source, name);
  QfuseCompileOptions options = {{"gfx950", 6}, NULL, 0, QFUSE_REQUIRE_FUSION};
  QfuseArtifact *artifact =
      module ? qfuseModuleCompile(module, &options) : NULL;
  int compiled = artifact && qfuseArtifactGetNumFiles(artifact) == 3;
  qfuseArtifactDestroy(artifact);
  qfuseModuleDestroy(module);
  qfuseContextDestroy(context);
  return compiled ? 0 : 1;
}
