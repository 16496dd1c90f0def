#include <fermata/models/indexing/families.h>

#include <algorithm>
#include <cctype>

namespace fermata::indexing {

extern const Family kModulo, kAmi, kSeznec, kBitVectorPermutation, kBitVectorXor, kBits, kPairs,
    kMatrix, kFixedXor, kAdd, kXorAmi, kSwizzle, kTma, kPadding, kRegions;

namespace {

std::vector<Family>& table() {
  static std::vector<Family> families{kModulo,       kAmi,     kSeznec, kBitVectorPermutation,
                                      kBitVectorXor, kBits,    kPairs,  kMatrix,
                                      kFixedXor,     kAdd,     kXorAmi, kSwizzle,
                                      kTma,          kPadding, kRegions};
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

bool isDigit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Returns "; did you mean 'ami 33'?" for "ami33", "AMI 33", "ami-33" and the like; empty if no
/// family begins the text.
std::string meant(std::string_view name, std::string_view rest) {
  std::string lower(name);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const Family* best = nullptr;
  for (const Family& family : table()) {
    const std::string_view own = family.name;
    const bool begins = std::string_view(lower).substr(0, own.size()) == own;
    if (begins && (best == nullptr || own.size() > std::string_view(best->name).size()))
      best = &family;
  }
  if (best == nullptr) return "";
  std::string_view glued = std::string_view(lower).substr(std::string_view(best->name).size());
  while (!glued.empty() && std::string_view("-_:=").find(glued[0]) != std::string_view::npos)
    glued.remove_prefix(1);
  std::string text = best->name;
  for (const std::string_view part : {glued, rest})
    if (!part.empty()) text += " " + std::string(part);
  const bool option = glued.find('=') != std::string_view::npos;  // "xork1=0"
  if (!glued.empty() && !isDigit(glued[0]) && !option) return "";
  return "; did you mean '" + text.substr(0, 48) + "'?";
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
    const std::string hint = meant(name.text, arguments.rest().text);
    throw IndexingError("no mapping has the name '" + std::string(name.text.substr(0, kLongest)) +
                            (hint.empty() ? "'; expected " : "'" + hint + " expected ") + names(),
                        name.column);
  }
  checkShape(shape);
  arguments.setSyntax(family->syntax);
  return family->builder(arguments, shape);
}

}  // namespace fermata::indexing
