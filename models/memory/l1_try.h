// A try that an L1 serves: its lines, and how far it has got.
#pragma once

#include <fermata/models/memory/cache_array.h>
#include <fermata/models/memory/lane_scan.h>
#include <fermata/models/transaction/warp_access.h>
#include <fermata/models/vocabulary/cycle.h>

#include <array>

namespace fermata {

/// The lines that lanes of an access touch, in the order of the lanes, or from the highest down.
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
    const auto& address = access.instruction.address;
    count = 0;
    while (asked != 0) {
      const std::uint64_t number =
          array.lineOf(address[static_cast<unsigned>(__builtin_ctz(asked))]);
      const LaneMask touching =
          lane_scan::lanesIn(address, array.addressOf(number), array.shape().lineBytes) & asked;
      add(number, touching);
      asked &= ~touching;
    }
  }
  /// Splits lines: lanes of one byte in blocks of 32 bytes, lanes of two in blocks of 64.
  void split(const WarpAccess& access, const CacheArray& array) {
    const unsigned width = access.instruction.bytesPerLane;
    if (width > 2) return;
    const std::uint64_t block = 32 * width;
    for (unsigned i = count; i-- != 0;) {
      const std::uint64_t base = array.addressOf(line[i]);
      LaneMask rest = lanes[i];
      bool first = true;
      for (std::uint64_t at = 0; at < array.shape().lineBytes && rest != 0; at += block) {
        const LaneMask here = lane_scan::lanesIn(access.instruction.address, base + at,
                                                 static_cast<std::uint32_t>(block)) &
                              rest;
        if (here == 0) continue;
        rest &= ~here;
        if (first) {
          lanes[i] = here;
          first = false;
        } else {
          add(line[i], here);
        }
      }
    }
  }
  /// Puts the highest line first.
  void fall() {
    for (unsigned i = 1; i < count; ++i) {
      const std::uint64_t number = line[i];
      const LaneMask touching = lanes[i];
      unsigned at = i;
      for (; at != 0 && line[at - 1] < number; --at) {
        line[at] = line[at - 1];
        lanes[at] = lanes[at - 1];
      }
      line[at] = number;
      lanes[at] = touching;
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
  LaneMask hit = 0;                                   ///< lanes whose line is here
  Cycle known = 0;                                    ///< when the outcome is known
  Cycle data = 0;  ///< when the data of the lanes served so far are there

  bool loads() const { return access->instruction.operation == MemoryOperation::Load; }
};

}  // namespace fermata
