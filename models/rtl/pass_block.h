// A crossbar with its arbiter, below TLM: one pass of 32 lanes to the banks.
#pragma once

#include <fermata/models/rtl/clocked_block.h>
#include <fermata/models/rtl/map_block.h>

namespace fermata::rtl {

/// `bank` and `row` are read for the lanes of `valid` only.
struct PassRequest {
  LaneMask valid = 0;
  Lanes bank{};
  Lanes row{};
};

/// Each bank that a lane asks delivers one row: the row of the lowest lane that asks it. All lanes
/// that ask this bank for this row are served.
struct PassResponse {
  LaneMask leaders = 0;  ///< lowest served lane of each bank
  LaneMask served = 0;
  LaneMask left = 0;  ///< lanes of `valid` that were not served
};

/// Makes one pass per edge.
using PassBlock = ClockedBlock<PassRequest, PassResponse>;

}  // namespace fermata::rtl
