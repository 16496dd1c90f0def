// Shared by the policies that serve every lane: a try holds the banks for its passes.
#pragma once

#include <fermata/models/memory/conflict_policy.h>
#include <fermata/models/timing/reservation.h>

#include <algorithm>

namespace fermata {

/// Serves every lane: takes the banks for the passes of the try, `cycles` each, and sets occupancy.
/// The stages before the banks are pipelined: they take the next try when the banks are free again.
/// `earliest`: no pass begins before it.
inline ConflictPolicy::Served holdBanks(Reservation& banks, WarpAccess& access, Cycle arrival,
                                        Cycle cycles = 1, Cycle earliest = 0) {
  const Cycle length = access.passes * cycles;
  const Cycle start = banks.free(std::max(arrival, earliest), length);
  const Cycle end = start + length;
  banks.take(arrival, start, end);
  access.occupancy = end - arrival;
  return {std::max(end, start + 1), 0, start, end};
}

}  // namespace fermata
