/*===- compiler.c - A C program that compiles a module --------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* RUN: qfuse-capi-compiler-test %t.artifact 2>%t.err | FileCheck %s
|* RUN: FileCheck %s --check-prefix=STDERR --input-file=%t.err
|* RUN: qfuse-run %t.artifact --device=emulated --dim=M=2
|*
|* Nothing but the C ABI is visible.
|* RUN: llvm-readelf --dyn-syms %compiler_library > %t.symbols
|* RUN: grep -E ' (FUNC|OBJECT) ' %t.symbols | grep -v ' UND ' > %t.exported
|* RUN: grep ' qfuseModuleCompile$' %t.exported
|* RUN: not grep -v ' qfuse' %t.exported
\*===----------------------------------------------------------------------===*/

#include "qfuse-c/Compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char chain[] =
    "#format = #qfuse.format<block = [1, 0]>\n"
    "#rule = #qfuse.scale_rule<max = 448.0, amax_floor = 1.0e-10>\n"
    "func.func @chain(%x: tensor<?x64xbf16> {qfuse.dims = [\"M\", \"\"]})\n"
    "    -> (tensor<?x64xf8E4M3FN>, tensor<?x1xf32>) {\n"
    "  %n = qfuse.rms_norm %x {epsilon = 1.0e-6 : f32}\n"
    "    : tensor<?x64xbf16> -> tensor<?x64xbf16>\n"
    "  %s = qfuse.block_scale %n {format = #format, rule = #rule}\n"
    "    : tensor<?x64xbf16> -> tensor<?x1xf32>\n"
    "  %q = qfuse.quantize %n by %s {format = #format}\n"
    "    : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>\n"
    "  return %q, %s : tensor<?x64xf8E4M3FN>, tensor<?x1xf32>\n"
    "}\n";

/* A chain that loses its producer. */
static const char lost[] =
    "#format = #qfuse.format<block = [1, 64]>\n"
    "func.func @lost(%x: tensor<?x64xf32> {qfuse.dims = [\"M\", \"\"]},\n"
    "    %s: tensor<?x1xf32> {qfuse.dims = [\"M\", \"\"]})\n"
    "    -> tensor<?x64xf8E4M3FN> {\n"
    "  %e = math.exp %x : tensor<?x64xf32>\n"
    "  %q = qfuse.quantize %e by %s {format = #format}\n"
    "    : tensor<?x64xf32>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>\n"
    "  return %q : tensor<?x64xf8E4M3FN>\n"
    "}\n";

static QfuseString string(const char *text) {
  QfuseString string = {text, strlen(text)};
  return string;
}

static void require(int condition, const char *what) {
  if (condition)
    return;
  printf("failed: %s\n", what);
  exit(1);
}

static void print_diagnostic(const QfuseDiagnostic *diagnostic, void *user) {
  static const char *const severities[] = {"note", "warning", "error",
                                           "remark"};
  printf("%s %.*s:%u:%u: %s: %.*s\n", (const char *)user,
         (int)diagnostic->location.file.size, diagnostic->location.file.data,
         diagnostic->location.line, diagnostic->location.column,
         severities[diagnostic->severity], (int)diagnostic->message.size,
         diagnostic->message.data);
}

static void print_remark(const QfuseRemark *remark, void *user) {
  static const char *const kinds[] = {"passed", "missed", "failed", "analysis"};
  printf("%s %.*s:%u: %s %.*s (%.*s)", (const char *)user,
         (int)remark->location.file.size, remark->location.file.data,
         remark->location.line, kinds[remark->kind], (int)remark->name.size,
         remark->name.data, (int)remark->category.size, remark->category.data);
  for (size_t i = 0; i < remark->num_values; ++i)
    printf(" %.*s=%.*s", (int)remark->values[i].key.size,
           remark->values[i].key.data, (int)remark->values[i].value.size,
           remark->values[i].value.data);
  printf("\n");
}

static void print(QfuseString part, void *user) {
  (void)user;
  fwrite(part.data, 1, part.size, stdout);
}

/* A text that grows; its buffer is never freed, as the program is short. */
typedef struct Buffer {
  char *data;
  size_t size;
} Buffer;

static void append(QfuseString part, void *user) {
  Buffer *buffer = user;
  buffer->data = realloc(buffer->data, buffer->size + part.size + 1);
  require(buffer->data != NULL, "memory");
  memcpy(buffer->data + buffer->size, part.data, part.size);
  buffer->size += part.size;
}

static int equal(Buffer a, Buffer b) {
  return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

static void test_library(void) {
  // CHECK: version {{[0-9]+\.[0-9]+\.[0-9]+$}}
  printf("version %s\n", qfuseGetVersion());
  // CHECK-NEXT: targets gfx942 gfx950 sm_90
  printf("targets");
  for (size_t i = 0; i < qfuseGetNumTargets(); ++i)
    printf(" %.*s", (int)qfuseGetTargetName(i).size,
           qfuseGetTargetName(i).data);
  printf("\n");
  require(qfuseGetTargetName(qfuseGetNumTargets()).size == 0,
          "no name out of range");
  require(qfuseGetPresetTable().size > 0, "a table of presets");
}

static void test_parse(QfuseContext *context) {
  // CHECK-LABEL: parse
  printf("parse\n");
  // CHECK-NEXT: a in.mlir:1:1: error: {{.*}}'nonsense'
  require(!qfuseModuleParse(context, string("nonsense"), string("in.mlir")),
          "no module from nonsense");
  // CHECK-NEXT: a in.mlir:1:{{[0-9]+}}: error: {{.*}}'nonsense.op'
  require(
      !qfuseModuleParse(context, string("%0 = nonsense.op"), string("in.mlir")),
      "no module from an unknown op");
  // CHECK: a cut.mlirbc:0:0: error:
  QfuseString cut = {"ML\xefR\x0d", 5};
  require(!qfuseModuleParse(context, cut, string("cut.mlirbc")),
          "no module from bytecode that is cut off");
  /* A redefinition is an error with a note. */
  // CHECK-NEXT: a in.mlir:2:1: error: redefinition of symbol named 'f'
  // CHECK-NEXT: a in.mlir:1:1: note: see existing symbol definition here
  require(!qfuseModuleParse(context,
                            string("func.func private @f()\n"
                                   "func.func private @f()\n"),
                            string("in.mlir")),
          "no module from two functions of one name");

  /* Only the bytes up to the size are read. */
  QfuseString part = {"func.func private @f()nonsense", 22};
  QfuseModule *module = qfuseModuleParse(context, part, string("in.mlir"));
  require(module != NULL, "a module");
  // CHECK: module {
  // CHECK-NEXT: func.func private @f() loc(#[[LOC:.+]])
  // CHECK: #[[LOC]] = loc("in.mlir":1:1)
  qfuseModulePrint(module, /*with_locations=*/1, print, NULL);
  qfuseModuleDestroy(module);
  qfuseModuleDestroy(NULL);
}

static void test_round_trip(QfuseContext *context, const QfuseModule *module) {
  Buffer bytecode = {NULL, 0}, text = {NULL, 0}, again = {NULL, 0};
  require(qfuseModuleWriteBytecode(module, append, &bytecode) == QFUSE_SUCCESS,
          "bytecode");
  QfuseString source = {bytecode.data, bytecode.size};
  QfuseModule *read = qfuseModuleParse(context, source, string("a.mlirbc"));
  require(read != NULL, "a module from bytecode");
  qfuseModulePrint(module, 0, append, &text);
  qfuseModulePrint(read, 0, append, &again);
  require(equal(text, again), "equal modules");
  qfuseModuleDestroy(read);
}

static void test_pipeline(const QfuseModule *module) {
  // CHECK-LABEL: pipeline
  printf("pipeline\n");
  QfuseModule *copy = qfuseModuleClone(module);
  // CHECK-NEXT: a chain.mlir:0:0: error: expected a pipeline of passes:
  // CHECK-SAME: nonsense
  require(qfuseModuleRunPipeline(copy, string("builtin.module(nonsense)")) ==
              QFUSE_FAILURE,
          "no pass of this name");
  // CHECK: a chain.mlir:0:0: error: {{.*}}func.func
  require(qfuseModuleRunPipeline(copy, string("func.func(cse)")) ==
              QFUSE_FAILURE,
          "no pipeline of functions");
  // CHECK-NEXT: a chain.mlir:0:0: error: expected a target {{.*}}'gfx1'
  require(
      qfuseModuleRunPipeline(
          copy, string("builtin.module(qfuse-attach-target{target=gfx1})")) ==
          QFUSE_FAILURE,
      "a pass that fails");
  qfuseModuleDestroy(copy);

  copy = qfuseModuleClone(module);
  require(qfuseModuleRunPipeline(
              copy, string("builtin.module(qfuse-attach-target{target=gfx950},"
                           "canonicalize,qfuse-fuse)")) == QFUSE_SUCCESS,
          "a pipeline of passes");
  // CHECK: qfuse.kernel
  qfuseModulePrint(copy, 0, print, NULL);
  /* The target that the module states. */
  QfuseCompileOptions options = {0};
  QfuseArtifact *artifact = qfuseModuleCompile(copy, &options);
  require(artifact != NULL, "an artifact of a module with a target");
  qfuseArtifactDestroy(artifact);
  QfuseString provide[] = {string("aiter=0.1.21")};
  options.provide = provide;
  options.num_provide = 1;
  // CHECK: error: expected a target beside what is provided
  require(!qfuseModuleCompile(copy, &options), "nothing provided by itself");
  qfuseModuleDestroy(copy);
}

/* Writes the files of `artifact` to the directory `path`. */
static void write_files(const QfuseArtifact *artifact, const char *path) {
  mkdir(path, 0777);
  size_t count = qfuseArtifactGetNumFiles(artifact);
  for (size_t i = 0; i < count; ++i) {
    QfuseString name = qfuseArtifactGetFileName(artifact, i);
    QfuseString contents = qfuseArtifactGetFileContents(artifact, i);
    printf("file %.*s\n", (int)name.size, name.data);
    char file[4096];
    snprintf(file, sizeof file, "%s/%.*s", path, (int)name.size, name.data);
    FILE *stream = fopen(file, "wb");
    require(stream != NULL, file);
    require(fwrite(contents.data, 1, contents.size, stream) == contents.size,
            file);
    fclose(stream);
  }
  require(qfuseArtifactGetFileName(artifact, count).size == 0 &&
              qfuseArtifactGetFileContents(artifact, count).size == 0,
          "no file out of range");
}

static void test_compile(QfuseModule *module, QfuseModule *loser,
                         const char *path) {
  // CHECK-LABEL: compile
  printf("compile\n");
  Buffer before = {NULL, 0}, after = {NULL, 0};
  qfuseModulePrint(module, 1, append, &before);
  QfuseCompileOptions options = {0};
  // CHECK: a chain.mlir:0:0: error: {{.*}}qfuse.target
  require(!qfuseModuleCompile(module, &options), "a module without a target");
  options.target = string("gfx950");
  // CHECK: a chain.mlir:{{[0-9]+}}: passed ChainFused (qfuse:fusion) Ops=3
  QfuseArtifact *artifact = qfuseModuleCompile(module, &options);
  require(artifact != NULL, "an artifact");
  qfuseModulePrint(module, 1, append, &after);
  require(equal(before, after), "an unchanged module");
  // CHECK-NEXT: file kernels.hsaco
  // CHECK-NEXT: file module.mlirbc
  // CHECK-NEXT: file manifest.json
  write_files(artifact, path);
  qfuseArtifactDestroy(artifact);
  qfuseArtifactDestroy(NULL);

  // CHECK-NEXT: a lost.mlir:5: missed ResourceLimit (qfuse:fusion)
  // CHECK-SAME: Reason={{.*}}math.exp
  // CHECK-NEXT: a lost.mlir:0:0: error: expected all chains to be fused
  // CHECK-SAME: got 0 of 1
  options.fusion = QFUSE_REQUIRE_FUSION;
  require(!qfuseModuleCompile(loser, &options), "fusion is required");
  // CHECK-NEXT: a lost.mlir:5: missed ResourceLimit
  // CHECK-NEXT: kernel ops read before
  // CHECK: fused 0 of 1 chains
  options.fusion = QFUSE_FUSE;
  require(qfuseModuleExplain(loser, &options, print, NULL) == QFUSE_SUCCESS,
          "a report");
  /* Each op by itself: no remark of a fused chain. */
  // CHECK-NEXT: unfused
  options.fusion = QFUSE_DO_NOT_FUSE;
  printf("unfused\n");
  artifact = qfuseModuleCompile(module, &options);
  // CHECK-NOT: ChainFused
  require(artifact != NULL, "an artifact of unfused ops");
  qfuseArtifactDestroy(artifact);
  // CHECK: error: expected fusion to be a QfuseFusion, got 77
  options.fusion = (QfuseFusion)77;
  require(!qfuseModuleCompile(module, &options), "no such fusion");
}

static void test_contexts(QfuseContext *context) {
  // CHECK-LABEL: contexts
  printf("contexts\n");
  char name[] = "b";
  QfuseContext *other = qfuseContextCreate();
  qfuseContextSetDiagnosticHandler(other, print_diagnostic, name);
  // CHECK-NEXT: b {{.*}}: error:
  require(!qfuseModuleParse(other, string("?"), string("b.mlir")), "no module");
  // CHECK-NEXT: a {{.*}}: error:
  require(!qfuseModuleParse(context, string("?"), string("a.mlir")),
          "no module");
  /* Without a handler the standard error stream has it. */
  // STDERR: loc("c.mlir":1:1): error:
  qfuseContextSetDiagnosticHandler(other, NULL, NULL);
  require(!qfuseModuleParse(other, string("?"), string("c.mlir")), "no module");
  qfuseContextDestroy(other);
  qfuseContextDestroy(NULL);
}

int main(int argc, char **argv) {
  require(argc == 2, "usage: qfuse-capi-compiler-test DIR");
  char name[] = "a";
  test_library();
  QfuseContext *context = qfuseContextCreate();
  qfuseContextSetDiagnosticHandler(context, print_diagnostic, name);
  qfuseContextSetRemarkHandler(context, print_remark, name);
  test_parse(context);
  QfuseModule *module =
      qfuseModuleParse(context, string(chain), string("chain.mlir"));
  QfuseModule *loser =
      qfuseModuleParse(context, string(lost), string("lost.mlir"));
  require(module && loser, "modules");
  test_round_trip(context, module);
  test_pipeline(module);
  test_compile(module, loser, argv[1]);
  test_contexts(context);
  qfuseModuleDestroy(module);
  qfuseModuleDestroy(loser);
  qfuseContextDestroy(context);
  // CHECK: done
  printf("done\n");
  return 0;
}
