//===- Npy.cpp - Reading and writing .npy files ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format is that of numpy.lib.format: a magic string, a version, the size
// of a header, the header as a Python dictionary, the data.

#include "qfuse/Support/Tensor.h"
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>

using namespace mlir;
using namespace mlir::qfuse;

static constexpr std::string_view magic("\x93NUMPY", 6);

namespace {
struct Header {
  std::string descr;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
  /// Where the data begins.
  size_t end = 0;
};
} // namespace

/// Returns the name that numpy gives the type under which `element` is stored.
static std::string_view getDescr(Element element) {
  switch (element) {
  case Element::f32:
    return "<f4";
  case Element::f16:
    return "<f2";
  case Element::bf16:
    return "<u2";
  case Element::i8:
    return "|i1";
  case Element::i32:
    return "<i4";
  case Element::index:
    return "<i8";
  case Element::f64:
    return "<f8";
  default:
    return "|u1";
  }
}

/// Returns whether numpy's type `descr` can hold `element`. Types that numpy
/// does not know are stored as bytes without meaning (`V`).
static bool canHold(std::string_view descr, Element element) {
  if (descr == getDescr(element))
    return true;
  bool isRaw = getDescr(element)[1] == 'u';
  return isRaw && descr.size() == 3 && descr[1] == 'V' &&
         descr[2] == getDescr(element)[2];
}

static Error makeError(const std::string &path, const std::string &what) {
  return {path + ": " + what};
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Returns what follows `'key':` in a header, or nothing if there is no such
/// key.
static std::optional<std::string_view> findValue(std::string_view text,
                                                 std::string_view key) {
  size_t position = text.find("'" + std::string(key) + "'");
  if (position == std::string_view::npos)
    return std::nullopt;
  position = text.find(':', position);
  if (position == std::string_view::npos)
    return std::nullopt;
  position = text.find_first_not_of(' ', position + 1);
  if (position == std::string_view::npos)
    return std::nullopt;
  return text.substr(position);
}

/// Parses `(3, 4)`. Extents are at most 2^40, so that no size overflows for
/// ranks that occur; the caller checks the size against that of the file.
static std::optional<std::vector<int64_t>> parseShape(std::string_view text) {
  std::vector<int64_t> shape;
  if (text.empty() || text.front() != '(')
    return std::nullopt;
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == ')')
      return shape;
    if (text[i] == ' ' || text[i] == ',')
      continue;
    int64_t extent = 0;
    size_t begin = i;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
      extent = extent * 10 + (text[i] - '0');
      if (extent > (int64_t(1) << 40))
        return std::nullopt;
    }
    if (i == begin)
      return std::nullopt;
    --i;
    shape.push_back(extent);
  }
  return std::nullopt;
}

static std::optional<Header> parseHeader(const std::vector<uint8_t> &file) {
  if (file.size() < 12 ||
      std::memcmp(file.data(), magic.data(), magic.size()) != 0)
    return std::nullopt;
  // Version 1 has a size of two bytes, later ones of four.
  size_t begin = file[6] == 1 ? 10 : 12;
  size_t size = file[8] | file[9] << 8;
  if (file[6] != 1)
    size |= size_t(file[10]) << 16 | size_t(file[11]) << 24;
  if (size > file.size() - begin)
    return std::nullopt;
  std::string_view text(reinterpret_cast<const char *>(file.data()) + begin,
                        size);
  auto descr = findValue(text, "descr");
  auto order = findValue(text, "fortran_order");
  auto shape = findValue(text, "shape");
  if (!descr || !order || !shape || descr->size() < 2)
    return std::nullopt;
  auto extents = parseShape(*shape);
  size_t quote = descr->find('\'', 1);
  if (!extents || descr->front() != '\'' || quote == std::string_view::npos)
    return std::nullopt;
  return Header{std::string(descr->substr(1, quote - 1)),
                order->substr(0, 4) == "True", *extents, begin + size};
}

/// Returns the number of elements of an array of shape `shape`, or -1 if it is
/// too large for any file.
static int64_t countElements(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    if (__builtin_mul_overflow(count, extent, &count))
      return -1;
  return count > std::numeric_limits<int64_t>::max() / 8 ? -1 : count;
}

static Result<std::vector<uint8_t>> readFile(const std::string &path) {
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  if (!stream)
    return makeError(path,
                     std::string("cannot be read: ") + std::strerror(errno));
  std::streamoff size = stream.tellg();
  if (size < 0)
    return makeError(path, "cannot be read: it has no size");
  std::vector<uint8_t> bytes(static_cast<size_t>(size));
  stream.seekg(0);
  if (!stream.read(reinterpret_cast<char *>(bytes.data()), size))
    return makeError(path, "cannot be read to its end");
  return bytes;
}

Result<Tensor> qfuse::readNpy(const std::string &path, Element element) {
  Result<std::vector<uint8_t>> file = readFile(path);
  if (!file)
    return file.getError();
  std::optional<Header> header = parseHeader(*file);
  if (!header)
    return makeError(path, "is not a .npy file of a plain array");
  if (!canHold(header->descr, element))
    return makeError(path, "expected elements '" +
                               std::string(getDescr(element)) + "' for " +
                               std::string(getName(element)) + ", got '" +
                               header->descr + "'");
  if (header->fortranOrder && header->shape.size() > 1)
    return makeError(path, "expected C order, got Fortran order; save "
                           "numpy.ascontiguousarray of it");
  if (getBitWidth(element) == 4) {
    if (header->shape.empty())
      return makeError(path, "expected at least one extent, as a byte holds "
                             "two " +
                                 std::string(getName(element)));
    header->shape.back() *= 2;
  }
  int64_t count = countElements(header->shape);
  int64_t available = static_cast<int64_t>(file->size() - header->end);
  if (count < 0 || getByteSize(element, count) != available)
    return makeError(path, "expected the data that its shape needs, got " +
                               std::to_string(available) + " bytes");
  Tensor tensor;
  tensor.element = element;
  tensor.shape = std::move(header->shape);
  tensor.bytes.assign(file->begin() + header->end, file->end());
  return tensor;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static std::string makeHeader(const Tensor &tensor) {
  std::string shape;
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    bool isHalved =
        getBitWidth(tensor.element) == 4 && i + 1 == tensor.shape.size();
    int64_t extent = tensor.shape[i];
    shape += std::to_string(isHalved ? (extent + 1) / 2 : extent) + ", ";
  }
  // A tuple of one needs its comma; numpy writes none after more.
  if (tensor.shape.size() > 1)
    shape.resize(shape.size() - 2);
  else if (!shape.empty())
    shape.pop_back();
  std::string text = "{'descr': '" + std::string(getDescr(tensor.element)) +
                     "', 'fortran_order': False, 'shape': (" + shape + "), }";
  // The data begins at a multiple of 64.
  size_t unpadded = magic.size() + 4 + text.size() + 1;
  text.append((64 - unpadded % 64) % 64, ' ');
  text += '\n';
  std::string header(magic);
  header += {'\1', '\0', static_cast<char>(text.size() & 0xff),
             static_cast<char>(text.size() >> 8)};
  return header + text;
}

Status qfuse::writeNpy(const std::string &path, const Tensor &tensor) {
  if (getBitWidth(tensor.element) == 4 &&
      (tensor.shape.empty() || tensor.shape.back() % 2 != 0))
    return makeError(path,
                     "expected an even last extent, as a byte holds two " +
                         std::string(getName(tensor.element)));
  std::ofstream stream(path, std::ios::binary);
  std::string header = makeHeader(tensor);
  stream.write(header.data(), static_cast<std::streamsize>(header.size()));
  stream.write(reinterpret_cast<const char *>(tensor.bytes.data()),
               static_cast<std::streamsize>(tensor.bytes.size()));
  stream.close();
  if (!stream)
    return makeError(path,
                     std::string("cannot be written: ") + std::strerror(errno));
  return okStatus();
}
