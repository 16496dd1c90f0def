// Sorts the words of an access and drops repetitions without comparing words. One bit marks each
// word; two levels of summary bits mark each group of 64 that is not empty.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fermata::search {

class WordSorter {
 public:
  /// Writes the words, rising and distinct, to `out`, which needs room for `size`. Returns their
  /// number.
  std::uint32_t sort(const std::uint32_t* words, std::uint32_t size, std::uint32_t* out) {
    std::uint32_t all = 0;
    for (std::uint32_t i = 0; i < size; ++i) all |= words[i];
    if (all >> (3 * kBits) != 0) {  // larger than any scratchpad
      std::copy_n(words, size, out);
      std::sort(out, out + size);
      return static_cast<std::uint32_t>(std::unique(out, out + size) - out);
    }
    if (low_.empty()) {
      low_.resize(std::size_t{1} << 2 * kBits, 0);
      middle_.resize(std::size_t{1} << kBits, 0);
    }
    std::uint64_t top = 0;
    for (std::uint32_t i = 0; i < size; ++i) {
      const std::uint32_t word = words[i];
      low_[word >> kBits] |= std::uint64_t{1} << (word & kMask);
      middle_[word >> 2 * kBits] |= std::uint64_t{1} << (word >> kBits & kMask);
      top |= std::uint64_t{1} << (word >> 2 * kBits);
    }
    std::uint32_t count = 0;
    for (; top != 0; top &= top - 1) {
      const auto high = static_cast<std::uint32_t>(__builtin_ctzll(top));
      for (std::uint64_t& middle = middle_[high]; middle != 0; middle &= middle - 1) {
        const std::uint32_t place =
            high << kBits | static_cast<std::uint32_t>(__builtin_ctzll(middle));
        for (std::uint64_t& low = low_[place]; low != 0; low &= low - 1) {
          out[count++] = place << kBits | static_cast<std::uint32_t>(__builtin_ctzll(low));
        }
      }
    }
    return count;
  }

 private:
  static constexpr unsigned kBits = 6;
  static constexpr std::uint32_t kMask = (1U << kBits) - 1;

  std::vector<std::uint64_t> low_;  ///< all 0 between calls
  std::vector<std::uint64_t> middle_;
};

}  // namespace fermata::search
