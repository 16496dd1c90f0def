// The figure that every search lowers: the sum over the access sets of weight times (degree - 1),
// where the degree is the largest number of a set's words in one bank.
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

/// Counts for one collection of sets and many mappings, as fast as the machine allows. It keeps the
/// sets in a form of its own: the AccessSets may go.
class ConflictCount {
 public:
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

  static constexpr unsigned kMostAddressBits = 24;
  static constexpr unsigned kMostRows = 12;

  /// Every word of the sets must be below 2^addressBits (std::invalid_argument); at most 24 bits.
  ConflictCount(const AccessSets& sets, unsigned addressBits);

  /// Of a mapping linear over GF(2): one row a bank bit (0 to 12 rows), addressBits columns; it
  /// need not have full rank. May stop and return any value above `limit` as soon as the sum
  /// exceeds it. Throws std::invalid_argument for another form of matrix.
  std::uint64_t linear(const indexing::gf2::Matrix& bank, std::uint64_t limit = kNoLimit) const;
  /// Of any mapping, by its bank of each word. Same `limit`. The mapping's memory must hold every
  /// word of the sets (std::invalid_argument).
  std::uint64_t mapped(const indexing::Indexer& indexer, std::uint64_t limit = kNoLimit) const;

  /// Of any mapping, by the bank of each of used(), in its order; banks: 1 to 4096. Same `limit`.
  std::uint64_t banked(const std::vector<std::uint16_t>& bank, std::uint32_t banks,
                       std::uint64_t limit = kNoLimit) const;
  /// The words of the sets.
  const UsedWords& used() const { return used_; }
  /// Words of all sets together: what a count of any mapping looks at.
  std::uint64_t looks() const { return looks_; }

  /// Degree of each of the AccessSets' sets, in their order.
  std::vector<std::uint32_t> degrees(const indexing::Indexer& indexer) const;

  unsigned addressBits() const { return addressBits_; }

 private:
  /// Sets that the kernels do not take: each word's bank is counted by itself.
  struct Large {
    std::vector<std::uint32_t> words;  ///< numbers of used_
    std::uint32_t set = 0;
    std::uint64_t weight = 0;
  };

  void mergeSmall(const AccessSets& sets);
  void checkMemory(const indexing::Indexer& indexer) const;
  std::vector<std::uint16_t> tableOf(const indexing::Indexer& indexer) const;
  std::vector<std::uint16_t> tableOf(const indexing::gf2::Matrix& bank) const;
  /// Of the set at a place of all_, as numbers of used_; their number. There must be room for one
  /// more than a block takes.
  std::uint32_t wordsAt(std::size_t place, std::uint32_t* words) const;
  std::uint64_t largeSum(const std::vector<std::uint16_t>& bank, std::uint32_t banks,
                         std::uint64_t limit) const;

  unsigned addressBits_;
  std::size_t sets_ = 0;
  std::uint64_t looks_ = 0;
  UsedWords used_;  ///< a mapping's table has these only: the memory may be much larger
  kernels::Form form_;
  SetBlocks all_;                 ///< sets of up to 32 words, as numbers of used_
  kernels::NibbleBlocks merged_;  ///< the same, translates merged: for linear mappings
  std::vector<Large> large_;
};

/// The bank of each word from 0 to `last`.
std::vector<std::uint16_t> bankTable(const indexing::Indexer& indexer, std::uint32_t last);

}  // namespace fermata::search
