// Access sets that no mapping linear over GF(2) can tell apart.
//
// h(w ^ t) = h(w) ^ h(t): moving every word of a set by the same t renames the banks and leaves
// their loads as they are. Of all 2^n translates of a set one stands for all.
#pragma once

#include <cstdint>

#include <fermata/models/search/access_sets.h>

namespace fermata::search {

/// Replaces `size` (1 or more) rising, distinct words by the same translate of them for every
/// translate; rising again, the first word 0.
void canonicalTranslate(std::uint32_t* words, std::uint32_t size);

/// The sets that can conflict (2 words or more, weight above 0), equal translates once with the sum
/// of their weights.
AccessSets mergeTranslates(const AccessSets& sets);

}  // namespace fermata::search
