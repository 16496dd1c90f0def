// Which classes of mappings are searched by which methods: what --class and --method say.
#pragma once

#include <string>
#include <vector>

#include <fermata/models/search/search.h>

namespace fermata::platforms {

/// One search.
struct SearchPair {
  search::MappingClass mappingClass{};
  search::Method method{};
};

/// In the order of the enumerations. No class or "all": every class; no method: each that applies.
/// A name may stand in a list ("xor,pairs"). Throws InputError for an unknown name, and for a class
/// that none of the methods searches or a method that searches none of the classes: it lists what
/// does.
std::vector<SearchPair> chooseSearches(const std::vector<std::string>& classes,
                                       const std::vector<std::string>& methods);

}  // namespace fermata::platforms
