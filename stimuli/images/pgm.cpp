#include <fermata/stimuli/images/pgm.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fermata/stimuli/folder.h>
#include <fermata/stimuli/refuse.h>

namespace fermata::images {
namespace {

constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 31;

bool isSpace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

class Reader {
 public:
  Reader(std::string text, std::string path, const SourceLocation& where)
      : text_(std::move(text)), path_(std::move(path)), where_(where) {}

  Image read() {
    const std::string magic = text_.substr(0, 2);
    if (magic != "P2" && magic != "P5") refuse("is no PGM; expected a file that begins P2 or P5");
    at_ = 2;
    Image image;
    image.width = static_cast<std::uint32_t>(number("the width", 1, 65536));
    image.height = static_cast<std::uint32_t>(number("the height", 1, 65536));
    image.largest = static_cast<std::uint32_t>(number("the largest level", 1, 65535));
    largest_ = image.largest;
    const std::uint64_t pixels = std::uint64_t{image.width} * image.height;
    if (pixels > kMostPixels) refuse("has {} pixels; expected {} at most", pixels, kMostPixels);
    magic == "P5" ? binary(pixels, image.pixels) : plain(pixels, image.pixels);
    return image;
  }

 private:
  template <class... Values>
  [[noreturn]] void refuse(fmt::format_string<Values...> what, Values&&... values) const {
    fermata::refuse(where_, "'{}' {}", path_, fmt::format(what, std::forward<Values>(values)...));
  }

  [[noreturn]] void refuseShort(std::uint64_t got, std::uint64_t pixels) const {
    refuse("ends after {} of {} pixels; expected all of them", got, pixels);
  }

  /// Skips white space, and comments from # to the end of their line.
  void skip() {
    while (at_ < text_.size() && (isSpace(text_[at_]) || text_[at_] == '#')) {
      if (text_[at_] == '#') at_ = std::min(text_.find('\n', at_), text_.size() - 1);
      ++at_;
    }
  }

  std::uint64_t number(const std::string& what, std::uint64_t from, std::uint64_t to) {
    skip();
    const std::size_t first = at_;
    std::uint64_t value = 0;
    for (; at_ < text_.size() && isDigit(text_[at_]); ++at_) {
      value = std::min<std::uint64_t>(value * 10 + static_cast<unsigned>(text_[at_] - '0'), to + 1);
    }
    if (at_ == first || value < from || value > to)
      refuse("does not say {} at byte {}; expected {} to {}", what, first, from, to);
    return value;
  }

  void binary(std::uint64_t pixels, std::vector<std::uint16_t>& out) {
    if (at_ == text_.size() || !isSpace(text_[at_]))
      refuse("has no white space before its pixels; expected one character of it");
    ++at_;
    const std::uint64_t bytes = largest_ > 255 ? 2 : 1;
    const std::uint64_t there = (text_.size() - at_) / bytes;
    if (there < pixels) refuseShort(there, pixels);
    out.reserve(pixels);
    for (std::uint64_t i = 0; i < pixels; ++i) {
      unsigned level = 0;
      for (std::uint64_t k = 0; k < bytes; ++k)
        level = level << 8 | static_cast<unsigned char>(text_[at_++]);
      check(level, i);
      out.push_back(static_cast<std::uint16_t>(level));
    }
  }

  void plain(std::uint64_t pixels, std::vector<std::uint16_t>& out) {
    for (std::uint64_t i = 0; i < pixels; ++i) {
      skip();
      if (at_ == text_.size()) refuseShort(i, pixels);
      const std::uint64_t level = number("pixel " + std::to_string(i), 0, 65535);
      check(level, i);
      out.push_back(static_cast<std::uint16_t>(level));
    }
  }

  void check(std::uint64_t level, std::uint64_t pixel) const {
    if (level <= largest_) return;
    refuse("has level {} in pixel {}; expected {} at most, as it says", level, pixel, largest_);
  }

  std::string text_;
  std::string path_;
  SourceLocation where_;
  std::size_t at_ = 0;
  std::uint64_t largest_ = 0;
};

}  // namespace

Image parsePgm(std::string bytes, const std::string& path, const SourceLocation& where) {
  return Reader(std::move(bytes), path, where).read();
}

Image readPgm(const std::string& path, const SourceLocation& where) {
  refuseFolder(path, "a picture in PGM", where);
  std::error_code error;
  std::ifstream stream(path, std::ios::binary);
  if (!std::filesystem::is_regular_file(path, error) || !stream)
    refuse(where, "'{}' cannot be read; expected a picture in PGM", path);
  return parsePgm({std::istreambuf_iterator<char>(stream), {}}, path, where);
}

}  // namespace fermata::images
