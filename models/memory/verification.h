// What memories that hold data share: where the bytes of a lane lie, and what is said when one of
// them is not what the executor saw.
#pragma once

#include <fermata/models/transaction/warp_access.h>

#include <string>

namespace fermata {

/// Of the words that a lane asks for, the number and the first byte: of one byte of the lane.
struct BytePlace {
  unsigned word;
  unsigned byte;
};

/// `width`: bytes of a word, 4 or 8. Lanes are aligned to what they access.
inline BytePlace bytePlace(const WarpAccess& access, unsigned lane, unsigned byte,
                           std::uint32_t width) {
  const std::uint64_t address = access.windowBase + access.instruction.address[lane];
  const auto inWord = static_cast<unsigned>(address & (width - 1)) + byte;
  return {inWord / width, inWord % width};
}

/// For messages: the address of a byte, and the bank and row of its word.
std::string placeText(const WarpAccess& access, unsigned lane, unsigned byte, std::uint32_t width);

/// Says that the byte was read and is another than the executor saw.
std::string mismatchText(const WarpAccess& access, unsigned lane, unsigned byte,
                         std::uint32_t width, std::uint8_t found, std::uint8_t expected);
/// Reports it: an SC_REPORT_ERROR.
void reportMismatch(const WarpAccess& access, unsigned lane, unsigned byte, std::uint32_t width,
                    std::uint8_t found, std::uint8_t expected);

}  // namespace fermata
