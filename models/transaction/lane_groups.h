// Lane groups: the lanes of a warp that the banks are offered together. Groups are served one after
// the other, and only lanes of one group compete for banks.
//
// The grouping differs by vendor, generation and width of the access, and the lanes of a group need
// not be adjacent. It is therefore data. Examples:
//
//   NVIDIA 1.x            half warps (CUDA C Programming Guide 4.2, F.3.3)
//   NVIDIA 2.x and later  the warp; its halves for 64 bits, its quarters for 128 bits, on 4-byte
//                         banks (F.4.3; CUTLASS documentation, implicit GEMM convolution, for Volta
//                         and later)
//   AMD MI300X            128 bits: lanes 0-3 and 20-23 together, for instance
//
// A wave64 (GCN, CDNA) is two warps here: warps 2n and 2n + 1 of a CTA, its lower and its upper
// half. A group of a wave64 either lies in one half or takes the same lanes of both halves (an
// MI350X offers 32 bits of all 64 lanes at once). In the second case the halves join at the banks
// (models/memory/wavefronts.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fermata/models/vocabulary/warp_instruction.h>

namespace fermata {

/// The lane groups of one access width. Every lane is in exactly one group, and no group is empty.
/// For a wave64 only the groups of the lower half are kept: those of the upper half are alike.
class LaneGroups {
 public:
  static constexpr unsigned kWavefrontLanes = 2 * kWarpLanes;

  /// Makes one group of the whole warp.
  LaneGroups() : LaneGroups(kWarpLanes) {}
  /// Makes groups of `together` adjacent lanes each: 1, 2, 4, 8, 16 or 32.
  explicit LaneGroups(unsigned together);

  /// Reads groups of lanes and ranges of lanes, such as "0-31", "0-15|16-31" or "0-3,20-23|...".
  /// Blanks are ignored. A text with a lane above 31 gives the groups of a wave64: "0-31|32-63" or
  /// "0-63". Returns an empty text on success; otherwise the error, and `into` is unchanged.
  static std::string read(std::string_view text, LaneGroups& into);
  /// Returns the groups in the form that read() takes, lanes in rising order. Each group of a
  /// wave64's lower half is followed by its counterpart in the upper half.
  std::string text() const;

  /// True if each group takes the same lanes of both halves of a wave64.
  bool joins() const { return joins_; }

  const LaneMask* begin() const { return masks_.data(); }
  const LaneMask* end() const { return masks_.data() + count_; }
  unsigned size() const { return count_; }

 private:
  unsigned count_ = 0;
  bool wavefront_ = false;  ///< the text named lanes of a wave64
  bool joins_ = false;
  std::array<LaneMask, kWarpLanes> masks_{};
};

/// The lane groups of a machine, by the bits that each lane asks for.
struct LaneGrouping {
  LaneGroups bits32;  ///< 32 bits and less
  LaneGroups bits64{kWarpLanes / 2};
  LaneGroups bits128{kWarpLanes / 4};
  std::optional<LaneGroups> bits128Stores;  ///< for stores, if they differ from bits128
  /// Passes that each group of a 128-bit access takes in addition to its degree: 1 on Fermi (CUDA C
  /// Programming Guide 4.2, F.4.3.2). No layout saves them.
  std::uint32_t extraPasses128 = 0;
  /// True if 128-bit loads for which packs() holds are offered by halves of the warp. This is so on
  /// compute capability 7.0 to 7.5, which return such pairs of registers at once (NVIDIA developer
  /// forum 77228). Two assumptions: the groups are halves, and a lane whose partner is not active
  /// is no hindrance.
  bool pairsPack = false;

  /// True if all active lanes n and n^1, or all active lanes n and n^2, have equal addresses.
  static bool packs(const std::uint64_t* address, LaneMask active);

  const LaneGroups& of(const WarpInstruction& access) const {
    if (__builtin_expect(static_cast<long>(pairsPack), 0) != 0 && access.bytesPerLane == 16 &&
        access.operation == MemoryOperation::Load && packs(access.address.data(), access.active))
      return packed;
    return of(access.operation, access.bytesPerLane);
  }
  const LaneGroups& of(MemoryOperation operation, unsigned bytesPerLane) const {
    if (bytesPerLane < 8) return bits32;
    if (bytesPerLane == 8) return bits64;
    return operation == MemoryOperation::Store && bits128Stores ? *bits128Stores : bits128;
  }
  LaneGroups packed{kWarpLanes / 2};
  /// True if the halves of a wave64 join at some access width.
  bool joins() const {
    return bits32.joins() || bits64.joins() || bits128.joins() ||
           (bits128Stores && bits128Stores->joins());
  }
};

}  // namespace fermata
