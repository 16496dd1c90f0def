// Which channel, bank and row of a DRAM an address is in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fermata {

/// A parameter of a DRAM that cannot be. Names are those of platform files, without the group.
struct ImpossibleDram {
  const char* parameter;
  std::vector<const char*> with;  ///< those that it does not suit
  const char* expected;           ///< "a power of two from 1 to banks"

  std::string text() const { return std::string(parameter) + " must be " + expected; }
};

struct DramPlace {
  unsigned channel;
  unsigned bank;
  std::uint64_t row;
};

/// Consecutive bytes go to a channel, then to the next: channel = address / channelBytes mod
/// channels. Within a channel the bytes that are its own are numbered through; consecutive ones go
/// to a bank, then to the next of those side by side until their rows are full, then to the banks
/// after them. One to one for 64-bit addresses.
class DramMap {
 public:
  static constexpr unsigned kMostChannels = 64;
  static constexpr unsigned kMostBanks = 64;
  static constexpr std::uint32_t kMostBytes = 1U << 20;

  /// All but `channels` are powers of two. Defaults: the GTX 480's, as GPGPU-Sim 4.2 maps it
  /// (SM2_GTX480: dramid@8;...RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS, the lowest bit of the bank at bit
  /// 8).
  struct Shape {
    unsigned channels = 6;
    std::uint32_t channelBytes = 256;  ///< consecutive bytes of a channel
    unsigned banks = 16;               ///< of a channel
    std::uint32_t rowBytes = 4096;     ///< of one bank
    std::uint32_t bankBytes = 256;     ///< consecutive bytes of a bank, within a channel
    unsigned sideBySide = 2;           ///< banks between which those alternate
  };

  /// What is impossible; empty if nothing is.
  static std::optional<ImpossibleDram> wrong(const Shape& shape);
  /// Precondition: possible.
  explicit DramMap(const Shape& shape);

  DramPlace place(std::uint64_t address) const {
    const std::uint64_t block = address >> channelShift_;
    const std::uint64_t own = (block / channels_) << channelShift_ | (address & channelMask_);
    const std::uint64_t low = own >> bankShift_ & sideMask_;
    const std::uint64_t rows = own >> rowsShift_;  // of the banks side by side
    return {static_cast<unsigned>(block % channels_),
            static_cast<unsigned>((rows & highMask_) << sideShift_ | low), rows >> highShift_};
  }
  /// Aligned blocks of that many bytes lie in one row of one bank.
  std::uint32_t blockBytes() const { return blockBytes_; }

 private:
  unsigned channels_;
  unsigned channelShift_;
  unsigned bankShift_;
  unsigned sideShift_;
  unsigned rowsShift_;
  unsigned highShift_;
  std::uint64_t channelMask_;
  std::uint64_t sideMask_;
  std::uint64_t highMask_;
  std::uint32_t blockBytes_;
};

}  // namespace fermata
