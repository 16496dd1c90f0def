// What of a configuration's caches no single field shows.
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
/// Where parameters that do not suit each other were given: of them, what was decided last.
using PlaceOf = std::function<SourceLocation(const Paths& paths)>;

/// Banks that a crossbar of 32 lanes has at most (Diamond et al., MICRO 2014, go to 64).
inline constexpr std::uint32_t kMostCacheBanks = 128;

/// Whether the value of a parameter stands against what another one says: it was given, and the
/// other one was not set over it.
using StandsAgainst = std::function<bool(const std::string& path, const std::string& other)>;

/// Gives scratchpad and L1 the bytes that the split says. Throws InputError where others stand
/// against it.
void applySplit(PlatformParameters& parameters, const PlaceOf& placeOf,
                const StandsAgainst& standsAgainst);
/// Throws InputError.
void checkCaches(const PlatformParameters& parameters, const PlaceOf& placeOf);

/// Precondition of these: checked.
SetIndex l1Sets(const PlatformParameters& parameters);
SetIndex l2Sets(const PlatformParameters& parameters);
std::shared_ptr<const indexing::Indexer> l1Banks(const PlatformParameters& parameters);

}  // namespace fermata::platforms
