// A picture of lanes by banks, as a table of HTML: which element each lane of a lane group asks of
// which bank, and in which pass it gets it.
#pragma once

#include <fermata/models/indexing/indexer.h>
#include <fermata/platforms/program/search/access_descriptions.h>
#include <fermata/platforms/program/search/element_names.h>

#include <cstdint>
#include <string>
#include <vector>

namespace fermata::platforms {

/// Passes of each word of a lane group, from 1. A bank delivers a word per pass, to all lanes that
/// ask for it; of several words it delivers first what the lowest lanes ask for.
struct GroupPasses {
  std::vector<std::uint32_t> bank;  ///< by element of AskedGroup::words
  std::vector<std::uint32_t> pass;
  std::uint32_t passes = 0;  ///< of the group: the greatest of them
};
GroupPasses passesOf(const AskedGroup& group, const indexing::Indexer& mapping);

/// Returns the picture. `name` names the element of each word.
std::string laneGrid(const AskedGroup& group, const indexing::Indexer& mapping,
                     const ElementNaming& name);

}  // namespace fermata::platforms
