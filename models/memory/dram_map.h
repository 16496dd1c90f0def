// Maps an address onto channel, bank and row of a DRAM.
#pragma once

#include <fermata/models/memory/dram_parameters.h>
#include <fermata/models/memory/slice_map.h>

#include <cstdint>

namespace fermata {

struct DramPlace {
  unsigned channel;
  unsigned bank;
  std::uint64_t row;
};

/// Maps 64-bit addresses one to one, in two steps:
///
///   channel  channelBytes go to channel 0, the next ones to channel 1, and so on; with
///            channelIndexer, as that mapping says
///   bank     the bytes of a channel are numbered through; bankBytes go to a bank, the next ones to
///            the next of `sideBySide` banks, until their rows are full; then follow the next banks
class DramMap {
 public:
  using Shape = DramShape;

  /// Precondition: the shape is possible (contradiction() of dram_parameters.h). Throws
  /// IndexingError if channelIndexer is no mapping onto the channels.
  explicit DramMap(const Shape& shape);

  DramPlace place(std::uint64_t address) const {
    const SliceMap::Place in = blocks_.place(address >> channelShift_);
    const std::uint64_t own = in.row << channelShift_ | (address & channelMask_);
    const std::uint64_t low = own >> bankShift_ & sideMask_;
    const std::uint64_t rows = own >> rowsShift_;  // a row of each bank side by side counts as one
    return {in.slice, static_cast<unsigned>((rows & highMask_) << sideShift_ | low),
            rows >> highShift_};
  }
  /// Bytes of the largest aligned block that always lies in one row of one bank.
  std::uint32_t blockBytes() const { return blockBytes_; }

 private:
  SliceMap blocks_;
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
