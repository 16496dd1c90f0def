// What of a configuration's core no single field shows.
#pragma once

#include <fermata/platforms/compose/cache_checks.h>

namespace fermata::platforms {

/// Throws InputError.
void checkCore(const PlatformParameters& parameters, const PlaceOf& placeOf);

}  // namespace fermata::platforms
