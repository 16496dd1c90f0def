// What the policies share: a try holds the banks for its passes.
#pragma once

#include <fermata/models/memory/conflict_policy.h>
#include <fermata/models/timing/reservation.h>

#include <algorithm>

namespace fermata {

/// Every lane is served. The stages before the banks are pipelined: they can take the next access
/// as many cycles after this one as the banks are held for.
inline ConflictPolicy::Served holdBanks(Reservation& banks, WarpAccess& access, Cycle arrival) {
  const Cycle start = banks.free(arrival);
  const Cycle end = start + access.passes;
  banks.take(arrival, start, end);
  access.occupancy = end - arrival;
  return {std::max(end, start + 1), 0};
}

}  // namespace fermata
