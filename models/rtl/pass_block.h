// A crossbar with its arbiter, below TLM: one pass of an access that 32 lanes make of the banks.
#pragma once

#include <fermata/models/rtl/clocked_block.h>
#include <fermata/models/rtl/map_block.h>

namespace fermata::rtl {

/// Bank and row are those of the lanes of `valid`.
struct PassRequest {
  LaneMask valid = 0;
  Lanes bank{};
  Lanes row{};
};

/// Each bank that a lane asks delivers one row: that of the lowest lane that asks it. All lanes
/// that ask this bank for this row are served.
struct PassResponse {
  LaneMask leaders = 0;  ///< of the lanes served, the lowest of each bank
  LaneMask served = 0;
  LaneMask left = 0;  ///< valid, and not served
};

/// A pass an edge.
using PassBlock = ClockedBlock<PassRequest, PassResponse>;

}  // namespace fermata::rtl
