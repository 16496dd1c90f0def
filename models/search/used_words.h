// The words that occur in access sets, numbered from 0 in rising order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <fermata/models/search/access_sets.h>

namespace fermata::search {

class UsedWords {
 public:
  UsedWords() = default;
  explicit UsedWords(const AccessSets& sets);

  std::uint32_t size() const { return static_cast<std::uint32_t>(words_.size()); }
  std::uint32_t word(std::size_t number) const { return words_[number]; }
  /// Largest word; 0 if there is none.
  std::uint32_t largest() const { return words_.empty() ? 0 : words_.back(); }
  /// Returns the number of a word. Precondition: the word occurs.
  std::uint32_t number(std::uint32_t word) const {
    const std::uint64_t below = bits_[word / 64] & ((std::uint64_t{1} << word % 64) - 1);
    return before_[word / 64] + static_cast<std::uint32_t>(__builtin_popcountll(below));
  }

 private:
  std::vector<std::uint32_t> words_;
  std::vector<std::uint64_t> bits_;    ///< one bit per word
  std::vector<std::uint32_t> before_;  ///< number of words before each 64
};

}  // namespace fermata::search
