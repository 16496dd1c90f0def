#include <fermata/platforms/compose/chip_share.h>

#include <fermata/platforms/compose/parameters.h>

#include <algorithm>
#include <cmath>

namespace fermata::platforms {

namespace {

/// Part of a chip. Whole numbers, 1 at least, come out of it.
class ChipShare {
 public:
  explicit ChipShare(double part) : part_(part) {}

  template <class Count>
  Count of(Count whole) const {
    return rounded<Count>(whole * part_);
  }
  /// Returns the time for which `count` units have this part of the throughput of `whole` units
  /// that take `cycles`.
  unsigned time(unsigned cycles, unsigned count, unsigned whole) const {
    return rounded<unsigned>(cycles * (count / (whole * part_)));
  }

 private:
  template <class Count>
  static Count rounded(double value) {
    return std::max<Count>(1, static_cast<Count>(std::lround(value)));
  }

  double part_;
};

void giveL2(L2Parameters& l2, std::uint32_t lineBytes, const ChipShare& share) {
  const unsigned slices = share.of(l2.slices);
  const auto perSlice = [&](unsigned whole) { return std::max(1U, whole / l2.slices * slices); };
  l2.cyclesPerSector = share.time(l2.cyclesPerSector, slices, l2.slices);
  l2.mshrs = perSlice(l2.mshrs);
  l2.input = perSlice(l2.input);
  l2.queue = perSlice(l2.queue);
  l2.slices = slices;
  const std::uint32_t sets = lineBytes * l2.shape.ways * slices;  // one of each slice
  l2.shape.bytes = std::max(1U, (share.of(l2.shape.bytes) + sets / 2) / sets) * sets;
}

void giveDram(DramParameters& dram, const ChipShare& share) {
  const unsigned channels = share.of(dram.channels);
  dram.timing.ccd = share.time(dram.timing.ccd, channels, dram.channels);
  dram.timing.ccdl = std::max(dram.timing.ccdl, dram.timing.ccd);
  dram.channels = channels;
}

}  // namespace

PlatformParameters shareOf(const PlatformParameters& parameters) {
  PlatformParameters cut = parameters;
  if (cut.smsOfChip == 0 || cut.smsOfChip == cut.sms) return cut;
  const ChipShare share(static_cast<double>(cut.sms) / cut.smsOfChip);
  giveL2(cut.l2, cut.l1.shape.lineBytes, share);
  giveDram(cut.dram, share);
  return cut;
}

}  // namespace fermata::platforms
