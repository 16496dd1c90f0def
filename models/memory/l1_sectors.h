// Looks up and records the sectors and bytes of its lines that an L1 holds.
//
// With Fetch::Line a line is there as a whole, or absent. With Fetch::Sectors a lane hits if the
// bytes that it touches are there. Example, with WritePolicy::Allocate, as an H200 does it
// (results/silicon/sectors.csv):
//
//   load of bytes 0 to 3 of an absent line    sector 0 comes: bytes 0 to 31 hit, byte 32 misses
//   store to bytes 64 to 67                   these four hit, byte 68 misses and fetches sector 2
//   store to bytes 4 to 7                     sector 0 stays, with the new bytes
//   atomic on byte 0                          nothing of the line hits
#pragma once

#include <fermata/models/memory/cache_array.h>
#include <fermata/models/memory/l1_parameters.h>
#include <fermata/models/transaction/warp_access.h>

#include <array>
#include <cstdint>
#include <vector>

namespace fermata {

/// Lanes that find their bytes absent from one line, and the sectors that they lack.
struct Absent {
  LaneMask lanes = 0;
  SectorMask sectors = 0;
};

/// The bytes of a line that an access touches: by sector, one bit per byte.
struct TouchedBytes {
  std::array<std::uint32_t, 32> of{};
  SectorMask sectors = 0;  ///< sectors with any byte

  /// `lanes`: lanes of the access that lie in one line of `lineBytes`.
  TouchedBytes(const WarpAccess& access, LaneMask lanes, std::uint32_t lineBytes);
};

class L1Sectors {
 public:
  /// `array` must outlive the object.
  L1Sectors(const L1CacheParameters& parameters, CacheArray& array);

  /// Returns what the lanes lack of their line. `frame`: of the line; kNone: it is absent.
  Absent absent(CacheArray::Frame frame, const WarpAccess& access, LaneMask lanes) const {
    if (sectored_) return absentSectors(frame, access, lanes);
    return frame == CacheArray::kNone ? Absent{lanes, array_.allSectors()} : Absent{};
  }
  /// Returns the lanes that touch any of the sectors.
  LaneMask lanesIn(const WarpAccess& access, LaneMask lanes, SectorMask sectors) const;
  /// Returns the sectors that a write to `touched` makes obsolete where they are on their way.
  SectorMask obsolete(SectorMask touched) const {
    return sectored_ ? touched : array_.allSectors();
  }

  /// Returns the frame that a request for the line fills; kNone: it has none yet.
  CacheArray::Frame target(std::uint64_t line) const {
    return sectored_ ? array_.findAny(line) : CacheArray::kNone;
  }
  /// True if stores allocate.
  bool allocates() const { return !stale_.empty(); }
  /// Makes the stored bytes present; gives the line a frame if one is free to take. Precondition:
  /// allocates(). Returns the frame, or kNone.
  CacheArray::Frame store(std::uint64_t line, const TouchedBytes& bytes);
  /// Notes that bytes of sectors on their way for MSHR `mshr` were stored: what comes is older.
  /// Precondition: allocates().
  void outdate(std::uint32_t mshr, SectorMask underWay, const TouchedBytes& bytes);
  /// True if bytes that the lanes touch were stored since they were asked for.
  bool comeTooOld(std::uint32_t mshr, const WarpAccess& access, LaneMask lanes) const;
  /// True if any bytes of these sectors were stored since they were asked for.
  bool isOutdated(std::uint32_t mshr, SectorMask sectors) const;
  /// Takes sectors that have come for MSHR `mshr`. `line`: the bytes of the whole line; used only
  /// if data are kept.
  void fill(std::uint32_t mshr, CacheArray::Frame frame, SectorMask sectors,
            const std::uint8_t* line);
  /// Notes that the sectors have come for MSHR `mshr`.
  void arrived(std::uint32_t mshr, SectorMask sectors);

 private:
  Absent absentSectors(CacheArray::Frame frame, const WarpAccess& access, LaneMask lanes) const;
  std::uint32_t& staleOf(std::uint32_t mshr, unsigned sector) {
    return stale_[std::size_t{mshr} * perLine_ + sector];
  }
  std::uint32_t staleOf(std::uint32_t mshr, unsigned sector) const {
    return stale_[std::size_t{mshr} * perLine_ + sector];
  }
  void addBytes(CacheArray::Frame frame, unsigned sector, std::uint32_t bytes);
  std::uint32_t present(CacheArray::Frame frame, unsigned sector) const;

  CacheArray& array_;
  bool sectored_;
  bool partialHits_;
  unsigned perLine_;  ///< sectors of a line
  /// [MSHR][sector]: bytes stored since the sector was asked for; empty unless stores allocate.
  std::vector<std::uint32_t> stale_;
};

}  // namespace fermata
