#include <fermata/models/search/used_words.h>

#include <algorithm>

namespace fermata::search {

UsedWords::UsedWords(const AccessSets& sets) {
  for (std::size_t set = 0; set < sets.size(); ++set) {
    const Words words = sets.words(set);
    const std::size_t last = words.first[words.size - 1] / 64;
    if (last >= bits_.size()) bits_.resize(std::max(last + 1, 2 * bits_.size()), 0);
    for (const std::uint32_t word : words) bits_[word / 64] |= std::uint64_t{1} << word % 64;
  }
  for (std::size_t i = 0; i < bits_.size(); ++i) {
    before_.push_back(size());
    for (std::uint64_t left = bits_[i]; left != 0; left &= left - 1) {
      words_.push_back(static_cast<std::uint32_t>(64 * i) +
                       static_cast<std::uint32_t>(__builtin_ctzll(left)));
    }
  }
}

}  // namespace fermata::search
