// Pairs of mapping class and search method, from --class and --method.
#pragma once

#include <string>
#include <vector>

#include <fermata/models/search/search.h>

namespace fermata::platforms {

/// A search: one class by one method.
struct SearchPair {
  search::MappingClass mappingClass{};
  search::Method method{};
};

/// Returns the searches in the order of the enumerations.
/// Without a class, or with "all", takes every class that a machine can build. With `ofKernels` and
/// no class, takes what a kernel can do itself (swizzle, tma, padding); swizzle and tma are
/// otherwise searched only if named. Without a method, takes each that applies. A name may be a
/// comma-separated list ("xor,pairs").
/// Throws InputError for an unknown name, for a class that none of the methods searches, and for a
/// method that searches none of the classes; the message lists the valid pairs.
std::vector<SearchPair> chooseSearches(const std::vector<std::string>& classes,
                                       const std::vector<std::string>& methods,
                                       bool ofKernels = false);

}  // namespace fermata::platforms
