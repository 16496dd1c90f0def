// Helpers of memories that hold data: the place of each byte of a lane, and the error text for a
// byte that differs from what the executor saw.
#pragma once

#include <fermata/models/transaction/warp_access.h>

#include <string>

namespace fermata {

/// The place of one byte of a lane.
struct BytePlace {
  unsigned word;  ///< which of the words that the lane asks for: WarpAccess::word[word]
  unsigned byte;  ///< within that word
};

/// Returns the place of byte `byte` of a lane. `width`: bytes of a word, 4 or 8. Precondition: the
/// lane is aligned to its own width.
inline BytePlace bytePlace(const WarpAccess& access, unsigned lane, unsigned byte,
                           std::uint32_t width) {
  const std::uint64_t address = access.windowBase + access.instruction.address[lane];
  const auto inWord = static_cast<unsigned>(address & (width - 1)) + byte;
  return {inWord / width, inWord % width};
}

/// Returns text for messages: the address of a byte, and the bank and row of its word.
std::string placeText(const WarpAccess& access, unsigned lane, unsigned byte, std::uint32_t width);

/// Returns the error text for a byte that was read as `found` where the executor saw `expected`.
std::string mismatchText(const WarpAccess& access, unsigned lane, unsigned byte,
                         std::uint32_t width, std::uint8_t found, std::uint8_t expected);
/// Reports mismatchText() as SC_REPORT_ERROR.
void reportMismatch(const WarpAccess& access, unsigned lane, unsigned byte, std::uint32_t width,
                    std::uint8_t found, std::uint8_t expected);

}  // namespace fermata
