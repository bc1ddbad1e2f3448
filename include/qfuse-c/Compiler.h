/*===- Compiler.h - C ABI of the compiler -------------------------*- C -*-===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Text or bytecode in, artifact and diagnostics out: what libQFuseCompiler.so
|* exports. UNSTABLE: names and structs may change with each release, so build
|* against the header of the library that is loaded.
|*
|* Functions that can fail return QFUSE_FAILURE or null after they have reported
|* why, once, to the diagnostic handler of the context, or to the standard error
|* stream where none is set. Pointers must not be null unless it is said.
|* Strings that the library passes out are not terminated; they live as long as
|* the call of the handler, or as the object that they were asked of.
|*
|* A context and all that comes from it is used by one thread at a time;
|* contexts of their own may be used at once.
\*===----------------------------------------------------------------------===*/

#ifndef QFUSE_C_COMPILER_H
#define QFUSE_C_COMPILER_H

#include <stddef.h>

#if defined(_WIN32)
#define QFUSE_EXPORTED
#else
#define QFUSE_EXPORTED __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum QfuseStatus { QFUSE_SUCCESS = 0, QFUSE_FAILURE = 1 } QfuseStatus;

/** `size` bytes, which need not be followed by a zero. */
typedef struct QfuseString {
  const char *data;
  size_t size;
} QfuseString;

/** A place in a source; `line` is 0 where it is not known. */
typedef struct QfuseLocation {
  QfuseString file;
  /** Both count from 1. */
  unsigned line, column;
} QfuseLocation;

/** Dialects, handlers and the memory of types and attributes. */
typedef struct QfuseContext QfuseContext;
/** A builtin module. It is destroyed before its context. */
typedef struct QfuseModule QfuseModule;
/** A compiled module: the files of an artifact. Outlives its module and its
    context. */
typedef struct QfuseArtifact QfuseArtifact;

/** Takes a part of a text; called any number of times for one text. */
typedef void (*QfuseWriter)(QfuseString part, void *user);

/*===----------------------------------------------------------------------===*\
|* Contexts, diagnostics, remarks
\*===----------------------------------------------------------------------===*/

typedef enum QfuseSeverity {
  QFUSE_NOTE,
  QFUSE_WARNING,
  QFUSE_ERROR,
  QFUSE_REMARK
} QfuseSeverity;

/** A diagnostic; the notes of one follow it. */
typedef struct QfuseDiagnostic {
  QfuseSeverity severity;
  QfuseLocation location;
  QfuseString message;
} QfuseDiagnostic;

typedef void (*QfuseDiagnosticHandler)(const QfuseDiagnostic *diagnostic,
                                       void *user);

typedef enum QfuseRemarkKind {
  QFUSE_PASSED,
  QFUSE_MISSED,
  QFUSE_FAILED,
  QFUSE_ANALYSIS
} QfuseRemarkKind;

/** One of the values that a remark carries, such as Reason. */
typedef struct QfuseRemarkValue {
  QfuseString key, value;
} QfuseRemarkValue;

/** A decision of the compiler; docs/remarks.md has the names. */
typedef struct QfuseRemark {
  QfuseRemarkKind kind;
  /** `ChainFused` of `qfuse:fusion`. */
  QfuseString name, category;
  QfuseLocation location;
  const QfuseRemarkValue *values;
  size_t num_values;
} QfuseRemark;

typedef void (*QfuseRemarkHandler)(const QfuseRemark *remark, void *user);

/** Returns the version of the library, `MAJOR.MINOR.PATCH`, terminated. */
QFUSE_EXPORTED const char *qfuseGetVersion(void);

/** Returns the table of presets and layouts as IR text, with the library's
    lifetime. */
QFUSE_EXPORTED QfuseString qfuseGetPresetTable(void);

/** Returns the number of built-in targets. */
QFUSE_EXPORTED size_t qfuseGetNumTargets(void);

/** Returns the name of a built-in target, such as `gfx950`, with the library's
    lifetime; the empty string for an `index` that is out of range. */
QFUSE_EXPORTED QfuseString qfuseGetTargetName(size_t index);

/** Returns a new context, which the caller destroys. */
QFUSE_EXPORTED QfuseContext *qfuseContextCreate(void);

/** Destroys `context`, which may be null. */
QFUSE_EXPORTED void qfuseContextDestroy(QfuseContext *context);

/** Sends diagnostics to `handler` from now on; null for the standard error
    stream. `user` is handed through. */
QFUSE_EXPORTED void
qfuseContextSetDiagnosticHandler(QfuseContext *context,
                                 QfuseDiagnosticHandler handler, void *user);

/** Sends remarks to `handler` from now on; null for nowhere. */
QFUSE_EXPORTED void qfuseContextSetRemarkHandler(QfuseContext *context,
                                                 QfuseRemarkHandler handler,
                                                 void *user);

/*===----------------------------------------------------------------------===*\
|* Modules
\*===----------------------------------------------------------------------===*/

/** Parses `source`, text or bytecode, and verifies it. `name` is the file that
    locations name. Returns null, and reports, for what is not a module. */
QFUSE_EXPORTED QfuseModule *qfuseModuleParse(QfuseContext *context,
                                             QfuseString source,
                                             QfuseString name);

/** Returns a copy of `module` in the same context. */
QFUSE_EXPORTED QfuseModule *qfuseModuleClone(const QfuseModule *module);

/** Destroys `module`, which may be null. */
QFUSE_EXPORTED void qfuseModuleDestroy(QfuseModule *module);

/** Writes `module` as text; with_locations: with `loc` of each op. */
QFUSE_EXPORTED void qfuseModulePrint(const QfuseModule *module,
                                     int with_locations, QfuseWriter writer,
                                     void *user);

/** Writes `module` as bytecode. */
QFUSE_EXPORTED QfuseStatus qfuseModuleWriteBytecode(const QfuseModule *module,
                                                    QfuseWriter writer,
                                                    void *user);

/** Runs `pipeline`, `builtin.module(qfuse-fuse,canonicalize)`, on `module`: the
    passes of QFuse and of upstream. After a failure the module is good for
    printing and destroying only. */
QFUSE_EXPORTED QfuseStatus qfuseModuleRunPipeline(QfuseModule *module,
                                                  QfuseString pipeline);

/*===----------------------------------------------------------------------===*\
|* Compilation
\*===----------------------------------------------------------------------===*/

typedef enum QfuseFusion {
  /** Chains are fused where that is legal. */
  QFUSE_FUSE = 0,
  /** As before, and a chain that is not fused as a whole is an error. */
  QFUSE_REQUIRE_FUSION,
  /** Each op has a kernel of its own. */
  QFUSE_DO_NOT_FUSE
} QfuseFusion;

/** How to compile; zeros are the defaults, the target apart. */
typedef struct QfuseCompileOptions {
  /** Name of a built-in target, or a file that ends in `.mlir`. Empty for the
      target that the module states. */
  QfuseString target;
  /** Providers and their versions, `NAME=VERSION`. */
  const QfuseString *provide;
  size_t num_provide;
  QfuseFusion fusion;
} QfuseCompileOptions;

/** Compiles `module`, which stays as it is. Returns null, and reports, for what
    cannot be compiled. The caller destroys the artifact. */
QFUSE_EXPORTED QfuseArtifact *
qfuseModuleCompile(const QfuseModule *module,
                   const QfuseCompileOptions *options);

/** Writes what is fused, and why not more: the table of `qfuse-compile
    --explain`. `module` stays as it is. */
QFUSE_EXPORTED QfuseStatus qfuseModuleExplain(
    const QfuseModule *module, const QfuseCompileOptions *options,
    QfuseWriter writer, void *user);

/** Destroys `artifact`, which may be null. */
QFUSE_EXPORTED void qfuseArtifactDestroy(QfuseArtifact *artifact);

/** Returns the number of files of `artifact`. The last one is `manifest.json`:
    a directory that has it is whole. */
QFUSE_EXPORTED size_t qfuseArtifactGetNumFiles(const QfuseArtifact *artifact);

/** Returns the name of a file; the empty string for an `index` that is out of
    range. */
QFUSE_EXPORTED QfuseString
qfuseArtifactGetFileName(const QfuseArtifact *artifact, size_t index);

/** Returns the bytes of a file; none for an `index` that is out of range. */
QFUSE_EXPORTED QfuseString
qfuseArtifactGetFileContents(const QfuseArtifact *artifact, size_t index);

#ifdef __cplusplus
}
#endif

#endif /* QFUSE_C_COMPILER_H */
