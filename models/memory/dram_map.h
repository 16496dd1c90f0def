// Maps an address onto channel, bank and row of a DRAM.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fermata {

/// An impossible parameter of a DRAM. Names are those of platform files, without the group.
struct ImpossibleDram {
  const char* parameter;
  std::vector<const char*> with;  ///< parameters whose values it contradicts
  const char* expected;           ///< for example "a power of two from 1 to banks"

  std::string text() const { return std::string(parameter) + " must be " + expected; }
};

struct DramPlace {
  unsigned channel;
  unsigned bank;
  std::uint64_t row;
};

/// Maps 64-bit addresses one to one, in two steps:
///
///   channel  channelBytes go to channel 0, the next ones to channel 1, and so on
///   bank     the bytes of a channel are numbered through; bankBytes go to a bank, the next ones to
///            the next of `sideBySide` banks, until their rows are full; then follow the next banks
class DramMap {
 public:
  static constexpr unsigned kMostChannels = 64;
  static constexpr unsigned kMostBanks = 64;
  static constexpr std::uint32_t kMostBytes = 1U << 20;

  /// All but `channels` are powers of two. Defaults: the map of the GTX 480 in GPGPU-Sim 4.2
  /// (SM2_GTX480: dramid@8;...RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS, the lowest bit of the bank at bit
  /// 8).
  struct Shape {
    unsigned channels = 6;
    std::uint32_t channelBytes = 256;  ///< consecutive bytes of a channel
    unsigned banks = 16;               ///< per channel
    std::uint32_t rowBytes = 4096;     ///< bytes of a row in one bank
    std::uint32_t bankBytes = 256;     ///< consecutive bytes of a bank, within a channel
    unsigned sideBySide = 2;           ///< banks that take turns, bankBytes each
  };

  /// Returns the first impossible parameter; nothing: all are possible.
  static std::optional<ImpossibleDram> wrong(const Shape& shape);
  /// Precondition: wrong(shape) returns nothing.
  explicit DramMap(const Shape& shape);

  DramPlace place(std::uint64_t address) const {
    const std::uint64_t block = address >> channelShift_;
    const std::uint64_t own = (block / channels_) << channelShift_ | (address & channelMask_);
    const std::uint64_t low = own >> bankShift_ & sideMask_;
    const std::uint64_t rows = own >> rowsShift_;  // a row of each bank side by side counts as one
    return {static_cast<unsigned>(block % channels_),
            static_cast<unsigned>((rows & highMask_) << sideShift_ | low), rows >> highShift_};
  }
  /// Bytes of the largest aligned block that always lies in one row of one bank.
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
