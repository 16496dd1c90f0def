// bits and pairs: each bank bit is an address bit, or the XOR of two (van den Braak et al., IEEE TC
// 2016, sections 4.3 and 4.4); matrix: the XOR of any. The first item is bank bit 0.
#include <fermata/models/indexing/configurable_cost.h>
#include <fermata/models/indexing/families.h>
#include <fermata/models/indexing/linear.h>

namespace fermata::indexing {
namespace {

using RowParser = std::uint32_t (*)(const Token& item, unsigned addressBits);
using RowText = std::string (*)(std::uint32_t row);

std::uint32_t parseBit(const Token& item, unsigned addressBits) {
  return std::uint32_t{1} << parseNumber(item, "address bit", 0, addressBits - 1,
                                         std::to_string(addressBits) + " address bits");
}

std::uint32_t parsePair(const Token& item, unsigned addressBits) {
  const std::vector<Token> parts = split(item, '^');
  if (parts.empty() || parts.size() > 2)
    throw IndexingError("a bank bit takes one or two address bits; expected I or I^J", item.column);
  std::uint32_t row = 0;
  for (const Token& part : parts) row ^= parseBit(part, addressBits);
  if (row == 0) {
    throw IndexingError("an address bit XORed with itself is always 0; expected two different bits",
                        item.column);
  }
  return row;
}

std::uint32_t parseMask(const Token& item, unsigned addressBits) {
  return parseNumber(item, "mask", 0, gf2::columnMask(addressBits),
                     std::to_string(addressBits) + " address bits");
}

std::string bitsText(std::uint32_t row) {
  std::string text;
  for (unsigned bit = 0; bit < 32; ++bit) {
    if ((row >> bit & 1U) != 0) text += (text.empty() ? "" : "^") + std::to_string(bit);
  }
  return text;
}

std::string maskText(std::uint32_t row) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), kDigits[row & 15U]);
    row >>= 4;
  } while (row != 0);
  return "0x" + text;
}

std::unique_ptr<Indexer> buildList(Arguments& arguments, const Shape& shape, RowParser parser,
                                   RowText writer) {
  const std::string name(arguments.name().text);
  const unsigned m = bankBits(shape, name);
  const unsigned n = addressBits(shape, m);
  const std::vector<Token> items = arguments.list();
  if (m == 0) throw IndexingError(name + ": 1 bank has no bank bits; expected 2 banks or more");
  if (items.size() != m) {
    throw IndexingError(std::to_string(items.size()) + " bank bits for " +
                            std::to_string(shape.banks) + " banks; expected " + std::to_string(m) +
                            ": " + arguments.syntax(),
                        items.size() > m ? items[m].column : arguments.endColumn());
  }
  gf2::Matrix bank{n, {}};
  std::vector<std::size_t> columns;
  std::string text = name;
  for (const Token& item : items) {
    bank.rows.push_back(parser(item, n));
    columns.push_back(item.column);
    text += (columns.size() == 1 ? " " : ",") + writer(bank.rows.back());
  }
  return std::make_unique<LinearIndexer>(shape, std::move(bank), text, configurableCost(), columns);
}

std::unique_ptr<Indexer> buildBits(Arguments& arguments, const Shape& shape) {
  return buildList(arguments, shape, parseBit, bitsText);
}

std::unique_ptr<Indexer> buildPairs(Arguments& arguments, const Shape& shape) {
  return buildList(arguments, shape, parsePair, bitsText);
}

std::unique_ptr<Indexer> buildMatrix(Arguments& arguments, const Shape& shape) {
  return buildList(arguments, shape, parseMask, maskText);
}

}  // namespace

extern const Family kBits{"bits", "bits I,J,... (one address bit a bank bit)", "bits 0,2,4,6,8",
                          "bank bits are address bits", buildBits};
extern const Family kPairs{"pairs", "pairs I,J^K,... (one address bit or pair a bank bit)",
                           "pairs 0^5,1^6,2,3^7,4", "bank bits are address bits or XORs of two",
                           buildPairs};
extern const Family kMatrix{"matrix", "matrix 0xMASK,... (one mask of address bits a bank bit)",
                            "matrix 0x21,0x42,0x84,0x108,0x210",
                            "bank bits are XORs of any address bits", buildMatrix};

}  // namespace fermata::indexing
