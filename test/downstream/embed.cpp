//===- embed.cpp - A program that embeds the compiler ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Usage: embed DIR. Compiles a chain, writes the artifact to DIR, executes it
// on the emulated device and compares with its meaning.

#include "mlir/Parser/Parser.h"
#include "qfuse/Driver/Compile.h"
#include "qfuse/Driver/Execute.h"
#include "qfuse/Emulator/EmulatedDevice.h"
#include "qfuse/Interpreter/Arguments.h"

using namespace mlir;
using namespace mlir::qfuse;

static constexpr llvm::StringLiteral source = R"mlir(
#format = #qfuse.format<block = [1, 0]>
#rule = #qfuse.scale_rule<max = 448.0, amax_floor = 1.0e-10>
func.func @chain(%x: tensor<?x64xbf16> {qfuse.dims = ["M", ""]})
    -> (tensor<?x64xf8E4M3FN>, tensor<?x1xf32>) {
  %n = qfuse.rms_norm %x {epsilon = 1.0e-6 : f32}
    : tensor<?x64xbf16> -> tensor<?x64xbf16>
  %s = qfuse.block_scale %n {format = #format, rule = #rule}
    : tensor<?x64xbf16> -> tensor<?x1xf32>
  %q = qfuse.quantize %n by %s {format = #format}
    : tensor<?x64xbf16>, tensor<?x1xf32> -> tensor<?x64xf8E4M3FN>
  return %q, %s : tensor<?x64xf8E4M3FN>, tensor<?x1xf32>
}
)mlir";

static int fail(const Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return fail("usage: embed DIR");
  DialectRegistry registry;
  registerCompiler(registry);
  registerEmulatedDevice();
  MLIRContext context(registry);
  auto module = parseSourceString<ModuleOp>(source, &context);
  auto function = findFunction(*module, "chain");
  auto arguments = makeArguments(*function, {{"M", 3}}, InputKind::random, 1);
  auto expected = interpret(*function, *arguments);
  if (failed(expected))
    return 1;

  CompileOptions options;
  options.target = "gfx950";
  auto compiled = qfuse::compile(*module, options);
  if (failed(compiled) ||
      failed(writeArtifact(*compiled, argv[1], module->getLoc())))
    return 1;
  auto artifact = Artifact::load(argv[1]);
  if (!artifact)
    return fail(artifact.getError().message);
  ExecuteOptions call;
  call.device = "emulated";
  call.extents = {{"M", 3}};
  auto execution = execute(*artifact, call);
  if (!execution)
    return fail(execution.getError().message);
  if (execution->results.size() != expected->size() ||
      !execution->hazards.empty())
    return fail("expected two results and no hazard");
  for (size_t i = 0; i < expected->size(); ++i)
    if (execution->results[i].bytes != (*expected)[i].tensor.bytes)
      return fail("expected the bytes of the interpreter in result " +
                  Twine(i));
  return 0;
}
