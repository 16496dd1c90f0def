// The sum that every search lowers: over the access sets, weight times (degree - 1). The degree is
// the largest number of a set's words in one bank.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include <fermata/models/indexing/gf2.h>
#include <fermata/models/indexing/indexer.h>
#include <fermata/models/search/access_sets.h>
#include <fermata/models/search/degree_kernels.h>
#include <fermata/models/search/set_blocks.h>
#include <fermata/models/search/used_words.h>

namespace fermata::search {

/// Counts conflicts of one collection of sets under many mappings, fast. Keeps the sets in a form
/// of its own: the AccessSets may be destroyed.
class ConflictCount {
 public:
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

  static constexpr unsigned kMostAddressBits = 24;
  static constexpr unsigned kMostRows = 12;

  /// Throws std::invalid_argument unless every word of the sets is below 2^addressBits, at most 24
  /// bits.
  ConflictCount(const AccessSets& sets, unsigned addressBits);

  /// Counts conflicts of a mapping linear over GF(2): one row per bank bit (0 to 12 rows),
  /// addressBits columns; it need not have full rank. May stop and return any value above `limit`
  /// as soon as the sum exceeds `limit`. Throws std::invalid_argument for another form of matrix.
  std::uint64_t linear(const indexing::gf2::Matrix& bank, std::uint64_t limit = kNoLimit) const;
  /// Counts conflicts of any mapping, by its bank of each word. `limit` as for linear(). Throws
  /// std::invalid_argument unless the mapping's memory holds every word of the sets.
  std::uint64_t mapped(const indexing::Indexer& indexer, std::uint64_t limit = kNoLimit) const;

  /// Counts conflicts of any mapping, from the bank of each word of used(), in its order; banks: 1
  /// to 4096. `limit` as for linear().
  std::uint64_t banked(const std::vector<std::uint16_t>& bank, std::uint32_t banks,
                       std::uint64_t limit = kNoLimit) const;
  /// Words that occur in the sets.
  const UsedWords& used() const { return used_; }
  /// Words of all sets together: the looks that one count of any mapping takes.
  std::uint64_t looks() const { return looks_; }

  /// Returns the degree of each of the AccessSets' sets, in their order.
  std::vector<std::uint32_t> degrees(const indexing::Indexer& indexer) const;

  unsigned addressBits() const { return addressBits_; }

 private:
  /// Sets too large for the kernels: each word's bank is counted on its own.
  struct Large {
    std::vector<std::uint32_t> words;  ///< numbers of used_
    std::uint32_t set = 0;
    std::uint64_t weight = 0;
  };

  void mergeSmall(const AccessSets& sets);
  void checkMemory(const indexing::Indexer& indexer) const;
  std::vector<std::uint16_t> tableOf(const indexing::Indexer& indexer) const;
  std::vector<std::uint16_t> tableOf(const indexing::gf2::Matrix& bank) const;
  /// Writes the words of the set at a place of all_, as numbers of used_, and returns how many
  /// there are. `words` needs room for one word more than a block takes.
  std::uint32_t wordsAt(std::size_t place, std::uint32_t* words) const;
  std::uint64_t largeSum(const std::vector<std::uint16_t>& bank, std::uint32_t banks,
                         std::uint64_t limit) const;

  unsigned addressBits_;
  std::size_t sets_ = 0;
  std::uint64_t looks_ = 0;
  UsedWords used_;  ///< entries of a mapping's table: the memory may be much larger
  kernels::Form form_;
  SetBlocks all_;                 ///< sets of up to 32 words, as numbers of used_
  kernels::NibbleBlocks merged_;  ///< sets of all_ with translates merged, for linear mappings
  std::vector<Large> large_;
};

/// Returns the bank of each word from 0 to `last`.
std::vector<std::uint16_t> bankTable(const indexing::Indexer& indexer, std::uint32_t last);

}  // namespace fermata::search
