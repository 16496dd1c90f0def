// Banks of SRAM with byte enables, below TLM: one pass, in which a bank reads or writes one row.
#pragma once

#include <fermata/models/rtl/clocked_block.h>
#include <fermata/models/rtl/map_block.h>

namespace fermata::rtl {

/// Words have 32 bits. Lanes of `valid` that share a bank must share its row: one pass served them.
struct ScratchpadRequest {
  LaneMask valid = 0;
  LaneMask write = 0;  ///< lanes of `valid` that write; the others read
  Lanes bank{};
  Lanes row{};
  Lanes data{};                                   ///< data of lanes that write
  std::array<std::uint8_t, kWarpLanes> enable{};  ///< bit b: byte b is written
};

/// Words as they were before the pass wrote. If several lanes write a byte, the highest wins.
struct ScratchpadResponse {
  Lanes data{};  ///< words of lanes that read
};

using ScratchpadBlock = ClockedBlock<ScratchpadRequest, ScratchpadResponse>;

}  // namespace fermata::rtl
