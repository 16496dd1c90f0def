#include <fermata/models/indexing/regions.h>

#include <algorithm>

#include <fermata/models/indexing/c_expression.h>
#include <fermata/models/indexing/families.h>
#include <fermata/models/indexing/lane_kernels.h>
#include <fermata/models/indexing/linear.h>
#include <fermata/models/vocabulary/vector_clones.h>

namespace fermata::indexing {
namespace {

/// Splits words into region and word within it; returns the set of regions of active lanes.
FERMATA_VECTOR_CLONES
std::uint64_t splitLanes(unsigned at, unsigned bits, LaneMask active, const Lanes& word,
                         Lanes& region, Lanes& within) {
  const std::uint32_t mask = (std::uint32_t{1} << bits) - 1;
  const std::uint32_t low = (std::uint32_t{1} << at) - 1;
  std::uint64_t present = 0;
  for (unsigned i = 0; i < kWarpLanes; ++i) {
    region[i] = word[i] >> at & mask;
    within[i] = (word[i] >> at >> bits << at) | (word[i] & low);
    present |= std::uint64_t{active >> i & 1U} << region[i];
  }
  return present;
}

FERMATA_VECTOR_CLONES
void addRows(std::uint32_t firstRow, Lanes& row) {
  for (std::uint32_t& r : row) r += firstRow;
}

/// Copies the bank and the row of the lanes of region `number`, its rows moved up by `firstRow`.
FERMATA_VECTOR_CLONES
void blend(std::uint32_t number, std::uint32_t firstRow, const Lanes& region, const Lanes& partBank,
           const Lanes& partRow, Lanes& bank, Lanes& row) {
  for (unsigned i = 0; i < kWarpLanes; ++i) {
    bank[i] = region[i] == number ? partBank[i] : bank[i];
    row[i] = region[i] == number ? partRow[i] + firstRow : row[i];
  }
}

}  // namespace

std::uint32_t RegionIndexer::regionWords(std::uint32_t words, unsigned at, unsigned bits,
                                         std::uint32_t region) {
  const std::uint64_t part = std::uint64_t{1} << at;
  const std::uint64_t period = part << bits;
  const std::uint64_t rest = words % period;
  const std::uint64_t before = std::min(region * part, rest);
  return static_cast<std::uint32_t>(words / period * part + std::min(rest - before, part));
}

RegionIndexer::RegionIndexer(const Shape& shape, unsigned at,
                             std::vector<std::shared_ptr<const Indexer>> mappings)
    : Indexer(shape), at_(at), mask_(static_cast<std::uint32_t>(mappings.size()) - 1) {
  while (std::size_t{1} << bits_ < mappings.size()) ++bits_;
  for (std::uint32_t i = 0; i <= mask_; ++i) {
    const std::uint32_t words = regionWords(shape.words, at, bits_, i);
    regions_.push_back({std::move(mappings[i]), words, rows_});
    if (words != 0) rows_ += regions_.back().mapping->rows();
  }
}

Location RegionIndexer::location(std::uint32_t word) const {
  const Region& region = regions_[this->region(word)];
  const Location place = region.mapping->location(within(word));
  return {place.bank, region.firstRow + place.row};
}

void RegionIndexer::locate(const Lanes& word, LaneMask active, Lanes& bank, Lanes& row) const {
  Lanes number;
  Lanes part;
  std::uint64_t present = splitLanes(at_, bits_, active, word, number, part);
  if (present != 0 && (present & (present - 1)) == 0) {  // the common case: all in one region
    const Region& region = regions_[static_cast<unsigned>(__builtin_ctzll(present))];
    region.mapping->locate(part, active, bank, row);
    addRows(region.firstRow, row);
    return;
  }
  bank.fill(0);
  row.fill(0);
  for (; present != 0; present &= present - 1) {
    const auto i = static_cast<std::uint32_t>(__builtin_ctzll(present));
    Lanes partBank;
    Lanes partRow;
    regions_[i].mapping->locate(part, active, partBank, partRow);
    blend(i, regions_[i].firstRow, number, partBank, partRow, bank, row);
  }
}

std::string RegionIndexer::text() const {
  std::string text = "regions at=" + std::to_string(at_);
  for (const Region& region : regions_) text += " | " + region.mapping->text();
  return text;
}

std::string RegionIndexer::bankInC(const std::string& word) const {
  const std::uint32_t low = (std::uint32_t{1} << at_) - 1;
  const std::string above = shiftInC(word, static_cast<int>(at_ + bits_));
  const std::string within =
      at_ == 0 ? above
               : "(" + shiftInC(above, -static_cast<int>(at_)) + " | " + maskInC(word, low) + ")";
  const std::string number = maskInC(shiftInC(word, static_cast<int>(at_)), mask_);
  std::string expression = regions_.back().mapping->bankInC(within);
  for (std::uint32_t i = mask_; i-- > 0;) {
    const std::string bank = regions_[i].mapping->bankInC(within);
    if (bank.empty() || expression.empty()) return "";
    expression =
        "(" + number + " == " + std::to_string(i) + " ? " + bank + " : " + expression + ")";
  }
  return expression;
}

Cost RegionIndexer::cost() const {
  Cost cost;
  cost.latency = 1;
  for (const Region& region : regions_)
    cost.latency = std::max(cost.latency, region.mapping->cost().latency);
  cost.source =
      "assumption: the region selects among the mappings' configurations within the cycle that a "
      "configurable mapping takes; the slowest region's mapping counts";
  return cost;
}

namespace {

/// Throws the error of a region's text, at its column of the whole text.
[[noreturn]] void refuse(std::size_t region, const Token& text, const IndexingError& error) {
  throw IndexingError("region " + std::to_string(region) + ": " + error.what(),
                      text.column + (error.column() == 0 ? 0 : error.column() - 1));
}

std::shared_ptr<const Indexer> buildPart(std::size_t number, const Token& text,
                                         const Shape& shape) {
  if (Arguments(text.text, "").name().text == "regions") {
    throw IndexingError("region " + std::to_string(number) +
                            ": regions within a region; expected any other mapping",
                        text.column);
  }
  try {
    return build(text.text, shape);
  } catch (const IndexingError& error) {
    refuse(number, text, error);
  }
}

/// Returns B of `at=B`, by default the highest possible; `bits` address bits choose the region.
unsigned regionBit(const Token& head, unsigned addressBits, unsigned bits) {
  if (head.text.empty()) return addressBits - bits;
  constexpr std::string_view kKey = "at=";
  if (head.text.substr(0, kKey.size()) != kKey) {
    throw IndexingError("'" + std::string(head.text.substr(0, 24)) +
                            "' stands before the first |; expected at=B or nothing",
                        head.column);
  }
  return parseNumber({head.text.substr(kKey.size()), head.column + kKey.size()}, "at", 0,
                     addressBits - bits,
                     std::to_string(addressBits) + " address bits, " + std::to_string(bits) +
                         (bits == 1 ? " of them chooses" : " of them choose") + " the region");
}

std::unique_ptr<Indexer> buildRegions(Arguments& arguments, const Shape& shape) {
  constexpr std::size_t kMostRegions = 64;
  const std::vector<Token> pieces = split(arguments.rest(), '|');
  const std::size_t count = pieces.empty() ? 0 : pieces.size() - 1;
  if (count < 2 || count > kMostRegions || (count & (count - 1)) != 0) {
    throw IndexingError(std::to_string(count) + (count == 1 ? " region" : " regions") +
                            "; expected 2, 4, 8, ... or 64: " + arguments.syntax(),
                        arguments.endColumn());
  }
  const auto bits = static_cast<unsigned>(__builtin_ctzll(count));
  const unsigned n = addressBits(shape, 0);
  if (bits > n) {
    throw IndexingError(std::to_string(count) + " regions of a memory of " +
                            std::to_string(shape.words) + " words; expected no more than its " +
                            std::to_string(n) + " address bits tell apart",
                        arguments.endColumn());
  }
  const unsigned at = regionBit(pieces[0], n, bits);
  std::vector<std::shared_ptr<const Indexer>> mappings;
  Shape whole = shape;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t words =
        RegionIndexer::regionWords(shape.words, at, bits, static_cast<std::uint32_t>(i));
    const Token& text = pieces[i + 1];
    mappings.push_back(
        buildPart(i, text, {shape.banks, words != 0 ? words : std::uint32_t{1} << (n - bits)}));
    const std::uint32_t banks = mappings.back()->shape().banks;
    if (i == 0) whole.banks = banks;
    if (banks != whole.banks) {
      throw IndexingError("region " + std::to_string(i) + " has " + std::to_string(banks) +
                              " banks and region 0 has " + std::to_string(whole.banks) +
                              "; expected the same number in all",
                          text.column);
    }
  }
  return std::make_unique<RegionIndexer>(whole, at, std::move(mappings));
}

}  // namespace

extern const Family kRegions{
    "regions", "regions [at=B] | MAPPING | MAPPING | ...",
    "regions | mod 32 | xor k1=0 k2=5 mask=31",
    "each region of the memory its own mapping; address bits from B choose", buildRegions};

}  // namespace fermata::indexing
