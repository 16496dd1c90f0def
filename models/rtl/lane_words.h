// The data of a lane in words of 32 bits, as ports of RTL have them.
#pragma once

#include <fermata/models/memory/verification.h>

#include <cstdint>

namespace fermata::rtl {

/// Calls visit(byte of the lane, byte of the word) for each byte of the lane in its word `k`.
template <class Visit>
void forEachByte(const WarpAccess& access, unsigned lane, unsigned k, Visit visit) {
  for (unsigned b = 0; b < access.instruction.bytesPerLane; ++b) {
    const BytePlace place = bytePlace(access, lane, b, sizeof(std::uint32_t));
    if (place.word == k) visit(b, place.byte);
  }
}

inline std::uint8_t byteOf(std::uint32_t word, unsigned byte) {
  return static_cast<std::uint8_t>(word >> 8 * byte);
}

/// Packs word `k` of a lane that writes, and its byte enables: bit b is byte b.
inline void packWord(const WarpAccess& access, unsigned lane, unsigned k,
                     const WarpInstruction::LaneData& data, std::uint32_t& word,
                     std::uint8_t& enable) {
  word = 0;
  enable = 0;
  forEachByte(access, lane, k, [&](unsigned b, unsigned inWord) {
    word |= std::uint32_t{data[lane][b]} << 8 * inWord;
    enable |= static_cast<std::uint8_t>(1U << inWord);
  });
}

}  // namespace fermata::rtl
