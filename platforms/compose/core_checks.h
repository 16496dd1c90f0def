// Checks of a configuration's core that no single field shows.
#pragma once

#include <fermata/platforms/compose/cache_checks.h>

namespace fermata::platforms {

/// Throws InputError if parameters of the core contradict each other.
void checkCore(const PlatformParameters& parameters, const PlaceOf& placeOf);

}  // namespace fermata::platforms
