// Which lanes of a warp the banks are offered at once. It differs by vendor, generation and width
// of the access, and the lanes of a group need not lie side by side (AMD's MI300X reads 128 bits
// for lanes 0-3 and 20-23 together): so it is data.
//
// A group is served after the other; only lanes of one group compete. Of NVIDIA's GPUs, 1.x takes
// half warps (CUDA C Programming Guide 4.2, F.3.3); later ones take the warp, its halves for 64
// bits and its quarters for 128 bits on 4-byte banks (F.4.3; CUTLASS documentation, implicit GEMM
// convolution, for Volta and later).
//
// A wavefront of 64 lanes (GCN, CDNA) is two warps here: warps 2n and 2n + 1 of a CTA, its lower
// and its upper half. Its groups either lie in a half, or take the same lanes of both (an MI350X
// offers 32 bits of all 64 lanes at once): then the halves join at the banks
// (models/memory/wavefronts.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fermata/models/transaction/warp_instruction.h>

namespace fermata {

/// Every lane is in one group; none is empty. Of a wavefront's groups those of its lower half are
/// kept: the upper half has the same.
class LaneGroups {
 public:
  static constexpr unsigned kWavefrontLanes = 2 * kWarpLanes;

  /// The warp.
  LaneGroups() : LaneGroups(kWarpLanes) {}
  /// `together` lanes side by side a group: 1, 2, 4, 8, 16 or 32.
  explicit LaneGroups(unsigned together);

  /// Reads "0-31", "0-15|16-31", "0-3,20-23|...": groups of lanes and ranges of lanes, blanks
  /// ignored; with a lane above 31 those of a wavefront, "0-31|32-63" or "0-63". Returns what is
  /// wrong with it, and leaves `into` as it is; otherwise an empty text.
  static std::string read(std::string_view text, LaneGroups& into);
  /// In the same form, each group in rising order, and behind it that of the upper half.
  std::string text() const;

  /// Each group takes the same lanes of both halves of a wavefront.
  bool joins() const { return joins_; }

  const LaneMask* begin() const { return masks_.data(); }
  const LaneMask* end() const { return masks_.data() + count_; }
  unsigned size() const { return count_; }

 private:
  unsigned count_ = 0;
  bool wavefront_ = false;  ///< it was read as a wavefront's
  bool joins_ = false;
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
  /// Loads of 128 bits that pack() are offered by halves. Compute capability 7.0 to 7.5, which
  /// return such pairs of registers at once (NVIDIA developer forum 77228; that it is halves, and
  /// that a lane without its partner does not hinder, are assumptions).
  bool pairsPack = false;

  /// All active lanes n and n^1, or all n and n^2, have the same address.
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
  /// Of any width.
  bool joins() const {
    return bits32.joins() || bits64.joins() || bits128.joins() ||
           (bits128Stores && bits128Stores->joins());
  }
};

}  // namespace fermata
