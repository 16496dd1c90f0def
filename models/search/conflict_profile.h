// Conflicts of several mappings over a stream of accesses, which is read once and not kept.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <fermata/models/indexing/indexer.h>
#include <fermata/models/search/degree_kernels.h>

namespace fermata::search {

class ConflictProfile {
 public:
  /// `mappings`, one or more, may differ in banks. Throws std::invalid_argument unless their
  /// memories have equal numbers of words, at most 2^24. Copies what it needs later.
  explicit ConflictProfile(const std::vector<const indexing::Indexer*>& mappings);

  /// Adds one access: the words that active lanes ask for at once. Lanes on one word count once.
  /// Throws std::invalid_argument if an active lane's word is not in the memory.
  void add(const std::array<std::uint32_t, kWarpLanes>& word, LaneMask active);

  /// Returns for each mapping the sum over the accesses of (degree - 1): cycles lost to conflicts
  /// if a bank serves one word per cycle. An access without active lanes adds none.
  std::vector<std::uint64_t> conflicts();
  /// Accesses with an active lane.
  std::uint64_t accesses() const { return accesses_; }

 private:
  /// Number of accesses that are collected before a mapping's tables are worth loading.
  static constexpr unsigned kBatch = 256;

  struct Mapping {
    std::uint32_t banks = 1;
    bool linear = false;  ///< found by `nibbles`, otherwise by one of the tables
    kernels::NibbleTables nibbles;
    std::vector<std::uint8_t> narrow;  ///< bank of each word, then kNoBank
    std::vector<std::uint16_t> wide;   ///< bank of each word, for more than kernels::kMostBanks
    std::uint64_t conflicts = 0;
  };

  void flush();
  std::uint64_t wideSum(const Mapping& mapping) const;

  std::uint32_t words_ = 0;
  std::vector<Mapping> mappings_;
  std::vector<std::uint32_t> seen_;  ///< last access that asked for each word
  std::uint32_t stamp_ = 0;
  std::uint64_t accesses_ = 0;
  unsigned waiting_ = 0;
  kernels::WordBlocks batch_;
  std::array<std::uint32_t, kBatch> size_{};
  kernels::Form form_ = kernels::bestForm();
  bool anyLinear_ = false;
};

}  // namespace fermata::search
