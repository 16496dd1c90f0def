// Access sets cut by address bits: bit i of a set's plane b is bit b of the set's i-th word. The
// XOR of planes is a feature of all words of the set at once, and a population count is the
// feature's histogram.
#pragma once

#include <cstdint>
#include <vector>

#include <fermata/models/search/features.h>
#include <fermata/models/search/translation.h>

namespace fermata::search {

/// A set of up to AccessSets::kMaxWords words as bits.
struct Bits {
  std::uint64_t part[2] = {0, 0};

  Bits operator^(const Bits& other) const {
    return {{part[0] ^ other.part[0], part[1] ^ other.part[1]}};
  }
  Bits operator&(const Bits& other) const {
    return {{part[0] & other.part[0], part[1] & other.part[1]}};
  }
};

class BitPlanes {
 public:
  /// Merges translates. Both heuristics score translates alike: they look at how unequally a
  /// feature divides a set, never at which part has the value 1.
  BitPlanes(const AccessSets& sets, unsigned addressBits) : bits_(addressBits) {
    const AccessSets merged = mergeTranslates(sets);
    planes_.reserve(merged.size() * bits_);
    for (std::size_t set = 0; set < merged.size(); ++set) {
      const Words words = merged.words(set);
      size_.push_back(words.size);
      weight_.push_back(merged.weight(set));
      const std::size_t first = planes_.size();
      planes_.resize(first + bits_);
      for (std::uint32_t i = 0; i < words.size; ++i) {
        for (unsigned bit = 0; bit < bits_; ++bit) {
          planes_[first + bit].part[i / 64] |= std::uint64_t{words.first[i] >> bit & 1U} << i % 64;
        }
      }
    }
  }

  std::size_t sets() const { return size_.size(); }
  unsigned addressBits() const { return bits_; }
  std::uint32_t size(std::size_t set) const { return size_[set]; }
  std::uint64_t weight(std::size_t set) const { return weight_[set]; }
  /// Returns the addressBits() planes of a set.
  const Bits* planes(std::size_t set) const { return planes_.data() + set * bits_; }
  /// Returns the value of a feature for every word of a set.
  static Bits value(const Bits* planes, Feature feature) {
    Bits value;
    for (unsigned bit = 0; feature != 0; ++bit, feature >>= 1) {
      if ((feature & 1U) != 0) value = value ^ planes[bit];
    }
    return value;
  }

 private:
  unsigned bits_;
  std::vector<std::uint32_t> size_;
  std::vector<std::uint64_t> weight_;
  std::vector<Bits> planes_;
};

}  // namespace fermata::search
