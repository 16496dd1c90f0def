// Accesses described without a workload: a CSV file of access sets, a matrix (Eq. 4 of van den
// Braak et al., IEEE TC 2016), or a layout.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fermata/platforms/program/search/access_collection.h>

namespace fermata::platforms {

/// Reads rows `count,word,word,...`: `count` accesses, each of the listed words, which the banks
/// are offered at once. A row has 1 to AccessSets::kMaxWords words, each below `words`. A first row
/// that begins with the field "count" is a header. Each of the first 4096 rows becomes an
/// instruction of its own, with its line. The file may be zstd-compressed. Throws InputError
/// "file:line:column: ...".
void collectAccessFile(const std::string& path, std::uint64_t weight, std::uint32_t words,
                       Collected& into);

/// Adds a matrix in the syntax of search::parseAccessMatrix. Each warp of the block makes one
/// access; the platform's lane groups serve it. Throws InputError "access 'TEXT':column: ...".
void collectAccessMatrix(const std::string& text, std::uint64_t weight, std::uint32_t words,
                         const PlatformParameters& platform, Collected& into);

/// A word that a lane asks for. Lanes of a wave64's upper half count from 32.
struct AskedWord {
  std::uint32_t lane = 0;
  std::uint32_t word = 0;
  std::uint32_t thread = 0;  ///< number of the lane, counted over all warps
  std::uint32_t behind = 0;  ///< words that the lane asks for before this one
};

/// Words that the banks are asked for at once: a lane group of an access.
struct AskedGroup {
  std::uint32_t warp = 0;
  std::vector<AskedWord> words;  ///< lanes rising
};

/// Return the lane groups of what collectAccessMatrix() and collectLayout() add, in their order.
std::vector<AskedGroup> matrixGroups(const std::string& text, std::uint32_t words,
                                     const PlatformParameters& platform);
std::vector<AskedGroup> layoutGroups(const std::string& text, const std::string& atom,
                                     std::uint32_t elementBytes, std::uint32_t words,
                                     const PlatformParameters& platform);

/// Adds a layout (`text` for search::Layout::parse) of `elementBytes`-byte elements, accessed as
/// `atom` (for search::parseAtom) does. The platform's lane groups serve the atom's lanes. Throws
/// InputError "layout 'TEXT':column: ...".
void collectLayout(const std::string& text, const std::string& atom, std::uint32_t elementBytes,
                   std::uint64_t weight, std::uint32_t words, const PlatformParameters& platform,
                   Collected& into);

}  // namespace fermata::platforms
