#include <fermata/models/memory/dram_map.h>

#include <algorithm>

namespace fermata {

namespace {

unsigned bits(std::uint64_t value) {
  return static_cast<unsigned>(__builtin_ctzll(value));
}

}  // namespace

DramMap::DramMap(const Shape& s)
    : blocks_(s.channels, s.channelBytes, s.channelIndexer, {"blocks", "channels", "the DRAM"}),
      channelShift_(bits(s.channelBytes)),
      bankShift_(bits(s.bankBytes)),
      sideShift_(bits(s.sideBySide)),
      rowsShift_(bits(s.rowBytes) + sideShift_),
      highShift_(bits(s.banks) - sideShift_),
      channelMask_(s.channelBytes - 1U),
      sideMask_(s.sideBySide - 1U),
      highMask_(s.banks / s.sideBySide - 1U),
      blockBytes_(std::min(s.channelBytes, s.bankBytes)) {}

}  // namespace fermata
