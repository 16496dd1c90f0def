#include <fermata/models/search/translation.h>

#include <algorithm>
#include <vector>

namespace fermata::search {

/// Finds the least, in lexical order, of the translates that contain 0: the translates by a word of
/// the set. Its second word is the smallest difference of all; only words with a neighbour that
/// near can make it. In a sorted set the nearest (by XOR) of a word stands beside it. A regular set
/// has periods p (moving by p gives the same set); then moving by w and by w ^ p gives the same
/// result.
void canonicalTranslate(std::uint32_t* words, std::uint32_t size) {
  if (size == 1) {
    words[0] = 0;
    return;
  }
  const std::vector<std::uint32_t> set(words, words + size);
  std::uint32_t nearest = ~std::uint32_t{0};
  for (std::uint32_t i = 1; i < size; ++i) nearest = std::min(nearest, set[i - 1] ^ set[i]);
  std::vector<std::uint32_t> moved(size);
  std::vector<bool> done(size, false);
  std::vector<std::uint32_t> periods = {0};  // a group: closed under XOR
  std::uint32_t best = 0;
  bool first = true;
  for (std::uint32_t i = 0; i < size; ++i) {
    const bool near = (i != 0 && (set[i - 1] ^ set[i]) == nearest) ||
                      (i + 1 != size && (set[i] ^ set[i + 1]) == nearest);
    const bool again = i != 0 && set[i - 1] == set[i];  // its translates have been seen
    if (!near || again || done[i]) continue;
    for (std::uint32_t j = 0; j < size; ++j) moved[j] = set[j] ^ set[i];
    std::sort(moved.begin(), moved.end());
    if (first || std::lexicographical_compare(moved.begin(), moved.end(), words, words + size)) {
      std::copy(moved.begin(), moved.end(), words);
      best = set[i];
      first = false;
    } else if (std::equal(moved.begin(), moved.end(), words)) {
      const std::uint32_t period = best ^ set[i];
      const std::size_t known = periods.size();
      for (std::size_t k = 0; k < known; ++k) periods.push_back(periods[k] ^ period);
    }
    for (const std::uint32_t period : periods) {
      const auto other = std::lower_bound(set.begin(), set.end(), set[i] ^ period);
      if (other != set.end() && *other == (set[i] ^ period)) {
        done[static_cast<std::size_t>(other - set.begin())] = true;
      }
    }
  }
}

AccessSets mergeTranslates(const AccessSets& sets) {
  AccessSets merged(sets.size() + 1);
  merged.addInstruction({});
  std::uint32_t moved[AccessSets::kMaxWords];
  for (std::size_t set = 0; set < sets.size(); ++set) {
    const Words words = sets.words(set);
    if (words.size == 1 || sets.weight(set) == 0) continue;
    std::copy(words.begin(), words.end(), moved);
    canonicalTranslate(moved, words.size);
    merged.add(0, moved, words.size, sets.weight(set), true);
  }
  return merged;
}

}  // namespace fermata::search
