#include <fermata/stimuli/launch/fill.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fermata/stimuli/folder.h>
#include <fermata/stimuli/images/natural.h>
#include <fermata/stimuli/images/pgm.h>
#include <fermata/stimuli/images/picture.h>
#include <fermata/stimuli/images/random.h>
#include <fermata/stimuli/launch/npy.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::launch {
namespace {

/// Writes elements one after another.
class Writer {
 public:
  Writer(const PlannedBuffer& buffer, std::vector<std::uint8_t>& bytes)
      : type_(buffer.type), where_(buffer.fill.where), at_(bytes.data()) {}

  void put(std::int64_t value) {
    if (isFloat(type_)) return put(static_cast<double>(value));
    if (value < leastOf(type_) || value > greatestOf(type_)) {
      refuse(where_, "the fill gives {}, which does not fit {}; expected {} to {}", value,
             elementTypeName(type_), leastOf(type_), greatestOf(type_));
    }
    std::memcpy(at_, &value, elementBytes(type_));
    at_ += elementBytes(type_);
  }
  void put(double value) {
    if (type_ == ElementType::F16) {
      const std::uint16_t half = toHalf(value, where_);
      std::memcpy(at_, &half, sizeof half);
    }
    if (type_ == ElementType::F32) {
      const float single = toFloat(value, where_);
      std::memcpy(at_, &single, sizeof single);
    }
    if (type_ == ElementType::F64) std::memcpy(at_, &value, sizeof value);
    at_ += elementBytes(type_);
  }

 private:
  ElementType type_;
  SourceLocation where_;
  std::uint8_t* at_;
};

void fillIota(const PlannedBuffer& buffer, const Scope& scope, Writer& writer) {
  const Fill& fill = buffer.fill;
  if (isFloat(buffer.type)) {
    const double first = fill.first.real(scope);
    const double step = fill.second.real(scope);
    for (std::uint64_t i = 0; i < buffer.count; ++i)
      writer.put(first + static_cast<double>(i) * step);
    return;
  }
  std::int64_t value = fill.first.integer(scope);
  const std::int64_t step = fill.second.integer(scope);
  for (std::uint64_t i = 0; i < buffer.count; ++i) {
    writer.put(value);
    if (__builtin_add_overflow(value, step, &value) && i + 1 < buffer.count)
      refuse(fill.where, "iota leaves 64 bits; expected fewer elements or a smaller step");
  }
}

void fillRandom(const PlannedBuffer& buffer, const Scope& scope, Writer& writer) {
  const Fill& fill = buffer.fill;
  images::Random random(static_cast<std::uint64_t>(fill.seed.evaluate(scope)));
  if (isFloat(buffer.type)) {
    const double from = fill.first.real(scope);
    const double span = fill.second.real(scope) - from;
    if (!std::isfinite(from) || !std::isfinite(span) || span < 0)
      refuse(fill.where, "an empty or endless range of random numbers; expected from <= to");
    for (std::uint64_t i = 0; i < buffer.count; ++i) writer.put(from + span * random.unit());
    return;
  }
  const std::int64_t from = fill.first.integer(scope);
  const std::int64_t to = fill.second.integer(scope);
  if (from > to) refuse(fill.where, "an empty range of random numbers; expected from <= to");
  // Both ends must fit, whichever values are drawn.
  std::vector<std::uint8_t> ends;
  appendElement(ends, buffer.type, fill.first, scope);
  appendElement(ends, buffer.type, fill.second, scope);
  const std::uint64_t span = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from) + 1;
  for (std::uint64_t i = 0; i < buffer.count; ++i) {
    const std::uint64_t drawn = span == 0 ? random.next() : random.below(span);
    writer.put(static_cast<std::int64_t>(static_cast<std::uint64_t>(from) + drawn));
  }
}

void fillFormula(const PlannedBuffer& buffer, const Scope& scope, Writer& writer) {
  const Expression formula = buffer.fill.formula.bind(scope);
  constexpr std::uint64_t together = 256;
  for (std::uint64_t done = 0; done < buffer.count; done += together) {
    const std::uint64_t count = std::min(together, buffer.count - done);
    const std::vector<std::int64_t> values =
        formula.evaluateEach("i", static_cast<std::int64_t>(done), count);
    for (const std::int64_t value : values) writer.put(value);
    Scope index{{"i", 0}};
    for (std::uint64_t i = done; values.empty() && i < done + count; ++i) {
      index.begin()->second = static_cast<std::int64_t>(i);
      writer.put(formula.evaluate(index));
    }
  }
}

std::uint32_t sizeIn(const Number& number, const Scope& scope, const char* what, std::int64_t from,
                     std::int64_t to) {
  const std::int64_t value = number.integer(scope);
  if (value < from || value > to)
    refuse(number.where, "a {} of {}; expected {} to {}", what, value, from, to);
  return static_cast<std::uint32_t>(value);
}

/// Copies values. Refuses fewer values than the buffer has elements: repeated pixels would repeat
/// their accesses.
template <class T>
void fillFrom(const std::vector<T>& values, const PlannedBuffer& buffer, const std::string& source,
              Writer& writer) {
  if (values.size() < buffer.count) {
    refuse(buffer.fill.where, "{}; expected {} or more, one for each element of the buffer", source,
           buffer.count);
  }
  for (std::uint64_t i = 0; i < buffer.count; ++i) writer.put(std::int64_t{values[i]});
}

void fillLevels(const images::Image& image, const std::string& source, const PlannedBuffer& buffer,
                Writer& writer) {
  fillFrom(image.pixels, buffer,
           source + " has " + std::to_string(image.width) + " x " + std::to_string(image.height) +
               " = " + std::to_string(image.pixels.size()) + " pixels",
           writer);
}

void fillEdges(const PlannedImage& image, const PlannedBuffer& buffer, Writer& writer) {
  fillFrom(
      image.edges, buffer,
      "image '" + image.name + "' has " + std::to_string(image.edges.size()) + " pixels of edges",
      writer);
}

void fillPgm(const PlannedBuffer& buffer, const Scope& scope, const std::string& folder,
             Writer& writer) {
  const Fill& fill = buffer.fill;
  const std::string path = (std::filesystem::path(folder) / fill.file.in(scope)).string();
  const images::Image pgm = images::readPgm(path, fill.where);
  fillLevels(pgm, "'" + path + "'", buffer, writer);
}

void fillNoise(const PlannedBuffer& buffer, std::uint32_t width, const Scope& scope,
               Writer& writer) {
  const Fill& fill = buffer.fill;
  images::PictureRequest request;
  request.seed = static_cast<std::uint64_t>(fill.seed.evaluate(scope));
  request.width = width;
  request.contrast = sizeIn(fill.second, scope, "contrast", 0, 127);
  request.slope = sizeIn(fill.third, scope, "slope", 50, 200);
  for (const std::uint8_t level : images::picture(request, buffer.count)) {
    writer.put(std::int64_t{level});
  }
}

void fillNatural(const PlannedBuffer& buffer, std::uint32_t width, const Scope& scope,
                 Writer& writer) {
  images::NaturalRequest request;
  const std::uint64_t rows = (buffer.count + width - 1) / width;
  if (width > request.kMostSide || rows > request.kMostSide) {
    refuse(buffer.fill.where, "a natural picture of {} x {} pixels; expected {} or fewer each",
           width, rows, request.kMostSide);
  }
  request.seed = static_cast<std::uint64_t>(buffer.fill.seed.evaluate(scope));
  request.width = width;
  request.height = static_cast<std::uint32_t>(rows);
  fillLevels(images::naturalImage(request), "the picture", buffer, writer);
}

void fillPicture(const PlannedBuffer& buffer, const Scope& scope, const std::string& folder,
                 Writer& writer) {
  const Fill& fill = buffer.fill;
  const std::string source = fill.file.in(scope);
  const std::uint32_t width =
      sizeIn(fill.first, scope, "width of a picture", 2, images::PictureRequest::kMostWidth);
  if (source.empty() || source == Fill::kNoise) return fillNoise(buffer, width, scope, writer);
  if (source == Fill::kNatural) return fillNatural(buffer, width, scope, writer);
  fillPgm(buffer, scope, folder, writer);
}

/// Returns the contents of a file that must have `bytes` bytes.
std::vector<std::uint8_t> readRawFile(const std::string& folder, const std::string& file,
                                      std::uint64_t bytes, const SourceLocation& where) {
  const std::string path = (std::filesystem::path(folder) / file).string();
  refuseFolder(path, "a file of raw elements", where);
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) refuse(where, "'{}' cannot be read; expected a file of raw elements", path);
  if (size != bytes) refuse(where, "'{}' has {} bytes; expected {}", path, size, bytes);
  std::vector<std::uint8_t> contents(bytes);
  std::ifstream stream(path, std::ios::binary);
  stream.read(reinterpret_cast<char*>(contents.data()), static_cast<std::streamsize>(bytes));
  if (!stream) refuse(where, "'{}' cannot be read to its end; expected a plain file", path);
  return contents;
}

}  // namespace

std::vector<std::uint8_t> readElements(const std::string& folder, const std::string& file,
                                       const PlannedBuffer& buffer, const SourceLocation& where) {
  if (!isNpyPath(file)) return readRawFile(folder, file, buffer.bytes(), where);
  const std::string path = (std::filesystem::path(folder) / file).string();
  NpyArray array = readNpy(path, where);
  if (array.type != buffer.type)
    refuse(where, "'{}' has elements of {}; expected {}, the type of buffer '{}'", path,
           numpyName(array.type), numpyName(buffer.type), buffer.name);
  if (!buffer.shape.empty() && array.shape != buffer.shape)
    refuse(where, "'{}' has the shape {}; expected {}, the shape of buffer '{}'", path,
           shapeText(array.shape), shapeText(buffer.shape), buffer.name);
  if (elementsOf(array.shape, where) != buffer.count)
    refuse(where, "'{}' has {} elements, its shape {}; expected {}, the count of buffer '{}'", path,
           elementsOf(array.shape, where), shapeText(array.shape), buffer.count, buffer.name);
  return std::move(array.bytes);
}

std::vector<std::uint8_t> fillBuffer(const PlannedBuffer& buffer, const Scope& scope,
                                     const std::string& folder) {
  const Fill& fill = buffer.fill;
  if (fill.kind == Fill::Kind::File)
    return readElements(folder, fill.file.in(scope), buffer, fill.where);
  std::vector<std::uint8_t> bytes(buffer.bytes());
  Writer writer(buffer, bytes);
  switch (fill.kind) {
    case Fill::Kind::Constant: {
      std::vector<std::uint8_t> element;
      appendElement(element, buffer.type, fill.first, scope);
      for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = element[i % element.size()];
      break;
    }
    case Fill::Kind::Iota:
      fillIota(buffer, scope, writer);
      break;
    case Fill::Kind::Random:
      fillRandom(buffer, scope, writer);
      break;
    case Fill::Kind::Formula:
      fillFormula(buffer, scope, writer);
      break;
    case Fill::Kind::Pgm:
      fillPgm(buffer, scope, folder, writer);
      break;
    case Fill::Kind::Picture:
      fillPicture(buffer, scope, folder, writer);
      break;
    case Fill::Kind::Image:
      fillLevels(buffer.image->image, "image '" + buffer.image->name + "'", buffer, writer);
      break;
    case Fill::Kind::Edges:
      fillEdges(*buffer.image, buffer, writer);
      break;
    default:
      break;
  }
  return bytes;
}

}  // namespace fermata::launch
