//===- Object.cpp - LLVM's back end and linker, in process ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Object.h"

#include "BackEnd.h"
#include "lld/Common/Driver.h"
#include "mlir/Target/LLVM/ROCDL/Utils.h"
#include "qfuse/Conversion/Files.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
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
  initializeBackEnd();
  auto backEnd = BackEnd::create(loc, triple, chip, /*features=*/"");
  if (failed(backEnd) || failed(backEnd->translate(module)))
    return failure();
  // llvm.org/docs/AMDGPUUsage.html, Code Object Metadata: version 6.
  backEnd->getModule().addModuleFlag(llvm::Module::Error,
                                     "amdhsa_code_object_version", 600u);
  backEnd->optimize();

  DeviceObject result;
  result.fileName = "kernels.hsaco";
  if (keepStages) {
    result.llvmIR = backEnd->getText();
    auto assembly = backEnd->emit(llvm::CodeGenFileType::AssemblyFile);
    if (failed(assembly))
      return failure();
    result.assembly = std::move(*assembly);
  }
  auto object = backEnd->emit(llvm::CodeGenFileType::ObjectFile);
  if (failed(object))
    return failure();
  auto linked = link(loc, *object);
  if (failed(linked))
    return failure();
  result.binary = std::move(*linked);
  result.kernels = readResources(module, result.binary);
  return result;
}
