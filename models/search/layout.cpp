#include <fermata/models/search/layout.h>

#include <charconv>
#include <set>
#include <string>
#include <utility>

#include <fermata/models/indexing/indexer.h>

namespace fermata::search {
namespace {

using indexing::IndexingError;

constexpr std::uint64_t kMostValue = std::uint64_t{1} << 32;
constexpr unsigned kDeepest = 16;

/// A tree of numbers, as parsed from a text.
struct Tuple {
  std::uint64_t number = 0;
  std::vector<Tuple> parts;  ///< empty: a number
  std::size_t column = 0;
};

class TupleReader {
 public:
  explicit TupleReader(std::string_view text) : text_(text) {}

  Tuple tuple(unsigned depth = 0) {
    skip();
    Tuple result;
    result.column = at_ + 1;
    if (!take('(')) {
      result.number = number();
      return result;
    }
    if (depth == kDeepest) fail("parentheses in too many parentheses; expected at most 16");
    do result.parts.push_back(tuple(depth + 1));
    while (take(','));
    if (!take(')')) fail("expected ',' or ')'");
    return result;
  }

  void expect(char c) {
    if (!take(c)) fail(std::string("expected '") + c + "'");
  }
  void end() {
    skip();
    if (at_ != text_.size()) fail("expected the end of the layout");
  }

 private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::uint64_t number() {
    std::uint64_t value = 0;
    const char* const from = text_.data() + at_;
    const auto end = std::from_chars(from, text_.data() + text_.size(), value);
    if (end.ec != std::errc() || value > kMostValue)
      fail("expected a number from 0 to 2^32 or '('");
    at_ += static_cast<std::size_t>(end.ptr - from);
    return value;
  }
  [[noreturn]] void fail(const std::string& what) const {
    const std::string found =
        at_ < text_.size() ? "'" + std::string(1, text_[at_]) + "'" : std::string("the end");
    throw IndexingError(found + "; " + what, at_ + 1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

void flatten(const Tuple& shape, const Tuple& stride,
             std::vector<std::pair<std::uint64_t, std::uint64_t>>& into) {
  if (shape.parts.size() != stride.parts.size()) {
    throw IndexingError("a stride of another form than its shape; expected as many parts",
                        stride.column);
  }
  if (shape.parts.empty()) {
    if (shape.number == 0) throw IndexingError("a shape of 0; expected 1 or more", shape.column);
    into.emplace_back(shape.number, stride.number);
  }
  for (std::size_t i = 0; i < shape.parts.size(); ++i) {
    flatten(shape.parts[i], stride.parts[i], into);
  }
}

std::uint64_t elementsOf(const Tuple& shape) {
  std::uint64_t product = shape.parts.empty() ? shape.number : 1;
  for (const Tuple& part : shape.parts) product *= elementsOf(part);
  return product;
}

}  // namespace

Layout Layout::parse(std::string_view text) {
  TupleReader reader(text);
  const Tuple shape = reader.tuple();
  reader.expect(':');
  const Tuple stride = reader.tuple();
  reader.end();
  std::vector<std::pair<std::uint64_t, std::uint64_t>> flat;
  flatten(shape, stride, flat);
  Layout layout;
  for (const auto& [elements, step] : flat) {
    if (elements > kMostElements / layout.size_) {
      throw IndexingError("too many elements; expected at most " + std::to_string(kMostElements),
                          shape.column);
    }
    layout.size_ *= elements;
    layout.modes_.push_back({elements, step});
  }
  if (shape.parts.empty()) layout.outer_ = {shape.number};
  for (const Tuple& part : shape.parts) layout.outer_.push_back(elementsOf(part));
  return layout;
}

std::uint64_t Layout::offset(std::uint64_t element) const {
  std::uint64_t sum = 0;
  for (const Mode& mode : modes_) {
    sum += element % mode.shape * mode.stride;
    element /= mode.shape;
  }
  return sum;
}

std::vector<std::uint64_t> Layout::coordinates(std::uint64_t element) const {
  std::vector<std::uint64_t> place;
  for (const std::uint64_t elements : outer_) {
    place.push_back(element % elements);
    element /= elements;
  }
  return place;
}

std::vector<std::uint64_t> Layout::strides() const {
  std::set<std::uint64_t> found;
  for (const Mode& mode : modes_) {
    if (mode.shape > 1 && mode.stride != 0) found.insert(mode.stride);
  }
  return {found.begin(), found.end()};
}

bool Layout::leads(std::uint64_t stride, std::uint64_t together) const {
  std::uint64_t row = together;
  for (const Mode& mode : modes_) {
    if (mode.shape == 1) continue;
    if (mode.stride < stride) row += (mode.shape - 1) * mode.stride;
    if (mode.stride >= stride && mode.stride % stride != 0) return false;
  }
  return row <= stride;
}

}  // namespace fermata::search
