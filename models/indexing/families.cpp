#include <fermata/models/indexing/families.h>

#include <algorithm>

namespace fermata::indexing {
namespace {

std::vector<Family>& table() {
  static std::vector<Family> families = {
      {"mod", "mod B (B a power of two)", "word modulo a power of two", buildModulo},
      {"ami", "ami M [form=fast|array|canonical] [corner=exact|all-ones]",
       "DIV and MOD of any modulus of 1 to 4096", buildAmi},
      {"seznec", "seznec N", "any bank count without a division: MOD and low bits", buildSeznec},
      {"perm", "perm k=K", "bank = m address bits from bit K", buildBitVectorPermutation},
      {"xor", "xor k1=A k2=B mask=C", "bank = bits from A, XOR the masked bits from B",
       buildBitVectorXor},
      {"bits", "bits I,J,... (one address bit a bank bit)", "bank bits are address bits",
       buildBits},
      {"pairs", "pairs I,J^K,... (one address bit or pair a bank bit)",
       "bank bits are address bits or XORs of two", buildPairs},
      {"matrix", "matrix 0xMASK,... (one mask of address bits a bank bit)",
       "bank bits are XORs of any address bits", buildMatrix},
      {"fixed-xor", "fixed-xor [digit=D]", "low m bits XOR next m bits; or by digits of D bits",
       buildFixedXor},
      {"add", "add [digit=D]", "low m bits plus next m bits; or by digits of D bits", buildAdd},
      {"swizzle", "swizzle b=B m=M s=S (CuTe's Swizzle<B,M,S>, on byte addresses)",
       "byte address bits M to M+B-1 XOR those S above, then modulo", buildSwizzle},
      {"tma", "tma 32|64|128", "the swizzle of a TMA mode: 16-byte chunks XOR 128-byte rows",
       buildTma},
      {"pad", "pad row=R words=P", "P unused words behind each R words, then modulo", buildPadding},
      {"regions", "regions [at=B] | MAPPING | MAPPING | ...",
       "each region of the memory its own mapping; address bits from B choose", buildRegions},
  };
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
  if (family.name.empty() || family.builder == nullptr || find(family.name) != nullptr) {
    throw std::invalid_argument("mapping family '" + family.name +
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
