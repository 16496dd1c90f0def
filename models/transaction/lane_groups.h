// Which lanes of a warp the banks are offered at once. It differs by vendor, generation and width
// of the access, and the lanes of a group need not lie side by side (AMD's MI300X reads 128 bits
// for lanes 0-3 and 20-23 together): so it is data.
//
// A group is served after the other; only lanes of one group compete. Of NVIDIA's GPUs, 1.x takes
// half warps (CUDA C Programming Guide 4.2, F.3.3); later ones take the warp, its halves for 64
// bits and its quarters for 128 bits on 4-byte banks (F.4.3; CUTLASS documentation, implicit GEMM
// convolution, for Volta and later).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fermata/models/transaction/warp_instruction.h>

namespace fermata {

/// Every lane is in one group; none is empty.
class LaneGroups {
 public:
  /// The warp.
  LaneGroups() : LaneGroups(kWarpLanes) {}
  /// `together` lanes side by side a group: 1, 2, 4, 8, 16 or 32.
  explicit LaneGroups(unsigned together);

  /// Reads "0-31", "0-15|16-31", "0-3,20-23|...": groups of lanes and ranges of lanes, blanks
  /// ignored. Returns what is wrong with it, and leaves `into` as it is; otherwise an empty text.
  static std::string read(std::string_view text, LaneGroups& into);
  /// In the same form, each group in rising order.
  std::string text() const;

  const LaneMask* begin() const { return masks_.data(); }
  const LaneMask* end() const { return masks_.data() + count_; }
  unsigned size() const { return count_; }

 private:
  unsigned count_ = 0;
  std::array<LaneMask, kWarpLanes> masks_{};
};

/// The groups of a machine, by the bits that a lane asks for.
struct LaneGrouping {
  LaneGroups bits32;  ///< and narrower accesses
  LaneGroups bits64{kWarpLanes / 2};
  LaneGroups bits128{kWarpLanes / 4};
  std::optional<LaneGroups> bits128Stores;  ///< where they differ from bits128
  /// Passes that each group of a 128-bit access takes more than the words of its worst bank ask
  /// for: 1 on Fermi (CUDA C Programming Guide 4.2, F.4.3.2). No layout saves them.
  std::uint32_t extraPasses128 = 0;

  const LaneGroups& of(MemoryOperation operation, unsigned bytesPerLane) const {
    if (bytesPerLane < 8) return bits32;
    if (bytesPerLane == 8) return bits64;
    return operation == MemoryOperation::Store && bits128Stores ? *bits128Stores : bits128;
  }
};

}  // namespace fermata
