#include <fermata/models/rtl/block_catalog.h>

#include <fermata/models/indexing/linear.h>
#include <fermata/models/indexing/mapping_text.h>
#include <fermata/models/rtl/verilated/blocks.h>

#include <fmt/format.h>

#include <string>

namespace fermata::rtl {
namespace {

using indexing::Arguments;
using indexing::Indexer;
using indexing::Token;
using verilated::Field;
using verilated::LinearClass;

constexpr unsigned kAddressBitBits = 5;  // bits of the number of an address bit
constexpr std::uint32_t kAny = ~0U;

[[noreturn]] void refuse(const Indexer& mapping, const std::string& expected) {
  throw BadInput(fmt::format("no RTL block for '{}'; expected {}", mapping.text(), expected));
}

unsigned bankBits(const Indexer& mapping) {
  const std::uint32_t banks = mapping.shape().banks;
  if (banks < 2 || banks > 1U << verilated::kMostBankBits)
    throw BadInput(fmt::format("no RTL block for '{}' on {} banks; expected 2 to {}",
                               mapping.text(), banks, 1U << verilated::kMostBankBits));
  return indexing::bankBits(mapping.shape(), "RTL");
}

std::unique_ptr<MapBlock> makeAmi(const Indexer& mapping, Arguments& arguments) {
  const std::uint32_t modulus = mapping.shape().banks;
  if (!verilated::hasModulus(modulus)) refuse(mapping, "a modulus of 31, 33 to 63");
  if (arguments.option("corner").text == "all-ones") refuse(mapping, "corner=exact");
  return arguments.option("form").text == "array" ? verilated::amiArray(modulus)
                                                  : verilated::amiFolded(modulus);
}

std::unique_ptr<MapBlock> makeModulo(const Indexer& mapping, Arguments&) {
  const std::uint32_t banks = mapping.shape().banks;
  if (!verilated::hasModulus(banks)) refuse(mapping, "128 banks or fewer");
  return verilated::amiFolded(banks);  // wires if a power of two
}

/// Returns the address bits that are not part of the row.
std::vector<Field> droppedBits(const Indexer& mapping) {
  const auto& linear = dynamic_cast<const indexing::LinearIndexer&>(mapping);
  std::uint32_t kept = 0;
  for (const std::uint32_t row : linear.rowMatrix().rows) kept |= row;
  std::vector<Field> dropped;
  for (unsigned bit = 0; bit < linear.rowMatrix().columns; ++bit) {
    if ((kept >> bit & 1U) == 0) dropped.push_back({bit, kAddressBitBits});
  }
  return dropped;
}

std::unique_ptr<MapBlock> makeLinear(const Indexer& mapping, LinearClass kind,
                                     std::vector<Field> bank) {
  return verilated::linearHash({kind, bankBits(mapping), std::move(bank), droppedBits(mapping)});
}

std::unique_ptr<MapBlock> makePermutation(const Indexer& mapping, Arguments& arguments) {
  const std::uint32_t k = arguments.numberOption("k", 0, kAny);
  return makeLinear(mapping, LinearClass::BitVectorPermutation, {{k, kAddressBitBits}});
}

std::unique_ptr<MapBlock> makeXor(const Indexer& mapping, Arguments& arguments) {
  const Field k1{arguments.numberOption("k1", 0, kAny), kAddressBitBits};
  const Field k2{arguments.numberOption("k2", 0, kAny), kAddressBitBits};
  const Field mask{arguments.numberOption("mask", 0, kAny), bankBits(mapping)};
  return makeLinear(mapping, LinearClass::BitVectorXor, {k1, k2, mask});
}

Field addressBit(const Token& token) {
  return {parseNumber(token, "address bit", 0, 31), kAddressBitBits};
}

std::unique_ptr<MapBlock> makeBits(const Indexer& mapping, Arguments& arguments) {
  std::vector<Field> bank;
  for (const Token& item : arguments.list()) bank.push_back(addressBit(item));
  return makeLinear(mapping, LinearClass::BitwisePermutation, std::move(bank));
}

std::unique_ptr<MapBlock> makePairs(const Indexer& mapping, Arguments& arguments) {
  std::vector<Field> first;
  std::vector<Field> second;
  std::vector<Field> pair;
  for (const Token& item : arguments.list()) {
    const std::vector<Token> parts = split(item, '^');
    first.push_back(addressBit(parts.front()));
    second.push_back(addressBit(parts.back()));
    pair.push_back({parts.size() == 2 ? 1U : 0U, 1});
  }
  first.insert(first.end(), second.begin(), second.end());
  first.insert(first.end(), pair.begin(), pair.end());
  return makeLinear(mapping, LinearClass::BitwiseXor, std::move(first));
}

unsigned digitOf(const Indexer& mapping, Arguments& arguments) {
  const unsigned bits = bankBits(mapping);
  const bool given = !arguments.option("digit").text.empty();
  return given ? arguments.numberOption("digit", 1, bits) : bits;
}

std::unique_ptr<MapBlock> makeFixedXor(const Indexer& mapping, Arguments& arguments) {
  return verilated::fixedXor(bankBits(mapping), digitOf(mapping, arguments));
}

std::unique_ptr<MapBlock> makeAdd(const Indexer& mapping, Arguments& arguments) {
  return verilated::addHash(bankBits(mapping), digitOf(mapping, arguments));
}

struct Maker {
  const char* family;
  std::unique_ptr<MapBlock> (*make)(const Indexer& mapping, Arguments& arguments);
};

constexpr Maker kMakers[] = {
    {"ami", makeAmi},   {"mod", makeModulo},  {"perm", makePermutation},   {"xor", makeXor},
    {"bits", makeBits}, {"pairs", makePairs}, {"fixed-xor", makeFixedXor}, {"add", makeAdd},
};

void expectUpTo(std::uint32_t most, std::uint32_t number, const std::string& what) {
  if (number != 0 && number <= most) return;
  throw BadInput(fmt::format("no RTL block has {} {}; expected 1 to {}", number, what, most));
}

/// Returns the smallest size that was built with at least this number of banks.
unsigned sizeOf(std::uint32_t banks) {
  expectUpTo(verilated::kMostBanks, banks, "banks");
  return banks <= 32 ? 0 : banks <= 64 ? 1 : 2;
}

}  // namespace

std::unique_ptr<MapBlock> makeMapBlock(const Indexer& mapping) {
  const std::string text = mapping.text();
  Arguments arguments(text, "");
  std::string families;
  for (const Maker& maker : kMakers) {
    if (arguments.name().text == maker.family) return maker.make(mapping, arguments);
    families += (families.empty() ? "" : ", ") + std::string(maker.family);
  }
  refuse(mapping, "a mapping of " + families);
}

std::unique_ptr<PassBlock> makePassBlock(std::uint32_t banks) {
  return verilated::passArbiter(sizeOf(banks));
}

std::unique_ptr<ScratchpadBlock> makeScratchpadBlock(std::uint32_t banks, std::uint32_t rows) {
  expectUpTo(verilated::kMostRows, rows, "rows");
  return verilated::bankedScratchpad(sizeOf(banks));
}

std::unique_ptr<LockBlock> makeLockBlock(std::uint32_t locks) {
  expectUpTo(verilated::kMostLocks, locks, "locks");
  return verilated::lockUnit();
}

}  // namespace fermata::rtl
