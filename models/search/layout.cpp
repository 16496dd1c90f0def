#include <fermata/models/search/layout.h>

#include <charconv>

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

Atom parseAtom(std::string_view text) {
  for (const auto operation : {MemoryOperation::Load, MemoryOperation::Store}) {
    const std::string prefix = operation == MemoryOperation::Load ? "ld" : "st";
    for (const unsigned matrices : {1U, 2U, 4U}) {
      const std::string name = prefix + "matrix.x" + std::to_string(matrices);
      if (text == name) return {name, 8 * matrices, 16, operation};
    }
    for (const unsigned bytes : {4U, 8U, 16U}) {
      const std::string name = prefix + "." + std::to_string(8 * bytes);
      if (text == name) return {name, kWarpLanes, bytes, operation};
    }
  }
  throw IndexingError("unknown atom '" + std::string(text) +
                      "'; expected ldmatrix.x1, .x2 or .x4, stmatrix.x1, .x2 or .x4, ld.32, ld.64, "
                      "ld.128, st.32, st.64 or st.128");
}

std::vector<std::vector<std::uint32_t>> layoutWords(const Layout& layout, const Atom& atom,
                                                    std::uint32_t elementBytes,
                                                    std::uint32_t wordBytes, std::uint32_t words) {
  std::vector<std::vector<std::uint32_t>> accesses;
  const std::uint64_t memory = std::uint64_t{words} * wordBytes;
  for (std::uint64_t element = 0; element < layout.size(); ++element) {
    const std::uint64_t address = layout.offset(element) * elementBytes;
    const auto fail = [&](const std::string& what) {
      throw IndexingError("element " + std::to_string(element) + " lies at byte " +
                          std::to_string(address) + what);
    };
    if (address % atom.bytes != 0) {
      fail("; " + atom.name + " takes multiples of " + std::to_string(atom.bytes) + " bytes");
    }
    if (address + atom.bytes > memory) {
      fail("; expected all " + std::to_string(atom.bytes) + " bytes below " +
           std::to_string(memory));
    }
    if (element % atom.lanes == 0) accesses.emplace_back();
    accesses.back().push_back(static_cast<std::uint32_t>(address / wordBytes));
  }
  return accesses;
}

}  // namespace fermata::search
