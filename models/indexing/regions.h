// regions [at=B] | TEXT0 | TEXT1 | ...: a mapping of its own for each region of the memory.
//
// van den Braak et al., Configurable XOR Hash Functions, IEEE TC 2016, section 9.1 (future work):
// different hash functions may map different words onto one place, "this can be prevented by
// dividing the memory in regions". There are 2^r texts (2 to 64). A word's region is its r address
// bits from bit B upwards (B absent: the top r bits of the n-bit address). The other bits, in their
// order, are the word within the region. The region's text maps that word on the shape {banks,
// words of the region}. The region's rows follow those of the regions before it, so that no two
// regions share a place: the whole is an injection because each part is one.
//
// A memory whose size is no power of two leaves some regions smaller or empty. The text of an empty
// region is checked as if the region were whole. All regions have equal numbers of banks.
#pragma once

#include <vector>

#include <fermata/models/indexing/indexer.h>

namespace fermata::indexing {

class RegionIndexer final : public Indexer {
 public:
  struct Region {
    std::shared_ptr<const Indexer> mapping;  ///< maps the words within the region
    std::uint32_t words = 0;                 ///< words in the region; 0: the memory ends before it
    std::uint32_t firstRow = 0;
  };

  /// `mappings` holds one mapping per region, a power of two of them. build() made each for its
  /// regionWords() words. The region bits [at, at + log2 of their number) lie within the address.
  RegionIndexer(const Shape& shape, unsigned at,
                std::vector<std::shared_ptr<const Indexer>> mappings);

  std::uint32_t regions() const { return mask_ + 1; }
  std::uint32_t region(std::uint32_t word) const { return word >> at_ & mask_; }
  /// Returns the number of words that fall into `region`, in a memory of `words` words.
  static std::uint32_t regionWords(std::uint32_t words, unsigned at, unsigned bits,
                                   std::uint32_t region);

  Location location(std::uint32_t word) const override;
  void locate(const std::array<std::uint32_t, kWarpLanes>& word, LaneMask active,
              std::array<std::uint32_t, kWarpLanes>& bank,
              std::array<std::uint32_t, kWarpLanes>& row) const override;
  std::string text() const override;
  Cost cost() const override;
  std::string bankInC(const std::string& word) const override;

 private:
  std::uint32_t within(std::uint32_t word) const {
    return (word >> at_ >> bits_ << at_) | (word & ((std::uint32_t{1} << at_) - 1));
  }

  std::vector<Region> regions_;
  unsigned at_;
  unsigned bits_ = 0;  ///< r
  std::uint32_t mask_;
};

}  // namespace fermata::indexing
