// Input: a line with banks and words, then a mapping text: built or refused. A built mapping takes
// every word to a place of its own, locate() agrees with location(), and its text gives the mapping
// again.
#include <fermata/models/indexing/indexer.h>
#include "tests/fuzz/input.h"

namespace {

using namespace fermata;
using fuzz::require;
using Lanes = std::array<std::uint32_t, kWarpLanes>;

constexpr std::uint32_t kMostWords = 5000;

/// Returns the place of each word; no two may be equal.
std::vector<std::uint64_t> places(const indexing::Indexer& indexer) {
  std::vector<std::uint64_t> found;
  for (std::uint32_t word = 0; word < indexer.shape().words; ++word) {
    const indexing::Location at = indexer.location(word);
    require(at.bank < indexer.shape().banks, indexer.text() + ": the bank exists");
    require(at.row < indexer.rows(), indexer.text() + ": the row exists");
    found.push_back(std::uint64_t{at.row} * indexer.shape().banks + at.bank);
  }
  std::vector<std::uint64_t> sorted = found;
  std::sort(sorted.begin(), sorted.end());
  require(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(),
          indexer.text() + ": no two words share a place");
  return found;
}

/// Checks lanes far apart, some of them inactive and beyond the memory.
void checkLanes(const indexing::Indexer& indexer, const std::vector<std::uint64_t>& place) {
  const std::uint32_t words = indexer.shape().words;
  constexpr std::uint32_t kStep = 0x9e3779b1;
  std::uint32_t next = 1;
  for (unsigned warp = 0; warp < 16; ++warp) {
    Lanes word, bank, row;
    LaneMask active = 0;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane, next += kStep) {
      const bool on = warp < 8 || (next >> 13 & 1U) != 0;
      word[lane] = on ? (warp % 2 == 0 ? warp * kWarpLanes + lane : next) % words : next;
      active |= static_cast<LaneMask>(on) << lane;
    }
    indexer.locate(word, active, bank, row);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      require(bank[lane] < indexer.shape().banks && row[lane] < indexer.rows(),
              indexer.text() + ": every lane is within the memory");
      if ((active >> lane & 1U) == 0) continue;
      require(std::uint64_t{row[lane]} * indexer.shape().banks + bank[lane] == place[word[lane]],
              indexer.text() + ": locate() agrees with location()");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string line = fuzz::takeLine(text);
  indexing::Shape shape;
  if (!fuzz::takeNumber(line, 8192, shape.banks) || !fuzz::takeNumber(line, ~0U, shape.words)) {
    return -1;
  }
  std::unique_ptr<indexing::Indexer> indexer;
  try {
    indexer = indexing::build(text, shape);
  } catch (const indexing::IndexingError& error) {
    require(error.column() <= text.size() + 1, "the column of an error is one of the text");
    return 0;
  }
  const std::string again = indexer->text();
  const auto same = indexing::build(again, indexer->shape());
  require(same->text() == again, again + ": the text reads back");
  require(same->rows() == indexer->rows(), again + ": the text reads back to as many rows");
  indexer->cost();
  if (shape.words > kMostWords) return 0;
  const std::vector<std::uint64_t> place = places(*indexer);
  require(places(*same) == place, again + ": the text reads back to the same places");
  checkLanes(*indexer, place);
  return 0;
}
