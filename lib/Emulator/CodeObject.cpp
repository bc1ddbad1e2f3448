//===- CodeObject.cpp - Loads AMDGPU code objects -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CodeObject.h"
#include "Disassembler.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Endian.h"

using llvm::object::ELF64LE;
using llvm::object::ELF64LEObjectFile;
using Elf = llvm::object::ELFFile<ELF64LE>;

namespace mlir::qfuse::emulator {

/// More is taken for a damaged file.
constexpr u64 maxImageBytes = u64(1) << 30;

static Error makeError(llvm::Error error) {
  return Error{"damaged code object: " + llvm::toString(std::move(error))};
}

static Error makeError(const char *what) {
  return Error{std::string("damaged code object: ") + what};
}

/// Copies the segments of `elf` to a fresh image.
static Status loadSegments(const Elf &elf, CodeObject &object) {
  auto segments = elf.program_headers();
  if (!segments)
    return makeError(segments.takeError());
  u64 end = 0;
  for (const auto &segment : *segments) {
    if (segment.p_type != llvm::ELF::PT_LOAD)
      continue;
    if (segment.p_vaddr > maxImageBytes || segment.p_memsz > maxImageBytes ||
        segment.p_filesz > segment.p_memsz)
      return makeError("a segment is too large");
    end = std::max<u64>(end, segment.p_vaddr + segment.p_memsz);
  }
  if (end == 0)
    return makeError("it has no loadable segment");
  object.imageBytes = (end + 4095) / 4096 * 4096;
  object.image.reset((u8 *)aligned_alloc(4096, object.imageBytes));
  if (!object.image)
    return makeError("a segment is too large");
  memset(object.image.get(), 0, object.imageBytes);
  for (const auto &segment : *segments) {
    if (segment.p_type != llvm::ELF::PT_LOAD)
      continue;
    auto contents = elf.getSegmentContents(segment);
    if (!contents)
      return makeError(contents.takeError());
    memcpy(object.image.get() + segment.p_vaddr, contents->data(),
           contents->size());
  }
  object.program.base = (u64)object.image.get();
  return okStatus();
}

/// Returns the address that the relocation `rela` stores.
static Result<u64> getRelocatedValue(const Elf &elf,
                                     const ELF64LE::Shdr &section,
                                     const ELF64LE::Rela &rela, u64 base) {
  switch (rela.getType(/*isMips64EL=*/false)) {
  case llvm::ELF::R_AMDGPU_RELATIVE64:
    return base + rela.r_addend;
  case llvm::ELF::R_AMDGPU_ABS64: {
    auto symbols = elf.getSection(section.sh_link);
    if (!symbols)
      return makeError(symbols.takeError());
    auto symbol = elf.getRelocationSymbol(rela, *symbols);
    if (!symbol)
      return makeError(symbol.takeError());
    if (!*symbol || (*symbol)->isUndefined())
      return Error{"the code object refers to a symbol that it lacks"};
    return base + (*symbol)->st_value + rela.r_addend;
  }
  default:
    return Error{"relocation type " + std::to_string(rela.getType(false)) +
                 " of the code object is not supported"};
  }
}

static Status applyRelocations(const Elf &elf, CodeObject &object) {
  auto sections = elf.sections();
  if (!sections)
    return makeError(sections.takeError());
  for (const auto &section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_RELA ||
        !(section.sh_flags & llvm::ELF::SHF_ALLOC))
      continue;
    auto relocations = elf.relas(section);
    if (!relocations)
      return makeError(relocations.takeError());
    for (const auto &rela : *relocations) {
      if (rela.r_offset > object.imageBytes - 8)
        return makeError("a relocation is out of bounds");
      Result<u64> value =
          getRelocatedValue(elf, section, rela, object.program.base);
      if (!value)
        return value.getError();
      memcpy(object.image.get() + rela.r_offset, &*value, 8);
    }
  }
  return okStatus();
}

/// Reads the entry of the metadata for one kernel.
static void readKernelMetadata(llvm::msgpack::MapDocNode map, Kernel &kernel) {
  auto find = [](llvm::msgpack::MapDocNode &map, llvm::StringRef key) {
    auto entry = map.find(key);
    return entry == map.end() ? nullptr : &entry->second;
  };
  auto getUnsigned = [&](llvm::msgpack::MapDocNode &map, llvm::StringRef key) {
    llvm::msgpack::DocNode *node = find(map, key);
    return node && node->getKind() == llvm::msgpack::Type::UInt
               ? node->getUInt()
               : u64(0);
  };
  kernel.argumentBytes =
      std::max(kernel.argumentBytes, getUnsigned(map, ".kernarg_segment_size"));
  if (u64 threads = getUnsigned(map, ".max_flat_workgroup_size"))
    kernel.maxThreads = std::min(kernel.maxThreads, threads);
  if (llvm::msgpack::DocNode *node = find(map, ".uses_dynamic_stack"))
    kernel.usesDynamicStack =
        node->getKind() == llvm::msgpack::Type::Boolean && node->getBool();
  llvm::msgpack::DocNode *arguments = find(map, ".args");
  if (!arguments || !arguments->isArray())
    return;
  for (llvm::msgpack::DocNode &node : arguments->getArray()) {
    if (!node.isMap())
      continue;
    llvm::msgpack::DocNode *kind = find(node.getMap(), ".value_kind");
    kernel.arguments.push_back(
        {getUnsigned(node.getMap(), ".offset"),
         getUnsigned(node.getMap(), ".size"),
         kind && kind->isString() ? kind->getString().str() : std::string()});
  }
}

static void readMetadata(llvm::msgpack::Document &document,
                         CodeObject &object) {
  if (!document.getRoot().isMap())
    return;
  auto &root = document.getRoot().getMap();
  auto kernels = root.find("amdhsa.kernels");
  if (kernels == root.end() || !kernels->second.isArray())
    return;
  for (llvm::msgpack::DocNode &node : kernels->second.getArray()) {
    if (!node.isMap())
      continue;
    auto symbol = node.getMap().find(".symbol");
    if (symbol == node.getMap().end() || !symbol->second.isString())
      continue;
    llvm::StringRef name = symbol->second.getString();
    name.consume_back(".kd");
    auto kernel = object.kernels.find(name.str());
    if (kernel != object.kernels.end())
      readKernelMetadata(node.getMap(), kernel->second);
  }
}

static Status readNotes(const Elf &elf, CodeObject &object) {
  auto segments = elf.program_headers();
  if (!segments)
    return makeError(segments.takeError());
  for (const auto &segment : *segments) {
    if (segment.p_type != llvm::ELF::PT_NOTE)
      continue;
    llvm::Error error = llvm::Error::success();
    for (const auto &note : elf.notes(segment, error)) {
      if (note.getName() != "AMDGPU" ||
          note.getType() != llvm::ELF::NT_AMDGPU_METADATA)
        continue;
      llvm::msgpack::Document document;
      if (document.readFromBlob(note.getDescAsStringRef(segment.p_align),
                                /*Multi=*/false))
        readMetadata(document, object);
    }
    if (error)
      return makeError(std::move(error));
  }
  return okStatus();
}

/// Adds the kernel whose descriptor is the symbol `name` at `address`.
static Status addKernel(llvm::StringRef name, u64 address, CodeObject &object) {
  Kernel kernel;
  if (address > object.imageBytes - sizeof kernel.descriptor)
    return makeError("a kernel descriptor is out of bounds");
  memcpy(&kernel.descriptor, object.image.get() + address,
         sizeof kernel.descriptor);
  kernel.entry = address + kernel.descriptor.kernel_code_entry_byte_offset;
  kernel.argumentBytes = kernel.descriptor.kernarg_size;
  object.kernels[name.drop_back(3).str()] = kernel;
  return okStatus();
}

/// Finds kernels, and the addresses at which code begins.
static Status readSymbols(const ELF64LEObjectFile &file, CodeObject &object,
                          std::set<u64> &codeStarts) {
  for (const auto &symbol : file.symbols()) {
    auto name = symbol.getName();
    auto address = symbol.getAddress();
    auto type = symbol.getType();
    if (!name || !address || !type) {
      llvm::consumeError(name.takeError());
      llvm::consumeError(address.takeError());
      llvm::consumeError(type.takeError());
      return makeError("a symbol is not readable");
    }
    if (*type == llvm::object::SymbolRef::ST_Function)
      codeStarts.insert(*address);
    if (!name->ends_with(".kd") ||
        symbol.getSize() != sizeof(llvm::amdhsa::kernel_descriptor_t))
      continue;
    if (Status status = addKernel(*name, *address, object); !status)
      return status;
  }
  return okStatus();
}

/// Returns the executable sections, cut at each address of `starts`.
static std::vector<CodeRange> getCode(const ELF64LEObjectFile &file,
                                      const CodeObject &object,
                                      const std::set<u64> &starts) {
  std::vector<CodeRange> code;
  for (const auto &section : file.sections()) {
    u64 address = section.getAddress(), size = section.getSize();
    if (!section.isText() || section.isVirtual() ||
        address > object.imageBytes || size > object.imageBytes - address)
      continue;
    u64 end = address + size;
    while (address < end) {
      auto next = starts.upper_bound(address);
      u64 stop = next == starts.end() ? end : std::min(end, *next);
      code.push_back({address, {object.image.get() + address, stop - address}});
      address = stop;
    }
  }
  return code;
}

/// Returns the file that `bytes` are, which have to be a linked code object.
static Result<std::unique_ptr<ELF64LEObjectFile>>
parseFile(const std::vector<u8> &bytes) {
  llvm::StringRef contents((const char *)bytes.data(), bytes.size());
  if (!contents.starts_with("\177ELF\2\1"))
    return Error{"not a code object: it is no 64-bit ELF file"};
  auto file =
      ELF64LEObjectFile::create(llvm::MemoryBufferRef(contents, "code object"));
  if (!file)
    return makeError(file.takeError());
  if (file->getELFFile().getHeader().e_machine != llvm::ELF::EM_AMDGPU)
    return Error{"not a code object for AMD GPUs"};
  if (file->getELFFile().getHeader().e_type != llvm::ELF::ET_DYN)
    return Error{"the code object is not linked; link it with ld.lld -shared"};
  return std::make_unique<ELF64LEObjectFile>(std::move(*file));
}

/// Returns the name of the processor that `file` is for. LLVM's own answer is
/// undefined for a number that it does not know.
static Result<std::string> getProcessor(const ELF64LEObjectFile &file) {
  unsigned machine =
      file.getELFFile().getHeader().e_flags & llvm::ELF::EF_AMDGPU_MACH;
  switch (machine) {
  case llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX942:
    return std::string("gfx942");
  case llvm::ELF::EF_AMDGPU_MACH_AMDGCN_GFX950:
    return std::string("gfx950");
  default:
    return Error{"expected a code object for gfx942 or gfx950, got one for "
                 "processor number " +
                 std::to_string(machine)};
  }
}

Result<CodeObject> loadCodeObject(const std::vector<u8> &bytes) {
  auto file = parseFile(bytes);
  if (!file)
    return file.getError();
  const Elf &elf = (*file)->getELFFile();
  Result<std::string> processor = getProcessor(**file);
  if (!processor)
    return processor.getError();
  CodeObject object;
  object.target = *processor;
  std::set<u64> codeStarts;
  if (Status status = loadSegments(elf, object); !status)
    return status.getError();
  if (Status status = applyRelocations(elf, object); !status)
    return status.getError();
  if (Status status = readSymbols(**file, object, codeStarts); !status)
    return status.getError();
  if (Status status = readNotes(elf, object); !status)
    return status.getError();
  Result<Program> program =
      disassemble(object.target, getCode(**file, object, codeStarts));
  if (!program)
    return program.getError();
  program->base = object.program.base;
  object.program = std::move(*program);
  return object;
}

} // namespace mlir::qfuse::emulator
