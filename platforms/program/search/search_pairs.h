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

/// In the order of the enumerations. No class or "all": every class that a machine can build; with
/// `ofKernels` and no class: what a kernel can do itself (swizzle, tma, padding), of which the
/// first two are searched where they are named. No method: each that applies. A name may stand in a
/// list ("xor,pairs"). Throws InputError for an unknown name, and for a class that none of the
/// methods searches or a method that searches none of the classes: it lists what does.
std::vector<SearchPair> chooseSearches(const std::vector<std::string>& classes,
                                       const std::vector<std::string>& methods,
                                       bool ofKernels = false);

}  // namespace fermata::platforms
