#include <fermata/models/memory/verification.h>

#include <systemc>

namespace fermata {

std::string placeText(const WarpAccess& access, unsigned lane, unsigned byte, std::uint32_t width) {
  const unsigned word = bytePlace(access, lane, byte, width).word;
  return "shared byte address " + std::to_string(access.instruction.address[lane] + byte) +
         " (bank " + std::to_string(access.bank[word][lane]) + ", row " +
         std::to_string(access.row[word][lane]) + ")";
}

std::string mismatchText(const WarpAccess& access, unsigned lane, unsigned byte,
                         std::uint32_t width, std::uint8_t found, std::uint8_t expected) {
  return "verification failed: pc " + std::to_string(access.instruction.pc) + ", warp slot " +
         std::to_string(access.slot) + ", lane " + std::to_string(lane) + ", " +
         placeText(access, lane, byte, width) + " holds " + std::to_string(found) +
         ", the executor saw " + std::to_string(expected);
}

void reportMismatch(const WarpAccess& access, unsigned lane, unsigned byte, std::uint32_t width,
                    std::uint8_t found, std::uint8_t expected) {
  const std::string text = mismatchText(access, lane, byte, width, found, expected);
  SC_REPORT_ERROR("fermata/scratchpad", text.c_str());
}

}  // namespace fermata
