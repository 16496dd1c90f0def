// A try that an L1 serves: its lines, and how far it has got.
#pragma once

#include <fermata/models/memory/cache_array.h>
#include <fermata/models/transaction/warp_access.h>
#include <fermata/models/vocabulary/cycle.h>

#include <array>

namespace fermata {

/// The lines that lanes of an access touch, in the order of the lanes.
struct TouchedLines {
  unsigned count = 0;
  std::array<std::uint64_t, kWarpLanes> line;
  std::array<LaneMask, kWarpLanes> lanes;

  void add(std::uint64_t number, LaneMask touching) {
    line[count] = number;
    lanes[count++] = touching;
  }
  // Lanes are aligned to their own width, and no line is narrower: each lane lies in one line.
  void gather(const WarpAccess& access, LaneMask asked, const CacheArray& array) {
    count = 0;
    unsigned last = 0;
    for (LaneMask m = asked; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      const std::uint64_t number = array.lineOf(access.instruction.address[lane]);
      if (count == 0 || line[last] != number) {
        last = 0;
        while (last < count && line[last] != number) ++last;
        if (last == count) add(number, 0);
      }
      lanes[last] |= LaneMask{1} << lane;
    }
  }
};

struct L1Try {
  /// Stands for a frame: the line is in none, but its MSHR holds it.
  static constexpr CacheArray::Frame kInMshr = CacheArray::kNone - 1;

  tlm::tlm_generic_payload* payload = nullptr;
  WarpAccess* access = nullptr;
  Cycle arrival = 0;
  TouchedLines lines;
  std::array<CacheArray::Frame, kWarpLanes> frame{};  ///< by line; kNone: no hit
  unsigned next = 0;                                  ///< index in `lines` of the next to look up
  unsigned lookups = 0;                               ///< lines looked up so far
  LaneMask hit = 0;                                   ///< lanes whose line is here
  Cycle known = 0;                                    ///< when the outcome is known
  Cycle data = 0;  ///< when the data of the lanes served so far are there

  bool loads() const { return access->instruction.operation == MemoryOperation::Load; }
};

}  // namespace fermata
