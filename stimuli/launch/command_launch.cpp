#include <fermata/stimuli/launch/command_launch.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

#include <fermata/stimuli/launch/npy.h>
#include <fermata/stimuli/launch/parameter_reader.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::launch {
namespace {

namespace fs = std::filesystem;

constexpr const char* kValues =
    "FILE.npy, in:FILE.npy, out:TYPE[SHAPE], inout:FILE.npy, zero:TYPE[SHAPE], or TYPE:NUMBER, "
    "with a type such as float32 or u32";

/// Returns the place of an option in messages.
SourceLocation placeOf(const char* option, const std::string& text) {
  return {std::string(option) + " " + text, 0, 0};
}

/// Returns the text without a meaning for its braces.
Text plain(const std::string& text, const SourceLocation& where) {
  std::string pattern;
  for (const char c : text)
    pattern += (c == '{' || c == '}') ? std::string(2, c) : std::string(1, c);
  return {pattern, where};
}

std::pair<std::string, std::string> parted(const std::string& text, const char* option,
                                           const char* expected) {
  const std::size_t equals = text.find('=');
  const SourceLocation where = placeOf(option, text);
  if (equals == std::string::npos) refuse(where, "no '='; expected {}", expected);
  std::pair<std::string, std::string> parts{text.substr(0, equals), text.substr(equals + 1)};
  requireName(parts.first, where);
  if (parts.second.empty()) refuse(where, "no value; expected {}", expected);
  return parts;
}

std::vector<std::string> partsOf(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

std::uint64_t sizeOf(const std::string& text, const SourceLocation& where, const char* expected) {
  std::uint64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last || value == 0 || value > INT64_MAX)
    refuse(where, "'{}' is no size; expected {}", text, expected);
  return value;
}

std::vector<Expression> sizesOf(const std::string& text, const char* option) {
  const SourceLocation where = placeOf(option, text);
  constexpr const char* kSizes = "one to three whole numbers above 0, such as 4,4";
  std::vector<Expression> sizes;
  if (text.empty()) refuse("{} is missing; expected {}", option, kSizes);
  for (const std::string& part : partsOf(text, ','))
    sizes.emplace_back(static_cast<std::int64_t>(sizeOf(part, where, kSizes)), where);
  if (sizes.size() > 3) refuse(where, "{} sizes; expected {}", sizes.size(), kSizes);
  return sizes;
}

ElementType typeOf(const std::string& name, const SourceLocation& where) {
  if (const auto type = typeOfNumpyName(name)) return *type;
  refuse(where, "no type '{}'; expected {}", name, kValues);
}

/// Reads --arg options one after another into a description.
class Arguments {
 public:
  Arguments(LaunchDescription& description, LaunchStep& step)
      : description_(description), step_(step) {}

  void add(const std::string& text) {
    const auto [name, value] = parted(text, "--arg", kValues);
    where_ = placeOf("--arg", text);
    const std::size_t colon = value.find(':');
    const std::string kind = value.substr(0, colon);
    const std::string rest = colon == std::string::npos ? "" : value.substr(colon + 1);
    if (colon == std::string::npos && isNpyPath(value)) return addArray(name, value, false);
    if (kind == "in" || kind == "inout") return addArray(name, rest, kind == "inout");
    if (kind == "out" || kind == "zero") return addEmpty(name, rest, kind == "zero");
    if (colon == std::string::npos) refuse(where_, "no such value; expected {}", kValues);
    addScalar(kind, rest);
  }

 private:
  void addArray(const std::string& name, const std::string& file, bool comesBack) {
    const NpyArray array = readNpyHeader(file, where_);
    Fill fill;
    fill.kind = Fill::Kind::File;
    fill.file = plain(fs::absolute(file).string(), where_);
    addBuffer(name, array.type, array.shape, fill, comesBack);
  }

  void addEmpty(const std::string& name, const std::string& text, bool zero) {
    const std::size_t bracket = text.find('[');
    if (bracket == std::string::npos || text.back() != ']')
      refuse(where_, "'{}' has no shape; expected a type and sizes, such as float32[64,64]", text);
    Shape shape;
    for (const std::string& part :
         partsOf(text.substr(bracket + 1, text.size() - bracket - 2), ','))
      shape.push_back(sizeOf(part, where_, "whole numbers above 0, such as float32[64,64]"));
    Fill fill;
    fill.kind = zero ? Fill::Kind::Zero : Fill::Kind::None;
    addBuffer(name, typeOf(text.substr(0, bracket), where_), shape, fill, !zero);
  }

  void addBuffer(const std::string& name, ElementType type, const Shape& shape, Fill fill,
                 bool comesBack) {
    for (const Buffer& other : description_.buffers) {
      if (other.name == name)
        refuse(where_, "'{}' is the name of another array; expected a name of its own", name);
    }
    const std::uint64_t count = elementsOf(shape, where_);
    Buffer buffer;
    buffer.name = name;
    buffer.type = type;
    buffer.count =
        Expression(static_cast<std::int64_t>(std::min<std::uint64_t>(count, INT64_MAX)), where_);
    for (const std::uint64_t size : shape)
      buffer.shape.emplace_back(static_cast<std::int64_t>(size), where_);
    buffer.where = where_;
    fill.where = where_;
    buffer.fill = std::move(fill);
    description_.buffers.push_back(std::move(buffer));
    if (comesBack) {
      Dump dump;
      dump.buffer = name;
      dump.file = plain(name + ".npy", where_);
      dump.where = where_;
      description_.dumps.push_back(std::move(dump));
    }
    Argument argument;
    argument.kind = Argument::Kind::Buffer;
    argument.buffer = name;
    argument.where = where_;
    step_.arguments.push_back(std::move(argument));
  }

  void addScalar(const std::string& type, const std::string& number) {
    Argument argument;
    argument.type = typeOf(type, where_);
    argument.where = where_;
    if (argument.type != ElementType::U64 || !addLarge(argument, number))
      argument.value = valueOf(argument.type, number);
    step_.arguments.push_back(std::move(argument));
  }

  /// Takes a number beyond expressions, which have a sign. Returns false for any other text.
  static bool addLarge(Argument& argument, const std::string& text) {
    std::uint64_t large = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, large);
    if (error != std::errc() || end != last || large <= INT64_MAX) return false;
    argument.kind = Argument::Kind::Bytes;
    for (unsigned shift = 0; shift < 64; shift += 8)
      argument.bytes.push_back(static_cast<std::uint8_t>(large >> shift));
    return true;
  }

  Number valueOf(ElementType type, const std::string& text) const {
    const char* const last = text.data() + text.size();
    Number number;
    number.where = where_;
    if (isFloat(type)) {
      double real = 0;
      const auto [end, error] = std::from_chars(text.data(), last, real);
      if (error != std::errc() || end != last)
        refuse(where_, "'{}' is no number; expected one such as 2.5, inf or nan", text);
      number.value = real;
      return number;
    }
    std::int64_t whole = 0;
    const auto [end, error] = std::from_chars(text.data(), last, whole);
    if (error != std::errc() || end != last)
      refuse(where_, "'{}' is no number; expected a whole one of 64 bits", text);
    number.value = Expression(whole, where_);
    return number;
  }

  LaunchDescription& description_;
  LaunchStep& step_;
  SourceLocation where_;
};

Buffer& bufferOf(LaunchDescription& description, const std::string& name,
                 const SourceLocation& where) {
  (void)findNamed(description.buffers, name, where, "buffer", "none: the launch has no buffers");
  return *std::find_if(description.buffers.begin(), description.buffers.end(),
                       [&](const Buffer& buffer) { return buffer.name == name; });
}

void takeBuffers(LaunchDescription& description, const CommandLaunch& launch) {
  for (const std::string& text : launch.buffers) {
    const auto [name, file] = parted(text, "--buffer", "NAME=FILE.npy");
    const SourceLocation where = placeOf("--buffer", text);
    Buffer& buffer = bufferOf(description, name, where);
    buffer.fill = Fill();
    buffer.fill.kind = Fill::Kind::File;
    buffer.fill.file = plain(fs::absolute(file).string(), where);
    buffer.fill.where = where;
  }
  for (const std::string& text : launch.dumps) {
    const auto [name, file] = parted(text, "--dump", "NAME=FILE.npy");
    const SourceLocation where = placeOf("--dump", text);
    const Buffer& buffer = bufferOf(description, name, where);
    auto& dumps = description.dumps;
    dumps.erase(std::remove_if(dumps.begin(), dumps.end(),
                               [&](const Dump& dump) { return dump.buffer == buffer.name; }),
                dumps.end());
    Dump dump;
    dump.buffer = name;
    dump.file = plain(file, where);
    dump.where = where;
    dump.when = buffer.when;
    dumps.push_back(std::move(dump));
  }
}

}  // namespace

bool CommandLaunch::describesLaunch() const {
  return !(entry.empty() && grid.empty() && block.empty() && shared.empty() && arch.empty() &&
           arguments.empty() && includes.empty() && defines.empty());
}

bool isKernelPath(const std::string& path) {
  const fs::path kind = fs::path(path).extension();
  return kind == ".cu" || kind == ".ptx";
}

LaunchDescription describeLaunch(const std::string& kernel, const CommandLaunch& launch) {
  LaunchDescription description;
  description.path = kernel;
  description.description = "a launch by the command line";
  const SourceLocation file{kernel, 0, 0};
  description.kernel.file = plain(kernel, file);
  if (!launch.arch.empty())
    description.kernel.arch = plain(launch.arch, placeOf("--arch", launch.arch));
  for (const std::string& folder : launch.includes)
    description.kernel.includes.push_back(plain(folder, placeOf("--include", folder)));
  for (const std::string& define : launch.defines)
    description.kernel.defines.push_back(plain(define, placeOf("--define", define)));
  if (launch.entry.empty())
    refuse(file,
           "no --entry says which kernel runs; expected --entry NAME, --grid, --block and "
           "--arg for each of its arguments");
  LaunchStep step;
  step.where = file;
  step.entry = plain(launch.entry, placeOf("--entry", launch.entry));
  step.grid = sizesOf(launch.grid, "--grid");
  step.block = sizesOf(launch.block, "--block");
  if (!launch.shared.empty() && launch.shared != "0") {
    const SourceLocation where = placeOf("--shared", launch.shared);
    step.shared = Expression(
        static_cast<std::int64_t>(sizeOf(launch.shared, where, "a number of bytes")), where);
  }
  Arguments arguments(description, step);
  for (const std::string& text : launch.arguments) arguments.add(text);
  description.launches.push_back(std::move(step));
  takeBuffers(description, launch);
  return description;
}

void changeBuffers(LaunchDescription& description, const CommandLaunch& launch) {
  if (launch.describesLaunch())
    refuse(
        "'{}' is a launch file, which says entry, grid, block and arguments itself; expected "
        "them with a kernel file (.cu or .ptx) only",
        description.path);
  takeBuffers(description, launch);
}

}  // namespace fermata::launch
