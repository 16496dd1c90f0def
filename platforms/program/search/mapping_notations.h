// A mapping in every notation that can say it: CuTe, Triton and C of a kernel's index, and the bank
// of a word in C.
#pragma once

#include <fermata/models/indexing/indexer.h>
#include <fermata/platforms/program/search/search_words.h>

#include <cstdint>

namespace fermata::platforms {

/// A notation that cannot say the mapping is named with the reason. Indices i are in elements of
/// the request, w is the number of a word. `banks`: those of the memory as it is.
Notations mappingNotations(const SearchRequest& request, const indexing::Indexer& mapping,
                           std::uint32_t banks);

}  // namespace fermata::platforms
