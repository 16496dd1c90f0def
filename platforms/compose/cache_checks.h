// Checks of a configuration's caches that no single field shows.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fermata/models/indexing/indexer.h>
#include <fermata/models/memory/cache_array.h>
#include <fermata/platforms/compose/parameters.h>
#include <fermata/stimuli/input_error.h>

namespace fermata::platforms {

using Paths = std::vector<std::string>;
/// Returns where contradicting parameters were given: the place of the one that was decided last.
using PlaceOf = std::function<SourceLocation(const Paths& paths)>;

/// Limit of banks behind a crossbar of 32 lanes (Diamond et al., MICRO 2014, go to 64).
inline constexpr std::uint32_t kMostCacheBanks = 128;

/// Returns whether the value of parameter `path` contradicts what `other` says: it was given, and
/// `other` was not set over it.
using StandsAgainst = std::function<bool(const std::string& path, const std::string& other)>;

/// Gives scratchpad and L1 the bytes that the split says. Throws InputError if other parameters
/// contradict the split.
void applySplit(PlatformParameters& parameters, const PlaceOf& placeOf,
                const StandsAgainst& standsAgainst);
/// Throws InputError if parameters of the caches contradict each other.
void checkCaches(const PlatformParameters& parameters, const PlaceOf& placeOf);

/// Returns the bytes that the L1 may have at most.
std::uint32_t largestL1(const PlatformParameters& parameters);
/// Precondition of the functions below: the parameters have been checked.
SetIndex l1Sets(const PlatformParameters& parameters);
/// Returns the parameters of one slice of the L2: its share of the whole.
L2Cache::Parameters l2Slice(const PlatformParameters& parameters);
SliceMap l2Slices(const PlatformParameters& parameters);
/// Returns the set index of a slice. `slices`: as l2Slices() returns it.
SetIndex l2Sets(const PlatformParameters& parameters, const SliceMap& slices);
std::shared_ptr<const indexing::Indexer> l1Banks(const PlatformParameters& parameters);
/// Returns the mapping from lines of the L1 to its tag arrays; null: each has the tags of all.
std::shared_ptr<const indexing::Indexer> l1Tags(const PlatformParameters& parameters);

}  // namespace fermata::platforms
