//===- Object.cpp - LLVM's back end and linker, in process ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Object.h"

#include "lld/Common/Driver.h"
#include "mlir/Target/LLVM/ROCDL/Utils.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "qfuse/Conversion/Files.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace mlir;
using namespace mlir::qfuse;

static void initializeBackEnd() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
  });
}

static FailureOr<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(Location loc, const llvm::Triple &triple, StringRef chip) {
  initializeBackEnd();
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return emitError(loc) << message;
  llvm::TargetOptions options;
  options.MCOptions.AsmVerbose = true;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, chip, /*Features=*/"", options, llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return emitError(loc) << "no code generator for " << triple.str();
  return machine;
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PassBuilder builder(&machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

static FailureOr<std::string> emitFile(Location loc, llvm::Module &module,
                                       llvm::TargetMachine &machine,
                                       llvm::CodeGenFileType type) {
  llvm::SmallString<0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type))
    return emitError(loc) << "the back end cannot emit this kind of file";
  // Code generation changes the module, which may be emitted twice.
  passes.run(*llvm::CloneModule(module));
  return buffer.str().str();
}

//===----------------------------------------------------------------------===//
// Linking
//===----------------------------------------------------------------------===//

/// Links one relocatable object. lld reads and writes files.
static FailureOr<std::vector<uint8_t>> link(Location loc, StringRef object) {
  llvm::SmallString<128> input, output;
  std::error_code code =
      llvm::sys::fs::createTemporaryFile("qfuse", "o", input);
  llvm::FileRemover removeInput(input);
  if (!code)
    code = llvm::sys::fs::createTemporaryFile("qfuse", "hsaco", output);
  llvm::FileRemover removeOutput(output);
  if (code)
    return emitError(loc) << "cannot make a temporary file: " << code.message();
  if (failed(writeFile(input, object, loc)))
    return failure();

  // Undefined symbols would stay in a shared object without a word.
  const char *arguments[] = {"ld.lld",      "-shared", "--no-undefined",
                             input.c_str(), "-o",      output.c_str()};
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  // lld has state of the process.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  lld::Result result = lld::lldMain(arguments, llvm::nulls(), stream,
                                    {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return emitError(loc) << "cannot link: " << errors;
  auto linked = llvm::MemoryBuffer::getFile(output, /*IsText=*/false);
  if (!linked)
    return emitError(loc) << "cannot read " << output << ": "
                          << linked.getError().message();
  StringRef bytes = (*linked)->getBuffer();
  return std::vector<uint8_t>(bytes.bytes_begin(), bytes.bytes_end());
}

/// Reads what the metadata of the object says of each kernel, in the order of
/// their names.
static std::vector<KernelResources> readResources(gpu::GPUModuleOp module,
                                                  ArrayRef<uint8_t> object) {
  Builder builder(module.getContext());
  auto metadata = ROCDL::getAMDHSAKernelsELFMetadata(
      builder,
      ArrayRef(reinterpret_cast<const char *>(object.data()), object.size()));
  std::vector<KernelResources> kernels;
  if (!metadata)
    return kernels;
  for (auto &[name, attributes] : *metadata) {
    auto get = [&, &attributes = attributes](StringRef key) -> unsigned {
      auto value = dyn_cast_or_null<IntegerAttr>(attributes.get(key));
      return value ? value.getInt() : 0;
    };
    KernelResources &kernel = kernels.emplace_back();
    kernel.name = name.str();
    kernel.vgprs = get("vgpr_count");
    kernel.sgprs = get("sgpr_count");
    kernel.spills = get("vgpr_spill_count") + get("sgpr_spill_count");
    kernel.threads = get("max_flat_workgroup_size");
    kernel.ldsBytes = get("group_segment_fixed_size");
    kernel.scratchBytes = get("private_segment_fixed_size");
  }
  llvm::sort(kernels, [](const KernelResources &a, const KernelResources &b) {
    return a.name < b.name;
  });
  return kernels;
}

FailureOr<DeviceObject> qfuse::serializeToCodeObject(gpu::GPUModuleOp module,
                                                     StringRef triple,
                                                     StringRef chip,
                                                     bool keepStages) {
  Location loc = module.getLoc();
  llvm::Triple llvmTriple(triple);
  auto machine = createTargetMachine(loc, llvmTriple, chip);
  if (failed(machine))
    return failure();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, context, module.getName());
  if (!translated)
    return failure(); // has been reported
  translated->setTargetTriple(llvmTriple);
  translated->setDataLayout((*machine)->createDataLayout());
  // llvm.org/docs/AMDGPUUsage.html, Code Object Metadata: version 6.
  translated->addModuleFlag(llvm::Module::Error, "amdhsa_code_object_version",
                            600u);
  optimize(*translated, **machine);

  DeviceObject result;
  if (keepStages) {
    llvm::raw_string_ostream(result.llvmIR) << *translated;
    auto assembly = emitFile(loc, *translated, **machine,
                             llvm::CodeGenFileType::AssemblyFile);
    if (failed(assembly))
      return failure();
    result.assembly = std::move(*assembly);
  }
  auto object =
      emitFile(loc, *translated, **machine, llvm::CodeGenFileType::ObjectFile);
  if (failed(object))
    return failure();
  auto linked = link(loc, *object);
  if (failed(linked))
    return failure();
  result.binary = std::move(*linked);
  result.kernels = readResources(module, result.binary);
  return result;
}
