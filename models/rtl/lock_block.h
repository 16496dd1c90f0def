// The lock bits of a scratchpad, below TLM (van den Braak et al., ICCD 2013, section II).
#pragma once

#include <fermata/models/rtl/clocked_block.h>
#include <fermata/models/rtl/map_block.h>

namespace fermata::rtl {

struct LockRequest {
  LaneMask lock = 0;    ///< lanes that try to take their lock
  LaneMask unlock = 0;  ///< lanes that return their lock; none of them in `lock`
  Lanes number{};       ///< number of each lane's lock
};

struct LockResponse {
  /// Lanes of `lock` that got their lock. The lowest of several lanes on one lock gets it; none
  /// gets a lock that was taken before the edge. A returned lock can be taken with the next edge.
  LaneMask got = 0;
};

using LockBlock = ClockedBlock<LockRequest, LockResponse>;

}  // namespace fermata::rtl
