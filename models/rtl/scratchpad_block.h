// Banks of SRAM with byte enables, below TLM: one pass, in which a bank reads or writes one row.
#pragma once

#include <fermata/models/rtl/clocked_block.h>
#include <fermata/models/rtl/map_block.h>

namespace fermata::rtl {

/// Words of 32 bits. Lanes of `valid` that share a bank share its row, too: they were served in one
/// pass.
struct ScratchpadRequest {
  LaneMask valid = 0;
  LaneMask write = 0;  ///< of these, those that write; the others read
  Lanes bank{};
  Lanes row{};
  Lanes data{};                                   ///< of those that write
  std::array<std::uint8_t, kWarpLanes> enable{};  ///< bit b: byte b is written
};

/// What was there before the pass wrote. Where several lanes write a byte, the highest wins.
struct ScratchpadResponse {
  Lanes data{};  ///< of the lanes that read
};

using ScratchpadBlock = ClockedBlock<ScratchpadRequest, ScratchpadResponse>;

}  // namespace fermata::rtl
