#include <fermata/models/memory/dram_map.h>

#include <algorithm>

namespace fermata {

namespace {

bool powerOfTwo(std::uint64_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}
unsigned bits(std::uint64_t value) {
  return static_cast<unsigned>(__builtin_ctzll(value));
}

}  // namespace

std::optional<ImpossibleDram> DramMap::wrong(const Shape& s) {
  using Wrong = ImpossibleDram;
  if (s.channels < 1 || s.channels > kMostChannels) return Wrong{"channels", {}, "1 to 64"};
  if (!powerOfTwo(s.banks) || s.banks > kMostBanks)
    return Wrong{"banks", {}, "a power of two from 1 to 64"};
  if (!powerOfTwo(s.sideBySide) || s.sideBySide > s.banks)
    return Wrong{"side_by_side", {"banks"}, "a power of two from 1 to banks"};
  if (!powerOfTwo(s.rowBytes) || s.rowBytes > kMostBytes)
    return Wrong{"row_bytes", {}, "a power of two, at most 1048576"};
  if (!powerOfTwo(s.channelBytes) || s.channelBytes > kMostBytes)
    return Wrong{"channel_bytes", {}, "a power of two, at most 1048576"};
  if (!powerOfTwo(s.bankBytes) || s.bankBytes > s.rowBytes)
    return Wrong{"bank_bytes", {"row_bytes"}, "a power of two, at most row_bytes"};
  return std::nullopt;
}

DramMap::DramMap(const Shape& s)
    : channels_(s.channels),
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
