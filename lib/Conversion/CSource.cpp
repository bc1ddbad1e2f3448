//===- CSource.cpp - An artifact as one C file ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "qfuse/Conversion/CSource.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::qfuse;

namespace json = llvm::json;

/// What precedes the declarations of the functions.
static constexpr StringLiteral prologue =
    R"c(/* Made by qfuse-compile; do not edit.
 *
 * Compile this file as it is. To get the declarations alone, include it after
 *     #define QFUSE_DECLARATIONS_ONLY
 *
 *     qfuse_kernels kernels;
 *     if (qfuse_prepare(&kernels)) ...   // once for a device, the current one
 *     qfuse_F_launch(&kernels, &dims, inputs, outputs, workspace, stream);
 *
 * Pointers are of device memory, aligned to 16 bytes; inputs and outputs in the
 * order of the function. A launch allocates, synchronizes and reads nothing and
 * may be captured in a graph. All functions return 0, or one of qfuse_status.
 */
#include <stddef.h>
#include <stdint.h>

#ifndef QFUSE_STATUS
#define QFUSE_STATUS
enum qfuse_status {
  QFUSE_OK = 0,
  QFUSE_NO_HIP = 1,       /* libamdhip64.so cannot be opened */
  QFUSE_HIP_FAILED = 2,   /* a call of HIP returned an error */
  QFUSE_OUT_OF_RANGE = 3, /* a dim is not in its range */
  QFUSE_CHECK_FAILED = 4  /* dims or strides do not fit each other */
};
#endif

)c";

/// What follows them: the loader.
static constexpr StringLiteral loader = R"c(
#ifndef QFUSE_DECLARATIONS_ONLY
#include <dlfcn.h>
#include <string.h>

typedef int (*qfuse_load_data)(void **module, const void *image);
typedef int (*qfuse_get_function)(void **function, void *module,
                                  const char *name);
typedef int (*qfuse_launch_kernel)(void *function, unsigned grid_x,
                                   unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared,
                                   void *stream, void **params, void **extra);

/* Operands are not negative, divisors positive. */
#define qfuse_floordiv(a, b) ((a) / (b))
#define qfuse_ceildiv(a, b) (((a) + (b)-1) / (b))
#define qfuse_mod(a, b) ((a) % (b))

static int qfuse_launch(const qfuse_kernels *kernels, int kernel,
                        const int64_t grid[3], unsigned threads,
                        void *arguments, size_t size, void *stream) {
  /* <hip/hip_runtime_api.h>: HIP_LAUNCH_PARAM_BUFFER_POINTER, _SIZE, _END. */
  void *extra[] = {(void *)1, arguments, (void *)2, &size, (void *)3};
  if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0)
    return QFUSE_OK;
  return ((qfuse_launch_kernel)kernels->launch)(
             kernels->functions[kernel], (unsigned)grid[0], (unsigned)grid[1],
             (unsigned)grid[2], threads, 1, 1, 0, stream, NULL, extra)
             ? QFUSE_HIP_FAILED
             : QFUSE_OK;
}

int qfuse_prepare(qfuse_kernels *kernels) {
  void *hip = dlopen("libamdhip64.so", RTLD_NOW | RTLD_LOCAL);
  qfuse_load_data load;
  qfuse_get_function find;
  size_t i;
  if (!hip)
    return QFUSE_NO_HIP;
  load = (qfuse_load_data)dlsym(hip, "hipModuleLoadData");
  find = (qfuse_get_function)dlsym(hip, "hipModuleGetFunction");
  kernels->launch = dlsym(hip, "hipModuleLaunchKernel");
  if (!load || !find || !kernels->launch)
    return QFUSE_NO_HIP;
  if (load(&kernels->module, qfuse_object))
    return QFUSE_HIP_FAILED;
  for (i = 0; i < sizeof qfuse_kernel_names / sizeof *qfuse_kernel_names; ++i)
    if (find(&kernels->functions[i], kernels->module, qfuse_kernel_names[i]))
      return QFUSE_HIP_FAILED;
  return QFUSE_OK;
}
)c";

namespace {
/// Writes the file, from the manifest that the compiler wrote itself.
class CWriter {
public:
  CWriter(const json::Object &manifest, const DeviceObject &object)
      : manifest(manifest), object(object), stream(text) {}

  std::string write();

private:
  void writeDeclarations();
  void writeDims(StringRef name, const json::Object &function);
  void writeObject();
  void writeFunction(StringRef name, const json::Object &function);
  void writeChecks(const json::Object &function);
  void writeStep(const json::Object &step);
  void writeArgument(const json::Object &argument, unsigned &offset,
                     raw_ostream &body);
  std::string toC(const json::Value &expression) const;
  unsigned getKernelIndex(StringRef name) const;

  const json::Object &manifest;
  const DeviceObject &object;
  std::string text;
  llvm::raw_string_ostream stream;
};
} // namespace

/// Returns `name` with what C has not in identifiers replaced.
static std::string toIdentifier(StringRef name) {
  std::string identifier = name.str();
  for (char &c : identifier)
    if (!llvm::isAlnum(c))
      c = '_';
  return identifier;
}

/// Calls `visit` with each symbol of `expression`, a dim or a stride.
static void forEachSymbol(const json::Value &expression,
                          llvm::function_ref<void(StringRef)> visit) {
  if (auto symbol = expression.getAsString())
    visit(*symbol);
  if (const json::Object *operation = expression.getAsObject())
    for (const json::Value &operand : *operation->getArray("args"))
      forEachSymbol(operand, visit);
}

/// Returns the entries of `object` by their names, whose order a map has not.
static SmallVector<std::pair<StringRef, const json::Value *>>
getSorted(const json::Object &object) {
  SmallVector<std::pair<StringRef, const json::Value *>> entries;
  for (const auto &[name, value] : object)
    entries.push_back({name, &value});
  llvm::sort(entries, llvm::less_first());
  return entries;
}

/// Returns the symbols of `function`: its dims, then its open strides.
static SmallVector<StringRef> getSymbols(const json::Object &function) {
  llvm::SetVector<StringRef> symbols;
  for (auto [name, range] : getSorted(*function.getObject("dims")))
    symbols.insert(name);
  for (const json::Value &input : *function.getArray("inputs"))
    for (const json::Value &stride : *input.getAsObject()->getArray("strides"))
      forEachSymbol(stride, [&](StringRef name) { symbols.insert(name); });
  return symbols.takeVector();
}

std::string CWriter::toC(const json::Value &expression) const {
  if (auto symbol = expression.getAsString())
    return "dims->" + toIdentifier(*symbol);
  if (auto constant = expression.getAsInteger())
    return llvm::formatv("INT64_C({0})", *constant);
  const json::Object &operation = *expression.getAsObject();
  StringRef name = *operation.getString("op");
  const json::Array &operands = *operation.getArray("args");
  std::string left = toC(operands[0]), right = toC(operands[1]);
  if (name == "add" || name == "sub" || name == "mul")
    return llvm::formatv("({0} {1} {2})", left,
                         name == "add"   ? "+"
                         : name == "sub" ? "-"
                                         : "*",
                         right);
  return llvm::formatv("qfuse_{0}({1}, {2})", name, left, right);
}

unsigned CWriter::getKernelIndex(StringRef name) const {
  for (auto [index, kernel] : llvm::enumerate(object.kernels))
    if (kernel.name == name)
      return index;
  llvm_unreachable("each step launches a kernel of the object");
}

//===----------------------------------------------------------------------===//
// Declarations and the object
//===----------------------------------------------------------------------===//

void CWriter::writeDims(StringRef name, const json::Object &function) {
  SmallVector<StringRef> symbols = getSymbols(function);
  stream << "/* Extents, and strides in elements. */\n"
         << "typedef struct " << name << "_dims {\n";
  for (StringRef symbol : symbols)
    stream << "  int64_t " << toIdentifier(symbol) << ";\n";
  // C has no empty struct.
  if (symbols.empty())
    stream << "  char none;\n";
  stream << "} " << name << "_dims;\n";
}

void CWriter::writeDeclarations() {
  stream << "/* What a device has loaded. */\ntypedef struct qfuse_kernels {\n"
         << "  void *module, *launch;\n  void *functions["
         << std::max<size_t>(object.kernels.size(), 1)
         << "];\n} qfuse_kernels;\n\n"
         << "int qfuse_prepare(qfuse_kernels *kernels);\n";
  for (auto [key, value] : getSorted(*manifest.getObject("functions"))) {
    std::string name = "qfuse_" + toIdentifier(key);
    stream << '\n';
    writeDims(name, *value->getAsObject());
    stream << "int " << name << "_workspace_size(const " << name
           << "_dims *dims, size_t *bytes);\n"
           << "int " << name << "_launch(const qfuse_kernels *kernels, const "
           << name << "_dims *dims,\n    void *const *inputs, void *const "
           << "*outputs, void *workspace, void *stream);\n";
  }
}

void CWriter::writeObject() {
  stream << "\n#ifndef QFUSE_DECLARATIONS_ONLY\n"
         << "static const char *const qfuse_kernel_names[] = {";
  for (const KernelResources &kernel : object.kernels)
    stream << "\n    \"" << kernel.name << "\",";
  stream << "\n};\n\nstatic const unsigned char qfuse_object[] = {";
  for (auto [index, byte] : llvm::enumerate(object.binary)) {
    if (index % 20 == 0)
      stream << "\n    ";
    stream << unsigned(byte) << ',';
  }
  stream << "\n};\n#endif\n";
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

void CWriter::writeChecks(const json::Object &function) {
  for (auto [name, range] : getSorted(*function.getObject("dims"))) {
    const json::Array &ends = *range->getAsArray();
    std::string dim = toC(json::Value(name.str()));
    stream << llvm::formatv(
        "  if ({0} < {1} || {0} > {2})\n    return QFUSE_OUT_OF_RANGE;\n", dim,
        toC(ends[0]), toC(ends[1]));
  }
  for (const json::Value &check : *function.getArray("checks")) {
    const json::Object &each = *check.getAsObject();
    stream << llvm::formatv(
        "  if ({0} != {1}) /* {2} */\n    return QFUSE_CHECK_FAILED;\n",
        toC(*each.get("lhs")), toC(*each.get("rhs")),
        *each.getString("message"));
  }
}

/// Writes an argument at the next multiple of its size.
void CWriter::writeArgument(const json::Object &argument, unsigned &offset,
                            raw_ostream &body) {
  auto write = [&](unsigned size, StringRef type, const std::string &value) {
    offset = llvm::alignTo(offset, size);
    body << llvm::formatv(
        "    {{ {0} value = {1}; memcpy(arguments + {2}, &value, {3}); }\n",
        type, value, offset, size);
    offset += size;
  };
  std::optional<StringRef> buffer = argument.getString("buffer");
  if (!buffer) {
    std::string value = toC(*argument.get("value"));
    bool isWide = *argument.getString("type") == "i64";
    return write(isWide ? 8 : 4, isWide ? "int64_t" : "int32_t",
                 isWide ? value : "(int32_t)" + value);
  }
  if (*buffer == "workspace")
    return write(8, "void *",
                 "(char *)workspace + " + toC(*argument.get("offset")));
  write(8, "void *",
        llvm::formatv("{0}s[{1}]", *buffer, *argument.getInteger("index")));
}

void CWriter::writeStep(const json::Object &step) {
  std::string body;
  llvm::raw_string_ostream bodyStream(body);
  unsigned size = 0;
  for (const json::Value &argument : *step.getArray("args"))
    writeArgument(*argument.getAsObject(), size, bodyStream);
  size = llvm::alignTo(size, 8);
  const json::Array &grid = *step.getArray("grid");
  StringRef kernel = *step.getString("kernel");
  stream << "  { /* " << kernel << " */\n    int64_t grid[3];\n"
         << "    char arguments[" << size << "] = {0};\n";
  for (unsigned dim : llvm::seq(3))
    stream << "    grid[" << dim << "] = " << toC(grid[dim]) << ";\n";
  stream << body
         << llvm::formatv(
                "    status = qfuse_launch(kernels, {0}, grid, {1}, arguments, "
                "sizeof arguments, stream);\n    if (status)\n"
                "      return status;\n  }\n",
                getKernelIndex(kernel),
                *(*step.getArray("block"))[0].getAsInteger());
}

void CWriter::writeFunction(StringRef key, const json::Object &function) {
  std::string name = "qfuse_" + toIdentifier(key);
  stream << "\nint " << name << "_workspace_size(const " << name
         << "_dims *dims, size_t *bytes) {\n  (void)dims;\n";
  writeChecks(function);
  stream << "  *bytes = (size_t)" << toC(*function.get("workspace"))
         << ";\n  return QFUSE_OK;\n}\n\nint " << name
         << "_launch(const qfuse_kernels *kernels, const " << name
         << "_dims *dims,\n    void *const *inputs, void *const *outputs, void "
         << "*workspace, void *stream) {\n  int status = QFUSE_OK;\n"
         << "  (void)dims, (void)workspace;\n";
  writeChecks(function);
  for (const json::Value &step : *function.getArray("steps"))
    writeStep(*step.getAsObject());
  stream << "  return status;\n}\n";
}

std::string CWriter::write() {
  stream << prologue;
  writeDeclarations();
  writeObject();
  stream << loader;
  for (auto [key, value] : getSorted(*manifest.getObject("functions")))
    writeFunction(key, *value->getAsObject());
  stream << "#endif /* QFUSE_DECLARATIONS_ONLY */\n";
  return text;
}

FailureOr<std::string> qfuse::emitCSource(const CompiledModule &compiled,
                                          Location loc) {
  StringRef file = compiled.object.fileName;
  if (!file.ends_with(".hsaco"))
    return emitError(loc) << "expected an object that HIP loads for a C file, "
                             "got "
                          << file << "; emit the artifact instead";
  llvm::Expected<json::Value> manifest = json::parse(compiled.manifest);
  assert(manifest && "the compiler wrote it");
  return CWriter(*manifest->getAsObject(), compiled.object).write();
}
