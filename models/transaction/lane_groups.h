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

#include <algorithm>
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

  /// Returns these groups, each joined with the one behind it: half as many, rounded up.
  LaneGroups paired() const;

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

/// How loads pack. A load packs if, for one of the distances d, every two active lanes n and n^d
/// have equal addresses: its lane groups then come in pairs. One distance must do for the whole
/// warp. Lanes without an active partner are no hindrance.
class LanePacking {
 public:
  /// Reads distances, such as "1,2": powers of two below 32; an empty text: loads never pack.
  /// Returns an empty text on success; otherwise the error, and `into` is unchanged.
  static std::string read(std::string_view text, LanePacking& into);
  std::string text() const;

  bool never() const { return distances_ == 0; }
  bool packs(const std::uint64_t* address, LaneMask active) const;

 private:
  LaneMask distances_ = 0;  ///< bit d: distance d
};

/// The passes of a try, and those of them that no layout saves.
struct PassCount {
  std::uint32_t all = 0;
  std::uint32_t ideal = 0;
};

/// The lane groups of a machine, by the bits that each lane asks for.
class LaneGrouping {
 public:
  LaneGroups bits32;  ///< 32 bits and less
  LaneGroups bits64{kWarpLanes / 2};
  LaneGroups bits128{kWarpLanes / 4};
  std::optional<LaneGroups> bits128Stores;  ///< for stores, if they differ from bits128
  /// Passes that each group of a 128-bit access takes in addition to its degree: 1 on Fermi (CUDA C
  /// Programming Guide 4.2, F.4.3.2). No layout saves them.
  std::uint32_t extraPasses128 = 0;
  LanePacking packing64;   ///< of loads of 64 bits
  LanePacking packing128;  ///< of loads of 128 bits
  /// True if an access takes as many passes as it has lane groups, or more: those without an active
  /// lane count, unless the conflicts of others cover them. Matrices take no pass for an idle group
  /// (both measured on an H100).
  bool idleGroupsCount = false;

  bool packs() const { return !packing64.never() || !packing128.never(); }

  /// Returns the groups of an access; the reference is valid until the next call. `issued`: the
  /// instruction that made it; null: not known.
  const LaneGroups& of(const WarpInstruction& access, const StaticInstruction* issued) const {
    if (access.bytesPerLane >= 8 && access.operation == MemoryOperation::Load && packs() &&
        !movesMatrices(issued))
      return ofWideLoad(access);
    return of(access.operation, access.bytesPerLane);
  }
  const LaneGroups& of(MemoryOperation operation, unsigned bytesPerLane) const {
    if (bytesPerLane < 8) return bits32;
    if (bytesPerLane == 8) return bits64;
    return operation == MemoryOperation::Store && bits128Stores ? *bits128Stores : bits128;
  }
  /// Returns the passes of a try of `groups` lane groups, of which `busy` have lanes that ask and
  /// take `served` passes in sum.
  PassCount passes(const WarpInstruction& access, const StaticInstruction* issued, unsigned groups,
                   unsigned busy, std::uint32_t served) const {
    const std::uint32_t extra = access.bytesPerLane == 16 ? busy * extraPasses128 : 0;
    const bool idle = idleGroupsCount && busy != 0 && !movesMatrices(issued);
    const std::uint32_t least = idle ? groups : 0;
    return {std::max(served + extra, least), std::max(busy + extra, least)};
  }
  /// True if the halves of a wave64 join at some access width.
  bool joins() const {
    return bits32.joins() || bits64.joins() || bits128.joins() ||
           (bits128Stores && bits128Stores->joins());
  }

 private:
  static bool movesMatrices(const StaticInstruction* issued) {
    return issued != nullptr && issued->matrices != 0;
  }
  const LaneGroups& ofWideLoad(const WarpInstruction& access) const;

  mutable LaneGroups packed_;  ///< groups of the last load that packed
};

}  // namespace fermata
