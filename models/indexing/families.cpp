#include <fermata/models/indexing/families.h>

#include <algorithm>

namespace fermata::indexing {

extern const Family kModulo, kAmi, kSeznec, kBitVectorPermutation, kBitVectorXor, kBits, kPairs,
    kMatrix, kFixedXor, kAdd, kSwizzle, kTma, kPadding, kRegions;

namespace {

std::vector<Family>& table() {
  static std::vector<Family> families{kModulo,       kAmi,    kSeznec,  kBitVectorPermutation,
                                      kBitVectorXor, kBits,   kPairs,   kMatrix,
                                      kFixedXor,     kAdd,    kSwizzle, kTma,
                                      kPadding,      kRegions};
  return families;
}

std::string names() {
  std::string list;
  for (const Family& family : table()) {
    if (!list.empty()) list += &family == &table().back() ? " or " : ", ";
    list += family.name;
  }
  return list;
}

const Family* find(std::string_view name) {
  const auto found = std::find_if(table().begin(), table().end(),
                                  [name](const Family& family) { return family.name == name; });
  return found == table().end() ? nullptr : &*found;
}

void checkShape(const Shape& shape) {
  if (shape.banks < 1 || shape.banks > 4096) {
    throw IndexingError("a memory of " + std::to_string(shape.banks) +
                        " banks; expected 1 to 4096 banks");
  }
  if (shape.words < 1) throw IndexingError("a memory of 0 words; expected 1 word or more");
}

}  // namespace

const std::vector<Family>& families() {
  return table();
}

void addFamily(Family family) {
  if (std::string_view(family.name).empty() || family.builder == nullptr ||
      find(family.name) != nullptr) {
    throw std::invalid_argument("mapping family '" + std::string(family.name) +
                                "': the name is empty or taken, or the builder is missing");
  }
  table().push_back(std::move(family));
}

std::unique_ptr<Indexer> build(std::string_view text, Shape shape) {
  Arguments arguments(text, "");
  const Token& name = arguments.name();
  const Family* family = find(name.text);
  if (name.text.empty()) throw IndexingError("no mapping; expected " + names(), name.column);
  if (family == nullptr) {
    constexpr std::size_t kLongest = 24;
    throw IndexingError("no mapping has the name '" + std::string(name.text.substr(0, kLongest)) +
                            "'; expected " + names(),
                        name.column);
  }
  checkShape(shape);
  arguments.setSyntax(family->syntax);
  return family->builder(arguments, shape);
}

}  // namespace fermata::indexing
