// Searches on parts of the accesses, for a hash of each part: van den Braak et al., Configurable
// XOR Hash Functions, IEEE TC 2016, section 9.1 (future work).
//
// Two parts of the memory with a hash each do not collide if an address bit tells them apart. So a
// part is a region: the words with one value of r address bits from bit B upwards. Every B that the
// accesses and `regionBits` reach and every r up to the limit is tried.
//
//   regions at=8 | perm k=0 | perm k=3     words 0 to 255 by rows, words 256 to 511 by columns
//
// Instructions may share a region, so a hash for each instruction is no mapping. Its conflicts are
// what such hashes could leave at best if the words moved for free.
#pragma once

#include <fermata/models/search/search.h>

namespace fermata::search {

/// Returns the mapping with the fewest conflicts that has at most `options.regions` regions. At a
/// tie it has the fewest regions, chosen by the highest address bits. Each region's mapping is what
/// the method finds for the words of the accesses in this region. The class must be linear over
/// GF(2).
Found searchRegions(MappingClass mappingClass, Method method, const Problem& problem,
                    const ConflictCount& count, const SearchOptions& options);

/// Returns the conflicts left if each instruction had the mapping that the method finds for its
/// accesses alone.
std::uint64_t conflictsByInstruction(MappingClass mappingClass, Method method,
                                     const Problem& problem, const SearchOptions& options = {});

}  // namespace fermata::search
