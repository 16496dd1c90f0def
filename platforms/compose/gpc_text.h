// The GPCs of a platform: chip.gpcs.
//
// Example: "8+8 16:1 18" are three GPCs of 16, 16 and 18 SMs. 8 SMs of the first are in lone TPCs,
// which take no part in clusters of more than two CTAs (models/core/gpcs.h). The second lies near
// partition 1 of the L2, the others near partition 0. Without a colon anywhere, SMs lie near
// partitions by their numbers (l2.partitions).
//
// The text describes the whole chip: chip.of SMs if that is not 0. Fewer SMs, chip.sms, lie in the
// largest GPCs: 20 SMs of the example are the GPC of 18, and 2 SMs of the one of 16. Lone TPCs come
// last. One SM has no GPC.
#pragma once

#include <fermata/models/core/gpcs.h>
#include <fermata/platforms/compose/cache_checks.h>

namespace fermata::platforms {

/// Throws InputError if chip.gpcs is wrong, or its SMs are not those of the chip.
void checkGpcs(const PlatformParameters& parameters, const PlaceOf& placeOf);

/// Returns the GPCs of chip.sms SMs. Precondition: the parameters have been checked.
Gpcs gpcsOf(const PlatformParameters& parameters);

}  // namespace fermata::platforms
