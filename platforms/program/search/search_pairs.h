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

/// Classes that are searched if none is named.
enum class UsualClasses {
  Machine,  ///< every class that a machine can build, padding, and swizzle: "all" and swizzle
  Kernel,   ///< changes that a kernel can make to its index: swizzle, tma, padding
  Layout,   ///< these, and of the machine's the best XOR and the best modulus: matrix, ami
  Factor,   ///< what a matrix descriptor can say, and of the machine's these: tma, matrix, ami
};

/// Returns the searches in the order of the enumerations. Takes the `usual` classes without a
/// class, and those of a machine for "all". Without a method, takes each that applies. A name may
/// be a comma-separated list ("xor,pairs"). Throws InputError for an unknown name, for a class that
/// none of the methods searches, and for a method that searches none of the classes; the message
/// lists the valid pairs.
std::vector<SearchPair> chooseSearches(const std::vector<std::string>& classes,
                                       const std::vector<std::string>& methods,
                                       UsualClasses usual = UsualClasses::Machine);

}  // namespace fermata::platforms
