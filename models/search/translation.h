// Access sets that no mapping linear over GF(2) can tell apart.
//
// h(w ^ t) = h(w) ^ h(t): moving every word of a set by one t renames the banks and leaves their
// loads unchanged. One of all 2^n translates of a set stands for all.
#pragma once

#include <cstdint>

#include <fermata/models/search/access_sets.h>

namespace fermata::search {

/// Replaces `size` (1 or more) rising words by one fixed translate, equal for all
/// translates of the set. The result is rising again and its first word is 0.
void canonicalTranslate(std::uint32_t* words, std::uint32_t size);

/// Returns the sets that can conflict (2 words or more, weight above 0). Equal translates appear
/// once, with the sum of their weights.
AccessSets mergeTranslates(const AccessSets& sets);

}  // namespace fermata::search
