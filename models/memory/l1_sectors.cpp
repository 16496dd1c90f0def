#include <fermata/models/memory/l1_sectors.h>

#include <cstring>

namespace fermata {

namespace {

constexpr std::uint32_t kAllBytes = ~std::uint32_t{0};

/// Calls `visit(sector)` for each sector of the mask.
template <class Visit>
void forEachSector(SectorMask sectors, Visit visit) {
  for (; sectors != 0; sectors &= sectors - 1) visit(static_cast<unsigned>(__builtin_ctz(sectors)));
}

/// Returns the place of a lane's first byte in its line.
std::uint32_t placeInLine(const WarpAccess& access, unsigned lane, std::uint32_t lineBytes) {
  return static_cast<std::uint32_t>(access.instruction.address[lane]) & (lineBytes - 1);
}

/// Returns the bytes of a sector that a lane touches. `at`: place of the first in the line. A lane
/// is aligned to its own width: it lies in one sector.
std::uint32_t bytesOf(const WarpAccess& access, std::uint32_t at) {
  return ((1U << access.instruction.bytesPerLane) - 1) << at % kSectorBytes;
}

}  // namespace

TouchedBytes::TouchedBytes(const WarpAccess& access, LaneMask lanes, std::uint32_t lineBytes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(lanes));
    const std::uint32_t at = placeInLine(access, lane, lineBytes);
    of[at / kSectorBytes] |= bytesOf(access, at);
    sectors |= SectorMask{1} << at / kSectorBytes;
  }
}

L1Sectors::L1Sectors(const L1CacheParameters& parameters, CacheArray& array)
    : array_(array),
      sectored_(parameters.fetch == Fetch::Sectors),
      partialHits_(parameters.partialHits),
      perLine_(parameters.shape.lineBytes / kSectorBytes) {
  if (parameters.writePolicy != WritePolicy::Allocate) return;
  array_.trackWritten();
  stale_.resize(std::size_t{parameters.mshrs} * perLine_);
}

std::uint32_t L1Sectors::present(CacheArray::Frame frame, unsigned sector) const {
  const CacheLine& line = array_.at(frame);
  if ((line.valid >> sector & 1) != 0) return kAllBytes;
  return (line.dirty >> sector & 1) != 0 ? array_.written(frame)[sector] : 0;
}

Absent L1Sectors::absentSectors(CacheArray::Frame frame, const WarpAccess& access,
                                LaneMask lanes) const {
  Absent absent;
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint32_t at = placeInLine(access, lane, array_.shape().lineBytes);
    const std::uint32_t here = frame == CacheArray::kNone ? 0 : present(frame, at / kSectorBytes);
    const bool readable = partialHits_ || here == kAllBytes;
    if (readable && (bytesOf(access, at) & ~here) == 0) continue;
    absent.lanes |= LaneMask{1} << lane;
    absent.sectors |= SectorMask{1} << at / kSectorBytes;
  }
  return absent;
}

LaneMask L1Sectors::lanesIn(const WarpAccess& access, LaneMask lanes, SectorMask sectors) const {
  if (!sectored_) return lanes;
  LaneMask in = 0;
  for (LaneMask m = lanes; m != 0; m &= m - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(m));
    const std::uint32_t at = placeInLine(access, lane, array_.shape().lineBytes);
    in |= LaneMask{sectors >> at / kSectorBytes & 1} << lane;
  }
  return in;
}

CacheArray::Frame L1Sectors::store(std::uint64_t line, const TouchedBytes& bytes) {
  CacheArray::Frame frame = array_.findAny(line);
  if (frame == CacheArray::kNone) {
    frame = array_.victim(line);
    if (frame == CacheArray::kNone) return frame;
    array_.place(frame, line, false);
  } else {
    array_.touch(frame);
  }
  forEachSector(bytes.sectors, [&](unsigned s) { addBytes(frame, s, bytes.of[s]); });
  return frame;
}

void L1Sectors::addBytes(CacheArray::Frame frame, unsigned sector, std::uint32_t bytes) {
  const std::uint32_t all = present(frame, sector) | bytes;
  const SectorMask bit = SectorMask{1} << sector;
  CacheLine& line = array_.at(frame);
  if (all == kAllBytes) {
    line.valid |= bit;
    line.dirty &= ~bit;
  } else {
    line.dirty |= bit;
    array_.written(frame)[sector] = all;
  }
}

void L1Sectors::arrived(std::uint32_t mshr, SectorMask sectors) {
  if (!allocates()) return;
  forEachSector(sectors, [&](unsigned s) { staleOf(mshr, s) = 0; });
}

bool L1Sectors::comeTooOld(std::uint32_t mshr, const WarpAccess& access, LaneMask lanes) const {
  if (!allocates()) return false;
  const TouchedBytes bytes(access, lanes, array_.shape().lineBytes);
  bool any = false;
  forEachSector(bytes.sectors, [&](unsigned s) { any |= (staleOf(mshr, s) & bytes.of[s]) != 0; });
  return any;
}

void L1Sectors::outdate(std::uint32_t mshr, SectorMask underWay, const TouchedBytes& bytes) {
  forEachSector(underWay & bytes.sectors, [&](unsigned s) { staleOf(mshr, s) |= bytes.of[s]; });
}

bool L1Sectors::isOutdated(std::uint32_t mshr, SectorMask sectors) const {
  bool any = false;
  if (!allocates()) return any;
  forEachSector(sectors, [&](unsigned s) { any |= staleOf(mshr, s) != 0; });
  return any;
}

void L1Sectors::fill(std::uint32_t mshr, CacheArray::Frame frame, SectorMask sectors,
                     const std::uint8_t* line) {
  if (!sectored_) {
    array_.at(frame).valid = array_.allSectors();
    if (array_.keepsData()) std::memcpy(array_.data(frame), line, array_.shape().lineBytes);
    return;
  }
  forEachSector(sectors, [&](unsigned s) {
    const std::uint32_t stale = allocates() ? staleOf(mshr, s) : 0;
    std::uint32_t fresh = ~stale & ~present(frame, s);
    if (stale == 0) {
      array_.at(frame).valid |= SectorMask{1} << s;
      array_.at(frame).dirty &= ~(SectorMask{1} << s);
    } else {
      addBytes(frame, s, ~stale);
    }
    if (!array_.keepsData()) return;
    for (; fresh != 0; fresh &= fresh - 1) {
      const std::uint32_t at = s * kSectorBytes + static_cast<unsigned>(__builtin_ctz(fresh));
      array_.data(frame)[at] = line[at];
    }
  });
}

}  // namespace fermata
