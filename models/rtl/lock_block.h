// The lock bits of a scratchpad, below TLM (van den Braak et al., ICCD 2013, section II).
#pragma once

#include <fermata/models/rtl/clocked_block.h>
#include <fermata/models/rtl/map_block.h>

namespace fermata::rtl {

struct LockRequest {
  LaneMask lock = 0;    ///< lanes that try to take theirs
  LaneMask unlock = 0;  ///< lanes that give theirs back; of no lane both
  Lanes number{};       ///< of the lock
};

struct LockResponse {
  /// Of those that tried, the lanes that got it: of several on one lock the lowest, of a lock that
  /// was taken before the edge none. A lock that is given back can be taken with the next edge.
  LaneMask got = 0;
};

using LockBlock = ClockedBlock<LockRequest, LockResponse>;

}  // namespace fermata::rtl
