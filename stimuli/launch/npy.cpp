#include <fermata/stimuli/launch/npy.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>

#include <fermata/stimuli/folder.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::launch {
namespace {

constexpr std::string_view kNpyMagic = "\x93NUMPY";
constexpr std::size_t kMostHeader = 1 << 20;
constexpr std::size_t kAlignment = 64;

struct NumpyNames {
  ElementType type;
  std::string_view code;   ///< in a file's descr, without the byte order
  std::string_view numpy;  ///< name of the dtype
};
constexpr std::array<NumpyNames, 11> kNumpyNames = {{{ElementType::U8, "u1", "uint8"},
                                                     {ElementType::S8, "i1", "int8"},
                                                     {ElementType::U16, "u2", "uint16"},
                                                     {ElementType::S16, "i2", "int16"},
                                                     {ElementType::U32, "u4", "uint32"},
                                                     {ElementType::S32, "i4", "int32"},
                                                     {ElementType::U64, "u8", "uint64"},
                                                     {ElementType::S64, "i8", "int64"},
                                                     {ElementType::F16, "f2", "float16"},
                                                     {ElementType::F32, "f4", "float32"},
                                                     {ElementType::F64, "f8", "float64"}}};

std::string_view numpyCode(ElementType type) {
  return kNumpyNames[static_cast<std::size_t>(type)].code;
}

/// Reads the dictionary of a header, which is a Python literal of three keys.
class NpyHeaderText {
 public:
  NpyHeaderText(std::string_view text, std::string path, const SourceLocation& where)
      : text_(text), path_(std::move(path)), where_(where) {}

  NpyArray read() {
    NpyArray array;
    bool descr = false, order = false, shape = false;
    take('{');
    while (!takes('}')) {
      const std::string key = quoted();
      take(':');
      if (key == "descr") {
        array.type = typeOf(quoted());
        descr = true;
      } else if (key == "fortran_order") {
        if (word() == "True")
          refuse(where_,
                 "'{}' is in Fortran order; expected C order (numpy.ascontiguousarray before "
                 "numpy.save)",
                 path_);
        order = true;
      } else if (key == "shape") {
        array.shape = tuple();
        shape = true;
      } else {
        damaged();
      }
      if (!takes(',')) {
        take('}');
        break;
      }
    }
    if (!descr || !order || !shape) damaged();
    return array;
  }

 private:
  [[noreturn]] void damaged() const {
    refuse(where_, "'{}' has a header that is not NumPy's; expected a file of numpy.save", path_);
  }
  void skip() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_[0])) != 0)
      text_.remove_prefix(1);
  }
  bool takes(char c) {
    skip();
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void take(char c) {
    if (!takes(c)) damaged();
  }
  std::string quoted() {
    skip();
    if (text_.empty()) damaged();
    if (text_[0] == '[')
      refuse(where_, "'{}' holds records; expected numbers of one type, such as float32", path_);
    const char quote = text_[0];
    if (quote != '\'' && quote != '"') damaged();
    const std::size_t end = text_.find(quote, 1);
    if (end == std::string_view::npos) damaged();
    std::string out(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return out;
  }
  std::string word() {
    skip();
    std::size_t end = 0;
    while (end < text_.size() && std::isalpha(static_cast<unsigned char>(text_[end])) != 0) ++end;
    std::string out(text_.substr(0, end));
    if (out != "True" && out != "False") damaged();
    text_.remove_prefix(end);
    return out;
  }
  Shape tuple() {
    Shape shape;
    take('(');
    while (!takes(')')) {
      skip();
      std::uint64_t size = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), size);
      if (error != std::errc()) damaged();
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      shape.push_back(size);
      if (!takes(',')) {
        take(')');
        break;
      }
    }
    return shape;
  }
  ElementType typeOf(const std::string& descr) const {
    if (descr == "|b1") return ElementType::U8;
    const char order = descr.empty() ? '?' : descr[0];
    const std::string code = descr.substr(std::min<std::size_t>(1, descr.size()));
    for (const NumpyNames& names : kNumpyNames) {
      if (names.code != code) continue;
      if (order == '>' && elementBytes(names.type) > 1)
        refuse(where_, "'{}' is big-endian ({}); expected '<{}', little-endian", path_, descr,
               code);
      return names.type;
    }
    refuse(where_,
           "'{}' has elements of type '{}'; expected bool, int8 to int64, uint8 to uint64, or "
           "float16 to float64",
           path_, descr);
  }

  std::string_view text_;
  std::string path_;
  SourceLocation where_;
};

NpyArray readArray(const std::string& path, const SourceLocation& where, bool elements) {
  refuseFolder(path, "an array (.npy)", where);
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(where, "'{}' cannot be read; expected an array (.npy)", path);
  std::array<char, 12> start{};
  file.read(start.data(), 8);
  if (!file || std::string_view(start.data(), kNpyMagic.size()) != kNpyMagic)
    refuse(where, "'{}' is no array of NumPy; expected a file of numpy.save (.npy)", path);
  const unsigned version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3)
    refuse(where, "'{}' has version {} of the format; expected 1 to 3", path, version);
  const unsigned lengthBytes = version == 1 ? 2 : 4;
  file.read(start.data() + 8, lengthBytes);
  std::size_t length = 0;
  for (unsigned i = 0; i < lengthBytes; ++i)
    length |= std::size_t{static_cast<unsigned char>(start[8 + i])} << (8 * i);
  if (!file || length > kMostHeader)
    refuse(where, "'{}' has a header that is not NumPy's; expected a file of numpy.save", path);
  std::string text(length, '\0');
  file.read(text.data(), static_cast<std::streamsize>(length));
  if (!file) refuse(where, "'{}' ends in its header; expected a file of numpy.save, whole", path);
  NpyArray array = NpyHeaderText(text, path, where).read();
  const std::uint64_t count = elementsOf(array.shape, where);
  const std::uint64_t begin = 8 + lengthBytes + length;
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  const unsigned each = elementBytes(array.type);
  if (error || size < begin || (size - begin) / each != count || (size - begin) % each != 0) {
    refuse(where, "'{}' has {} bytes of elements; expected {} elements of {} bytes, its shape {}",
           path, size - std::min(size, begin), count, each, shapeText(array.shape));
  }
  if (!elements) return array;
  array.bytes.resize(count * each);
  file.read(reinterpret_cast<char*>(array.bytes.data()),
            static_cast<std::streamsize>(array.bytes.size()));
  if (!file) refuse(where, "'{}' cannot be read to its end; expected a plain file", path);
  return array;
}

}  // namespace

bool isNpyPath(const std::string& path) {
  return std::filesystem::path(path).extension() == ".npy";
}

std::uint64_t elementsOf(const Shape& shape, const SourceLocation& where) {
  std::uint64_t count = 1;
  for (const std::uint64_t size : shape) {
    if (__builtin_mul_overflow(count, size, &count))
      refuse(where, "an array of shape {} is too large; expected 2 GiB or less", shapeText(shape));
  }
  return count;
}

std::string shapeText(const Shape& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

std::string numpyName(ElementType type) {
  return std::string(kNumpyNames[static_cast<std::size_t>(type)].numpy);
}

std::optional<ElementType> typeOfNumpyName(const std::string& name) {
  if (name == "bool") return ElementType::U8;
  if (const auto own = elementTypeFrom(name)) return own;  // "u8" has 8 bits, as in launch files
  for (const NumpyNames& names : kNumpyNames) {
    if (names.numpy == name) return names.type;
  }
  return std::nullopt;
}

NpyArray readNpyHeader(const std::string& path, const SourceLocation& where) {
  return readArray(path, where, false);
}

NpyArray readNpy(const std::string& path, const SourceLocation& where) {
  return readArray(path, where, true);
}

std::string npyHeader(ElementType type, const Shape& shape) {
  std::string text =
      fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': {}, }}",
                  elementBytes(type) == 1 ? '|' : '<', numpyCode(type), shapeText(shape));
  constexpr std::size_t kBefore = 10;  // bytes before the text in version 1.0
  const std::size_t whole = (kBefore + text.size() + 1 + kAlignment - 1) / kAlignment * kAlignment;
  text.append(whole - kBefore - text.size() - 1, ' ');
  text += '\n';
  const auto length = static_cast<std::uint16_t>(text.size());
  std::string header(kNpyMagic);
  header += {'\1', '\0', static_cast<char>(length & 0xff), static_cast<char>(length >> 8)};
  return header + text;
}

}  // namespace fermata::launch
