#include <fermata/models/search/conflict_count.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include <fermata/models/indexing/linear.h>
#include <fermata/models/search/translation.h>

namespace fermata::search {
namespace {

using kernels::kBlockSets;

[[noreturn]] void refuse(const std::string& what) {
  throw std::invalid_argument("conflict count: " + what);
}

/// Returns the table with one more entry, for padding words.
std::vector<std::uint8_t> narrow(const std::vector<std::uint16_t>& bank) {
  std::vector<std::uint8_t> table(bank.size() + 1, kernels::kNoBank);
  std::transform(bank.begin(), bank.end(), table.begin(),
                 [](std::uint16_t one) { return static_cast<std::uint8_t>(one); });
  return table;
}

/// Loads of the banks for one set after the other; clears only what it touched.
class Loads {
 public:
  explicit Loads(std::uint32_t banks) : load_(banks, 0) {}

  std::uint32_t degree(const std::uint32_t* words, std::uint32_t size,
                       const std::vector<std::uint16_t>& bank) {
    std::uint8_t largest = 0;  // a set has at most 128 words
    for (std::uint32_t i = 0; i < size; ++i) largest = std::max(largest, ++load_[bank[words[i]]]);
    for (std::uint32_t i = 0; i < size; ++i) load_[bank[words[i]]] = 0;
    return largest;
  }

 private:
  std::vector<std::uint8_t> load_;
};

[[noreturn]] void refuseWord(std::uint32_t word, unsigned addressBits) {
  refuse("word " + std::to_string(word) + " does not fit in " + std::to_string(addressBits) +
         " address bits; expected a word below " + std::to_string(std::uint32_t{1} << addressBits));
}

/// Returns the banks of wordAt(0) to wordAt(size - 1).
template <typename WordAt>
std::vector<std::uint16_t> banksOf(const indexing::Indexer& indexer, std::size_t size,
                                   const WordAt& wordAt) {
  std::vector<std::uint16_t> bank(size);
  std::array<std::uint32_t, kWarpLanes> word;
  std::array<std::uint32_t, kWarpLanes> lanes;
  std::array<std::uint32_t, kWarpLanes> row;
  for (std::size_t first = 0; first < size; first += kWarpLanes) {
    const std::size_t count = std::min<std::size_t>(kWarpLanes, size - first);
    for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
      word[lane] = wordAt(first + std::min(lane, count - 1));
    }
    indexer.locate(word, kAllLanes, lanes, row);
    for (std::size_t lane = 0; lane < count; ++lane) {
      bank[first + lane] = static_cast<std::uint16_t>(lanes[lane]);
    }
  }
  return bank;
}

}  // namespace

std::vector<std::uint16_t> bankTable(const indexing::Indexer& indexer, std::uint32_t last) {
  return banksOf(indexer, last + std::size_t{1},
                 [](std::size_t i) { return static_cast<std::uint32_t>(i); });
}

ConflictCount::ConflictCount(const AccessSets& sets, unsigned addressBits)
    : addressBits_(addressBits), sets_(sets.size()), form_(kernels::bestForm()) {
  if (addressBits > kMostAddressBits) {
    refuse(std::to_string(addressBits) + " address bits; expected at most " +
           std::to_string(kMostAddressBits));
  }
  const std::uint32_t noWord = std::uint32_t{1} << addressBits;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    const std::uint32_t last = *(sets.words(set).end() - 1);
    if (last >= noWord) refuseWord(last, addressBits);
    looks_ += sets.words(set).size;
  }
  used_ = UsedWords(sets);
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t set = 0; set < sets.size(); ++set) {
    const Words words = sets.words(set);
    if (words.size <= kernels::kSetWords) {
      chosen.push_back(set);
      continue;
    }
    large_.push_back({{words.begin(), words.end()}, set, sets.weight(set)});
    for (std::uint32_t& word : large_.back().words) word = used_.number(word);
  }
  all_ = blocksOf(sets, std::move(chosen), noWord);
  for (std::uint32_t& word : all_.words.words) {
    word = word == noWord ? used_.size() : used_.number(word);
  }
  mergeSmall(sets);
}

/// Merges translates: a search over GF(2) cannot distinguish them.
void ConflictCount::mergeSmall(const AccessSets& sets) {
  const std::uint32_t noWord = std::uint32_t{1} << addressBits_;
  SetBlocks blocks;
  {
    const AccessSets merged = mergeTranslates(sets);
    std::vector<std::uint32_t> small;
    for (std::uint32_t set = 0; set < merged.size(); ++set) {
      if (merged.words(set).size <= kernels::kSetWords) small.push_back(set);
    }
    blocks = blocksOf(merged, std::move(small), noWord);
  }
  merged_ = nibblesOf(blocks.words, noWord, addressBits_);
}

std::uint64_t ConflictCount::linear(const indexing::gf2::Matrix& bank, std::uint64_t limit) const {
  if (bank.columns != addressBits_ || bank.rows.size() > kMostRows) {
    refuse("a matrix of " + std::to_string(bank.rows.size()) + " rows and " +
           std::to_string(bank.columns) + " columns; expected at most " +
           std::to_string(kMostRows) + " rows and " + std::to_string(addressBits_) + " columns");
  }
  const std::uint32_t banks = std::uint32_t{1} << bank.rows.size();
  if (banks > kernels::kMostBanks) return banked(tableOf(bank), banks, limit);
  const std::uint64_t sum =
      kernels::linearSum(form_, merged_, nibbleTables(bank, addressBits_), banks, limit);
  if (large_.empty() || sum > limit) return sum;
  return sum + largeSum(tableOf(bank), banks, limit - sum);
}

std::uint64_t ConflictCount::mapped(const indexing::Indexer& indexer, std::uint64_t limit) const {
  const auto* const own = dynamic_cast<const indexing::LinearIndexer*>(&indexer);
  if (own != nullptr && own->bankMatrix().columns <= addressBits_ &&
      own->bankMatrix().rows.size() <= kMostRows) {
    checkMemory(indexer);
    indexing::gf2::Matrix bank = own->bankMatrix();
    bank.columns = addressBits_;
    return linear(bank, limit);
  }
  return banked(tableOf(indexer), indexer.shape().banks, limit);
}

void ConflictCount::checkMemory(const indexing::Indexer& indexer) const {
  if (indexer.shape().words <= used_.largest()) {
    refuse("word " + std::to_string(used_.largest()) + " in a memory of " +
           std::to_string(indexer.shape().words) + " words");
  }
}

std::vector<std::uint16_t> ConflictCount::tableOf(const indexing::Indexer& indexer) const {
  checkMemory(indexer);
  return banksOf(indexer, used_.size(), [&](std::size_t i) { return used_.word(i); });
}

std::vector<std::uint16_t> ConflictCount::tableOf(const indexing::gf2::Matrix& bank) const {
  // Banks of the words' bytes; the bank of a word is their XOR.
  std::array<std::array<std::uint16_t, 256>, 3> part{};
  for (unsigned bit = 0; bit < bank.columns; ++bit) {
    std::uint16_t column = 0;
    for (std::size_t row = 0; row < bank.rows.size(); ++row) {
      column = static_cast<std::uint16_t>(column | (bank.rows[row] >> bit & 1U) << row);
    }
    const std::size_t half = std::size_t{1} << bit % 8;
    auto& table = part[bit / 8];
    for (std::size_t byte = 0; byte < half; ++byte) {
      table[half + byte] = static_cast<std::uint16_t>(table[byte] ^ column);
    }
  }
  std::vector<std::uint16_t> table(used_.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::uint32_t word = used_.word(i);
    table[i] = static_cast<std::uint16_t>(part[0][word & 255U] ^ part[1][word >> 8 & 255U] ^
                                          part[2][word >> 16]);
  }
  return table;
}

std::uint64_t ConflictCount::banked(const std::vector<std::uint16_t>& bank, std::uint32_t banks,
                                    std::uint64_t limit) const {
  if (bank.size() != used_.size()) {
    refuse("the banks of " + std::to_string(bank.size()) + " words; expected those of " +
           std::to_string(used_.size()));
  }
  std::uint64_t sum = 0;
  if (banks <= kernels::kMostBanks) {
    sum = kernels::tableSum(form_, all_.words, narrow(bank).data(), banks, limit);
  } else {
    Loads loads(banks);
    std::uint32_t words[kernels::kSetWords + 1];
    for (std::size_t place = 0; place < all_.order.size() && sum <= limit; ++place) {
      if (all_.words.weight[place] == 0) continue;
      const std::uint32_t size = wordsAt(place, words);
      sum += all_.words.weight[place] * (loads.degree(words, size, bank) - 1);
    }
  }
  if (large_.empty() || sum > limit) return sum;
  return sum + largeSum(bank, banks, limit - sum);
}

std::uint32_t ConflictCount::wordsAt(std::size_t place, std::uint32_t* words) const {
  const kernels::Block& block = all_.words.blocks[place / kBlockSets];
  const std::uint32_t* const from = all_.words.words.data() + block.first * kernels::kStepBytes;
  std::uint32_t size = 0;
  for (unsigned i = 0; i < block.steps * 4; ++i) {
    words[size] = from[kernels::place(place % kBlockSets, i)];
    size += static_cast<std::uint32_t>(words[size] != used_.size());
  }
  return size;
}

std::uint64_t ConflictCount::largeSum(const std::vector<std::uint16_t>& bank, std::uint32_t banks,
                                      std::uint64_t limit) const {
  Loads loads(banks);
  std::uint64_t sum = 0;
  for (const Large& set : large_) {
    const auto size = static_cast<std::uint32_t>(set.words.size());
    sum += set.weight * (loads.degree(set.words.data(), size, bank) - 1);
    if (sum > limit) break;
  }
  return sum;
}

std::vector<std::uint32_t> ConflictCount::degrees(const indexing::Indexer& indexer) const {
  const std::vector<std::uint16_t> bank = tableOf(indexer);
  std::vector<std::uint32_t> result(sets_, 0);
  Loads loads(indexer.shape().banks);
  std::uint32_t words[kernels::kSetWords + 1];
  for (std::size_t place = 0; place < all_.order.size(); ++place) {
    if (all_.order[place] == SetBlocks::kNoSet) continue;
    const std::uint32_t size = wordsAt(place, words);
    result[all_.order[place]] = loads.degree(words, size, bank);
  }
  for (const Large& set : large_) {
    const auto size = static_cast<std::uint32_t>(set.words.size());
    result[set.set] = loads.degree(set.words.data(), size, bank);
  }
  return result;
}

}  // namespace fermata::search
