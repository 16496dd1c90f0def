#include <fermata/models/search/conflict_profile.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include <fermata/models/indexing/linear.h>
#include <fermata/models/search/conflict_count.h>
#include <fermata/models/search/set_blocks.h>

namespace fermata::search {
namespace {

using kernels::kBlockSets;
using kernels::kMostSteps;
using kernels::kStepBytes;

constexpr std::uint32_t kMostWords = std::uint32_t{1} << ConflictCount::kMostAddressBits;

unsigned bitsOf(std::uint32_t words) {
  unsigned bits = 0;
  while ((words - 1) >> bits != 0) ++bits;
  return bits;
}

}  // namespace

ConflictProfile::ConflictProfile(const std::vector<const indexing::Indexer*>& mappings) {
  if (mappings.empty()) throw std::invalid_argument("conflict profile: no mapping; expected one");
  words_ = mappings.front()->shape().words;
  for (const indexing::Indexer* indexer : mappings) {
    if (indexer->shape().words != words_ || words_ > kMostWords) {
      throw std::invalid_argument("conflict profile: memories of " + std::to_string(words_) +
                                  " and " + std::to_string(indexer->shape().words) +
                                  " words; expected equal ones of at most " +
                                  std::to_string(kMostWords));
    }
    Mapping mapping;
    mapping.banks = indexer->shape().banks;
    const auto* const linear = dynamic_cast<const indexing::LinearIndexer*>(indexer);
    if (mapping.banks > kernels::kMostBanks) {
      mapping.wide = bankTable(*indexer, words_ - 1);
    } else if (linear != nullptr) {
      mapping.linear = true;
      anyLinear_ = true;
      mapping.nibbles = nibbleTables(linear->bankMatrix(), bitsOf(words_));
    } else {
      for (const std::uint16_t bank : bankTable(*indexer, words_ - 1)) {
        mapping.narrow.push_back(static_cast<std::uint8_t>(bank));
      }
      mapping.narrow.push_back(kernels::kNoBank);
    }
    mappings_.push_back(std::move(mapping));
  }
  seen_.resize(words_, 0);
  batch_.words.resize(std::size_t{kBatch} * kernels::kSetWords);
  batch_.weight.reserve(kBatch);
}

void ConflictProfile::add(const std::array<std::uint32_t, kWarpLanes>& word, LaneMask active) {
  if (active == 0) return;
  std::uint32_t largest = 0;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    largest = std::max(largest, (active >> lane & 1U) != 0 ? word[lane] : 0);
  }
  if (largest >= words_) {
    throw std::invalid_argument("conflict profile: word " + std::to_string(largest) +
                                " in a memory of " + std::to_string(words_) + " words");
  }
  if (++stamp_ == 0) {
    std::fill(seen_.begin(), seen_.end(), 0);
    stamp_ = 1;
  }
  std::array<std::uint32_t, kWarpLanes + 1> distinct;
  std::uint32_t size = 0;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    const bool on = (active >> lane & 1U) != 0;
    const std::uint32_t own = on ? word[lane] : largest;
    distinct[size] = own;
    // Branches here would be guessed wrong as often as not.
    size += static_cast<std::uint32_t>(on & (seen_[own] != stamp_));
    seen_[own] = on ? stamp_ : seen_[own];
  }
  std::fill(distinct.begin() + size, distinct.end(), words_);
  std::uint32_t* const block =
      batch_.words.data() + waiting_ / kBlockSets * (kMostSteps * kStepBytes);
  for (unsigned q = 0; q < kMostSteps; ++q) {
    std::copy_n(distinct.data() + 4 * q, 4, block + kernels::place(waiting_ % kBlockSets, 4 * q));
  }
  size_[waiting_] = size;
  ++accesses_;
  if (++waiting_ == kBatch) flush();
}

void ConflictProfile::flush() {
  if (waiting_ == 0) return;
  batch_.blocks.clear();
  batch_.weight.clear();
  for (unsigned first = 0; first < waiting_; first += kBlockSets) {
    kernels::Block block{first / kBlockSets * std::size_t{kMostSteps}, 0, false};
    std::uint32_t largest = 0;
    std::uint32_t smallest = kernels::kSetWords;
    for (unsigned s = 0; s < kBlockSets; ++s) {
      const std::uint32_t size = first + s < waiting_ ? size_[first + s] : 0;
      largest = std::max(largest, size);
      smallest = std::min(smallest, size);
      batch_.weight.push_back(size == 0 ? 0 : 1);
      if (size != 0) continue;
      std::uint32_t* const none = batch_.words.data() + block.first * kStepBytes;
      for (unsigned i = 0; i < kernels::kSetWords; ++i) none[kernels::place(s, i)] = words_;
    }
    block.steps = (largest + 7) / 8 * 2;
    block.padded = smallest != block.steps * 4;
    batch_.blocks.push_back(block);
  }
  kernels::NibbleBlocks nibbles;
  if (anyLinear_) nibbles = nibblesOf(batch_, words_, bitsOf(words_));
  for (Mapping& mapping : mappings_) {
    if (mapping.linear) {
      mapping.conflicts += kernels::linearSum(form_, nibbles, mapping.nibbles, mapping.banks,
                                              ConflictCount::kNoLimit);
    } else if (mapping.wide.empty()) {
      mapping.conflicts += kernels::tableSum(form_, batch_, mapping.narrow.data(), mapping.banks,
                                             ConflictCount::kNoLimit);
    } else {
      mapping.conflicts += wideSum(mapping);
    }
  }
  waiting_ = 0;
}

std::uint64_t ConflictProfile::wideSum(const Mapping& mapping) const {
  std::vector<std::uint32_t> load(mapping.banks, 0);
  std::uint64_t sum = 0;
  for (unsigned access = 0; access < waiting_; ++access) {
    const std::uint32_t* const block =
        batch_.words.data() + access / kBlockSets * (kMostSteps * kStepBytes);
    std::uint32_t largest = 0;
    const auto bankOf = [&](std::uint32_t i) {
      return mapping.wide[block[kernels::place(access % kBlockSets, i)]];
    };
    for (std::uint32_t i = 0; i < size_[access]; ++i) {
      largest = std::max(largest, ++load[bankOf(i)]);
    }
    for (std::uint32_t i = 0; i < size_[access]; ++i) load[bankOf(i)] = 0;
    sum += largest - 1;
  }
  return sum;
}

std::vector<std::uint64_t> ConflictProfile::conflicts() {
  flush();
  std::vector<std::uint64_t> sums;
  for (const Mapping& mapping : mappings_) sums.push_back(mapping.conflicts);
  return sums;
}

}  // namespace fermata::search
